package rules

import (
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var frontFenceSpace = &lint.Rule{
	Name: "frontmatter/fence-space", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: unread, Unhurt: lint.Info,
	Page: lint.Page{
		What: "Blanks follow the dashes of a fence.",
		Why:  "`--- ` looks like `---`, but Gemini CLI, Qwen Code and the claude.ai upload compare the whole line, see no front matter and drop the skill, Gemini CLI without a word.",
		Bad:  "--- \nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		for _, fence := range []skills.Delimiter{p.Skill.Front.Open, p.Skill.Front.Close} {
			if fence.Kind != skills.SpacedFence {
				continue
			}
			blanks := text.Span{Start: fence.Span.Start + len("---"), End: fence.Span.End}
			p.Report(lint.Finding{
				Span:    blanks,
				Message: "a trailing space follows the fence ---",
				Effect:  "agents that compare the whole line see no frontmatter and drop the skill",
				Help:    "delete the blanks",
				Fixes:   []lint.Fix{{Title: "delete the blanks", Safe: true, Edits: []lint.Edit{lint.Delete(blanks)}}},
			})
		}
	},
}
