package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
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
		first := text.Span{Start: e.Span.Start, End: p.Doc().Lines().Line(p.Doc().Lines().OffsetLine(e.Span.Start)).End}
		finding := lint.Finding{
			Span:    first,
			Message: "this line stands at the margin without being a key",
			Effect:  lost,
			Help:    "indent it if it belongs to the value above",
		}
		if f != nil {
			finding.Message = fmt.Sprintf("this line goes on with the value of %s but stands at the margin, where YAML wants a key", f.Name)
			finding.Fixes = []lint.Fix{{Title: "indent the text", Edits: indentLines(p, e.Span)}}
		}
		p.Report(finding)
	}),
}

func indentLines(p *lint.Pass, span text.Span) []lint.Edit {
	var edits []lint.Edit
	lines := p.Doc().Lines()
	for n := lines.OffsetLine(span.Start); n < lines.Lines() && lines.Line(n).Start < span.End; n++ {
		edits = append(edits, lint.Insert(lines.Line(n).Start, "  "))
	}
	return edits
}
