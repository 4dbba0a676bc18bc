package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

var githubCommand = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Info: "notice", lint.Hint: "notice"}

// GitHub prints findings as workflow commands, which a run shows at the lines of a pull request.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func GitHub(w io.Writer, r *workspace.Result, _ Options) error {
	for _, f := range r.Findings {
		message := clean(f.Message)
		if f.Help != "" {
			message += "\n" + clean(f.Help)
		}
		_, err := fmt.Fprintf(w, "::%s %s::%s\n", githubCommand[f.Severity], githubProperties(r, f), githubData.Replace(message))
		if err != nil {
			return err
		}
	}
	return nil
}

func githubProperties(r *workspace.Result, f lint.Finding) string {
	var props []string
	add := func(name, value string) { props = append(props, name+"="+githubProperty.Replace(value)) }
	if f.File != "." {
		add("file", f.File)
	}
	if doc := r.Doc(f.File); doc != nil {
		at := locate(doc, f.Span)
		add("line", fmt.Sprint(at.Start.Line))
		add("endLine", fmt.Sprint(at.End.Line))
		if at.Start.Line == at.End.Line { // GitHub refuses columns over several lines
			add("col", fmt.Sprint(at.Start.Column))
			add("endColumn", fmt.Sprint(at.End.Column))
		}
	}
	add("title", f.Rule.Name)
	return strings.Join(props, ",")
}

// The runner's own escapes.
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
