package lint

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// View is what rules may ask about the workspace.
type View interface {
	Skills() []*skills.Skill // all skills, sorted by path
	Tree() *skills.Tree      // the files around them
}

// Pass is one run of one rule over one skill, or over the workspace.
type Pass struct {
	Rule  *Rule
	Skill *skills.Skill // nil for a rule of WorkspaceScope
	View  View
	// Clients are the names the user says the skills are for; empty when nobody was named.
	Clients []string

	options map[string]int
	shared  map[any]any // what rules found out about the skill and share
	out     *[]Finding
	level   Severity
}

// Doc returns the skill's document.
func (p *Pass) Doc() *skills.Document { return p.Skill.Doc }

// Text returns the text of the skill's document.
func (p *Pass) Text() string { return p.Skill.Doc.Text }

// Option returns the configured value of one of the rule's options.
func (p *Pass) Option(name string) int {
	if v, ok := p.options[name]; ok {
		return v
	}
	for _, o := range p.Rule.Options {
		if o.Name == name {
			return o.Default
		}
	}
	panic(fmt.Sprintf("lint: rule %s has no option %s", p.Rule.Name, name))
}

// Shared returns what work returns, which is done once for all rules that look at the same skill. key stands
// for the work.
func Shared[T any](p *Pass, key any, work func(*Pass) T) T {
	if have, ok := p.shared[key]; ok {
		return have.(T)
	}
	made := work(p)
	p.shared[key] = made
	return made
}

// Report records a finding. The file is the skill's unless the finding says otherwise, and its severity the
// rule's unless the rule gives a lower or higher one for this place and the user has not configured any.
func (p *Pass) Report(f Finding) {
	f.Rule = p.Rule
	if f.File == "" && p.Skill != nil {
		f.File = p.Skill.Doc.Path
	}
	if f.Severity == Off || p.level != p.Rule.Severity {
		f.Severity = p.level
	}
	for i := range f.Fixes {
		for j := range f.Fixes[i].Edits {
			if e := &f.Fixes[i].Edits[j]; e.File == "" {
				e.File = f.File
			}
		}
	}
	*p.out = append(*p.out, f)
}

// Replace returns an edit of the file the finding is on.
func Replace(at text.Span, with string) Edit { return Edit{Edit: text.Edit{Span: at, New: with}} }

// Insert returns an edit that adds text to the file the finding is on.
func Insert(at int, add string) Edit { return Replace(text.At(at), add) }

// Delete returns an edit that removes a part of the file the finding is on.
func Delete(at text.Span) Edit { return Replace(at, "") }
