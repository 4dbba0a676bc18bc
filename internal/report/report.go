// Package report prints findings in the forms that people, editors and CI systems read, and the pages of
// rules. It alone turns byte spans into lines and columns.
package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Options says how findings are printed. Not every format heeds all of them.
type Options struct {
	Version    string // of the program, for formats that name the tool
	Color      bool   // text
	Quiet      bool   // text: the findings only
	Statistics bool   // text, json, markdown: how often each rule fired
}

// Writer prints the findings of a result. Its errors are those of w.
type Writer func(w io.Writer, r *workspace.Result, o Options) error

var writers = map[string]Writer{
	"text":     Text,
	"json":     JSON,
	"sarif":    SARIF,
	"github":   GitHub,
	"gitlab":   GitLab,
	"junit":    JUnit,
	"markdown": Markdown,
}

// Lines is the format of single skills, see Line. It has no writer: each line is printed when it is known.
const Lines = "jsonl"

// Formats returns the names of the formats, sorted.
func Formats() []string { return slices.Sorted(maps.Keys(writers)) }

// For returns the writer of a format. The error for an unknown one suggests the nearest.
func For(format string) (Writer, error) {
	if w := writers[format]; w != nil {
		return w, nil
	}
	return nil, UnknownFormat(format, slices.Sorted(slices.Values(append(Formats(), Lines))))
}

// UnknownFormat is the error for a format that a command does not have.
func UnknownFormat(format string, known []string) error {
	if s := lint.Suggest(format, known); s != "" {
		return fmt.Errorf("no format is called %q%s", format, s)
	}
	return fmt.Errorf("no format is called %q; there are %s", format, strings.Join(known, ", "))
}

// Fixable reports whether a finding has a fix that --fix applies.
func Fixable(f lint.Finding) bool {
	return slices.ContainsFunc(f.Fixes, func(x lint.Fix) bool { return x.Safe })
}

// count is how often a rule fired.
type count struct {
	Rule  string `json:"rule"`
	Count int    `json:"count"`
}

// statistics counts the findings of each rule, the most frequent first.
func statistics(findings []lint.Finding) []count {
	by := map[string]int{}
	for _, f := range findings {
		by[f.Rule.Name]++
	}
	out := make([]count, 0, len(by))
	for _, name := range slices.Sorted(maps.Keys(by)) {
		out = append(out, count{name, by[name]})
	}
	slices.SortStableFunc(out, func(a, b count) int { return b.Count - a.Count })
	return out
}
