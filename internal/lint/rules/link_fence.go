package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var unclosedFence = &lint.Rule{
	Name: "body/unclosed-fence", Severity: lint.Warning, Scope: lint.BodyScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A fenced code block is never closed.",
		Why: "All that follows is code: headings, links and instructions after it are part of the example. 84 of 6,709 published skills end inside one, most because a block in a block " +
			"has a fence of the same length. Links after it are not judged.",
		Bad:  linkSkill + "```sh\nls\n\n## Names\n\nKeep them.\n",
		Good: linkSkill + "```sh\nls\n```\n\n## Names\n\nKeep them.\n",
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Err != nil || opensBlock(p.Skill.Front.Lead.In(p.Text())) {
			return // the fence that ends the block of the front matter opens none
		}
		for _, f := range p.Skill.Body().Fences {
			if !f.Closed {
				p.Report(unclosedFinding(p, f))
				return
			}
		}
	},
}

// unclosedFinding tells of a fence, or of the one above it whose block holds another one.
func unclosedFinding(p *lint.Pass, f skills.Fence) lint.Finding {
	src, lines := p.Text(), p.Doc().Lines()
	fence := f.Open.In(src)
	found := lint.Finding{
		Span:    f.Open,
		Message: "this code block is never closed",
		Effect:  "an agent reads all that follows as code",
		Help:    "add a line with " + fence + " where the code ends",
	}
	if start := doubtful(src, p.Skill.Body()); start < f.Span.Start {
		found.Help = "a block above holds another one; give the outer one a longer fence"
		found.Related = []lint.Related{{File: p.Doc().Path, Span: lines.Line(lines.OffsetLine(start)), Message: "this block ends at the fence of the block in it"}}
		return found
	}
	if lines.Line(lines.OffsetLine(f.Open.Start)).Start == f.Open.Start {
		end := len(strings.TrimRight(src, " \t\r\n"))
		found.Fixes = []lint.Fix{{Title: "close the block at the end of the file", Edits: []lint.Edit{lint.Insert(end, eol(src)+fence)}}}
	}
	return found
}
