package report

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
)

func simulationMarkdown(s *agentsim.Simulation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\nEvidence: %s. Tokens: %s.\n", s.Profile.Label, s.Profile.Version, s.Profile.Evidence.Level, s.Tokenizer)
	partsMarkdown(&b, s.Prompt)
	skillsMarkdown(&b, s)
	if a := s.Activation; a != nil {
		fmt.Fprintf(&b, "\n## Activation of %s\n\n%s.\n", inCell(a.Skill), Plural(s.Tokens.Activation, "token"))
		partsMarkdown(&b, a.Parts)
	}
	toolsMarkdown(&b, s)
	for i, n := range allNotes(s) {
		if i == 0 {
			b.WriteString("\n## Notes\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", inCell(n))
	}
	return b.String()
}

func partsMarkdown(b *strings.Builder, parts []agentsim.Part) {
	for _, p := range parts {
		if p.Left {
			fmt.Fprintf(b, "\n### %s\n\n*%s*\n", p.Role, inCell(strings.Trim(p.Text, "[]")))
			continue
		}
		fmt.Fprintf(b, "\n### %s %s\n\n%s", p.Role, precision(p), codeBlock("text", p.Text))
	}
}

func skillsMarkdown(b *strings.Builder, s *agentsim.Simulation) {
	if len(s.Skills) == 0 {
		return
	}
	b.WriteString("\n## Skills\n\n| Skill | Tokens | Total | Characters | |\n|---|---:|---:|---:|---|\n")
	for _, k := range s.Skills {
		if k.Listed {
			fmt.Fprintf(b, "| %s | %d | %d | %d | %s |\n", inCell(k.Name), k.Tokens, k.Cumulative, k.Characters, inCell(k.Reason))
		} else {
			fmt.Fprintf(b, "| %s | | | | not listed: %s |\n", inCell(k.Loaded.Name), inCell(k.Reason))
		}
	}
	fmt.Fprintf(b, "\n%s\n", budgetLine(s))
}

func toolsMarkdown(b *strings.Builder, s *agentsim.Simulation) {
	if len(s.Tools) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Tools\n\n%s.\n\n| Tool | Tokens |\n|---|---:|\n", Plural(s.Tokens.Tools, "token"))
	for _, k := range s.Tools {
		fmt.Fprintf(b, "| %s | %d |\n", inCell(toolLine(k)), k.Tokens)
	}
	for _, k := range s.Tools {
		if !k.Listed {
			continue
		}
		fmt.Fprintf(b, "\n### %s\n\n%s", inCell(cmp.Or(k.Name, k.Tool)), codeBlock("text", k.Description))
		if len(k.InputSchema) > 0 {
			var schema bytes.Buffer
			if err := writeJSON(&schema, k.InputSchema); err != nil {
				schema = *bytes.NewBuffer(k.InputSchema) // it is shown as it is
			}
			fmt.Fprintf(b, "\n%s", codeBlock("json", schema.String()))
		}
	}
}
