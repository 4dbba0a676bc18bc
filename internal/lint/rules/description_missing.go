package rules

import (
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var descriptionMissing = &lint.Rule{
	Name: "description/missing", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: []string{"*/description-*", "changed/description/*", "visibility/description"},
	Page: lint.Page{
		What: "The front matter has no description, or an empty one.",
		Why: "The description is all a model knows of a skill before it loads it. Codex, Gemini CLI, OpenCode and most others do not list a skill without one; " +
			"Claude Code shows the first paragraph of the body in its place.",
		Bad:  "---\nname: demo\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !keysMatter(p) || excused(p, "description") {
			return
		}
		f := p.Skill.Front.Field("description")
		switch {
		case f == nil:
			p.Report(lint.Finding{
				Span:    fencePlace(p),
				Message: "the description is missing",
				Effect:  "most agents do not list the skill, and no model knows when to use it",
				Help:    "add description: with what the skill does and when to use it",
				Fixes:   addDescription(p),
			})
		case isEmpty(f):
			p.Report(lint.Finding{
				Span:    f.Key,
				Message: "the description is missing: the key has no value",
				Effect:  "most agents do not list the skill, and no model knows when to use it",
				Help:    "say what the skill does and when to use it",
			})
		}
	},
}

func addDescription(p *lint.Pass) []lint.Fix {
	text := firstParagraph(p.Skill)
	indent, ok := keyIndent(p)
	if !ok || text == "" || len(text) > maxDescription || p.Skill.Front.Open.Kind == skills.NoFence {
		return nil
	}
	at := p.Skill.Front.Block.Start
	if name := p.Skill.Front.Field("name"); name != nil {
		at = name.Extent.End
	}
	return []lint.Fix{{
		Title: "add the first paragraph as description",
		Edits: []lint.Edit{lint.Insert(at, indent+"description: "+plainOrQuoted(text)+eol(p.Text()))},
	}}
}
