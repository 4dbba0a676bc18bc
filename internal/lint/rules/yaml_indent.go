package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var yamlIndent = &lint.Rule{
	Name: "yaml/uneven-indent", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "The keys of the front matter do not start in the same column.",
		Why:  "YAML tells by the column which keys belong together. Keys that start unevenly make the block invalid, and most agents drop the skill.",
		Bad:  "---\n name: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: onCause(skills.UnevenIndent, func(p *lint.Pass, e skills.SyntaxError, f *skills.Field) {
		finding := lint.Finding{
			Span:    e.Span,
			Message: "this line is not indented like the keys around it",
			Effect:  lost,
			Help:    "start all keys in the first column",
		}
		line := e.Span.In(p.Text())
		if f != nil {
			finding.Help = "start all keys below one key in the same column"
		} else if n := len(line) - len(strings.TrimLeft(line, " ")); n > 0 && n < len(line) {
			finding.Fixes = []lint.Fix{{Title: "start the line in the first column", Edits: []lint.Edit{lint.Delete(text.Span{Start: e.Span.Start, End: e.Span.Start + n})}}}
		}
		p.Report(finding)
	}),
}
