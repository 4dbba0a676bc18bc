package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestMCPConfigLines holds every line of the list of what goes wrong in configurations against the rules: what is
// found, and where, and that nothing else is.
func TestMCPConfigLines(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("testdata", "mcp", "config.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range txtar.Parse(raw).Files {
		if !strings.HasPrefix(string(line.Data), "> ") {
			shownElsewhere(t, string(line.Data))
			continue
		}
		for i, c := range strings.Split(string(line.Data), "\n----\n") {
			t.Run(fmt.Sprintf("%s/%d", line.Name, i+1), func(t *testing.T) {
				files, named, want := marked(t, assemble(t, c))
				dir := tree(t, files)
				paths, got := []string{dir}, []string(nil)
				if named != "" {
					paths = append(paths, filepath.Join(dir, filepath.FromSlash(named)))
				}
				for _, f := range lintPaths(t, dir, paths, nil) {
					src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.File)))
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, fmt.Sprintf("%s: %s %s: %s", f.File, strings.TrimPrefix(f.Rule.Name, "mcp-config/"), f.Severity, f.Span.In(string(src))))
				}
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("found %q\nwant  %q", got, want)
				}
			})
		}
	}
}

// shownElsewhere holds that the tests are there which show what no text can show: a file and a name on each line.
func shownElsewhere(t *testing.T, tests string) {
	t.Helper()
	for line := range strings.Lines(tests) {
		file, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		src, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(src), "func "+name+"(t *testing.T)") {
			t.Errorf("%s has no test %s", file, name)
		}
	}
}

// marked takes the marks out of the files of a case. It returns the files as an archive, the one with "(named)" behind it,
// and what is to be found in them, sorted, as "FILE: RULE SEVERITY: TEXT".
func marked(t *testing.T, src string) (archive, named string, want []string) {
	t.Helper()
	var out strings.Builder
	file := ""
	for line := range strings.Lines(strings.TrimSuffix(src, "\n") + "\n") {
		if name, ok := strings.CutPrefix(line, "> "); ok {
			name, isNamed := strings.CutSuffix(strings.TrimSpace(name), " (named)")
			if file, _, _ = strings.Cut(name, " ("); isNamed {
				named = name
			}
			fmt.Fprintf(&out, "-- %s --\n", name)
			continue
		}
		for line != "" {
			before, rest, found := strings.Cut(line, "«")
			out.WriteString(before)
			if !found {
				break
			}
			inside, after, closed := strings.Cut(rest, "»")
			rules, text, said := strings.Cut(inside, ":")
			if !closed || !said {
				t.Fatalf("no mark: %q", rest)
			}
			for _, rule := range strings.Split(rules, " + ") {
				want = append(want, fmt.Sprintf("%s: %s: %s", file, rule, text))
			}
			out.WriteString(text)
			line = after
		}
	}
	slices.Sort(want)
	return out.String(), named, want
}
