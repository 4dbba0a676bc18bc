package capture

import (
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/capture/model"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// compare holds a request against the prediction. Mask puts the user's own paths in place of those of the copy.
func (c *Capture) compare(r *model.Request, predicted *agentsim.Simulation, mask func(string) string, count tokens.Counter) {
	c.Protocol = r.Protocol
	for _, p := range r.Parts {
		text := mask(p.Text)
		c.Prompt = append(c.Prompt, agentsim.Part{Role: p.Role, Text: text, Tokens: count(text), Exact: true})
	}
	sent := slices.Clone(r.Tools)
	for i := range sent {
		sent[i].Description = mask(sent[i].Description)
	}
	c.compareSkills(sent, predicted, mask)
	c.compareTools(sent, predicted)
}

// compareSkills finds the listing in what was sent, and compares it entry by entry.
func (c *Capture) compareSkills(tools []model.Tool, predicted *agentsim.Simulation, mask func(string) string) {
	list := c.listing(tools)
	if place := c.predictedPlace(); place != c.Place && c.Place != "" {
		c.note("The listing of skills stands in the part %s, not in %s as predicted.", c.Place, place)
	}
	left := slices.Clone(predicted.Skills)
	order := []int{}
	for i, entry := range list.entries {
		s := Skill{Verdict: Own, Sent: entry, Name: nameIn(&c.Profile.Listing, entry)}
		if at := match(left, s.Name, func(k agentsim.Skill) bool { return holds(entry, mask(k.Entry), i == len(list.entries)-1) }); at >= 0 {
			s.judge(&left[at], mask, i == len(list.entries)-1)
			if left[at].Listed {
				order = append(order, at)
			}
			left[at].File = "" // found
		}
		c.Skills = append(c.Skills, s)
	}
	for _, k := range left {
		if k.File == "" || !k.Listed {
			continue
		}
		s := Skill{Verdict: Missing, Name: k.Name, File: mask(k.File), Predicted: mask(k.Entry)}
		if slices.Contains(list.bare, k.Name) && k.Entry == k.Name {
			s.Verdict, s.Sent = Same, k.Name
		}
		c.Skills = append(c.Skills, s)
	}
	c.Reordered = !slices.IsSorted(order)
}

// listing is what was sent of skills.
type listing struct {
	entries []string
	bare    []string // names without an entry
}

// listing looks for the listing in all parts, first in that where it is predicted.
func (c *Capture) listing(tools []model.Tool) listing {
	parts := slices.Clone(c.Prompt)
	for _, t := range tools {
		parts = append(parts, agentsim.Part{Role: "tool-description", Text: t.Description})
	}
	place := c.predictedPlace()
	slices.SortStableFunc(parts, func(a, b agentsim.Part) int { return rank(a, place) - rank(b, place) })
	for _, p := range parts {
		l := &c.Profile.Listing
		if found, ok := entries(l, p.Text); ok && len(found) > 0 {
			c.Place = p.Role
			return listing{found, bareNames(l, p.Text)}
		}
	}
	return listing{}
}

func rank(p agentsim.Part, place string) int {
	if p.Role == place {
		return 0
	}
	return 1
}

// predictedPlace is the role of the part that should hold the listing.
func (c *Capture) predictedPlace() string {
	if place := c.Profile.Listing.Place; place != "message" {
		return place
	}
	return "user"
}

// match finds the skill an entry is of: the one that is predicted so, else one of that name that no other entry is of.
func match(left []agentsim.Skill, name string, same func(agentsim.Skill) bool) int {
	if i := slices.IndexFunc(left, func(k agentsim.Skill) bool { return k.File != "" && k.Listed && same(k) }); i >= 0 {
		return i
	}
	named := func(k agentsim.Skill) bool {
		return k.File != "" && (k.Name == name || k.Loaded.Name == name || path.Base(path.Dir(k.File)) == name)
	}
	if i := slices.IndexFunc(left, func(k agentsim.Skill) bool { return k.Listed && named(k) }); i >= 0 {
		return i
	}
	return slices.IndexFunc(left, named)
}

func (s *Skill) judge(k *agentsim.Skill, mask func(string) string, last bool) {
	s.File, s.Predicted = mask(k.File), mask(k.Entry)
	switch {
	case !k.Listed:
		s.Verdict, s.Reason = Unexpected, mask(k.Reason)
	case holds(s.Sent, s.Predicted, last):
		s.Verdict, s.Sent = Same, s.Predicted
	default:
		s.Verdict = Differs
	}
}

// compareTools compares tool by tool, by the name that the model sees.
func (c *Capture) compareTools(sent []model.Tool, predicted *agentsim.Simulation) {
	found := map[int]bool{}
	for i := range sent {
		t := Tool{Verdict: Own, Name: sent[i].Name, Sent: &sent[i]}
		at := slices.IndexFunc(predicted.Tools, func(p agentsim.Tool) bool { return p.Listed && p.Name == t.Name })
		if at < 0 { // one that should not be there, unless it only has the name of one
			at = slices.IndexFunc(predicted.Tools, func(p agentsim.Tool) bool { return !p.Listed && p.Name == t.Name })
		}
		if at >= 0 && !found[at] {
			found[at] = true
			t.judge(&predicted.Tools[at])
		}
		c.Tools = append(c.Tools, t)
	}
	for i := range predicted.Tools {
		p := &predicted.Tools[i]
		if !p.Listed || found[i] {
			continue
		}
		t := Tool{Verdict: Missing, Name: p.Name, Server: p.Server, Predicted: p}
		if p.Line != "" && c.says(p.Line) {
			t.Verdict = Same
		}
		c.Tools = append(c.Tools, t)
	}
}

// says reports whether a line stands in the prompt.
func (c *Capture) says(line string) bool {
	return slices.ContainsFunc(c.Prompt, func(p agentsim.Part) bool {
		return slices.Contains(strings.Split(p.Text, "\n"), line)
	})
}

func (t *Tool) judge(p *agentsim.Tool) {
	t.Server, t.Predicted = p.Server, p
	if !p.Listed {
		t.Verdict = Unexpected
		return
	}
	if t.Sent.Description != p.Description {
		t.Differs = append(t.Differs, "description")
	}
	if !sameJSON(string(t.Sent.InputSchema), string(p.InputSchema)) {
		t.Differs = append(t.Differs, "input schema")
	}
	t.Verdict = Same
	if len(t.Differs) > 0 {
		t.Verdict = Differs
	}
}

// sameJSON compares values, whatever the order of their keys.
func sameJSON(a, b string) bool {
	x, errX := catalog.Parse(a)
	y, errY := catalog.Parse(b)
	return errX == nil && errY == nil && x.Hash() == y.Hash() || a == b
}
