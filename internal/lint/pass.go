package lint

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// View is what rules may ask about the workspace.
type View interface {
	Skills() []*skills.Skill // all skills, sorted by path
	Tree() *skills.Tree      // the files around them
	// Played returns what each client that judges a skill makes of it, nil when nothing was played.
	Played(s *skills.Skill) []Played
	Listings() []Listing        // what each client makes of the skills it lists together
	Configs() []*mcpconfig.File // all MCP configurations, sorted by path
	HasEnv(name string) bool    // whether an environment variable is set; its value is nobody's business
	// HasProgram reports whether a command, a name or an absolute path, is a program of this machine. path lists the
	// folders that a name is looked for in, "" stands for this process's own. Nothing is started.
	HasProgram(command, path string) bool
	Offers() []*Offers // what is known of the servers of each configuration, and of others
}

// Pass is one run of one rule over one skill, over one MCP configuration or the tools of its
// servers, or over the workspace.
type Pass struct {
	Rule   *Rule
	Skill  *skills.Skill   // nil for a rule of another scope
	Config *mcpconfig.File // nil for a rule of another scope than TextScope, ConfigScope and CatalogScope
	Offers *Offers         // nil for a rule of another scope than CatalogScope
	View   View
	// Clients are the names the user says the skills are for; empty when nobody was named.
	Clients []string

	options map[string]int
	shared  map[any]any // what rules found out about the skill and share
	out     *[]Finding
	level   Severity
}

// Doc returns the document of the skill or the configuration, nil for a rule of WorkspaceScope.
func (p *Pass) Doc() *skills.Document {
	switch {
	case p.Skill != nil:
		return p.Skill.Doc
	case p.Config != nil:
		return p.Config.Doc
	}
	return nil
}

// Text returns the text of the document.
func (p *Pass) Text() string { return p.Doc().Text }

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
	if p.shared == nil { // a pass that is no run of the engine
		p.shared = map[any]any{}
	}
	p.shared[key] = made
	return made
}

// fileKey stands for the reading of a file, by its path relative to the skill's folder.
type fileKey string

type readFile struct {
	doc *skills.Document
	err error
}

// File returns a text in the folder of the skill, by its path there. It is read once for all rules; errors are those of
// skills.Tree.Document.
func (p *Pass) File(rel string) (*skills.Document, error) {
	r := Shared(p, fileKey(rel), func(p *Pass) readFile {
		home := filepath.Dir(p.Skill.Doc.Abs)
		doc, err := p.View.Tree().Document(path.Join(p.Skill.Dir, rel), filepath.Join(home, filepath.FromSlash(rel)))
		return readFile{doc, err}
	})
	return r.doc, r.err
}

// Report records a finding. The file is that of the document unless the finding says otherwise, and its severity the
// rule's unless the rule gives a lower or higher one for this place and the user has not configured any.
func (p *Pass) Report(f Finding) {
	f.Rule = p.Rule
	if doc := p.Doc(); f.File == "" && doc != nil {
		f.File = doc.Path
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
