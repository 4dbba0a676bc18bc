package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var yamlLeadingIndicator = &lint.Rule{
	Name: "yaml/leading-indicator", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A value without quotes starts with a character that means something in YAML, such as `*`, `&`, `@`, `%` or a backtick.",
		Why: "YAML takes `*` for a reference, `&` for an anchor, `|` and `>` for a block of text, and refuses `@` and backticks, " +
			"so the front matter does not parse and strict agents drop the skill. Bold text (`**…`) at the start of a description is the usual cause.",
		Bad:  "---\nname: demo\ndescription: **Fast** renaming of photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: \"**Fast** renaming of photos. Use when photos have camera names.\"\n---\n\n# Steps\n\nRename.\n",
	},
	Run: onCause(skills.LeadingIndicator, func(p *lint.Pass, e skills.SyntaxError, f *skills.Field) {
		p.Report(lint.Finding{
			Span:    e.Span,
			Message: fmt.Sprintf("%s starts with %q, which has a meaning of its own in YAML", valueOf(f), e.Span.In(p.Text())),
			Effect:  lost,
			Help:    "put the whole value in quotes",
			Fixes:   quoteFix(p, f),
		})
	}),
}
