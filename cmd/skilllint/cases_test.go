package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/ask"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/racetest"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

var update = flag.Bool("update", false, "rewrite the expected findings")

// TestCases lints each folder of testdata/lint, once with the engine and once with the command, and
// compares what is found with the file NAME.want beside it, one finding a line:
//
//	file:line:column-line:column severity rule message
func TestCases(t *testing.T) {
	root, err := filepath.Abs("../../testdata/lint")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		seen++
		t.Run(e.Name(), func(t *testing.T) {
			dir := filepath.Join(root, e.Name())
			got := byEngine(t, dir)
			want := dir + ".want"
			if *update {
				if err := os.WriteFile(want, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			data, err := os.ReadFile(want)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(data) {
				t.Errorf("found\n%swant\n%s", got, data)
			}
			if printed := byCommand(t, dir); printed != got {
				t.Errorf("the command prints\n%sthe engine finds\n%s", printed, got)
			}
		})
	}
	if seen == 0 {
		t.Error("there are no cases")
	}
}

// byEngine returns what the engine finds in a folder.
func byEngine(t *testing.T, dir string) string {
	t.Helper()
	reg := rules.Registry()
	resolver, err := lint.NewResolver(reg, lint.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	parse := func(file, src string) (*lint.Config, error) { return lint.ParseConfig(file, src, reg, ask.KnownClient) }
	job := workspace.Job{
		Options: workspace.Options{
			FS: skills.Disk{}, Base: dir, Paths: []string{dir}, Configs: workspace.FindConfigs(skills.Disk{}, dir, parse), Resolver: resolver,
		},
		Engine:  lint.NewEngine(reg),
		Filters: []workspace.Filter{workspace.ConfiguredBaselines},
	}
	r, err := job.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range r.Findings {
		at := [2]text.Position{}
		if doc := r.Doc(f.File); doc != nil {
			at[0] = doc.Lines().OffsetPosition(f.Span.Start, text.UTF32)
			at[1] = doc.Lines().OffsetPosition(f.Span.End, text.UTF32)
		}
		fmt.Fprintf(&b, "%s:%d:%d-%d:%d %s %s %s\n",
			f.File, at[0].Line+1, at[0].Column+1, at[1].Line+1, at[1].Column+1, f.Severity, f.Rule.Name, f.Message)
	}
	return b.String()
}

// byCommand returns what the lint command prints as JSON for a folder.
func byCommand(t *testing.T, dir string) string {
	t.Helper()
	t.Chdir(dir)
	var out, errOut bytes.Buffer
	if status := run([]string{"lint", "--format", "json", "--fail-on", "never"}, strings.NewReader(""), &out, &errOut); status != 0 {
		t.Fatalf("status %d: %s", status, errOut.String())
	}
	var report struct {
		Findings []struct {
			File, Severity, Rule, Message string
			Range                         struct{ Start, End struct{ Line, Column int } }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range report.Findings {
		fmt.Fprintf(&b, "%s:%d:%d-%d:%d %s %s %s\n",
			f.File, f.Range.Start.Line, f.Range.Start.Column, f.Range.End.Line, f.Range.End.Column, f.Severity, f.Rule, f.Message)
	}
	return b.String()
}

// TestFixesEnd applies the fixes to a copy of each case: a second time there is nothing to do, and they
// add no finding.
func TestFixesEnd(t *testing.T) {
	racetest.Skip(t)
	dirs, err := filepath.Glob("../../testdata/lint/*.want")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range dirs {
		src := strings.TrimSuffix(want, ".want")
		for _, unsafe := range []string{"", "--unsafe"} {
			t.Run(filepath.Base(src)+unsafe, func(t *testing.T) {
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(src)); err != nil {
					t.Fatal(err)
				}
				before := strings.Count(byEngine(t, dir), "\n")
				t.Chdir(dir)
				lintWith(t, unsafe, "--fix")
				if left := strings.Count(byEngine(t, dir), "\n"); left > before {
					t.Errorf("%d findings before, %d after the fixes", before, left)
				}
				if diff := lintWith(t, unsafe, "--diff"); diff != "" {
					t.Errorf("after --fix there is still something to change:\n%s", diff)
				}
			})
		}
	}
}

// lintWith runs the lint command and returns its output. It must not be refused.
func lintWith(t *testing.T, unsafe string, args ...string) string {
	t.Helper()
	if unsafe != "" {
		args = append(args, unsafe)
	}
	var out, errOut bytes.Buffer
	if status := run(append(args, "--fail-on", "never", "-q"), strings.NewReader(""), &out, &errOut); status != 0 || errOut.Len() > 0 {
		t.Fatalf("%v: status %d: %s", args, status, errOut.String())
	}
	return out.String()
}
