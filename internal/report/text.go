package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Text prints findings for people: the place, the lines with the part that is meant, and what to do.
func Text(w io.Writer, r *workspace.Result, o Options) error {
	t := &textReport{painter: painter{o.Color}, Result: r, masked: mask(r)}
	for _, f := range r.Findings {
		if _, err := io.WriteString(w, t.finding(f)); err != nil {
			return err
		}
	}
	var tail strings.Builder
	if o.Statistics && len(r.Findings) > 0 {
		for _, c := range statistics(r.Findings) {
			fmt.Fprintf(&tail, "%6d  %s\n", c.Count, c.Rule)
		}
	}
	if !o.Quiet {
		tail.WriteString(Summary(r) + "\n")
	}
	_, err := io.WriteString(w, tail.String())
	return err
}

type textReport struct {
	painter
	*workspace.Result
	masked map[string]string // by shown path: texts without their secrets
}

func (t *textReport) finding(f lint.Finding) string {
	var b strings.Builder
	doc := t.Doc(f.File)
	color := severityColor[f.Severity]
	fmt.Fprintf(&b, "%s: %s: %s\n", t.paint(bold, t.place(f)),
		t.paint(color, f.Severity.String()+"["+f.Rule.Name+"]"), t.paint(bold, clean(f.Message)))
	b.WriteString(t.snippet(doc, f.Span, color))
	for _, rel := range f.Related {
		t.note(&b, "note", clean(rel.File)+lineOf(t.Doc(rel.File), rel.Span)+": "+clean(rel.Message))
	}
	if f.Help != "" {
		t.note(&b, "help", clean(f.Help))
	}
	if len(f.Clients) > 0 {
		t.note(&b, "clients", strings.Join(f.Clients, ", "))
	}
	if len(f.Fixes) > 0 {
		t.note(&b, "fix", fixText(f))
	}
	b.WriteByte('\n')
	return b.String()
}

func (t *textReport) note(b *strings.Builder, label, s string) {
	fmt.Fprintf(b, "  %s %s: %s\n", t.paint(cyan, "="), t.paint(bold, label), s)
}

// place returns "file:line:column", or only the file for one that is no text at hand.
func (t *textReport) place(f lint.Finding) string {
	doc := t.Doc(f.File)
	if doc == nil {
		return clean(f.File)
	}
	at := locateOffset(doc, f.Span.Start)
	return fmt.Sprintf("%s:%d:%d", clean(f.File), at.Line, at.Column)
}

// fixText says which fix is offered: the first safe one, else the first.
func fixText(f lint.Finding) string {
	for _, x := range f.Fixes {
		if x.Safe {
			return clean(x.Title) + " (safe: --fix)"
		}
	}
	return clean(f.Fixes[0].Title) + " (to be looked at: --fix --unsafe)"
}

// Summary returns the findings of a result in a line.
func Summary(r *workspace.Result) string {
	s := summarize(r)
	var parts []string
	for _, c := range []struct {
		n    int
		name string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Infos, "info"}, {s.Hints, "hint"}} {
		if c.n > 0 {
			parts = append(parts, Plural(c.n, c.name))
		}
	}
	if parts == nil {
		parts = []string{"no findings"}
	}
	line := strings.Join(parts, ", ") + " in " + Plural(s.Skills, "skill")
	if s.Configs > 0 {
		line += " and " + Plural(s.Configs, "MCP configuration")
	}
	if s.Fixable > 0 {
		line += fmt.Sprintf(" (%d fixable with --fix)", s.Fixable)
	}
	return line
}

// Plural returns a number with what it counts.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
