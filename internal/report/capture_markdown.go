//go:build !js

package report

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/capture"
)

func captureMarkdown(c *capture.Capture, base string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", inCell(captureTitle(c)), inCell(captureSummary(c)))
	if len(c.Skills) > 0 {
		b.WriteString("\n## Skills\n\n| | Skill | |\n|---|---|---|\n")
		for _, k := range c.Skills {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", verdictSigns[k.Verdict], inCell(k.Name), inCell(skillNote(k, base)))
		}
		for _, k := range c.Skills {
			if k.Verdict == capture.Differs || k.Verdict == capture.Unexpected {
				diffMarkdown(&b, k.Name, k.Predicted, k.Sent)
			}
		}
	}
	captureToolsMarkdown(&b, c)
	for i, p := range c.Steps {
		if i == 0 {
			b.WriteString("\n## Script\n\n")
		}
		fmt.Fprintf(&b, "%d. %s\n", i+1, inCell(stepLine(p)))
	}
	for i, n := range captureNotes(c) {
		if i == 0 {
			b.WriteString("\n## Notes\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", inCell(n))
	}
	b.WriteString("\n## Prompt\n")
	partsMarkdown(&b, c.Prompt)
	return b.String()
}

func captureToolsMarkdown(b *strings.Builder, c *capture.Capture) {
	if len(c.Tools) == 0 {
		return
	}
	b.WriteString("\n## Tools\n\n| | Tool | |\n|---|---|---|\n")
	for _, k := range c.Tools {
		fmt.Fprintf(b, "| %s | %s | %s |\n", verdictSigns[k.Verdict], inCell(k.Name), inCell(toolNote(k)))
	}
	for _, k := range c.Tools {
		if k.Verdict != capture.Differs {
			continue
		}
		diffMarkdown(b, k.Name, k.Predicted.Description+"\n"+string(k.Predicted.InputSchema), k.Sent.Description+"\n"+string(k.Sent.InputSchema))
	}
}

// diffMarkdown shows what was predicted and what was sent as a block of differences.
func diffMarkdown(b *strings.Builder, name, predicted, sent string) {
	var diff strings.Builder
	for _, side := range []struct{ sign, text string }{{"-", predicted}, {"+", sent}} {
		for line := range strings.Lines(side.text) {
			diff.WriteString(side.sign + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	fmt.Fprintf(b, "\n### %s\n\n%s", inCell(name), codeBlock("diff", diff.String()))
}
