package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/text"
)

var yamlAnchor = &lint.Rule{
	Name: "yaml/anchor", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A value starts with `&word` or `!word` without quotes.",
		Why: "YAML takes the word for an anchor or a type and leaves it out of the value. It is valid YAML, so nobody reports it: " +
			"the first word of the description is just gone. `&nbsp;` pasted from a web page is the usual cause.",
		Bad:  "---\nname: demo\ndescription: &nbsp; Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		for i := range p.Skill.Front.Fields {
			f := &p.Skill.Front.Fields[i]
			if !f.Scalar() || f.Value.Empty() {
				continue
			}
			raw := f.Value.In(p.Text())
			if raw[0] != '&' && raw[0] != '!' || len(raw) > 1 && raw[1] == '!' {
				continue
			}
			p.Report(lint.Finding{
				Span:    text.Span{Start: f.Value.Start, End: f.Value.Start + len(word(raw))},
				Message: fmt.Sprintf("YAML takes %s for %s and leaves it out of the value of %s", word(raw), indicatorNoun(raw[0]), f.Name),
				Help:    "put the whole value in quotes, or delete the word",
				Fixes:   []lint.Fix{{Title: "put the value in quotes", Edits: []lint.Edit{lint.Replace(f.Value, quote(raw))}}},
			})
		}
	},
}

func word(s string) string {
	for i, r := range s {
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			return s[:i]
		}
	}
	return s
}

func indicatorNoun(c byte) string {
	if c == '&' {
		return "an anchor"
	}
	return "a type"
}
