package rules

import (
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var frontNotMapping = &lint.Rule{
	Name: "frontmatter/not-mapping", Severity: lint.Error, Scope: lint.FrontScope, Since: since,
	Explains: unread,
	Page: lint.Page{
		What: "The front matter is valid YAML but holds no keys: it is empty, a list or a text.",
		Why:  "Without name and description most agents do not list the skill.",
		Bad:  "---\n- name\n- description\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !noKeys(p) {
			return
		}
		what := "is empty"
		switch p.Skill.Front.Shape {
		case skills.List:
			what = "is a list"
		case skills.Scalar:
			what = "is plain text"
		}
		p.Report(lint.Finding{
			Span:    fencePlace(p),
			Message: "the frontmatter " + what + " instead of keys with values",
			Effect:  "without a name and a description most agents do not list the skill",
			Help:    "write name: and description: between the two lines ---",
		})
	},
}

// noKeys reports whether there is front matter that parses but is no mapping.
func noKeys(p *lint.Pass) bool {
	front := &p.Skill.Front
	return parsed(p) && front.Shape != skills.NoShape && front.Shape != skills.Mapping
}
