//go:build !js

package report

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/mcpprobe"
)

// probeMarkdown is a section for each server: how it went, what is wrong with it, and its tools.
func probeMarkdown(results []mcpprobe.Result, quiet bool) string {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "## %s\n\n%s.\n", inCell(r.Server), inCell(sentenceCase(statusLine(r))))
		for i, p := range r.Problems {
			if i == 0 {
				b.WriteByte('\n')
			}
			problemMarkdown(&b, p)
		}
		if len(r.Stderr) > 0 && r.Status == mcpprobe.Failed {
			stderrMarkdown(&b, r.Stderr)
		}
		if r.Catalog != nil && !quiet {
			toolListMarkdown(&b, r)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func stderrMarkdown(b *strings.Builder, lines []string) {
	b.WriteString("\nStandard error:\n\n" + codeBlock("text", strings.Join(lines, "\n")))
}

func problemMarkdown(b *strings.Builder, p mcpprobe.Problem) {
	where := ""
	if p.Tool != "" {
		where = " tool " + inCell(p.Tool) + ":"
	}
	fmt.Fprintf(b, "- **%s**:%s %s (%s)\n", p.Severity, where, inCell(p.Message), p.Kind)
	for line := range strings.Lines(p.Detail) {
		fmt.Fprintf(b, "  - %s\n", inCell(strings.TrimSuffix(line, "\n")))
	}
}

func toolListMarkdown(b *strings.Builder, r mcpprobe.Result) {
	for i, tool := range r.Catalog.Tools {
		if i == 0 {
			b.WriteString("\n| Tool | |\n|---|---|\n")
		}
		first, _, _ := strings.Cut(tool.Description(), "\n")
		fmt.Fprintf(b, "| %s | %s |\n", inCell(tool.Name()), inCell(cutWords(first)))
	}
}

func sentenceCase(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
