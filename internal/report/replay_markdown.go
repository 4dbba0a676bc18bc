//go:build !js

package report

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/replay"
)

func replayMarkdown(r *replay.Report) string {
	var b strings.Builder
	b.WriteString("# Replay\n\n")
	for _, line := range replayFigures(r) {
		fmt.Fprintf(&b, "- %s\n", inCell(strings.TrimSpace(line)))
	}
	for _, rec := range r.Recordings {
		recordingMarkdown(&b, rec)
	}
	findingsMarkdown(&b, r)
	differencesMarkdown(&b, r)
	for i, c := range r.Changes {
		if i == 0 {
			b.WriteString("\n## Changed tools\n\n")
		}
		fmt.Fprintf(&b, "Since %s:\n\n%s\n", inCell(c.Since), codeBlock("text", c.String()))
	}
	calledMarkdown(&b, r)
	for i, n := range r.Notes {
		if i == 0 {
			b.WriteString("\n## Notes\n\n")
		}
		fmt.Fprintf(&b, "- %s\n", inCell(n))
	}
	return b.String()
}

func recordingMarkdown(b *strings.Builder, rec *replay.Recording) {
	if rec.Fault != "" {
		fmt.Fprintf(b, "- %s: %s\n", inCell(rec.File), inCell(rec.Fault))
		return
	}
	fmt.Fprintf(b, "- %s: %s\n", inCell(rec.File), inCell(aboutRecording(rec)))
	for _, n := range rec.Notes {
		fmt.Fprintf(b, "  - line %d: %s%s\n", n.Line, inCell(n.Message), times(n.Count))
	}
}

func findingsMarkdown(b *strings.Builder, r *replay.Report) {
	for i, g := range groups(r) {
		if i == 0 {
			b.WriteString("\n## Findings\n\n| Line | | Call | |\n|---:|---|---|---|\n")
		}
		c := g.calls[0]
		also := ""
		if len(g.calls) > 1 {
			also = " (also " + otherLines(g.calls[1:]) + ")"
		}
		fmt.Fprintf(b, "| %d | %s %s | %s | %s%s |\n", c.Line, g.Severity, g.Kind, inCell(c.Name), inCell(g.Message), also)
	}
}

// differencesMarkdown shows where results differ from the record.
func differencesMarkdown(b *strings.Builder, r *replay.Report) {
	first := true
	for _, c := range r.Calls {
		if c.Live == nil || len(c.Live.Edits) == 0 {
			continue
		}
		if first {
			b.WriteString("\n## Different results\n")
			first = false
		}
		var diff strings.Builder
		for _, e := range c.Live.Edits {
			editText(&diff, painter{}, string(e.Op), e.Pointer, e.Was, e.Now)
		}
		fmt.Fprintf(b, "\n%s, line %d:\n\n%s", inCell(c.Name), c.Line, codeBlock("diff", diff.String()))
	}
}

func calledMarkdown(b *strings.Builder, r *replay.Report) {
	for i, t := range r.Tools {
		if i == 0 {
			b.WriteString("\n## Tools\n\n| Server | Tool | Calls | Failed | Findings |\n|---|---|---:|---:|---:|\n")
		}
		fmt.Fprintf(b, "| %s | %s | %d | %d | %d |\n", inCell(t.Server), inCell(t.Tool), t.Calls, t.Failed, t.Findings)
	}
}
