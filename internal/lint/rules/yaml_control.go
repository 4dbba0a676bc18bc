package rules

import (
	"fmt"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var yamlControl = &lint.Rule{
	Name: "yaml/control-character", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "The front matter holds a control character.",
		Why:  "YAML text may not hold control characters other than tab and line break. Most parsers refuse the block and the agent drops the skill.",
		Bad:  "---\nname: demo\ndescription: Renames\u0001 photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: onCause(skills.ControlCharacter, func(p *lint.Pass, e skills.SyntaxError, _ *skills.Field) {
		r, _ := utf8.DecodeRuneInString(e.Span.In(p.Text()))
		if r == 0 {
			return // file/nul says it
		}
		p.Report(lint.Finding{
			Span:    e.Span,
			Message: fmt.Sprintf("the control character U+%04X may not stand in YAML", r),
			Effect:  lost,
			Help:    "delete the character",
			Fixes:   []lint.Fix{{Title: "delete the character", Safe: true, Edits: []lint.Edit{lint.Delete(e.Span)}}},
		})
	}),
}
