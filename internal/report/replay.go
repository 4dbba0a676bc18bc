//go:build !js

package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/skill-ls/skill-ls/internal/agentsim/replay"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
)

// ReplayOptions says how a replay is printed.
type ReplayOptions struct {
	Color bool // text
	Quiet bool // text: the findings only
	// Name names a recording in JSON, given the name of its source; that name when nil.
	Name func(source string) string
}

// Replay prints what a replay found, as text, json, junit or markdown. Its errors are those of w.
func Replay(w io.Writer, r *replay.Report, format string, o ReplayOptions) error {
	switch format {
	case "json":
		return writeJSON(w, replayToJSON(r, o.names()))
	case "junit":
		return replayJUnit(w, r)
	case "markdown":
		_, err := io.WriteString(w, replayMarkdown(r))
		return err
	}
	_, err := io.WriteString(w, replayText(r, o))
	return err
}

func (o ReplayOptions) names() func(string) string {
	if o.Name == nil {
		return func(source string) string { return source }
	}
	return o.Name
}

func replayText(r *replay.Report, o ReplayOptions) string {
	p := painter{o.Color}
	var b strings.Builder
	for _, rec := range r.Recordings {
		recordingText(&b, p, rec)
	}
	var before *replay.Call
	for _, g := range groups(r) {
		g.text(&b, p, g.calls[0] != before)
		before = g.calls[0]
	}
	changesText(&b, p, r.Changes)
	if o.Quiet {
		return b.String()
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	for _, rec := range r.Recordings {
		if rec.Fault == "" {
			fmt.Fprintf(&b, "%s: %s\n", clean(rec.File), aboutRecording(rec))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", clean(n))
	}
	for _, line := range replayFigures(r) {
		b.WriteString(line + "\n")
	}
	return b.String()
}

// recordingText tells what of a recording could not be read.
func recordingText(b *strings.Builder, p painter, rec *replay.Recording) {
	for _, n := range rec.Notes {
		level := lint.Info
		if n.Broken {
			level = lint.Warning
		}
		fmt.Fprintf(b, "%s:%d: %s: %s%s\n", clean(rec.File), n.Line, p.paint(severityColor[level], level.String()), clean(n.Message), times(n.Count))
	}
	if rec.Fault != "" {
		fmt.Fprintf(b, "%s: %s: %s\n", clean(rec.File), p.paint(red, "error"), clean(rec.Fault))
	}
}

func times(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d times)", n)
}

// aboutRecording says what a recording is and holds.
func aboutRecording(rec *replay.Recording) string {
	out := string(rec.Format)
	if rec.Version != "" {
		out += " " + clean(rec.Version)
	}
	out += fmt.Sprintf(", %s, %s", Plural(rec.Lines, "line"), Plural(rec.Summary.Calls, "call"))
	if rec.Again > 0 {
		out += fmt.Sprintf(", %d of them more than once", rec.Again)
	}
	if rec.Lost > 0 {
		out += fmt.Sprintf(", %s without a call", Plural(rec.Lost, "result"))
	}
	return out
}

// group is a finding with all the calls that have it.
type group struct {
	replay.Finding
	calls []*replay.Call // the first one stands for all
}

// groups puts together what is the same about several calls. What differs in a live run stays alone.
func groups(r *replay.Report) []*group {
	type key struct{ file, name, kind, message string }
	at := map[key]*group{}
	var out []*group
	for _, c := range r.Calls {
		for _, f := range c.Findings {
			k := key{c.File, c.Name, string(f.Kind), f.Message}
			g := at[k]
			if g == nil || f.Kind == replay.Differs {
				g = &group{Finding: f}
				at[k] = g
				out = append(out, g)
			}
			g.calls = append(g.calls, c)
		}
	}
	return out
}

// text shows the finding, with the call unless it stands above already.
func (g *group) text(b *strings.Builder, p painter, call bool) {
	c := g.calls[0]
	level := p.paint(severityColor[g.Severity], g.Severity.String())
	fmt.Fprintf(b, "%s:%d: %s[%s]: %s\n", clean(c.File), c.Line, level, g.Kind, clean(g.Message))
	if call {
		fmt.Fprintf(b, "  = call: %s %s\n", clean(c.Name), clean(cutWords(c.Arguments)))
	}
	if g.Kind == replay.Differs {
		for _, e := range c.Live.Edits {
			editText(b, p, string(e.Op), e.Pointer, e.Was, e.Now)
		}
	}
	if g.Help != "" {
		fmt.Fprintf(b, "  = help: %s\n", clean(g.Help))
	}
	if len(g.calls) > 1 {
		fmt.Fprintf(b, "  = also: %s\n", otherLines(g.calls[1:]))
	}
}

// otherLines names the lines of other calls.
func otherLines(calls []*replay.Call) string {
	const most = 8
	var out []string
	for _, c := range calls[:min(most, len(calls))] {
		out = append(out, fmt.Sprint(c.Line))
	}
	text := "line " + strings.Join(out, ", ")
	if len(calls) > 1 {
		text = "lines " + strings.Join(out, ", ")
	}
	if more := len(calls) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

var editSigns = map[string]string{string(catalog.Added): "+", string(catalog.Removed): "-", string(catalog.Changed): "~"}

// editText shows a difference. Texts of several lines are compared line by line.
func editText(b *strings.Builder, p painter, op, pointer, was, now string) {
	before, after := textOfJSON(was), textOfJSON(now)
	if op == string(catalog.Changed) && (strings.Contains(before, "\n") || strings.Contains(after, "\n")) {
		fmt.Fprintf(b, "  ~ %s:\n", clean(pointer))
		for line := range strings.Lines(udiff.Unified("recorded", "today", before+"\n", after+"\n")) {
			fmt.Fprintf(b, "      %s\n", paintDiff(p, clean(strings.TrimSuffix(line, "\n"))))
		}
		return
	}
	value := now
	switch op {
	case string(catalog.Removed):
		value = was
	case string(catalog.Changed):
		value = was + " → " + now
	}
	fmt.Fprintf(b, "  %s %s: %s\n", editSigns[op], clean(pointer), clean(value))
}

func paintDiff(p painter, line string) string {
	switch {
	case strings.HasPrefix(line, "+"):
		return p.paint(green, line)
	case strings.HasPrefix(line, "-"):
		return p.paint(red, line)
	}
	return line
}

// textOfJSON returns the text of a JSON string, and anything else as it is.
func textOfJSON(s string) string {
	if n, err := catalog.Parse(s); err == nil && n.Is(catalog.String) {
		return n.Text()
	}
	return s
}

func changesText(b *strings.Builder, p painter, changes []replay.Change) {
	for i, c := range changes {
		if i == 0 || changes[i-1].Since != c.Since {
			fmt.Fprintf(b, "\n%s\n", p.paint(bold, "Changed since "+c.Since))
		}
		for line := range strings.Lines(c.String()) {
			fmt.Fprintf(b, "  %s\n", clean(strings.TrimSuffix(line, "\n")))
		}
	}
}

// replayFigures are the last lines: what was looked at, and what came of it.
func replayFigures(r *replay.Report) []string {
	n := r.Counts
	first := fmt.Sprintf("%s, %d of tools of MCP servers", Plural(n.Calls, "call"), n.MCP)
	if n.Unchecked > 0 {
		first += fmt.Sprintf(" (%d not checked)", n.Unchecked)
	}
	out := []string{fmt.Sprintf("%s: %s, %s, %s", first, Plural(n.Errors, "error"), Plural(n.Warnings, "warning"), Plural(n.Infos, "info"))}
	if l := n.Live; l != (replay.LiveCounts{}) {
		out = append(out, fmt.Sprintf("called again: %d with the same result, %d with another one, %d without an answer; %d not called", l.Same, l.Differ, l.Failed, l.Skipped))
		out = append(out, skipped(r)...)
	}
	return out
}

// skipped tells why calls were not made again, for each tool.
func skipped(r *replay.Report) []string {
	count := map[string]int{}
	for _, c := range r.Calls {
		if c.Live != nil && c.Live.Status == replay.Skipped {
			count[fmt.Sprintf("%s: %s", clean(c.Name), clean(c.Live.Reason))]++
		}
	}
	var out []string
	for _, why := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("  not called: %s%s", why, times(count[why])))
	}
	return out
}
