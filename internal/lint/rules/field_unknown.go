package rules

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var fieldUnknown = &lint.Rule{
	Name: "field/unknown", Severity: lint.Info, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: []string{"parse/unknown-key", "parse/key-type"},
	Page: lint.Page{
		What: "A key that neither the Agent Skills text nor any agent knows.",
		Why: "Agents ignore it. The claude.ai upload, the Skills API and the reference validator refuse every key outside the text, " +
			"so the skill cannot be uploaded; under `metadata` the same value is welcome.",
		Bad:  "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nversion: 2.2.0\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nmetadata:\n  version: \"2.2.0\"\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		for i := range p.Skill.Front.Fields {
			f := &p.Skill.Front.Fields[i]
			if !unknownKey(p, f) {
				continue
			}
			p.Report(lint.Finding{
				Span:    f.Key,
				Message: fmt.Sprintf("unknown key: %s is outside the spec and no agent reads it", f.Name),
				Effect:  "uploads to claude.ai reject the skill",
				Help:    "move it under metadata, or delete it",
				Fixes:   toMetadata(p, f),
			})
		}
	},
}

// unknownKey reports whether a key means nothing to anybody and no other rule says so.
func unknownKey(p *lint.Pass, f *skills.Field) bool {
	if f.Name == "" || f.Name == "<<" || skills.OddBlanks(f.Name) > 0 || f.Broken || slices.Contains(specKeys, f.Name) || f.Name == "tools" || caseVariant(f.Name) != "" {
		return false
	}
	if required, _ := requiredFor(p, f); required != "" || optionalFor(p, f) != "" {
		return false
	}
	return len(readers(f.Name)) == 0
}

// toMetadata offers to move a scalar under metadata, as the text it is written as.
func toMetadata(p *lint.Pass, f *skills.Field) []lint.Fix {
	if f.Kind() != yaml.ScalarNode || lineStart(p, f.Key.Start) != f.Key.Start || f.Value.Empty() || strings.ContainsAny(f.Value.In(p.Text()), "\r\n") {
		return nil
	}
	value := f.Value.In(p.Text())
	if f.Plain() {
		value = quote(value)
	}
	entry := "  " + f.Name + ": " + value + eol(p.Text())
	line := text.Span{Start: f.Key.Start, End: f.Extent.End}
	if strings.TrimSpace(p.Text()[f.Value.End:f.Extent.End]) != "" {
		return nil // a comment stands behind the value or below it
	}
	fix := lint.Fix{Title: "move it under metadata"}
	metadata := p.Skill.Front.Field("metadata")
	switch {
	case metadata == nil:
		fix.Edits = []lint.Edit{lint.Replace(line, "metadata:"+eol(p.Text())+entry)}
	case metadata.Kind() == yaml.MappingNode && metadata.Style()&yaml.FlowStyle == 0 && blockIndent(p, metadata) == 2:
		fix.Edits = []lint.Edit{lint.Delete(line), lint.Insert(lineStart(p, metadata.Value.Start), entry)}
	default:
		return nil
	}
	return []lint.Fix{fix}
}

func blockIndent(p *lint.Pass, f *skills.Field) int {
	return f.Value.Start - lineStart(p, f.Value.Start)
}

func lineStart(p *lint.Pass, off int) int {
	return p.Doc().Lines().Line(p.Doc().Lines().OffsetLine(off)).Start
}
