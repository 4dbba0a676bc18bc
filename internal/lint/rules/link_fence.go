package rules

import (
	"github.com/skill-ls/skill-ls/internal/lint"
)

var unclosedFence = &lint.Rule{
	Name: "body/unclosed-fence", Severity: lint.Warning, Scope: lint.BodyScope, Since: since,
	Page: lint.Page{
		What: "A fenced code block is never closed.",
		Why: "All that follows is code: headings, links and instructions after it are part of the example. 84 of 6,709 published skills end inside one, most because a block in a block " +
			"has a fence of the same length. Links after it are not judged.",
		Bad:  linkSkill + "```sh\nls\n\n## Names\n\nKeep them.\n",
		Good: linkSkill + "```sh\nls\n```\n\n## Names\n\nKeep them.\n",
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Err != nil {
			return
		}
		for _, f := range p.Skill.Body().Fences {
			if f.Closed {
				continue
			}
			found := lint.Finding{
				Span:    f.Open,
				Message: "this code block is never closed",
				Effect:  "an agent reads all that follows as code",
				Help:    "add a line with " + f.Open.In(p.Text()) + " where the code ends",
			}
			if start := doubtful(p.Text(), p.Skill.Body()); start < f.Span.Start {
				found.Help = "a block above holds another one; give the outer one a longer fence"
				line := p.Doc().Lines().Line(p.Doc().Lines().OffsetLine(start))
				found.Related = []lint.Related{{File: p.Doc().Path, Span: line, Message: "this block ends at the fence of the block in it"}}
			}
			p.Report(found)
			return
		}
	},
}
