package report

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// ClientsOptions says how the table of clients is printed as text.
type ClientsOptions struct {
	Color bool
	Quiet bool // the table only: no legend, no summary
	ASCII bool // signs that every terminal can show
	Width int  // columns of the terminal
	// Name names a file in JSON, given its absolute path; the path that is shown when nil.
	Name func(abs string) string
}

// Clients prints what every client makes of every skill, as text, json or markdown. Its errors are those of w.
func Clients(w io.Writer, r *workspace.Roster, format string, o ClientsOptions) error {
	switch format {
	case "json":
		return writeJSON(w, clientsToJSON(r, nil, o))
	case "markdown":
		_, err := io.WriteString(w, clientsMarkdown(r))
		return err
	}
	return clientsText(w, r, o)
}

// ExplainClients prints stage by stage what every client makes of one skill, in the formats of Clients.
func ExplainClients(w io.Writer, r *workspace.Roster, s *skills.Skill, format string, o ClientsOptions) error {
	switch format {
	case "json":
		return writeJSON(w, clientsToJSON(r, s, o))
	case "markdown":
		_, err := io.WriteString(w, traceMarkdown(r, s))
		return err
	}
	_, err := io.WriteString(w, traceText(r, s, o))
	return err
}

// mark is a kind of outcome that the table has a sign for.
type mark uint8

const (
	listed mark = iota
	changed
	hiddenAway
	dropped
	takesOthers
)

var marks = [...]struct {
	sign, ascii string
	words       string
	color       string
}{
	listed:      {"✓", "+", "listed", green},
	changed:     {"~", "~", "changed", yellow},
	hiddenAway:  {"·", ".", "hidden", cyan},
	dropped:     {"✗", "x", "dropped", red},
	takesOthers: {"‼", "!", "takes others down", red},
}

// markOf returns the sign of an outcome. A skill that is lost to another one has not taken it down.
func markOf(o *profile.Outcome) mark {
	switch o.Status {
	case profile.Listed:
		return listed
	case profile.Changed:
		return changed
	case profile.Hidden:
		return hiddenAway
	case profile.RootLost, profile.ClientCrash:
		if o.By == "" {
			return takesOthers
		}
	}
	return dropped
}

func (m mark) text(ascii bool) string {
	if ascii {
		return marks[m].ascii
	}
	return marks[m].sign
}

// reading is one thing that some clients do to a skill.
type reading struct {
	mark   mark
	why    string
	rule   string
	notHis bool // the skill lies in a folder of another agent, which the client does not read
	who    []string
}

// readings returns what clients do to a skill other than list it as written, those that do the same together.
func readings(r *workspace.Roster, s *skills.Skill) []reading {
	var out []reading
	for _, p := range r.Clients {
		cell := r.Cell(p, s)
		if cell.Outcome == nil {
			continue
		}
		x := reading{mark: markOf(cell.Outcome), why: strings.TrimPrefix(cell.Reason, p.Label+" "), notHis: unread(&cell)}
		if x.mark == listed {
			continue
		}
		if cell.Rule != nil {
			x.rule = cell.Rule.Name
		}
		same := func(y reading) bool { return y.mark == x.mark && y.why == x.why && y.rule == x.rule }
		if i := slices.IndexFunc(out, same); i >= 0 {
			out[i].who = append(out[i].who, p.ID())
			continue
		}
		x.who = []string{p.ID()}
		out = append(out, x)
	}
	return out
}

func unread(c *workspace.Cell) bool {
	return c.Outcome != nil && c.Stage == profile.StageWalk && c.Check == "folder"
}

// shelf is a folder of skills.
type shelf struct {
	dir    string
	skills []*skills.Skill
}

// shelves groups skills by the folder of skills they lie in.
func shelves(all []*skills.Skill) []shelf {
	var out []shelf
	for _, s := range all {
		dir := s.Root
		if dir == "" {
			dir = path.Dir(s.Dir)
		}
		if i := slices.IndexFunc(out, func(x shelf) bool { return x.dir == dir }); i >= 0 {
			out[i].skills = append(out[i].skills, s)
			continue
		}
		out = append(out, shelf{dir, []*skills.Skill{s}})
	}
	return out
}

// label names a skill on its shelf.
func (x shelf) label(s *skills.Skill) string {
	file := s.Doc.Path
	if s.Layout == skills.InFolder && path.Base(file) == skills.FileName {
		file = s.Dir
	}
	if rel := strings.TrimPrefix(file, x.dir+"/"); x.dir != "." && rel != "" {
		return clean(rel)
	}
	return clean(file)
}

// absent returns the clients that do not read the folder of a shelf.
func (x shelf) absent(r *workspace.Roster) []string {
	var out []string
	for _, p := range r.Clients {
		cell := r.Cell(p, x.skills[0])
		if unread(&cell) {
			out = append(out, p.ID())
		}
	}
	return out
}

// tally counts the cells of a roster in a line.
func tally(r *workspace.Roster) string {
	var n [len(marks)]int
	for _, s := range r.Skills {
		for _, p := range r.Clients {
			if cell := r.Cell(p, s); cell.Outcome != nil {
				n[markOf(cell.Outcome)]++
			}
		}
	}
	var parts []string
	for m, count := range n {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, marks[m].words))
		}
	}
	line := Plural(len(r.Skills), "skill") + ", " + Plural(len(r.Clients), "client")
	if parts != nil {
		line += ": " + strings.Join(parts, ", ")
	}
	return line
}

// header names a client with its version.
func header(p *profile.Profile) string {
	return strings.TrimSpace(p.Name + " " + lint.ShortVersion(p.Version))
}
