package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var yamlTabIndent = &lint.Rule{
	Name: "yaml/tab-indent", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A line of the front matter is indented with a tab.",
		Why:  "YAML allows only blanks for indentation. With a tab the front matter does not parse and most agents drop the skill.",
		Bad:  "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nmetadata:\n\towner: ops\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nmetadata:\n  owner: ops\n---\n\n# Steps\n\nRename.\n",
	},
	Run: onCause(skills.TabIndent, func(p *lint.Pass, e skills.SyntaxError, f *skills.Field) {
		p.Report(lint.Finding{
			Span:    e.Span,
			Message: "a tab indents this line",
			Effect:  lost,
			Help:    "indent with blanks",
			Fixes:   []lint.Fix{{Title: "indent with blanks", Safe: true, Edits: untab(p, f)}},
		})
	}),
}

// untab replaces each tab in front of a line of the field by two blanks.
func untab(p *lint.Pass, f *skills.Field) []lint.Edit {
	var edits []lint.Edit
	src := p.Text()
	lines := p.Doc().Lines()
	for n := lines.OffsetLine(f.Extent.Start); n <= lines.OffsetLine(max(f.Extent.End-1, f.Extent.Start)); n++ {
		line := lines.Line(n)
		lead := line
		lead.End = line.Start + len(line.In(src)) - len(strings.TrimLeft(line.In(src), " \t"))
		if strings.Contains(lead.In(src), "\t") {
			edits = append(edits, lint.Replace(lead, strings.ReplaceAll(lead.In(src), "\t", "  ")))
		}
	}
	return edits
}
