package rules

import (
	"fmt"
	"path"
	"path/filepath"

	"github.com/skill-ls/skill-ls/internal/evals"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var triggerEval = &lint.Rule{
	Name: "workspace/trigger-eval", Severity: lint.Warning, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "A trigger eval of a skill cannot be read, or names a skill that is not there.",
		Why: "Files such as evals/trigger-eval.json say which queries should choose the skill; `skilllint route --evals` ranks them. One that cannot be read tests nothing, and one that names a skill by its old name fails for ever. " +
			"Read are the shapes of 56 published files: a list, or an object with queries, evals or cases.",
		Bad:  evalHead + "[{\"query\": \"rename these photos\", \"expected_skill\": \"renamer\"}]\n",
		Good: evalHead + "[{\"query\": \"rename these photos\", \"should_trigger\": true}]\n",
	},
	Run: func(p *lint.Pass) {
		var known map[string]bool
		for _, s := range p.View.Skills() {
			for _, f := range s.Files {
				if !evals.IsName(f.Path) {
					continue
				}
				if known == nil {
					known = skillNames(p)
				}
				reportEval(p, s, f.Path, known)
			}
		}
	},
}

const evalHead = "-- demo/SKILL.md --\n" + demoSkill + "-- demo/evals/trigger-eval.json --\n"

// skillNames returns the names of all skills, and of their folders.
func skillNames(p *lint.Pass) map[string]bool {
	out := map[string]bool{}
	for _, s := range p.View.Skills() {
		out[s.Name()], out[s.Folder] = true, true
	}
	return out
}

func reportEval(p *lint.Pass, s *skills.Skill, rel string, known map[string]bool) {
	tree := p.View.Tree()
	doc, err := tree.Document(path.Join(s.Dir, rel), filepath.Join(filepath.Dir(s.Doc.Abs), filepath.FromSlash(rel)))
	if err != nil {
		return
	}
	f := evals.Read(doc)
	for _, x := range f.Problems {
		tree.Keep(doc)
		p.Report(lint.Finding{File: doc.Path, Span: clamp(x.Span, doc.Text), Message: "trigger eval: " + x.Message})
	}
	told := map[string]bool{}
	for _, q := range f.Queries {
		if q.Skill == "" || known[q.Skill] || told[q.Skill] {
			continue
		}
		told[q.Skill] = true
		tree.Keep(doc)
		p.Report(lint.Finding{
			File: doc.Path, Span: clamp(q.Named, doc.Text),
			Message: fmt.Sprintf("trigger eval: there is no skill called %s", q.Skill),
			Help:    fmt.Sprintf("did you mean %s?", s.Name()),
		})
	}
}
