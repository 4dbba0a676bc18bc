package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lint"
)

// maxCompatibility is the longest compatibility note in characters. https://agentskills.io/specification
const maxCompatibility = 500

var fieldCompatibilityTooLong = &lint.Rule{
	Name: "field/compatibility-too-long", Severity: lint.Error, Scope: lint.FrontScope, Since: since,
	Explains: []string{"*/compatibility-max"},
	Page: lint.Page{
		What: "The compatibility note is longer than 500 characters.",
		Why:  "The Agent Skills text ends it at 500. Crush, Mistral Vibe, Mux and others drop the skill, uploads refuse it.",
		Bad:  "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\ncompatibility: Needs" + strings.Repeat(" a camera and", 40) + " patience\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\ncompatibility: Needs exiftool\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		f := valueField(p, "compatibility")
		if f == nil {
			return
		}
		if n := utf8.RuneCountInString(f.Text); n > maxCompatibility {
			p.Report(lint.Finding{
				Span:    f.Key,
				Message: fmt.Sprintf("compatibility is longer than %d characters: it has %d", maxCompatibility, n),
				Effect:  "strict agents drop the skill",
				Help:    "keep what is needed to run, and move the rest into the body",
			})
		}
	},
}
