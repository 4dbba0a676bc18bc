package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var yamlDuplicateKey = &lint.Rule{
	Name: "yaml/duplicate-key", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A key stands twice in one mapping.",
		Why:  "A YAML mapping may hold a key only once. Some agents take the last value, most refuse the front matter and drop the skill.",
		Bad:  "---\nname: demo\ndescription: Renames photos.\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		first := map[string]*skills.Field{}
		for i := range p.Skill.Front.Fields {
			f := &p.Skill.Front.Fields[i]
			before := first[f.Name]
			if before == nil {
				first[f.Name] = f
				p.Skill.Front.Repeated(p.Text(), f, func(key string, first, again text.Span) { p.Report(duplicateKey(p, key, first, again)) })
				continue
			}
			twice := duplicateKey(p, f.Name, before.Key, f.Key)
			twice.Fixes = []lint.Fix{{
				Title: "delete the earlier one, whose value no agent uses", Safe: before.Value.In(p.Text()) == f.Value.In(p.Text()),
				Edits: []lint.Edit{lint.Delete(text.Span{Start: before.Key.Start, End: before.Extent.End})},
			}}
			p.Report(twice)
		}
	},
}

func duplicateKey(p *lint.Pass, key string, first, again text.Span) lint.Finding {
	line := p.Doc().Lines().OffsetLine(first.Start) + 1
	return lint.Finding{
		Span:    again,
		Message: fmt.Sprintf("the key %s is a duplicate of the one on line %d", key, line),
		Effect:  "many agents refuse a front matter that has a key twice and drop the skill, the others take the last",
		Help:    "keep one of the two",
		Related: []lint.Related{{File: p.Doc().Path, Span: first, Message: "it stands here first"}},
	}
}
