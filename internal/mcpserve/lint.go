package mcpserve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/report"
)

type lintParams struct {
	Paths   []string `json:"paths"`
	Clients []string `json:"clients"`
	Select  []string `json:"select"`
	Limit   int      `json:"limit"`
}

// How many findings an answer has.
const (
	usualFindings = 50
	mostFindings  = 200
)

func (d *desk) lint(ctx context.Context, p *lintParams) (string, error) {
	limit, err := between("limit", p.Limit, usualFindings, mostFindings)
	if err != nil {
		return "", err
	}
	paths, err := d.paths(p.Paths)
	if err != nil {
		return "", err
	}
	clients, err := d.known(p.Clients)
	if err != nil {
		return "", err
	}
	r, err := d.Lint(ctx, paths, lint.Flags{Clients: clients, Select: p.Select})
	if err != nil {
		return "", err
	}
	if len(r.Skills)+len(r.Configs) == 0 {
		return "No skill was found there, nor an MCP configuration. A skill is a folder with a SKILL.md.", nil
	}
	all := *r
	r.Findings = worst(r.Findings, limit)
	var b strings.Builder
	if err := report.Text(&b, r, report.Options{Quiet: true}); err != nil {
		return "", err
	}
	tail := report.Summary(&all) + "\n"
	if left := len(all.Findings) - len(r.Findings); left > 0 {
		tail = fmt.Sprintf("The worst %d of %d findings are shown; narrow paths or select, or raise limit, for the others.\n%s", len(r.Findings), len(all.Findings), tail)
	}
	return bounded(b.String(), "narrow paths or select, or lower limit") + tail, nil
}

// worst returns the n findings of the highest severity, in their order.
func worst(findings []lint.Finding, n int) []lint.Finding {
	if len(findings) <= n {
		return findings
	}
	out := slices.Clone(findings)
	slices.SortStableFunc(out, func(a, b lint.Finding) int { return int(b.Severity) - int(a.Severity) })
	out = out[:n]
	lint.Sort(out)
	return out
}

// between returns a number of a call, or what holds when it is left out.
func between(name string, n, usual, most int) (int, error) {
	switch {
	case n == 0:
		return usual, nil
	case n < 0 || n > most:
		return 0, fmt.Errorf("%s is %d: it must lie between 1 and %d", name, n, most)
	}
	return n, nil
}
