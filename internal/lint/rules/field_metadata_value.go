package rules

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/text"
)

var fieldMetadataValue = &lint.Rule{
	Name: "field/metadata-value", Severity: lint.Info, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: []string{"*/metadata-items"},
	Page: lint.Page{
		What: "A value below metadata is a number, a boolean, a date or empty to YAML.",
		Why: "The Agent Skills text maps strings to strings there. Mux, bub and CrewAI drop a skill with another value; `version: 1.10` is shown as 1.1. " +
			"Lists and mappings below metadata are common and left alone.",
		Bad:  "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nmetadata:\n  internal: true\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nmetadata:\n  internal: \"true\"\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		f := field(p, "metadata")
		if f == nil || f.Kind() != yaml.MappingNode || f.Texts(p.Text()) {
			return
		}
		p.Skill.Front.Entries(p.Text(), f, func(key, value *yaml.Node, at text.Span) {
			if value.Kind != yaml.ScalarNode || value.ShortTag() == "!!str" || at.Empty() {
				return
			}
			p.Report(lint.Finding{
				Span:    at,
				Message: fmt.Sprintf("the metadata value of %s is %s, not a string", key.Value, tagNoun(value.ShortTag())),
				Effect:  "strict agents drop the skill",
				Help:    "put it in quotes",
				Fixes:   []lint.Fix{{Title: "put the value in quotes", Safe: true, Edits: []lint.Edit{lint.Replace(at, quote(at.In(p.Text())))}}},
			})
		})
	},
}

func tagNoun(tag string) string {
	switch tag {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	case "!!timestamp":
		return "a date"
	}
	return "empty"
}
