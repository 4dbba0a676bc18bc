package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/text"
)

var bodyAtFile = &lint.Rule{
	Name: "body/at-file", Severity: lint.Info, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A file of the skill is named with @ in front, as if its text were put in that place.",
		Why: "Claude Code does that in prompts, not in skills: watched in Claude Code, Gemini CLI, OpenCode, Qwen Code, Copilot CLI, Kimi Code and Kilo, `@references/ref.md` stays as it is. " +
			"Judged are paths outside code that name a file of the skill: 29 of 64 in published skills.",
		Bad:  linkSkill + "Follow @references/list.md.\n-- demo/references/list.md --\n# List\n",
		Good: linkSkill + "Follow [the list](references/list.md).\n-- demo/references/list.md --\n# List\n",
	},
	Run: func(p *lint.Pass) {
		src := p.Text()
		start := p.Skill.Front.End(src)
		if p.Skill.Err != nil {
			return
		}
		for at := range atPath.All(src) {
			path := text.Span{Start: at[2], End: at[3]}
			if at[0] < start || at[0] > 0 && strings.IndexByte(" \t\r\n\f\v(", src[at[0]-1]) < 0 {
				continue // of the front matter, or within a word
			}
			m := mark{span: path}
			if m.place(src, p.Skill.Body()); m.fenced || m.coded || !p.Skill.Holds(path.In(src)) {
				continue
			}
			whole := text.Span{Start: path.Start - 1, End: path.End}
			p.Report(lint.Finding{
				Span:    whole,
				Message: fmt.Sprintf("@%s is not put into the text: clients show it as written", path.In(src)),
				Help:    "say that the file is to be read, with a link",
				Fixes:   []lint.Fix{{Title: "make it a link", Edits: []lint.Edit{lint.Replace(whole, "["+path.In(src)+"]("+path.In(src)+")")}}},
			})
		}
	},
}

// atPath is a path with a folder and an extension behind an @.
var atPath = lazyregexp.NewKeyed("@", `@((?:[\w.-]+/)+[\w-]+\.\w+)`)
