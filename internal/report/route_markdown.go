package report

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/route"
)

// routeMarkdown is the ranking of each query, and a table of those that a skill is expected for.
func routeMarkdown(r *route.Report, o RouteOptions) string {
	var b strings.Builder
	for _, a := range r.Answers {
		if a.Skill == "" {
			answerMarkdown(&b, a, o.Top)
		}
	}
	evalsMarkdown(&b, r.Answers)
	if r.Positives+r.Negatives > 0 {
		fmt.Fprintf(&b, "%s\n\n", inCell(figures(r)))
	}
	for i, c := range r.Collisions {
		if i == 0 {
			b.WriteString("## Near-collisions\n\n")
		}
		fmt.Fprintf(&b, "- %s wins %s of %s: %s\n", inCell(c.Winner), queries(len(c.Queries)), inCell(c.Skill), inCell(cause(c)))
	}
	if len(r.Collisions) > 0 {
		b.WriteByte('\n')
	}
	liveMarkdown(&b, o.Live)
	for _, g := range o.Gates {
		verdict := "reached"
		if g.Fails() {
			verdict = "**not reached**"
		}
		fmt.Fprintf(&b, "- %s %.3f, at least %.3f: %s\n", g.Name, g.Have, g.Least, verdict)
	}
	if len(o.Gates) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(proxy + "\n")
	return b.String()
}

func answerMarkdown(b *strings.Builder, a route.Answer, top int) {
	fmt.Fprintf(b, "## %s\n\n", inCell(a.Text))
	for i, h := range a.Ranking[:min(top, len(a.Ranking))] {
		if h.Score == 0 {
			break
		}
		if i == 0 {
			b.WriteString("| | Score | Skill | Words |\n|---:|---:|---|---|\n")
		}
		fmt.Fprintf(b, "| %d | %.4f | %s | %s |\n", i+1, h.Score, inCell(h.Skill.Name), inCell(strings.Trim(words(a, i), " ()")))
	}
	switch {
	case len(a.Ranking) > 0 && a.Ranking[0].Score > 0:
		fmt.Fprintf(b, "\nLeads by %.4f.", a.Margin)
	default:
		b.WriteString("No skill shares a word with it.")
	}
	if len(a.Unknown) > 0 {
		fmt.Fprintf(b, " No skill has: %s.", inCell(strings.Join(a.Unknown, ", ")))
	}
	b.WriteString("\n\n")
}

func evalsMarkdown(b *strings.Builder, answers []route.Answer) {
	n := 0
	for _, a := range answers {
		if a.Skill == "" {
			continue
		}
		if n++; n == 1 {
			b.WriteString("| Rank | Margin | Wish | Query | Goes to |\n|---:|---:|---|---|---|\n")
		}
		rank, margin := "-", "-"
		if a.Rank > 0 {
			rank, margin = fmt.Sprint(a.Rank), fmt.Sprintf("%+.4f", a.Margin)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", rank, margin, inCell(wish(a)), inCell(a.Text), inCell(winner(a)))
	}
	if n > 0 {
		b.WriteByte('\n')
	}
}

// winner names the skill that a query goes to in place of the one expected.
func winner(a route.Answer) string {
	if a.Rank == 1 || len(a.Ranking) == 0 || a.Ranking[0].Score == 0 {
		return ""
	}
	return a.Ranking[0].Skill.Name + strings.Replace(words(a, 0), "  ", " ", 1)
}
