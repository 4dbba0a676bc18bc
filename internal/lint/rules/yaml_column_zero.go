package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var yamlColumnZero = &lint.Rule{
	Name: "yaml/column-zero", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A further line of a value stands at the margin.",
		Why:  "A line that starts at the margin must be a new key. Pasted text that is not indented breaks the front matter, and strict agents drop the skill.",
		Bad:  "---\nname: demo\ndescription: Renames photos.\nUse when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos.\n  Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: onCause(skills.ColumnZero, func(p *lint.Pass, e skills.SyntaxError, f *skills.Field) {
		finding := lint.Finding{
			Span:    e.Span,
			Message: "this line stands at the margin without being a key",
			Effect:  lost,
			Help:    "indent it if it belongs to the value above",
		}
		if f != nil {
			finding.Message = fmt.Sprintf("this line goes on with the value of %s but stands at the margin, where YAML wants a key", f.Name)
			finding.Fixes = []lint.Fix{{Title: "indent the line", Edits: []lint.Edit{lint.Insert(e.Span.Start, "  ")}}}
		}
		p.Report(finding)
	}),
}
