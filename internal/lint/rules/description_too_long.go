package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lint"
)

// maxDescription is the longest description in characters. https://agentskills.io/specification
const maxDescription = 1024

var descriptionTooLong = &lint.Rule{
	Name: "description/too-long", Severity: lint.Error, Scope: lint.FrontScope, Since: since,
	Explains: []string{"*/description-max", "changed/description/cut"},
	Page: lint.Page{
		What: "The description is longer than 1024 characters, counted after YAML has folded its lines.",
		Why: "The Agent Skills text ends descriptions at 1024 characters. Codex and VS Code cut there, Copilot CLI and Crush drop the skill, " +
			"and uploads refuse it. Characters count, not bytes.",
		Bad:  "---\nname: demo\ndescription: Renames photos." + strings.Repeat(" It knows many cameras.", 46) + "\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Options: []lint.Option{{Name: "max", Default: maxDescription, Doc: "the most characters a description may have"}},
	Run: func(p *lint.Pass) {
		f := valueField(p, "description")
		if f == nil {
			return
		}
		most := p.Option("max")
		if n := utf8.RuneCountInString(strings.TrimSpace(f.Text)); n > most {
			p.Report(lint.Finding{
				Span:    f.Key,
				Message: fmt.Sprintf("the description is longer than %d characters: it has %d", most, n),
				Effect:  "some agents cut it there, others drop the skill",
				Help:    "keep what it does and when to use it, and move the rest into the body",
			})
		}
	},
}
