package rules

import (
	"fmt"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
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
			Fixes:   []lint.Fix{withoutControls(p, e.Span.Start)},
		})
	}),
}

// withoutControls deletes the control characters of the front matter from an offset on: parsers tell of the first alone.
func withoutControls(p *lint.Pass, from int) lint.Fix {
	f := lint.Fix{Title: "delete the character", Safe: true}
	for i, r := range p.Text()[from:p.Skill.Front.Block.End] {
		if at := from + i; r != 0 && skills.IsControl(r) {
			f.Edits = append(f.Edits, lint.Delete(text.Span{Start: at, End: at + utf8.RuneLen(r)}))
		}
	}
	if len(f.Edits) > 1 {
		f.Title = "delete the control characters"
	}
	return f
}
