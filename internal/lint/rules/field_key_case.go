package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
)

var fieldKeyCase = &lint.Rule{
	Name: "field/key-case", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: []string{"parse/unknown-key", "*/*-required", "changed/*/*", "visibility/description"},
	Page: lint.Page{
		What: "A key is written with capitals.",
		Why: "Keys are compared by the letter. `Name:` and `Description:` are unknown keys, and a skill without the real ones is dropped, " +
			"or listed with the first line of its body.",
		Bad:  "---\nName: demo\nDescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		for i := range p.Skill.Front.Fields {
			f := &p.Skill.Front.Fields[i]
			key := caseVariant(f.Name)
			if key == "" || p.Skill.Front.Field(key) != nil {
				continue
			}
			finding := lint.Finding{
				Span:    f.Key,
				Message: fmt.Sprintf("the key %s is written with capitals; agents know only %s", f.Name, key),
				Effect:  "they ignore it",
				Help:    "write " + key,
				Fixes:   renameKey(f, key, isRequired(key)),
			}
			if isRequired(key) {
				finding.Severity = lint.Error
				finding.Message = fmt.Sprintf("the key %s is written with capitals; agents know only %s", f.Name, key)
				finding.Effect = "most drop a skill without it"
			}
			p.Report(finding)
		}
	},
}

// caseVariant returns the known key that differs from name only in case, or "".
func caseVariant(name string) string {
	if slices.Contains(knownKeys, name) {
		return ""
	}
	for _, k := range knownKeys {
		if strings.EqualFold(k, name) {
			return k
		}
	}
	return ""
}
