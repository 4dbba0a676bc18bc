//go:build !js

package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/mcpprobe"
)

// ProbeOptions says how a probe is printed.
type ProbeOptions struct {
	Color bool
	Quiet bool // problems only
}

// Probe prints what a probe of servers found, as text, json or markdown. Its errors are those of w.
func Probe(w io.Writer, results []mcpprobe.Result, format string, o ProbeOptions) error {
	switch format {
	case "json":
		data, err := mcpprobe.EncodeReport(results)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	case "markdown":
		_, err := io.WriteString(w, probeMarkdown(results, o.Quiet))
		return err
	}
	t := &probeWriter{w: w, o: o}
	for _, r := range results {
		t.result(r)
	}
	return t.err
}

type probeWriter struct {
	w   io.Writer
	o   ProbeOptions
	err error
}

func (t *probeWriter) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

var probeColors = map[mcpprobe.Severity]string{mcpprobe.Error: red, mcpprobe.Warning: yellow, mcpprobe.Info: cyan}

func (t *probeWriter) result(r mcpprobe.Result) {
	t.line("%s: %s", clean(r.Server), statusLine(r))
	for _, p := range r.Problems {
		t.problem(p)
	}
	if len(r.Stderr) > 0 && r.Status == mcpprobe.Failed {
		t.line("  standard error:")
		for _, line := range r.Stderr {
			t.line("    %s", clean(line))
		}
	}
	if r.Catalog == nil || t.o.Quiet {
		return
	}
	for _, tool := range r.Catalog.Tools {
		first, _, _ := strings.Cut(tool.Description(), "\n")
		t.line("  %-32s %s", clean(tool.Name()), clean(cutWords(first)))
	}
}

// statusLine says how a probe ended and what it found.
func statusLine(r mcpprobe.Result) string {
	switch r.Status {
	case mcpprobe.NeedsSignIn:
		return "needs a login; its tools were not listed"
	case mcpprobe.Failed:
		return "failed after " + r.Duration.Round(time.Millisecond).String()
	case mcpprobe.NotProbed:
		return "not probed"
	}
	c := r.Catalog
	out := fmt.Sprintf("%s in %s", Plural(len(c.Tools), "tool"), r.Duration.Round(time.Millisecond))
	if n := len(c.Prompts); n > 0 {
		out += ", " + Plural(n, "prompt")
	}
	if n := len(c.Resources) + len(c.Templates); n > 0 {
		out += ", " + Plural(n, "resource")
	}
	return out + version(r)
}

func version(r mcpprobe.Result) string {
	c := r.Catalog
	if c.ProtocolVersion == "" {
		return ""
	}
	out := "MCP " + clean(c.ProtocolVersion)
	if name := strings.TrimSpace(clean(c.Info.Name) + " " + clean(c.Info.Version)); name != "" {
		out += ", " + name
	}
	return " (" + out + ")"
}

func (t *probeWriter) problem(p mcpprobe.Problem) {
	level := string(p.Severity)
	level = (&painter{t.o.Color}).paint(probeColors[p.Severity], level)
	where := ""
	if p.Tool != "" {
		where = " tool " + clean(p.Tool) + ":"
	}
	t.line("  %s:%s %s [%s]", level, where, clean(p.Message), p.Kind)
	for line := range strings.Lines(p.Detail) {
		t.line("    %s", clean(strings.TrimSuffix(line, "\n")))
	}
}

// cutWords shortens a description to what fits on a line.
func cutWords(s string) string {
	const most = 80
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}
