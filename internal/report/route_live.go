package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/live"
)

// LiveTrials are what a model did with the queries.
type LiveTrials struct {
	Model     string
	Threshold float64
	Trials    []live.Trial
}

// jsonTrials has the results in the form of skill-creator.
type jsonTrials struct {
	Model     string       `json:"model"`
	Threshold float64      `json:"threshold"`
	Results   []jsonTrial  `json:"results"`
	Summary   jsonTrialSum `json:"summary"`
}

type jsonTrial struct {
	Query         string         `json:"query"`
	Expected      string         `json:"expected,omitempty"`
	ShouldTrigger *bool          `json:"should_trigger,omitempty"`
	TriggerRate   float64        `json:"trigger_rate"`
	Triggers      int            `json:"triggers"`
	Runs          int            `json:"runs"`
	Pass          bool           `json:"pass"`
	Picked        map[string]int `json:"picked"`
}

type jsonTrialSum struct {
	Total  int `json:"total"`
	Passed int `json:"passed"`
	Failed int `json:"failed"`
}

func liveToJSON(l *LiveTrials) *jsonTrials {
	if l == nil {
		return nil
	}
	out := &jsonTrials{Model: l.Model, Threshold: l.Threshold, Results: []jsonTrial{}}
	for _, t := range l.Trials {
		j := jsonTrial{
			Query: t.Query.Text, Expected: t.Query.Skill, TriggerRate: t.Rate(), Triggers: t.Triggers, Runs: t.Runs, Pass: t.Pass, Picked: t.Picked,
		}
		if t.Query.Skill != "" {
			j.ShouldTrigger = &t.Query.Trigger
			out.Summary.Total++
			if t.Pass {
				out.Summary.Passed++
			} else {
				out.Summary.Failed++
			}
		}
		out.Results = append(out.Results, j)
	}
	return out
}

// liveHead says which model was asked how.
func liveHead(l *LiveTrials) string {
	return fmt.Sprintf("Asked of %s; a skill triggers from a share of %.2f on.", l.Model, l.Threshold)
}

// liveLine tells what came of one query.
func liveLine(t live.Trial) string {
	verdict := "picks"
	if t.Query.Skill != "" {
		verdict = "fails"
		if t.Pass {
			verdict = "passes"
		}
		verdict += fmt.Sprintf(" %d of %d, ", t.Triggers, t.Runs) + wishOf(t)
	}
	return verdict + ": " + t.Query.Text + pickedWords(t)
}

func wishOf(t live.Trial) string {
	if t.Query.Trigger {
		return "wants " + t.Query.Skill
	}
	return "not " + t.Query.Skill
}

// pickedWords tells what was picked in place of, or beside, the skill.
func pickedWords(t live.Trial) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(t.Picked)) {
		shown := name
		if name == "" {
			shown = "no skill"
		}
		out = append(out, fmt.Sprintf("%s %d×", shown, t.Picked[name]))
	}
	return " (" + strings.Join(out, ", ") + ")"
}

func liveSum(l *LiveTrials) string {
	share, of := live.Passed(l.Trials)
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("passed %.3f of %s", share, queries(of))
}

func liveText(b *strings.Builder, p painter, l *LiveTrials) {
	if l == nil {
		return
	}
	fmt.Fprintf(b, "%s\n", p.paint(bold, clean(liveHead(l))))
	for _, t := range l.Trials {
		color := ""
		if t.Query.Skill != "" && !t.Pass {
			color = red
		}
		line := clean(liveLine(t))
		if color != "" {
			line = p.paint(color, line)
		}
		fmt.Fprintf(b, "  %s\n", line)
	}
	if sum := liveSum(l); sum != "" {
		fmt.Fprintf(b, "%s\n", sum)
	}
	b.WriteByte('\n')
}

func liveMarkdown(b *strings.Builder, l *LiveTrials) {
	if l == nil {
		return
	}
	fmt.Fprintf(b, "## A model\n\n%s\n\n", inCell(liveHead(l)))
	for _, t := range l.Trials {
		fmt.Fprintf(b, "- %s\n", inCell(liveLine(t)))
	}
	fmt.Fprintf(b, "\n%s\n\n", liveSum(l))
}

// liveCase is a query as a test.
func liveCase(t live.Trial) junitCase {
	c := junitCase{Name: clean(t.Query.Text), Class: clean(t.Query.Skill)}
	text := clean(liveLine(t))
	if !t.Pass {
		c.Failure = &junitFailure{"trigger-rate", text, text}
		return c
	}
	c.Output = text
	return c
}
