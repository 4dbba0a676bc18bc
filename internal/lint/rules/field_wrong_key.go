package rules

import (
	"slices"

	"github.com/skill-ls/skill-ls/internal/lint"
)

var fieldWrongKey = &lint.Rule{
	Name: "field/wrong-key", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: []string{"parse/unknown-key"},
	Page: lint.Page{
		What: "The key is one of agents' definitions, where skills have another.",
		Why:  "`tools:` names the tools of a subagent. In a skill it has no effect; there the key is `allowed-tools:`.",
		Bad:  "---\nname: demo\ndescription: Runs the evals. Use when evals are asked for.\ntools: Read, Grep\n---\n\n# Steps\n\nRun.\n",
		Good: "---\nname: demo\ndescription: Runs the evals. Use when evals are asked for.\nallowed-tools: Read Grep\n---\n\n# Steps\n\nRun.\n",
	},
	Run: func(p *lint.Pass) {
		f := field(p, "tools")
		if f == nil || p.Skill.Front.Field("allowed-tools") != nil || slices.ContainsFunc(p.Clients, func(c string) bool { return clientName(c) == "agent-zero" }) {
			return
		}
		p.Report(lint.Finding{
			Span:    f.Key,
			Message: "skills have no key tools, so it has no effect; did you mean allowed-tools?",
			Help:    "rename the key to allowed-tools",
			Fixes:   renameKey(f, "allowed-tools", false),
		})
	},
}
