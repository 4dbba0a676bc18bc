package main

import (
	"context"
	"fmt"
	"io"

	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// applyFixes writes fixes to disk and reports what is left.
func (l *lintCommand) applyFixes(ctx context.Context, job *workspace.Job) error {
	done := l.progress("fixing skills")
	w, err := job.Fix(ctx, l.unsafe)
	done()
	if err != nil {
		return err
	}
	for _, refused := range w.Refused {
		fmt.Fprintf(l.err, "skilllint: %v\n", refused)
	}
	if !l.quiet && len(w.Applied) > 0 {
		if err := report.Applied(l.err, w.Applied); err != nil {
			return err
		}
	}
	return l.report(w.Left)
}

// printDiff prints what --fix would change. It fails when that is anything.
func (l *lintCommand) printDiff(ctx context.Context, job *workspace.Job) error {
	f, err := job.Plan(ctx, l.unsafe)
	if err != nil {
		return err
	}
	return l.showDiff(f)
}

func (l *lintCommand) showDiff(f *workspace.Fixes) error {
	o := report.Options{Color: l.colored(l.out)}
	err := buffered(l.out, func(w io.Writer) error { return report.Diff(w, f, o, isTerminal(l.out)) })
	if err != nil && !isBrokenPipe(err) {
		return fmt.Errorf("write the differences: %w", err)
	}
	if len(f.Applied) > 0 && l.failOn != "never" {
		return errFindings
	}
	return nil
}

// fixStdin prints the text on standard input with its fixes, and what is left on standard error.
func (l *lintCommand) fixStdin(ctx context.Context, job *workspace.Job) error {
	f, err := job.Plan(ctx, l.unsafe)
	if err != nil {
		return err
	}
	if l.diff {
		return l.showDiff(f)
	}
	src, err := job.FS.ReadFile(job.Paths[0])
	if err != nil {
		return err
	}
	fixed := string(src)
	for _, c := range f.Changes {
		if c.Abs == job.Paths[0] {
			fixed = c.After
		}
	}
	if _, err := io.WriteString(l.out, fixed); err != nil && !isBrokenPipe(err) {
		return fmt.Errorf("write the text: %w", err)
	}
	if l.output == "" {
		l.out = l.err
	}
	return l.report(f.Left)
}
