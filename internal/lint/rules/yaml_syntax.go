package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var yamlSyntax = &lint.Rule{
	Name: "yaml/syntax", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "The front matter is not valid YAML in a way that no other rule names.",
		Why:  "Agents that read YAML strictly drop the skill; lenient ones lose some of its fields.",
		Bad:  "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nmetadata: {a: 1, [}\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nmetadata: {a: \"1\"}\n---\n\n# Steps\n\nRename.\n",
	},
	Run: onCause(skills.OtherCause, func(p *lint.Pass, e skills.SyntaxError, f *skills.Field) {
		finding := lint.Finding{
			Span:    e.Span,
			Message: fmt.Sprintf("%s is not valid YAML (%s)", valueOf(f), e.Message),
			Effect:  lost,
		}
		if f != nil && f.Text != "" {
			finding.Help = "put the value in quotes if it is meant as text"
			finding.Fixes = quoteFix(p, f)
			for i := range finding.Fixes {
				finding.Fixes[i].Safe = false
			}
		}
		p.Report(finding)
	}),
}
