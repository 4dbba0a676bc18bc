package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
)

var descriptionLineBreak = &lint.Rule{
	Name: "description/line-break", Severity: lint.Hint, Scope: lint.FrontScope, Since: since,
	Page: lint.Page{
		What: "The description holds line breaks.",
		Why:  "A literal block (`|`) keeps its line breaks. Agents that list skills one a line show the first line apart from the rest; most fold or escape them.",
		Bad:  "---\nname: demo\ndescription: |-\n  Renames photos.\n  Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: >-\n  Renames photos.\n  Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		f := valueField(p, "description")
		if f != nil && strings.Contains(strings.TrimSpace(f.Text), "\n") {
			p.Report(lint.Finding{
				Span:    f.Key,
				Message: "line breaks stand inside the description",
				Effect:  "agents that list one skill a line show it torn",
				Help:    "use >- or one line",
			})
		}
	},
}
