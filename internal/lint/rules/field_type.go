package rules

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// textFields are the keys whose value agents want as text, with the level of a value that is none: Copilot
// CLI drops a skill over the first, only agents of the second tier mind the others.
var textFields = map[string]lint.Severity{
	"argument-hint": lint.Warning,
	"license":       lint.Info,
	"compatibility": lint.Info,
	"model":         lint.Info,
	"when_to_use":   lint.Warning,
}

var fieldType = &lint.Rule{
	Name: "field/type", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: []string{"*/argument-hint-*", "*/license-*", "*/compatibility-*", "*/model-*", "*/when_to_use-*", "*/metadata-*", "*/allowed-tools-*"}, Unhurt: lint.Info,
	Page: lint.Page{
		What: "The value of a key is of another kind than agents want: a list where they want text, a text where they want a mapping.",
		Why: "`argument-hint: [file]` is a list to YAML; Copilot CLI and Mux drop the skill, others show no hint. " +
			"`metadata:` must hold keys; Codex, Goose and Crush drop the skill when it is a text or a list. " +
			"`allowed-tools:` is a text or a list of texts; as a mapping it names no tool, and Copilot CLI drops the skill.",
		Bad:  "---\nname: demo\ndescription: Files a ticket. Use when a ticket is asked for.\nargument-hint: [ticket-id]\n---\n\n# Steps\n\nFile.\n",
		Good: "---\nname: demo\ndescription: Files a ticket. Use when a ticket is asked for.\nargument-hint: \"[ticket-id]\"\n---\n\n# Steps\n\nFile.\n",
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		for i := range p.Skill.Front.Fields {
			f := &p.Skill.Front.Fields[i]
			if f.Kind() == 0 {
				continue
			}
			if level, ok := textFields[f.Name]; ok && f.Tag() != "!!str" && f.Tag() != "!!null" && !ownType(f) {
				p.Report(notText(p, f, level))
			}
			if f.Name == "metadata" && f.Kind() != yaml.MappingNode && f.Tag() != "!!null" {
				p.Report(lint.Finding{
					Span:    f.Value,
					Message: fmt.Sprintf("metadata is %s, not a mapping of keys to values", kindNoun(f)),
					Effect:  "Codex and others drop the skill",
					Help:    "write keys below it, or delete it",
				})
			}
			if f.Name == "allowed-tools" {
				reportToolsType(p, f)
			}
		}
	},
}

// reportToolsType reports a value that is no list of tools, or the first item that is none.
func reportToolsType(p *lint.Pass, f *skills.Field) {
	report := func(at text.Span, what, kind string) {
		p.Report(lint.Finding{
			Span:    at,
			Message: fmt.Sprintf("%s is %s, not a text", what, kind),
			Effect:  "no agent finds a tool in it, some drop the skill",
			Help:    "write the tools in one line with a blank between them, in quotes if need be",
		})
	}
	if noTools(f) {
		report(f.Value, "allowed-tools", noun(f))
	} else if at, tag := oddItem(p, f); tag != "" {
		report(at, "an item of allowed-tools", nounOf(tag))
	}
}

// oddItem returns the place and the YAML type of the first item of a list that is no text, "" when all are.
func oddItem(p *lint.Pass, f *skills.Field) (place text.Span, tag string) {
	if f.Kind() != yaml.SequenceNode {
		return place, ""
	}
	p.Skill.Front.Entries(p.Text(), f, func(_, item *yaml.Node, at text.Span) {
		if is := item.ShortTag(); is != "!!str" && tag == "" {
			place, tag = at, is
		}
	})
	return place, tag
}

func notText(p *lint.Pass, f *skills.Field, level lint.Severity) lint.Finding {
	out := lint.Finding{
		Severity: level, Span: f.Value,
		Message: fmt.Sprintf("%s is %s, not a string", f.Name, noun(f)),
		Effect:  "some agents drop the skill, others ignore the value",
		Help:    "write it as one line of text",
	}
	if f.Kind() == yaml.ScalarNode || f.Style()&yaml.FlowStyle != 0 {
		out.Help = "put the whole value in quotes"
		out.Fixes = []lint.Fix{{
			Title: "put the whole value in quotes", Safe: true,
			Edits: []lint.Edit{lint.Replace(f.Value, quote(f.Value.In(p.Text())))},
		}}
	}
	return out
}

func kindNoun(f *skills.Field) string {
	if f.Tag() == "!!str" {
		return "a text"
	}
	return noun(f)
}
