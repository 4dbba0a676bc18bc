package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var yamlInvalidEscape = &lint.Rule{
	Name: "yaml/invalid-escape", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A double-quoted value holds a backslash sequence that YAML does not know.",
		Why: "In double quotes a backslash starts an escape, and `\\T` or `\\q`, as in a Windows path, is none: the front matter does not parse " +
			"and strict agents drop the skill. In single quotes a backslash is a backslash.",
		Bad:  "---\nname: demo\ndescription: \"Syncs files under D:\\Temp\\queue. Use when the queue grows.\"\n---\n\n# Steps\n\nSync.\n",
		Good: "---\nname: demo\ndescription: 'Syncs files under D:\\Temp\\queue. Use when the queue grows.'\n---\n\n# Steps\n\nSync.\n",
	},
	Run: onCause(skills.InvalidEscape, func(p *lint.Pass, e skills.SyntaxError, f *skills.Field) {
		p.Report(lint.Finding{
			Span: e.Span,
			Message: fmt.Sprintf("%s is an invalid escape in the double-quoted value of %s",
				e.Span.In(p.Text()), f.Name),
			Effect: lost,
			Help:   "write the value in single quotes, or double each backslash",
			Fixes:  []lint.Fix{backslashFix(p, f)},
		})
	}),
}

// backslashFix takes every backslash for itself but that of \" and of \', which a shell or JavaScript teaches. It is safe when
// none of the others would have been an escape: `C:\new` could have meant a line break.
func backslashFix(p *lint.Pass, f *skills.Field) lint.Fix {
	inner := strings.Trim(f.Value.In(p.Text()), `"`)
	safe := true
	for i := 0; i+1 < len(inner); i++ {
		if inner[i] == '\\' {
			safe = safe && !strings.ContainsRune(`0abtnvfreNLPxuU\`, rune(inner[i+1]))
			i++
		}
	}
	return lint.Fix{
		Title: "write the value so that backslashes stand for themselves", Safe: safe,
		Edits: []lint.Edit{lint.Replace(f.Value, quote(quoteMarks.Replace(inner)))},
	}
}

var quoteMarks = strings.NewReplacer(`\"`, `"`, `\'`, "'", `\\`, `\\`)
