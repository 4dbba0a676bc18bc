package rules

import (
	"fmt"
	"path"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var duplicateName = &lint.Rule{
	Name: "workspace/duplicate-name", Severity: lint.Error, Scope: lint.WorkspaceScope, Since: since,
	Explains: []string{"dedupe/*"},
	Page: lint.Page{
		What: "Two skills in the same folder have the same name.",
		Why:  "Of two skills with one name most agents list one and forget the other without a word, and which one differs from agent to agent.",
		Bad: "-- skills/demo/SKILL.md --\n" + demoSkill +
			"-- skills/demo-2/SKILL.md --\n---\nname: demo\ndescription: Sorts photos. Use when photos are unsorted.\n---\n\n# Steps\n\nSort.\n",
		Good: "-- skills/demo/SKILL.md --\n" + demoSkill +
			"-- skills/sort/SKILL.md --\n---\nname: sort\ndescription: Sorts photos. Use when photos are unsorted.\n---\n\n# Steps\n\nSort.\n",
	},
	Run: func(p *lint.Pass) {
		first := map[[2]string]*skills.Skill{}
		for _, s := range p.View.Skills() {
			f := s.Front.Field("name")
			if s.Layout != skills.InFolder || f == nil || isEmpty(f) || s.Dir == "." {
				continue
			}
			key := [2]string{path.Dir(s.Dir), f.Text}
			before := first[key]
			if before == nil {
				first[key] = s
				continue
			}
			p.Report(lint.Finding{
				File: s.Doc.Path, Span: f.Value,
				Message: fmt.Sprintf("duplicate skill name %s: %s has it too", f.Text, before.Doc.Path),
				Effect:  "agents list only one of the two",
				Help:    "give each skill a name of its own",
				Related: []lint.Related{{File: before.Doc.Path, Span: nameSpan(before), Message: "the other skill of that name"}},
			})
		}
	},
}

func nameSpan(s *skills.Skill) text.Span {
	if f := s.Front.Field("name"); f != nil {
		return f.Value
	}
	return text.Span{}
}

var unusedSuppression = &lint.Rule{
	Name: lint.UnusedSuppression, Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "A comment that suppresses findings suppresses none.",
		Why:  "The fault was mended, or the rule's name is misspelt. A comment that is left behind hides the next fault of its kind.",
		Bad:  "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n<!-- skilllint-disable-next-line security/hidden-text -- was an example -->\n# Steps\n\nRename.\n",
		Good: demoSkill,
	},
}
