package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
)

// referFloors are the least precision of what referRules report, by the labels. "level" stands for everything at
// warning and above.
var referFloors = map[string]float64{"level": 0.95, "description/cue-in-body": 0.9, "description/placeholder": 0.9, "description/no-cue": 0.9, "body/client-variable": 0.9}

// TestReferPrecision recomputes the precision of the rules about variables, tools and descriptions from findings
// that were read by hand, and holds what was right in place.
func TestReferPrecision(t *testing.T) {
	dir := sharedFolder(t, "corpus/dev")
	verdict := map[string]bool{}
	labels := readLabels(t, "refer")
	for _, l := range labels {
		verdict[fmt.Sprintf("%s:%d %s", l.file, l.line, l.rule)] = l.right
	}
	right, wrong, seen := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, f := range lintTree(t, dir, nil) {
		if !slices.ContainsFunc(referRules(), func(r *lint.Rule) bool { return r.Name == f.Rule.Name }) || f.Severity < lint.Info {
			continue
		}
		key := fmt.Sprintf("%s:%d %s", f.File, lineIn(t, filepath.Join(dir, f.File), f.Span.Start), f.Rule.Name)
		ok, labelled := verdict[key]
		if !labelled {
			if f.Severity >= lint.Warning {
				t.Logf("not labelled: %s: %s", key, f.Message)
			}
			continue
		}
		seen[key] = true
		count := map[bool]map[string]int{true: right, false: wrong}[ok]
		count[f.Rule.Name]++
		if f.Severity >= lint.Warning {
			count["level"]++
		}
	}
	for _, kind := range slices.Sorted(keys(right, wrong)) {
		precision := float64(right[kind]) / float64(right[kind]+wrong[kind])
		t.Logf("%-30s %3d right %3d wrong, precision %.3f", kind, right[kind], wrong[kind], precision)
		if precision < referFloors[kind] {
			t.Errorf("%s: precision %.3f, want at least %.2f", kind, precision, referFloors[kind])
		}
	}
	holdRight(t, labels, seen)
}

// lineIn returns the line, from 1, of an offset in a file. The files of the corpus that have findings are UTF-8.
func lineIn(t *testing.T, file string, offset int) int {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		return 1 // "." has no text
	}
	return strings.Count(string(raw[:min(offset, len(raw))]), "\n") + 1
}
