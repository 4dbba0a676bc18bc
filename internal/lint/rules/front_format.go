package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var frontFormat = &lint.Rule{
	Name: "frontmatter/format", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "The front matter is TOML or JSON.",
		Why:  "Site generators read `+++` and `{ … }`, agents do not: the skill format is YAML between `---` lines. No agent lists the skill.",
		Bad:  "+++\nname = \"demo\"\ndescription = \"Renames photos. Use when photos have camera names.\"\n+++\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		front := &p.Skill.Front
		if p.Skill.Err != nil || front.Format != skills.TOML && front.Format != skills.JSON {
			return
		}
		language := "TOML"
		if front.Format == skills.JSON {
			language = "JSON"
		}
		f := lint.Finding{
			Span:    front.Open.Span,
			Message: fmt.Sprintf("the frontmatter is %s; agents read only YAML between two lines ---", language),
			Effect:  "none lists the skill",
			Help:    "write it as YAML",
		}
		if len(front.Fields) > 0 {
			var b strings.Builder
			nl := eol(p.Text())
			b.WriteString("---" + nl)
			for _, field := range front.Fields {
				b.WriteString(field.Name + ": " + plainOrQuoted(field.Text) + nl)
			}
			b.WriteString("---" + nl)
			whole := text.Span{Start: front.Open.Span.Start, End: front.Close.Span.End}
			f.Fixes = []lint.Fix{{Title: "write name and description as YAML", Edits: []lint.Edit{lint.Replace(whole, b.String())}}}
		}
		p.Report(f)
	},
}
