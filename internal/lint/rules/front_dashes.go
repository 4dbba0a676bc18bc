package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/text"
)

var frontDashesInValue = &lint.Rule{
	Name: "frontmatter/dashes-in-value", Severity: lint.Info, Scope: lint.FrontScope, Since: since,
	Explains: unread,
	Page: lint.Page{
		What: "A value in the front matter holds `---`.",
		Why: "Goose, Spring AI, VT Code and the reference validator cut the front matter at the next three dashes wherever they stand, " +
			"so the value and every key behind it are lost there.",
		Bad:  "---\nname: demo\ndescription: Turns notes --- long ones too --- into slides. Use when slides are asked for.\n---\n\n# Steps\n\nTurn.\n",
		Good: "---\nname: demo\ndescription: Turns notes, long ones too, into slides. Use when slides are asked for.\n---\n\n# Steps\n\nTurn.\n",
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		block := p.Skill.Front.Block
		if at := strings.Index(block.In(p.Text()), "---"); at >= 0 {
			p.Report(lint.Finding{
				Span:    text.Span{Start: block.Start + at, End: block.Start + at + 3},
				Message: "three dashes stand inside a value",
				Effect:  "agents that cut at the next --- end the frontmatter there",
				Help:    "use another dash",
			})
		}
	},
}
