package rules

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var nameType = &lint.Rule{
	Name: "name/type", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: []string{"*/name-*", "changed/name/*", "visibility/name"},
	Page: lint.Page{
		What: "The name is a number, a date, a boolean, a list or a mapping to YAML.",
		Why: "`name: 2024` or `name: yes` is no text. Agents drop the skill, take the folder's name, or show another value: " +
			"0123 becomes 83, 123 or \"0123\".",
		Bad:  "-- 2024/SKILL.md --\n---\nname: 2024\ndescription: Archives accounts. Use when a fiscal year ends.\n---\n\n# Steps\n\nArchive.\n",
		Good: "-- 2024/SKILL.md --\n---\nname: \"2024\"\ndescription: Archives accounts. Use when a fiscal year ends.\n---\n\n# Steps\n\nArchive.\n",
	},
	Run: func(p *lint.Pass) { reportType(p, "name", "use a word, or put it in quotes") },
}

// reportType reports a field that must be text and is something else.
func reportType(p *lint.Pass, name, help string) {
	f := valueField(p, name)
	if f == nil || isEmpty(f) || f.Tag() == "!!str" && !boolWord(f) || ownType(f) {
		return
	}
	finding := lint.Finding{
		Span:    f.Value,
		Message: fmt.Sprintf("the %s is %s, not a string", name, noun(f)),
		Effect:  "agents drop the skill, or show another value than is written here",
		Help:    help,
	}
	if f.Kind() == yaml.ScalarNode {
		finding.Fixes = []lint.Fix{{
			Title: "put the value in quotes", Safe: true,
			Edits: []lint.Edit{lint.Replace(f.Value, quote(f.Value.In(p.Text())))},
		}}
	}
	p.Report(finding)
}

// boolWord reports whether an unquoted value is a boolean in YAML 1.1 and text in YAML 1.2.
func boolWord(f *skills.Field) bool {
	if !f.Plain() {
		return false
	}
	switch f.Text {
	case "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF":
		return true
	}
	return false
}

// ownType reports whether the first word of a value is taken for a type that YAML does not know, such as !important: yaml/anchor
// tells of it.
func ownType(f *skills.Field) bool {
	return strings.HasPrefix(f.Tag(), "!") && !strings.HasPrefix(f.Tag(), "!!")
}

// noun names what YAML takes a value for.
func noun(f *skills.Field) string { return nounOf(f.Tag()) }

func nounOf(tag string) string {
	switch tag {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	case "!!timestamp":
		return "a date"
	case "!!seq":
		return "a list"
	case "!!map":
		return "a mapping"
	case "!!null":
		return "empty"
	}
	return "a boolean in YAML 1.1"
}
