package rules

import (
	"fmt"
	"path"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/profile/dialect"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var neighbourFront = &lint.Rule{
	Name: "workspace/command-or-agent", Severity: lint.Warning, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "The front matter of a command or an agent of Claude Code cannot be read, or an agent has no name or description.",
		Why: "Commands and agents lie beside skills in .claude and in plugins. With broken YAML a command has neither description nor tools; an agent needs a name and a description (documented). " +
			"What Claude Code mends, such as an unquoted colon, is not judged. Files without front matter are not either: a command needs none, and among agents they are notes.",
		Bad:  "-- .claude/skills/demo/SKILL.md --\n" + demoSkill + "-- .claude/agents/tester.md --\n---\nname: tester\n---\n\nTest.\n",
		Good: "-- .claude/skills/demo/SKILL.md --\n" + demoSkill + "-- .claude/agents/tester.md --\n---\nname: tester\ndescription: Tests. Use when code was changed.\n---\n\nTest.\n",
	},
	Run: func(p *lint.Pass) {
		for _, n := range neighbours(p, "commands") {
			reportNeighbour(p, n, "command", frontFault(n.Skill))
		}
		for _, n := range neighbours(p, "agents") {
			fault := frontFault(n.Skill)
			if fault == "" && len(n.Front.Errors) == 0 {
				fault = agentLacks(n.Skill)
			}
			reportNeighbour(p, n, "agent", fault)
		}
	},
}

// frontFault says what is wrong with the syntax of a front matter, "" when nothing is or there is none.
func frontFault(s *skills.Skill) string {
	switch {
	case !s.Front.Exists() || s.Front.Format != skills.YAML:
		return ""
	case !s.Front.Closed():
		return "has front matter that is never closed"
	case len(s.Front.Errors) > 0 && !claudeReads(s):
		return "has front matter that is not valid YAML"
	}
	return ""
}

// claudeReads reports whether Claude Code reads a front matter that is not valid YAML, as it does that of a skill: it puts
// values in quotes and tries again.
func claudeReads(s *skills.Skill) bool {
	c, err := profile.Find("claude-code")
	if err != nil {
		return false
	}
	_, err = dialect.Parse(c.Parse.Dialect, s.Front.Block.In(s.Doc.Text), c.Parse.Options)
	return err == nil
}

// agentLacks says which key an agent needs and does not have.
func agentLacks(s *skills.Skill) string {
	if !s.Front.Exists() {
		return ""
	}
	for _, key := range []string{"name", "description"} {
		if f := s.Front.Field(key); f == nil || isEmpty(f) {
			return fmt.Sprintf("has no %s, which Claude Code requires", key)
		}
	}
	return ""
}

func reportNeighbour(p *lint.Pass, n neighbour, what, fault string) {
	if fault == "" {
		return
	}
	at := n.Front.Open.Span
	if len(n.Front.Errors) > 0 {
		at = clamp(n.Front.Errors[0].Span, n.Doc.Text)
	}
	p.View.Tree().Keep(n.Doc)
	p.Report(lint.Finding{File: n.Doc.Path, Span: at, Message: fmt.Sprintf("the %s %s %s", what, n.name, fault)})
}

var commandShadowed = &lint.Rule{
	Name: "workspace/command-shadowed", Severity: lint.Warning, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "A command has the name of a skill beside it.",
		Why:  "Claude Code gives the name to the skill (documented): the command cannot be called any more.",
		Bad:  "-- .claude/skills/demo/SKILL.md --\n" + demoSkill + "-- .claude/commands/demo.md --\nRename the photos.\n",
		Good: "-- .claude/skills/demo/SKILL.md --\n" + demoSkill + "-- .claude/commands/undo.md --\nUndo the last run.\n",
	},
	Run: func(p *lint.Pass) {
		byPlace := map[string]*skills.Skill{}
		for _, s := range p.View.Skills() {
			if s.Brand == ".claude" {
				byPlace[s.Root+" "+s.Folder] = s
			}
		}
		if len(byPlace) == 0 {
			return
		}
		for _, n := range neighbours(p, "commands") {
			s := byPlace[path.Join(n.home, ".claude/skills")+" "+n.name]
			if s == nil || n.Dir != path.Join(n.home, ".claude/commands") {
				continue
			}
			p.View.Tree().Keep(n.Doc)
			p.Report(lint.Finding{
				File: n.Doc.Path, Span: text.At(0),
				Message: fmt.Sprintf("the command %s is hidden by the skill of that name: Claude Code calls the skill", n.name),
				Help:    "delete the command, or give one of them another name",
				Related: []lint.Related{{File: s.Doc.Path, Span: nameSpan(s), Message: "the skill"}},
			})
		}
	},
}
