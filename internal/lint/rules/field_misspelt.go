package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
)

var fieldMisspelt = &lint.Rule{
	Name: "field/misspelt", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: []string{"parse/unknown-key", "*/*-required", "changed/*/*", "visibility/description"},
	Page: lint.Page{
		What: "A key is a slip of a known one.",
		Why: "Agents ignore keys they do not know, so the value has no effect. A misspelt name or description leaves the skill without one, " +
			"which is an error: most agents drop it.",
		Bad:  "---\nname: demo\ndescriptoin: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		for i := range p.Skill.Front.Fields {
			f := &p.Skill.Front.Fields[i]
			if key, caseOnly := requiredFor(p, f); key != "" && !caseOnly {
				p.Report(lint.Finding{
					Severity: lint.Error, Span: f.Key,
					Message: fmt.Sprintf("misspelt key: %s; did you mean %s?", f.Name, key),
					Effect:  "without a " + key + " most agents drop the skill",
					Help:    "rename the key to " + key,
					Fixes:   renameKey(f, key, true),
				})
			} else if key := optionalFor(p, f); key != "" && key != caseVariant(f.Name) {
				finding := lint.Finding{
					Span:    f.Key,
					Message: fmt.Sprintf("misspelt key: no agent reads %s; did you mean %s?", f.Name, key),
					Help:    "rename the key to " + key,
					Fixes:   renameKey(f, key, false),

					Explains: []string{"parse/unknown-key"},
				}
				if who := readers(f.Name); len(who) > 0 {
					finding.Severity = lint.Info
					finding.Message = fmt.Sprintf("only %s reads %s; did you mean %s?", strings.Join(who, ", "), f.Name, key)
				}
				p.Report(finding)
			}
		}
	},
}
