package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/text"
)

var bodyCommand = &lint.Rule{
	Name: "body/command-on-load", Severity: lint.Warning, Scope: lint.BodyScope, Since: since,
	Page: lint.Page{
		What: "The text holds a command that a client runs while it loads the skill: an exclamation mark before inline code, or behind the backticks of a fence.",
		Why: "Claude Code and OpenHands run it and put what it prints in its place, before the model reads anything; inside a fence, too, so that an example of the syntax runs. A command that fails ends the call. " +
			"An example in code is a warning. HTML comments are judged like prose: clients look for commands in the text, whatever its Markdown. A command outside code is meant to run: where a client shows it as written, that is an information, or a warning when the client was named.",
		Bad:     bodyHead + "```markdown\nState: !`git status`\n```\n",
		Good:    bodyHead + "State: !`git status`\n",
		Clients: []string{"claude-code"},
	},
	Run: func(p *lint.Pass) {
		example := false
		var plain *mark
		for _, m := range bodyMarks(p) {
			if m.kind != commandMark {
				continue
			}
			switch inCode := m.fenced || m.coded; {
			case plain == nil && (m.block || !inCode):
				plain = &m
			case !example && !m.block && inCode:
				example = reportExample(p, m.span)
			}
		}
		if plain != nil {
			reportCommand(p, plain.span)
		}
	},
}

func runs(c *profile.Profile) bool { return c.Activation.Shell == "run" }

// reportExample reports a command in code, when a client runs it.
func reportExample(p *lint.Pass, at text.Span) bool {
	yes, _ := split(judges(p), runs)
	if len(yes) == 0 {
		return false
	}
	p.Report(lint.Finding{
		Span:    at,
		Message: fmt.Sprintf("the command runs when the skill loads in %s", lint.Labels(yes...)),
		Effect:  "code does not protect it",
		Help:    "describe the syntax in words, or move the example to a referenced file, where nothing runs",
	})
	return true
}

// reportCommand reports a command that is meant to run, when a client does not run it.
func reportCommand(p *lint.Pass, at text.Span) {
	if _, no := split(judges(p), runs); len(no) > 0 {
		p.Report(lint.Finding{
			Severity: portability(p), Span: at,
			Message: fmt.Sprintf("the command is not run by %s: the model sees it as written", lint.Labels(no...)),
			Help:    "say in words that the model should run it when nothing stands in its place",
		})
	}
}
