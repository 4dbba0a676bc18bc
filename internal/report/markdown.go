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

// codeBlock returns text as lines of a block of code that nothing in it ends; what is not visible is written as its code.
func codeBlock(language, code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		cells := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		for i := range cells {
			cells[i] = clean(cells[i])
		}
		b.WriteString(strings.Join(cells, "\t") + "\n")
	}
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	return fence + language + "\n" + b.String() + fence + "\n"
}

// inCell returns text that a table shows as it is: no markup, no HTML, no mention of a user, no link.
func inCell(s string) string { return markdownText.Replace(clean(s)) }

// A comment behind "@" and between "://" keeps a hosting site from calling users and making links.
var markdownText = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "#", `\#`, "$", `\$`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "@<!-- -->", "://", ":<!-- -->//",
)
