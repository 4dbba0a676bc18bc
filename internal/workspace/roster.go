package workspace

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Roster is what every client makes of every skill.
type Roster struct {
	Clients []*profile.Profile
	Skills  []*skills.Skill // those that clients may take for skills, sorted by path
	cells   map[seat]Cell
}

// Cell is what one client makes of one skill, and the rule whose finding gives the cause, nil when none does. Without
// an outcome the client was not asked.
type Cell struct {
	*profile.Outcome
	Rule *lint.Rule
}

type seat struct {
	client *profile.Profile
	skill  *skills.Skill
}

// Cell returns what a client of the roster makes of a skill of the roster.
func (r *Roster) Cell(p *profile.Profile, s *skills.Skill) Cell { return r.cells[seat{p, s}] }

// Trace tells stage by stage what a client made of a skill.
func (r *Roster) Trace(p *profile.Profile, s *skills.Skill) []profile.Step {
	cell := r.Cell(p, s)
	return p.Trace(docOf(s), cell.Outcome)
}

// Find returns the skill that a word means: a path of its folder or file, else its name or the name of its folder.
// The error for no skill suggests one, that for several names them.
func (r *Roster) Find(word string) (*skills.Skill, error) {
	clean := path.Clean(filepath.ToSlash(word))
	for _, s := range r.Skills {
		if s.Doc.Path == clean || s.Dir == clean || filepath.ToSlash(s.Doc.Abs) == clean || path.Dir(filepath.ToSlash(s.Doc.Abs)) == clean {
			return s, nil
		}
	}
	var found []*skills.Skill
	var names, files []string
	for _, s := range r.Skills {
		names = append(names, s.Name())
		if s.Name() == word || s.Folder == word {
			found, files = append(found, s), append(files, s.Doc.Path)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("no skill is called %q%s", word, lint.Suggest(word, names))
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("%d skills are called %q; give the path of one: %s", len(found), word, strings.Join(files, ", "))
}

// Roster plays all clients on all skills: those that are named for any of the skills, else the first tier and
// those that are usual for the folders of the skills. A skill in a folder of an agent is not there for a client
// that does not read that folder. It fails as Lint does.
func (s *Snapshot) Roster(ctx context.Context, engine *lint.Engine, jobs int) (*Roster, error) {
	r := &Roster{Clients: s.cast(), cells: map[seat]Cell{}}
	var err error
	played := *s
	played.plays = nil
	played.plays, err = played.play(ctx, casting{judges: func(*skills.Skill) []*profile.Profile { return r.Clients }, owned: true, once: true}, jobs)
	if err != nil {
		return nil, err
	}
	found, err := played.check(ctx, engine, jobs)
	if err != nil {
		return nil, err
	}
	for _, skill := range s.skills {
		if !skill.Fragment() {
			r.Skills = append(r.Skills, skill)
			r.fill(skill, played.Played(skill))
		}
	}
	r.explain(found.Findings)
	return r, nil
}

// Part is some of the skills of a workspace that is edited.
type Part struct {
	Live   *Live
	Skills []*skills.Skill
}

// RosterOf returns what clients make of some skills, as far as that is worked out: the clients of some names, or of each
// skill those that judge it when there are none. They are sorted by name. It fails when ctx ends.
func RosterOf(ctx context.Context, parts []Part, names []string) (*Roster, error) {
	r := &Roster{cells: map[seat]Cell{}}
	for _, part := range parts {
		if err := r.add(ctx, part, names); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(r.Clients, func(a, b *profile.Profile) int { return strings.Compare(a.ID(), b.ID()) })
	return r, nil
}

func (r *Roster) add(ctx context.Context, part Part, names []string) error {
	own := &Roster{cells: map[seat]Cell{}} // paths are those of its workspace
	files := map[string]bool{}
	for _, skill := range part.Skills {
		if err := ctx.Err(); err != nil {
			return err
		}
		if skill.Fragment() {
			continue
		}
		r.Skills = append(r.Skills, skill)
		files[skill.Doc.Path] = true
		for _, p := range part.Live.Plays(skill, names) {
			own.cells[seat{p.Profile, skill}] = Cell{Outcome: p.Outcome}
			files[p.Outcome.By] = true
			if !slices.Contains(r.Clients, p.Profile) {
				r.Clients = append(r.Clients, p.Profile)
			}
		}
	}
	var found []lint.Finding
	for file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		list, _ := part.Live.Findings(file) // a rule that fails is told with the diagnostics
		found = append(found, list...)
	}
	lint.Sort(found)
	own.explain(found)
	maps.Copy(r.cells, own.cells)
	return nil
}

// cast returns the clients that judge any of the skills, the first tier first when one of them is judged by those
// usual for its folder.
func (s *Snapshot) cast() []*profile.Profile {
	var named, usual []*profile.Profile
	add := func(list *[]*profile.Profile, more []*profile.Profile) {
		for _, p := range more {
			if !slices.Contains(*list, p) {
				*list = append(*list, p)
			}
		}
	}
	for _, skill := range s.skills {
		if judges, byName := lint.Judges(skill, s.Settings(skill.Doc.Path)); byName {
			add(&named, judges)
		} else {
			add(&usual, judges)
		}
	}
	if set := s.Settings("."); len(set.Clients) > 0 {
		add(&named, lint.Named(set))
	}
	if len(named) > 0 && len(usual) == 0 {
		return named
	}
	out := profile.FirstTier()
	add(&out, named)
	add(&out, usual)
	return out
}

// fill notes what the clients make of a skill.
func (r *Roster) fill(skill *skills.Skill, played []lint.Played) {
	for _, p := range played {
		r.cells[seat{p.Profile, skill}] = Cell{Outcome: p.Outcome}
	}
	for _, p := range r.Clients {
		at := seat{p, skill}
		if _, judged := r.cells[at]; !judged {
			r.cells[at] = Cell{Outcome: p.NotRead(skill.Doc.Path, skill.Brand+"/skills")}
		}
	}
}

// explain names the rule of each loss: that of the finding on the skill, or on the one it is lost to, that names
// the client.
func (r *Roster) explain(findings []lint.Finding) {
	type key struct{ client, file string }
	causes := map[key]*lint.Rule{}
	budgets := map[string]*lint.Rule{}
	for _, f := range findings {
		for _, client := range f.Clients {
			switch {
			case f.Rule.Name == lint.ListingBudget:
				budgets[client] = f.Rule
			case f.Rule.Accounts():
				causes[key{client, f.File}] = f.Rule
			}
		}
	}
	for at, cell := range r.cells {
		client := at.client.ID()
		switch {
		case cell.Stage == profile.StageBudget:
			cell.Rule = budgets[client]
		case lint.Loses(cell.Outcome):
			cell.Rule = causes[key{client, at.skill.Doc.Path}]
			if cell.Rule == nil {
				cell.Rule = causes[key{client, cell.By}]
			}
		}
		r.cells[at] = cell
	}
}
