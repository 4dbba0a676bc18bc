package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// leastBytesPerToken is how short a token is at least, on average, in any text: what is shorter in bytes than that
// need not be counted.
const leastBytesPerToken = 2

// mostCounted is the size in bytes from which on a text is not counted: file/too-large speaks of it.
const mostCounted = 1 << 20

var bodyTokens = &lint.Rule{
	Name: "body/tokens", Severity: lint.Info, Scope: lint.BodyScope, Since: since,
	Page: lint.Page{
		What: "The text of the skill has more tokens than a client keeps of it.",
		Why: "Claude Code keeps the first 5,000 tokens of each skill when it compacts a long conversation (documented): what stands behind them is forgotten half-way. One in twenty published skills is longer. " +
			"Tokens are estimated; the estimate is within 8 % of the count for 9 in 10 skills.",
		Bad:     bodyHead + strings.Repeat("Rename each photo by the date it was taken, one by one, without haste.\n", 400),
		Good:    demoSkill,
		Clients: []string{"claude-code"},
	},
	Run: func(p *lint.Pass) {
		body := p.Text()[p.Skill.Front.End(p.Text()):]
		if len(body) >= mostCounted {
			return
		}
		long, _ := split(judges(p), func(c *profile.Profile) bool {
			keep := c.Activation.Keep
			return keep > 0 && len(body) > keep*leastBytesPerToken && tokens.Estimate(body) > keep
		})
		if len(long) > 0 {
			p.Report(lint.Finding{
				Span: bodyPlace(p),
				Message: fmt.Sprintf("the text has about %d tokens: %s keeps the first %d when a conversation is compacted",
					tokens.Estimate(body), lint.Labels(long...), long[0].Activation.Keep),
				Help: "put what always matters first, and move details to files in references/",
			})
		}
	},
}

// bodyPlace returns where a finding about the body as a whole goes: its first heading, else its first character.
func bodyPlace(p *lint.Pass) text.Span {
	if h := p.Skill.Body().Headings; len(h) > 0 {
		return h[0].Span
	}
	return text.At(p.Skill.Front.End(p.Text()))
}

var bodyTotalTokens = &lint.Rule{
	Name: "body/total-tokens", Severity: lint.Hint, Scope: lint.SkillScope, Since: since,
	Options: []lint.Option{{Name: "tokens", Default: 40000, Doc: "the most tokens that are passed over"}},
	Page: lint.Page{
		What: "The skill and all the files that its text leads to are more than a model should read at once.",
		Why: "A model that follows every link reads them all: 40,000 tokens are a fifth of a window of 200,000, gone before the work begins. Followed are links and paths in inline code to files of the skill that are text. " +
			"The message says what the parts cost.",
		Bad:  bodyReferenceHead + strings.Repeat("Scan each photo with care, one by one, and note what was found.\n", 4000),
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		most := p.Option("tokens")
		if p.Skill.Err != nil || len(p.Text()) >= mostCounted || !mayExceed(p, most) {
			return
		}
		cost := tokens.Of(p.Skill, p.View.Tree(), tokens.Estimate)
		if cost.Total() > most {
			p.Report(lint.Finding{
				Span: bodyPlace(p),
				Message: fmt.Sprintf("the skill and what its text leads to have about %d tokens: description %d, text %d, %d files %d",
					cost.Total(), cost.Description, cost.Body, len(cost.Files), cost.Total()-cost.Body),
				Help: "say in the text when each file is needed" + largest(cost.Files),
			})
		}
	},
}

// mayExceed reports whether a skill can have so many tokens: it has files to read, or a text that long.
func mayExceed(p *lint.Pass, most int) bool {
	if len(p.Text()) > most*leastBytesPerToken {
		return true
	}
	for _, f := range p.Skill.Files {
		if f.Path != skills.FileName && strings.HasSuffix(f.Path, ".md") {
			return true
		}
	}
	return false
}

// largest names the file that costs most.
func largest(files []tokens.File) string {
	best := tokens.File{}
	for _, f := range files {
		if f.Tokens > best.Tokens {
			best = f
		}
	}
	if best.Path == "" {
		return ""
	}
	return fmt.Sprintf("; the largest is %s with %d", best.Path, best.Tokens)
}
