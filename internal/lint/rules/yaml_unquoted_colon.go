package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var yamlUnquotedColon = &lint.Rule{
	Name: "yaml/unquoted-colon", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A value without quotes holds a colon followed by a blank.",
		Why: "YAML reads `word: ` as the key of a new mapping, which may not stand there, so the front matter does not parse. " +
			"Strict agents then drop the skill without a word; lenient ones show it without its other fields. " +
			"It is the most frequent fault in published skills: nine in ten front matters that fail, fail by it.",
		Bad:  "---\nname: demo\ndescription: Plans routes in two passes: by district, then by hour. Use when routes are asked for.\n---\n\n# Steps\n\nPlan.\n",
		Good: "---\nname: demo\ndescription: \"Plans routes in two passes: by district, then by hour. Use when routes are asked for.\"\n---\n\n# Steps\n\nPlan.\n",
	},
	Run: onCause(skills.UnquotedColon, func(p *lint.Pass, e skills.SyntaxError, f *skills.Field) {
		p.Report(lint.Finding{
			Span:    e.Span,
			Message: fmt.Sprintf("an unquoted \": \" in %s reads as a new key", valueOf(f)),
			Effect:  lost,
			Help:    "put the whole value in quotes",
			Fixes:   quoteFix(p, f),
		})
	}),
}
