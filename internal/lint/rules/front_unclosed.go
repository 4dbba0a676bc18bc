package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var frontUnclosed = &lint.Rule{
	Name: "frontmatter/unclosed", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: unread,
	Page: lint.Page{
		What: "The front matter opens with `---` but no such line closes it.",
		Why:  "Agents read on to the end of the file, or to a horizontal rule far below, find no valid YAML and drop the skill.",
		Bad:  "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		front := &p.Skill.Front
		if !parsed(p) || front.Closed() || front.Open.Kind == skills.NoFence {
			return
		}
		f := lint.Finding{
			Span:    fencePlace(p),
			Message: "the frontmatter is not closed",
			Effect:  "without a second line --- most agents do not list the skill",
			Help:    "put a line --- behind the last key",
			Fixes: []lint.Fix{{
				Title: "insert --- behind the last key", Safe: len(front.Errors) == 0,
				Edits: []lint.Edit{closingFence(p)},
			}},
		}
		if front.Close.Span.Start <= front.Block.Start {
			f.Fixes = nil // nothing that looks like a key follows the fence
		}
		p.Report(f)
	},
}

// closingFence returns the edit that closes a block where its keys end.
func closingFence(p *lint.Pass) lint.Edit {
	src, nl := p.Text(), eol(p.Text())
	at := p.Skill.Front.Close.Span.Start
	if at > 0 && !strings.HasSuffix(src[:at], "\n") && !strings.HasSuffix(src[:at], "\r") {
		return lint.Insert(at, nl+"---"+nl)
	}
	return lint.Insert(at, "---"+nl)
}
