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
	"sync"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/racetest"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
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

// key identifies the finding.
func (l label) key() string { return fmt.Sprintf("%s:%d %s", l.file, l.line, l.rule) }

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

// corpusFinding is a finding with its line, from 1.
type corpusFinding struct {
	lint.Finding
	line int
}

// key identifies the finding among the labels.
func (f corpusFinding) key() string { return fmt.Sprintf("%s:%d %s", f.File, f.line, f.Rule.Name) }

// corpus is what all rules find in the published skills, linted once for all tests.
var corpus struct {
	once     sync.Once
	findings []corpusFinding
}

// lintCorpus runs all rules over the published skills, hints included, with the tools of three servers at hand, and
// returns what those in about find.
func lintCorpus(t *testing.T, about []*lint.Rule) []corpusFinding {
	t.Helper()
	dir, servers := sharedFolder(t, "corpus/dev"), recordedServers(t)
	corpus.once.Do(func() { corpus.findings = lintAll(t, dir, servers) })
	if len(corpus.findings) == 0 {
		t.Fatal("nothing was found in the corpus")
	}
	return slices.DeleteFunc(slices.Clone(corpus.findings), func(f corpusFinding) bool {
		return !slices.ContainsFunc(about, func(r *lint.Rule) bool { return r.Name == f.Rule.Name })
	})
}

func lintAll(t *testing.T, dir string, servers map[string][]byte) []corpusFinding {
	t.Helper()
	resolver, err := lint.NewResolver(Registry(), lint.Flags{Select: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	job := workspace.Job{
		Options: workspace.Options{FS: skills.Disk{}, Base: dir, Paths: []string{dir}, Configs: workspace.NoConfig(dir), Resolver: resolver},
		Engine:  lint.NewEngine(Registry()),
	}
	for name, data := range servers {
		saved, err := workspace.ReadSaved(name, name+".json", name+".json", data)
		if err != nil {
			t.Fatal(err)
		}
		job.Saved = append(job.Saved, saved)
	}
	r, err := job.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []corpusFinding
	for _, f := range r.Findings {
		line := 1
		if doc := r.Doc(f.File); doc != nil { // "." has no text
			line = doc.Lines().OffsetLine(f.Span.Start) + 1
		}
		out = append(out, corpusFinding{f, line})
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

// TestCorpusPrecision recomputes the precision of the rules about references.
func TestCorpusPrecision(t *testing.T) { checkPrecision(t, "dev", linkRules(), floors) }

// checkPrecision recomputes the precision of some rules from findings that were read by hand, and holds what was right
// in place.
func checkPrecision(t *testing.T, set string, about []*lint.Rule, floors map[string]float64) {
	t.Helper()
	racetest.Skip(t)
	labels := readLabels(t, set)
	verdict := map[string]bool{}
	for _, l := range labels {
		verdict[l.key()] = l.right
	}
	right, wrong, seen := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, f := range lintCorpus(t, about) {
		ok, labelled := verdict[f.key()]
		if !labelled {
			if f.Severity >= lint.Warning {
				t.Logf("not labelled: %s %v: %s", f.key(), f.Severity, f.Message)
			}
			continue
		}
		if seen[f.key()] {
			continue
		}
		seen[f.key()] = true
		count := map[bool]map[string]int{true: right, false: wrong}[ok]
		count[f.Rule.Name]++
		if f.Severity >= lint.Warning {
			count["level"]++
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
		if !seen[l.key()] {
			gone = append(gone, l.key())
		}
	}
	if len(gone)*100 > total*maxVanished {
		slices.SortFunc(gone, cmp.Compare[string])
		t.Errorf("%d of %d findings that were right are gone:\n%s", len(gone), total, strings.Join(gone, "\n"))
	}
}
