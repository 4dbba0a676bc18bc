package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// keyNoModel is the key that keeps a skill from the model, for the clients that know it.
const keyNoModel = "disable-model-invocation"

var modelInvocation = &lint.Rule{
	Name: "client/model-invocation", Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What:    "disable-model-invocation is true, and a chosen client offers the skill to the model all the same. The rule is silent unless clients are chosen with --client or in the configuration.",
		Why:     "Claude Code, Copilot CLI, VS Code, Cursor and a few others keep such a skill for people to call. Codex wants `policy.allow_implicit_invocation: false` in agents/openai.yaml instead; Gemini CLI, OpenCode and most others have no such switch.",
		Bad:     "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\ndisable-model-invocation: true\n---\n\n# Steps\n\nRename.\n",
		Good:    "-- demo/agents/openai.yaml --\npolicy:\n  allow_implicit_invocation: false\n-- demo/SKILL.md --\n---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\ndisable-model-invocation: true\n---\n\n# Steps\n\nRename.\n",
		Clients: []string{"claude-code", "codex"},
	},
	Run: func(p *lint.Pass) {
		f := field(p, keyNoModel)
		if f == nil || len(p.Clients) == 0 || strings.ToLower(f.Text) != "true" {
			return
		}
		var offers []*profile.Profile
		codex := false
		for _, played := range p.View.Played(p.Skill) {
			if played.Outcome.Listed && played.Profile.Evidence.Level != "documented" {
				offers = append(offers, played.Profile)
				codex = codex || played.Profile.Name == "codex"
			}
		}
		if len(offers) == 0 {
			return
		}
		out := lint.Finding{
			Span:    f.Key,
			Message: "disable-model-invocation has no effect in " + lint.Labels(offers...) + ": the skill is offered to the model",
		}
		if codex {
			out.Help = "Codex needs policy.allow_implicit_invocation: false in agents/openai.yaml"
		}
		p.Report(out)
	},
}
