package report

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// clientsMarkdown is the table for a comment, with what is lost as a list below.
func clientsMarkdown(r *workspace.Roster) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**skilllint clients**: %s\n", tally(r))
	if len(r.Skills) == 0 {
		return b.String()
	}
	b.WriteString("\n| Skill |")
	for _, p := range r.Clients {
		fmt.Fprintf(&b, " %s |", inCell(header(p)))
	}
	fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat(":-:|", len(r.Clients)))
	for _, s := range r.Skills {
		fmt.Fprintf(&b, "| %s |", inCell(s.Doc.Path))
		for _, p := range r.Clients {
			sign := ""
			if cell := r.Cell(p, s); cell.Outcome != nil {
				sign = markOf(cell.Outcome).text(false)
			}
			fmt.Fprintf(&b, " %s |", inCell(sign))
		}
		b.WriteByte('\n')
	}
	b.WriteString(legendMarkdown())
	for _, x := range shelves(r.Skills) {
		b.WriteString(lossesMarkdown(r, x))
	}
	return b.String()
}

func legendMarkdown() string {
	var out []string
	for m := range marks {
		out = append(out, inCell(marks[m].sign)+" "+marks[m].words)
	}
	return "\n" + strings.Join(out, ", ") + "\n"
}

// lossesMarkdown lists what clients make of the skills of a folder.
func lossesMarkdown(r *workspace.Roster, x shelf) string {
	var b strings.Builder
	if absent := x.absent(r); len(absent) > 0 {
		fmt.Fprintf(&b, "\n%s is not read by %s.\n", inCell(x.dir), strings.Join(absent, ", "))
	}
	for _, s := range x.skills {
		var items []string
		for _, y := range readings(r, s) {
			if !y.notHis {
				items = append(items, "- "+readingMarkdown(y)+"\n")
			}
		}
		if items != nil {
			fmt.Fprintf(&b, "\n%s\n\n%s", inCell(s.Doc.Path), strings.Join(items, ""))
		}
	}
	return b.String()
}

func readingMarkdown(x reading) string {
	text := inCell(x.mark.text(false)) + " " + strings.Join(x.who, ", ") + ": " + inCell(x.why)
	if x.rule != "" {
		text += " (" + x.rule + ")"
	}
	return text
}

// traceMarkdown tells of each client what it makes of a skill, stage by stage.
func traceMarkdown(r *workspace.Roster, s *skills.Skill) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**skilllint clients**: %s\n", inCell(s.Doc.Path))
	for _, p := range r.Clients {
		cell := r.Cell(p, s)
		fmt.Fprintf(&b, "\n### %s %s\n\n", inCell(markOf(cell.Outcome).text(false)), inCell(header(p)))
		for _, step := range r.Trace(p, s) {
			text := inCell(step.Text)
			if step.Lost {
				text = "**" + text + "**"
			}
			if step.Lost && cell.Rule != nil {
				text += " (" + cell.Rule.Name + ")"
			}
			fmt.Fprintf(&b, "- %s: %s\n", step.Stage, text)
		}
	}
	return b.String()
}
