package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Markdown prints findings as a table for a comment or a job summary.
func Markdown(w io.Writer, r *workspace.Result, o Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**skilllint**: %s\n", Summary(r))
	if len(r.Findings) > 0 {
		b.WriteString("\n| Severity | Place | Rule | Finding |\n|---|---|---|---|\n")
	}
	for _, f := range r.Findings {
		message := inCell(f.Message)
		if f.Help != "" {
			message += "<br>" + inCell(f.Help)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Severity, inCell(f.File+lineOf(r.Doc(f.File), f.Span)), f.Rule.Name, message)
	}
	if o.Statistics && len(r.Findings) > 0 {
		b.WriteString("\n| Rule | Findings |\n|---|---|\n")
		for _, c := range statistics(r.Findings) {
			fmt.Fprintf(&b, "| %s | %d |\n", c.Rule, c.Count)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// inCell returns text that a table shows as it is: no markup, no HTML, no mention of a user, no link.
func inCell(s string) string { return markdownText.Replace(clean(s)) }

// A comment behind "@" and between "://" keeps a hosting site from calling users and making links.
var markdownText = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "#", `\#`, "$", `\$`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "@<!-- -->", "://", ":<!-- -->//",
)
