package report

import (
	"io"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

type gitlabIssue struct {
	Description string         `json:"description"`
	Check       string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

var gitlabSeverity = map[lint.Severity]string{lint.Error: "critical", lint.Warning: "major", lint.Info: "minor", lint.Hint: "info"}

// GitLab prints findings as a Code Quality report.
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
func GitLab(w io.Writer, r *workspace.Result, _ Options) error {
	out := make([]gitlabIssue, len(r.Findings))
	prints := fingerprints(r)
	for i, f := range r.Findings {
		at := locate(r.Doc(f.File), f.Span)
		out[i] = gitlabIssue{
			Description: clean(f.Message), Check: f.Rule.Name, Fingerprint: prints[i], Severity: gitlabSeverity[f.Severity],
			Location: gitlabLocation{f.File, gitlabLines{at.Start.Line, at.End.Line}},
		}
	}
	return writeJSON(w, out)
}
