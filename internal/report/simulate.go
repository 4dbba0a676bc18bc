package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/secrets"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// SimulateOptions says how a simulation is printed.
type SimulateOptions struct {
	Base  string // files are shown relative to this folder; absolute
	Color bool   // text
	// Name names a file in JSON, given its absolute path; its path from Base when nil.
	Name func(abs string) string
	// About is the only one of agentsim.Parts to print; all when empty. With it no more of a prompt is printed than what
	// stands around the entry of Skill, the file of the only skill to tell of; empty for none.
	About, Skill string
}

// name returns how a file is called in JSON, "" for none.
func (o SimulateOptions) name(file string) string {
	if file == "" || o.Name == nil {
		return shownFile(o.Base, file)
	}
	return o.Name(filepath.FromSlash(file))
}

// Simulate prints what a client puts before its model, as text, json, markdown or prompt: the bytes that are known
// and nothing else. What is a credential beyond doubt is hidden in each of them. Its errors are those of w.
func Simulate(w io.Writer, s *agentsim.Simulation, format string, o SimulateOptions) error {
	if o.About != "" {
		s = s.About(o.About, o.Skill).Excerpt(secrets.OfPrompts())
	} else {
		s = s.Redacted(secrets.OfPrompts())
	}
	switch format {
	case "json":
		return writeJSON(w, simulationToJSON(s, o))
	case "prompt":
		_, err := io.WriteString(w, s.Text())
		return err
	case "markdown":
		_, err := io.WriteString(w, simulationMarkdown(s))
		return err
	}
	_, err := io.WriteString(w, simulationText(s, o))
	return err
}

// shownFile is a path as reports show it.
func shownFile(base, file string) string {
	if file == "" {
		return ""
	}
	return workspace.Shown(base, filepath.FromSlash(file))
}

func simulationText(s *agentsim.Simulation, o SimulateOptions) string {
	t := &simulationWriter{painter: painter{o.Color}}
	t.line("%s %s (%s); tokens: %s", s.Profile.Label, s.Profile.Version, s.Profile.Evidence.Level, s.Tokenizer)
	t.parts(s.Prompt)
	t.skills(s, o.Base)
	if a := s.Activation; a != nil {
		t.line("")
		t.line("%s %s", t.paint(bold, "Activation of "+clean(a.Skill)), count0(s.Tokens.Activation))
		t.parts(a.Parts)
	}
	t.tools(s)
	for i, n := range allNotes(s) {
		if i == 0 {
			t.line("")
		}
		t.line("%s %s", t.paint(cyan, "note:"), clean(n))
	}
	return t.String()
}

// simulationWriter writes the text form.
type simulationWriter struct {
	strings.Builder
	painter
}

func (t *simulationWriter) line(format string, args ...any) {
	fmt.Fprintf(t, format+"\n", args...)
}

func count0(tokens int) string { return "(" + Plural(tokens, "token") + ")" }

// parts shows messages, each line of their text made safe for a terminal.
func (t *simulationWriter) parts(parts []agentsim.Part) {
	for _, p := range parts {
		t.line("")
		if p.Left {
			t.line("%s", t.paint(cyan, p.Role+": "+clean(p.Text)))
			continue
		}
		t.line("%s %s", t.paint(bold, p.Role), precision(p))
		t.indented(p.Text)
	}
}

func (t *simulationWriter) indented(text string) {
	for line := range strings.Lines(text) {
		t.line("  %s", clean(strings.TrimRight(line, "\r\n")))
	}
}

func precision(p agentsim.Part) string {
	if p.Exact {
		return fmt.Sprintf("(%s, exact)", Plural(p.Tokens, "token"))
	}
	return fmt.Sprintf("(%s, not exact)", Plural(p.Tokens, "token"))
}

// skills shows what each skill costs in the listing, and why others are not in it.
func (t *simulationWriter) skills(s *agentsim.Simulation, base string) {
	if len(s.Skills) == 0 {
		return
	}
	t.line("\n%s", t.paint(bold, "tokens   total  characters  skill"))
	for _, k := range s.Skills {
		if k.Listed {
			t.line("%6d  %6d  %10d  %s%s", k.Tokens, k.Cumulative, k.Characters, clean(k.Name), because(k))
		}
	}
	for _, k := range s.Skills {
		if !k.Listed {
			t.line("%s  %s: %s", t.paint(yellow, "not listed"), clean(shownFile(base, k.File)), clean(k.Reason))
		}
	}
	t.line("%s", budgetLine(s))
}

func because(k agentsim.Skill) string {
	if k.Reason == "" {
		return ""
	}
	return ": " + clean(k.Reason)
}

func budgetLine(s *agentsim.Simulation) string {
	b := s.Budget
	room := fmt.Sprintf("%d %s, no limit known", b.Used, b.Unit)
	if b.Limit > 0 {
		room = fmt.Sprintf("%d of %d %s", b.Used, b.Limit, b.Unit)
	}
	out := fmt.Sprintf("The listing takes %s; %s in all.", room, Plural(s.Tokens.Listing, "token"))
	if n := len(b.Bare); n > 0 {
		out += fmt.Sprintf(" %s no description for want of room.", haveWord(n))
	}
	if n := len(b.Omitted); n > 0 {
		out += fmt.Sprintf(" %s left out.", areWord(n))
	}
	return out
}

func haveWord(n int) string {
	if n == 1 {
		return "1 skill has"
	}
	return fmt.Sprintf("%d skills have", n)
}

func areWord(n int) string {
	if n == 1 {
		return "1 skill is"
	}
	return fmt.Sprintf("%d skills are", n)
}

func (t *simulationWriter) tools(s *agentsim.Simulation) {
	if len(s.Tools) == 0 {
		return
	}
	t.line("\n%s %s", t.paint(bold, "Tools"), count0(s.Tokens.Tools))
	for _, k := range s.Tools {
		t.line("%6d  %s", k.Tokens, clean(toolLine(k)))
	}
}

// toolLine tells a tool's name, where it comes from, and what became of it.
func toolLine(k agentsim.Tool) string {
	line := k.Name
	if !k.Listed || line == "" {
		line = k.Tool
	}
	if k.Server != "" {
		line += " (" + k.Server + "/" + k.Tool + ")"
	}
	if !k.Listed {
		line += " not listed"
	}
	if k.Reason != "" {
		line += ": " + k.Reason
	}
	if len(k.Changes) > 0 {
		line += "; " + strings.Join(k.Changes, ", ")
	}
	return line
}

func allNotes(s *agentsim.Simulation) []string {
	if s.Activation == nil {
		return s.Notes
	}
	return append(s.Notes[:len(s.Notes):len(s.Notes)], s.Activation.Notes...)
}
