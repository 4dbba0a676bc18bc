package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var fieldBoolean = &lint.Rule{
	Name: "field/boolean", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: []string{"*/disable-model-invocation-*", "*/user-invocable-*"},
	Page: lint.Page{
		What: "A switch such as disable-model-invocation is neither true nor false.",
		Why: "Some agents take yes and on for true, some ignore them, Crush and Mux drop the skill over a quoted \"true\". " +
			"Anything else has no effect anywhere. yes, no, on and off are a note only, and none for Claude Code, which reads them.",
		Bad:  "---\nname: demo\ndescription: Deletes branches. Use when branches pile up.\ndisable-model-invocation: \"maybe\"\n---\n\n# Steps\n\nDelete.\n",
		Good: "---\nname: demo\ndescription: Deletes branches. Use when branches pile up.\ndisable-model-invocation: false\n---\n\n# Steps\n\nDelete.\n",
	},
	Run: func(p *lint.Pass) {
		for _, name := range []string{"disable-model-invocation", "user-invocable", "background"} {
			f := valueField(p, name)
			if f == nil || f.Tag() == "!!bool" {
				continue
			}
			reportBoolean(p, f)
		}
	},
}

func reportBoolean(p *lint.Pass, f *skills.Field) {
	finding := lint.Finding{
		Span:    f.Value,
		Message: fmt.Sprintf("the value of %s is not a boolean", f.Name),
		Effect:  "it is ignored, or the skill is dropped",
		Help:    "write true or false",
	}
	if f.Value.Empty() {
		finding.Span = f.Key
	}
	with := ""
	switch strings.ToLower(f.Text) {
	case "true", "yes", "on", "1":
		with = "true"
	case "false", "no", "off", "0":
		with = "false"
	}
	if with != "" {
		if onlyClaude(p) {
			return
		}
		finding.Severity = lint.Info
		finding.Message = fmt.Sprintf("the value of %s is not a plain boolean: some agents read %s, others ignore it or drop the skill", f.Name, f.Value.In(p.Text()))
		finding.Fixes = []lint.Fix{{Title: "write " + with, Safe: true, Edits: []lint.Edit{lint.Replace(f.Value, with)}}}
	}
	p.Report(finding)
}

// onlyClaude reports whether the user chose clients and all of them are Claude Code.
func onlyClaude(p *lint.Pass) bool {
	return len(p.Clients) > 0 && !slices.ContainsFunc(p.Clients, func(c string) bool { return clientName(c) != "claude-code" })
}
