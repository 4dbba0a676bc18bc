package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var yamlUnclosedValue = &lint.Rule{
	Name: "yaml/unclosed-value", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A quote or bracket is never closed.",
		Why:  "YAML reads on to the end of the block in search of the other half, so the front matter does not parse and strict agents drop the skill.",
		Bad:  "---\nname: demo\ndescription: \"Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: \"Renames photos. Use when photos have camera names.\"\n---\n\n# Steps\n\nRename.\n",
	},
	Run: onCause(skills.UnclosedValue, func(p *lint.Pass, e skills.SyntaxError, f *skills.Field) {
		fixes := quoteFix(p, f)
		for i := range fixes {
			fixes[i].Safe = false // where the value was to end is a guess
		}
		p.Report(lint.Finding{
			Span:    e.Span,
			Message: fmt.Sprintf("the %s that opens %s is never closed", closer(p, f), valueOf(f)),
			Effect:  lost,
			Help:    "close it, or put the whole value in quotes",
			Fixes:   fixes,
		})
	}),
}
