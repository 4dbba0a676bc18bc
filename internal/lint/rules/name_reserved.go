package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
)

var nameReserved = &lint.Rule{
	Name: "name/reserved", Severity: lint.Warning, Scope: lint.FrontScope, Since: since,
	Explains: []string{"*/name-deny"}, Unhurt: lint.Info,
	Page: lint.Page{
		What: "The name holds the word claude or anthropic.",
		Why:  "claude.ai and the Skills API keep these words for themselves and refuse the upload; VT Code drops the skill.",
		Bad:  "-- claude-md-tidy/SKILL.md --\n---\nname: claude-md-tidy\ndescription: Tidies notes. Use when notes are in disorder.\n---\n\n# Steps\n\nTidy.\n",
		Good: "---\nname: demo\ndescription: Tidies notes. Use when notes are in disorder.\n---\n\n# Steps\n\nTidy.\n",
	},
	Run: func(p *lint.Pass) {
		f := nameField(p)
		if f == nil {
			return
		}
		for _, word := range []string{"anthropic", "claude"} {
			if strings.Contains(strings.ToLower(f.Text), word) {
				p.Report(lint.Finding{
					Span:    f.Value,
					Message: fmt.Sprintf("the name holds the reserved word %q", word),
					Effect:  "claude.ai and the Skills API refuse the skill",
					Help:    "choose a name without it",
				})
				return
			}
		}
	},
}
