package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var yamlMissingSpace = &lint.Rule{
	Name: "yaml/missing-space", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "No blank follows the colon behind a key.",
		Why:  "YAML reads `name:demo` as one word, not as a key with a value, so the front matter does not parse and most agents drop the skill.",
		Bad:  "---\nname:demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: onCause(skills.MissingSpace, func(p *lint.Pass, e skills.SyntaxError, f *skills.Field) {
		p.Report(lint.Finding{
			Span:    e.Span,
			Message: fmt.Sprintf("no space follows the colon behind %s, so YAML sees no key here", f.Name),
			Effect:  lost,
			Help:    "put a space behind the colon",
			Fixes:   []lint.Fix{{Title: "put a space behind the colon", Safe: true, Edits: []lint.Edit{lint.Insert(e.Span.End, " ")}}},
		})
	}),
}
