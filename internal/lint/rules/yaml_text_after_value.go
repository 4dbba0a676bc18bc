package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var yamlTextAfterValue = &lint.Rule{
	Name: "yaml/text-after-value", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: unread,
	Page: lint.Page{
		What: "Text follows a closed quote or bracket.",
		Why: "A value that starts with a quote or a bracket ends where that is closed. `\"quick\" and \"full\" audits` or " +
			"`argument-hint: [file] [format]` go on behind it, so the front matter does not parse and strict agents drop the skill.",
		Bad:  "---\nname: demo\ndescription: \"quick\" and \"full\" audits of storage. Use when an audit is asked for.\n---\n\n# Steps\n\nAudit.\n",
		Good: "---\nname: demo\ndescription: '\"quick\" and \"full\" audits of storage. Use when an audit is asked for.'\n---\n\n# Steps\n\nAudit.\n",
	},
	Run: onCause(skills.TextAfterValue, func(p *lint.Pass, e skills.SyntaxError, f *skills.Field) {
		p.Report(lint.Finding{
			Span:    e.Span,
			Message: fmt.Sprintf("%s goes on with text after a closed %s", valueOf(f), closer(p, f)),
			Effect:  lost,
			Help:    "put the whole value in quotes",
			Fixes:   quoteFix(p, f),
		})
	}),
}

// closer names what the value starts with.
func closer(p *lint.Pass, f *skills.Field) string {
	if f != nil && strings.ContainsAny(p.Text()[f.Value.Start:f.Value.Start+1], "[{") {
		return "bracket"
	}
	return "quote"
}
