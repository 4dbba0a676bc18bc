package report

import (
	"strconv"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// fingerprints identifies each finding by more than its line, so that a service knows it again after other
// lines have moved. Of findings that are alike, those after the first are numbered.
func fingerprints(r *workspace.Result) []string {
	seen := map[string]int{}
	out := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		print := lint.Fingerprint(f, r.Doc(f.File), f.File)
		out[i] = print
		if n := seen[print]; n > 0 {
			out[i] += "-" + strconv.Itoa(n+1)
		}
		seen[print]++
	}
	return out
}
