package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
)

var fieldClientOnly = &lint.Rule{
	Name: "field/client-only", Severity: lint.Info, Scope: lint.FrontScope, Since: since,
	Explains: []string{"parse/unknown-key", "parse/bad-key"},
	Page: lint.Page{
		What:    "A key that only some of the chosen clients read. The rule is silent unless clients are chosen with --client or in the configuration.",
		Why:     "`context: fork` runs a skill apart in Claude Code and does nothing elsewhere. Whoever publishes for several agents should know what the others leave out.",
		Bad:     "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\ncontext: fork\n---\n\n# Steps\n\nRename.\n",
		Good:    "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Clients: []string{"claude-code", "codex"},
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) || len(p.Clients) == 0 {
			return
		}
		for i := range p.Skill.Front.Fields {
			f := &p.Skill.Front.Fields[i]
			who := readers(f.Name)
			if len(who) == 0 || slices.Contains(specKeys, f.Name) || f.Name == "tools" || f.Name == keyNoModel || unknownKey(p, f) || optionalFor(p, f) != "" { // keyNoModel: client/model-invocation
				continue
			}
			blind := slices.ContainsFunc(p.Clients, func(c string) bool { return !slices.Contains(who, clientName(c)) })
			if blind {
				p.Report(lint.Finding{
					Span:    f.Key,
					Message: fmt.Sprintf("the key %s is outside the spec: only %s read it, the other chosen clients ignore it", f.Name, strings.Join(who, ", ")),
				})
			}
		}
	},
}
