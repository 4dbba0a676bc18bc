package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lint"
)

var longName = strings.Repeat("long-", 13) + "name"

var nameTooLong = &lint.Rule{
	Name: "name/too-long", Severity: lint.Warning, Scope: lint.FrontScope, Since: since,
	Explains: []string{"*/name-max", "*/name-pattern", "changed/name/cut"}, Must: true,
	Page: lint.Page{
		What: "The name is longer than 64 characters.",
		Why:  "The Agent Skills text ends names at 64 characters; Codex and many others drop a skill with a longer one, VS Code cuts it.",
		Bad:  "-- " + longName + "/SKILL.md --\n---\nname: " + longName + "\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		f := nameField(p)
		if f == nil {
			return
		}
		if n := utf8.RuneCountInString(strings.TrimSpace(f.Text)); n > maxName {
			p.Report(lint.Finding{
				Span:    f.Value,
				Message: fmt.Sprintf("the name is longer than %d characters: it has %d", maxName, n),
				Effect:  "Codex and other agents drop the skill",
				Help:    "shorten the name and rename the folder",
			})
		}
	},
}
