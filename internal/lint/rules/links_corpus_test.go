package rules

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// sharedFolder returns the folder with the material that is not part of the repository, or skips the test.
func sharedFolder(t *testing.T, inside string) string {
	t.Helper()
	dir := os.Getenv("SKILLLINT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	dir, err := filepath.Abs(filepath.Join(dir, inside))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the shared material is not here: %v", err)
	}
	return dir
}

// label is a finding in the corpus that somebody has read, and whether it is right.
type label struct {
	file  string // relative to the corpus
	line  int    // from 1
	rule  string
	right bool
}

// readLabels reads the labels of a set: file, line, rule, verdict and reason with tabs between.
func readLabels(t *testing.T, set string) []label {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "labels", set+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []label
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") || lines.Text() == "" {
			continue
		}
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) != 5 || cells[3] != "right" && cells[3] != "wrong" || cells[4] == "" {
			t.Fatalf("label %q: want file, line, rule, right or wrong, reason", lines.Text())
		}
		line, err := strconv.Atoi(cells[1])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, label{cells[0], line, cells[2], cells[3] == "right"})
	}
	return out
}

// corpusFinding is a finding with its line.
type corpusFinding struct {
	lint.Finding
	line  int
	skill string
}

// lintCorpus runs the rules about references over a corpus, hints included.
func lintCorpus(t *testing.T, dir string) []corpusFinding {
	t.Helper()
	loader := &skills.LocalLoader{FS: skills.Disk{}, Base: dir, Paths: []string{dir}}
	all, err := loader.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	registry := lint.NewRegistry(linkRules())
	resolver, err := lint.NewResolver(registry, lint.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	settings, engine := resolver.Resolve(&lint.Config{}, "."), lint.NewEngine(registry)
	v := view{skills: all, tree: skills.NewTree(skills.Disk{}, dir)}
	var out []corpusFinding
	for _, s := range all {
		for _, f := range engine.Skill(s, v, settings) {
			doc := s.Doc
			if f.File != s.Doc.Path {
				doc = v.tree.Kept(filepath.Join(dir, f.File))
			}
			line := 1
			if doc != nil {
				line = doc.Lines().OffsetLine(f.Span.Start) + 1
			}
			out = append(out, corpusFinding{f, line, s.Dir})
		}
	}
	return out
}

// floors are the least precision of what is reported, by the labels. "level" stands for everything at
// warning and above.
var floors = map[string]float64{
	ruleMissing: 0.97, ruleMissingPath: 0.92, ruleScriptMissing: 0.95, "level": 0.95,
}

// maxVanished is how many of a hundred labelled-right findings may be lost before the test fails.
const maxVanished = 3

// TestCorpusPrecision recomputes the precision of the rules about references from findings that were read by
// hand, and holds what was right in place.
func TestCorpusPrecision(t *testing.T) {
	found := lintCorpus(t, sharedFolder(t, "corpus/dev"))
	labels := readLabels(t, "dev")
	verdict := map[string]bool{}
	for _, l := range labels {
		verdict[fmt.Sprintf("%s:%d %s", l.file, l.line, l.rule)] = l.right
	}
	right, wrong := map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	for _, f := range found {
		key := fmt.Sprintf("%s:%d %s", f.File, f.line, f.Rule.Name)
		ok, labelled := verdict[key]
		if !labelled {
			t.Logf("not labelled: %s %v: %s", key, f.Severity, f.Message)
			continue
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		kinds := []string{f.Rule.Name}
		if f.Severity >= lint.Warning {
			kinds = append(kinds, "level")
		}
		for _, kind := range kinds {
			if ok {
				right[kind]++
			} else {
				wrong[kind]++
			}
		}
	}
	for _, kind := range slices.Sorted(keys(right, wrong)) {
		precision := float64(right[kind]) / float64(right[kind]+wrong[kind])
		t.Logf("%-30s %3d right %3d wrong, precision %.3f", kind, right[kind], wrong[kind], precision)
		if precision < floors[kind] {
			t.Errorf("%s: precision %.3f, want at least %.2f", kind, precision, floors[kind])
		}
	}
	holdRight(t, labels, seen)
}

func keys(maps ...map[string]int) func(func(string) bool) {
	all := map[string]bool{}
	for _, m := range maps {
		for k := range m {
			all[k] = true
		}
	}
	return func(yield func(string) bool) {
		for k := range all {
			if !yield(k) {
				return
			}
		}
	}
}

// holdRight fails when too many findings that were right are gone.
func holdRight(t *testing.T, labels []label, seen map[string]bool) {
	t.Helper()
	total, gone := 0, []string{}
	for _, l := range labels {
		if !l.right {
			continue
		}
		total++
		if key := fmt.Sprintf("%s:%d %s", l.file, l.line, l.rule); !seen[key] {
			gone = append(gone, key)
		}
	}
	if len(gone)*100 > total*maxVanished {
		slices.SortFunc(gone, cmp.Compare[string])
		t.Errorf("%d of %d findings that were right are gone:\n%s", len(gone), total, strings.Join(gone, "\n"))
	}
}
