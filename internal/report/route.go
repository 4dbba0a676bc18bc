package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/route"
)

// RouteOptions says how a ranking is printed.
type RouteOptions struct {
	Top   int  // how many skills of each ranking are shown
	Color bool // text
	Gates []Gate
	Live  *LiveTrials // nil when no model was asked
}

// Gate is a figure that must be reached.
type Gate struct {
	Name        string // such as "top1"
	Least, Have float64
}

// Fails reports whether the figure is not reached.
func (g Gate) Fails() bool { return g.Have < g.Least }

// Route prints what came of queries, as text, json, markdown or junit. Its errors are those of w.
func Route(w io.Writer, r *route.Report, format string, o RouteOptions) error {
	switch format {
	case "json":
		return writeJSON(w, routeToJSON(r, o))
	case "markdown":
		_, err := io.WriteString(w, routeMarkdown(r, o))
		return err
	case "junit":
		return routeJUnit(w, r, o)
	}
	_, err := io.WriteString(w, routeText(r, o))
	return err
}

// proxy is said wherever a ranking is shown.
const proxy = "A comparison of words, not a model: it finds descriptions that are hard to tell apart."

func routeText(r *route.Report, o RouteOptions) string {
	p := painter{o.Color}
	var b strings.Builder
	for _, a := range r.Answers {
		if a.Skill == "" {
			answerText(&b, p, a, o.Top)
		}
	}
	evalsText(&b, p, r.Answers)
	if r.Positives+r.Negatives > 0 {
		fmt.Fprintf(&b, "%s\n", figures(r))
	}
	collisionsText(&b, p, r.Collisions)
	liveText(&b, p, o.Live)
	for _, g := range o.Gates {
		verdict := p.paint(green, "reached")
		if g.Fails() {
			verdict = p.paint(red, "not reached")
		}
		fmt.Fprintf(&b, "%s %.3f, at least %.3f: %s\n", g.Name, g.Have, g.Least, verdict)
	}
	b.WriteString(proxy + "\n")
	return b.String()
}

// answerText shows a ranking, for a query that no skill is expected for.
func answerText(b *strings.Builder, p painter, a route.Answer, top int) {
	fmt.Fprintf(b, "%s\n", p.paint(bold, clean(a.Text)))
	for i, h := range a.Ranking[:min(top, len(a.Ranking))] {
		if h.Score == 0 {
			break
		}
		fmt.Fprintf(b, "  %d. %.4f  %s%s\n", i+1, h.Score, clean(h.Skill.Name), words(a, i))
	}
	if len(a.Ranking) > 0 && a.Ranking[0].Score > 0 {
		fmt.Fprintf(b, "  leads by %.4f\n", a.Margin)
	}
	if len(a.Unknown) > 0 {
		fmt.Fprintf(b, "  no skill has: %s\n", clean(strings.Join(a.Unknown, ", ")))
	}
	b.WriteByte('\n')
}

// wishWidth is the widest column of expected skills, so that the queries stay in sight.
const wishWidth = 40

// evalsText is the table of the queries that a skill is expected for.
func evalsText(b *strings.Builder, p painter, answers []route.Answer) {
	width, n := 0, 0
	for _, a := range answers {
		if a.Skill != "" {
			width, n = max(width, min(wishWidth, columns(clean(wish(a))))), n+1
		}
	}
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "%s\n", p.paint(bold, "rank   margin  query"))
	for _, a := range answers {
		if a.Skill == "" {
			continue
		}
		w := clean(wish(a))
		fmt.Fprintf(b, "%s  %s%s  %s%s\n", place(a), w, strings.Repeat(" ", max(0, width-columns(w))), clean(a.Text), instead(p, a))
	}
	b.WriteByte('\n')
}

func wish(a route.Answer) string {
	if a.Trigger {
		return "wants " + a.Skill
	}
	return "not " + a.Skill
}

func place(a route.Answer) string {
	if a.Rank == 0 {
		return "   -        -"
	}
	return fmt.Sprintf("%4d  %+.4f", a.Rank, a.Margin)
}

// instead names the skill that a query goes to.
func instead(p painter, a route.Answer) string {
	if a.Rank == 1 || len(a.Ranking) == 0 || a.Ranking[0].Score == 0 {
		return ""
	}
	return "  " + p.paint(yellow, "goes to "+clean(a.Ranking[0].Skill.Name)) + words(a, 0)
}

// standing tells where the expected skill came. For a query that should not trigger it there is no verdict: words
// alone cannot tell a near miss.
func standing(a route.Answer) string {
	verb := "wants"
	if !a.Trigger {
		verb = "should not pick"
	}
	if a.Rank == 0 {
		return fmt.Sprintf("%s %s, which is not among the skills", verb, a.Skill)
	}
	return fmt.Sprintf("%s %s: rank %d, margin %.4f", verb, a.Skill, a.Rank, a.Margin)
}

// words tells what decided for the first skill.
func words(a route.Answer, place int) string {
	const most = 6
	if place > 0 || len(a.Words) == 0 {
		return ""
	}
	var out []string
	for _, w := range a.Words[:min(most, len(a.Words))] {
		out = append(out, w.Text)
	}
	return "  (" + clean(strings.Join(out, ", ")) + ")"
}

func figures(r *route.Report) string {
	s := fmt.Sprintf("%s should trigger: top-1 %.3f, top-3 %.3f, mean reciprocal rank %.3f.", queries(r.Positives), r.Top1, r.Top3, r.MRR)
	if r.Negatives > 0 {
		s += fmt.Sprintf(" %d should not: %d in danger, as they rank their skill first.", r.Negatives, r.Danger)
	}
	return s
}

func collisionsText(b *strings.Builder, p painter, list []route.Collision) {
	for i, c := range list {
		if i == 0 {
			fmt.Fprintf(b, "\n%s\n", p.paint(bold, "Near-collisions"))
		}
		fmt.Fprintf(b, "  %s wins %s of %s: %s\n", clean(c.Winner), queries(len(c.Queries)), clean(c.Skill), clean(cause(c)))
	}
}

// cause tells what decided for the winner: without a word in common it was groups of letters.
func cause(c route.Collision) string {
	if len(c.Words) == 0 {
		return "by parts of words"
	}
	return strings.Join(c.Words, ", ")
}

func queries(n int) string {
	if n == 1 {
		return "1 query"
	}
	return fmt.Sprintf("%d queries", n)
}
