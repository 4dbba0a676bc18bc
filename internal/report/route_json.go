package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/route"
)

// schemas/route.schema.json describes this form.
type jsonRoute struct {
	Version    int             `json:"version"`
	Queries    []jsonQuery     `json:"queries"`
	Top1       float64         `json:"top1"`
	Top3       float64         `json:"top3"`
	MRR        float64         `json:"mrr"`
	Positives  int             `json:"positives"`
	Negatives  int             `json:"negatives"`
	Danger     int             `json:"danger"`
	Collisions []jsonCollision `json:"collisions"`
	Gates      []jsonGate      `json:"gates,omitempty"`
	Live       *jsonTrials     `json:"live,omitempty"`
}

type jsonQuery struct {
	Query         string     `json:"query"`
	Expected      string     `json:"expected,omitempty"`
	ShouldTrigger *bool      `json:"should_trigger,omitempty"`
	Ranking       []jsonRank `json:"ranking"`
	Rank          int        `json:"rank,omitempty"`
	Margin        float64    `json:"margin"`
	Words         []jsonWord `json:"words"`
	Unknown       []string   `json:"unknown"`
}

type jsonRank struct {
	Skill string  `json:"skill"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

type jsonWord struct {
	Word  string  `json:"word"`
	Share float64 `json:"share"`
}

type jsonCollision struct {
	Skill   string   `json:"skill"`
	Winner  string   `json:"winner"`
	Queries []string `json:"queries"`
	Words   []string `json:"words"`
}

type jsonGate struct {
	Name   string  `json:"name"`
	Least  float64 `json:"least"`
	Value  float64 `json:"value"`
	Passed bool    `json:"passed"`
}

func routeToJSON(r *route.Report, o RouteOptions) jsonRoute {
	out := jsonRoute{
		Version: 1, Queries: []jsonQuery{}, Top1: r.Top1, Top3: r.Top3, MRR: r.MRR,
		Positives: r.Positives, Negatives: r.Negatives, Danger: r.Danger, Collisions: []jsonCollision{}, Live: liveToJSON(o.Live),
	}
	for _, a := range r.Answers {
		out.Queries = append(out.Queries, queryToJSON(a, o.Top))
	}
	for _, c := range r.Collisions {
		out.Collisions = append(out.Collisions, jsonCollision(c))
	}
	for _, g := range o.Gates {
		out.Gates = append(out.Gates, jsonGate{g.Name, g.Least, g.Have, !g.Fails()})
	}
	return out
}

func queryToJSON(a route.Answer, top int) jsonQuery {
	out := jsonQuery{
		Query: a.Text, Expected: a.Skill, Rank: a.Rank, Margin: a.Margin,
		Ranking: []jsonRank{}, Words: []jsonWord{}, Unknown: notNil(a.Unknown),
	}
	if a.Skill != "" {
		out.ShouldTrigger = &a.Trigger
	}
	for _, h := range a.Ranking[:min(top, len(a.Ranking))] {
		out.Ranking = append(out.Ranking, jsonRank{h.Skill.ID, h.Skill.Name, h.Score})
	}
	for _, w := range a.Words {
		out.Words = append(out.Words, jsonWord{w.Text, w.Share})
	}
	return out
}

// routeJUnit prints a suite for each skill with its queries as tests, and one for the figures. A query that should
// trigger its skill fails when another is first; one that should not has an output and no verdict.
func routeJUnit(w io.Writer, r *route.Report, o RouteOptions) error {
	out := junitSuites{Name: "skilllint route"}
	at := map[string]int{}
	suite := func(name string) *junitSuite {
		if _, known := at[name]; !known {
			at[name] = len(out.Suites)
			out.Suites = append(out.Suites, junitSuite{Name: clean(name)})
		}
		return &out.Suites[at[name]]
	}
	for _, a := range r.Answers {
		if o.Live == nil { // else the model has the say
			suite(cmp.Or(a.Skill, "queries")).add(answerCase(a))
		}
	}
	if o.Live != nil {
		for _, t := range o.Live.Trials {
			suite(cmp.Or(t.Query.Skill, "queries")).add(liveCase(t))
		}
	}
	for _, g := range o.Gates {
		suite("figures").add(gateCase(g))
	}
	for _, s := range out.Suites {
		out.Tests += s.Tests
		out.Failures += s.Failures
	}
	data, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(data)+"\n")
	return err
}

func answerCase(a route.Answer) junitCase {
	c := junitCase{Name: clean(a.Text), Class: clean(a.Skill)}
	text := fmt.Sprintf("leads by %.4f", a.Margin)
	if a.Skill != "" {
		text = clean(standing(a))
	}
	if len(a.Ranking) > 0 {
		text += fmt.Sprintf("\nfirst: %s, %.4f%s", clean(a.Ranking[0].Skill.Name), a.Ranking[0].Score, words(a, 0))
	}
	if a.Skill != "" && a.Trigger && a.Rank != 1 {
		c.Failure = &junitFailure{"not-first", strings.SplitN(text, "\n", 2)[0], text}
		return c
	}
	c.Output = text
	return c
}

func gateCase(g Gate) junitCase {
	c := junitCase{Name: fmt.Sprintf("%s at least %.3f", g.Name, g.Least), Class: "figures"}
	text := fmt.Sprintf("%s is %.3f", g.Name, g.Have)
	if g.Fails() {
		c.Failure = &junitFailure{"below", text, text}
		return c
	}
	c.Output = text
	return c
}
