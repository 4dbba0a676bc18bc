package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Applied prints one line for each finding that was settled.
func Applied(w io.Writer, findings []lint.Finding) error {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "fixed %s: %s\n", clean(f.File), f.Rule.Name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Diff prints what fixes would change as a unified diff that `git apply` takes. For a terminal, characters
// that could drive it are made visible; then it may not apply.
func Diff(w io.Writer, f *workspace.Fixes, o Options, terminal bool) error {
	p := &painter{on: o.Color}
	var b strings.Builder
	for _, c := range f.Changes {
		b.WriteString(udiff.Unified("a/"+c.File, "b/"+c.File, c.Before.Text, c.After))
	}
	for _, r := range f.Renames {
		fmt.Fprintf(&b, "diff --git a/%s b/%s\nsimilarity index 100%%\nrename from %s\nrename to %s\n", r.From, r.To, r.From, r.To)
	}
	for _, c := range f.Creates {
		b.WriteString(udiff.Unified("/dev/null", "b/"+c.File, "", c.Text))
	}
	for line := range strings.Lines(b.String()) {
		text, end := strings.CutSuffix(line, "\n")
		if terminal {
			text = clean(text)
		}
		if _, err := io.WriteString(w, p.diffLine(text)); err != nil {
			return err
		}
		if end {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *painter) diffLine(line string) string {
	switch {
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "):
		return p.paint(bold, line)
	case strings.HasPrefix(line, "+"):
		return p.paint(green, line)
	case strings.HasPrefix(line, "-"):
		return p.paint(red, line)
	case strings.HasPrefix(line, "@@"):
		return p.paint(cyan, line)
	}
	return line
}
