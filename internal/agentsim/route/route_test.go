package route_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim/route"
	"github.com/skill-ls/skill-ls/internal/racetest"
)

var office = []route.Skill{
	{ID: "1", Name: "pdf-tools", Description: "Extracts text and tables from PDF files, fills forms, merges documents."},
	{ID: "2", Name: "spreadsheets", Description: `Builds and edits .xlsx workbooks. Use when the user says "make me a budget". Do not use for PDF forms; use pdf-tools instead.`},
	{ID: "3", Name: "slides", Description: "Creates presentations from notes, with speaker notes and charts."},
	{ID: "4", Name: "日报", Description: "把本周的工作整理成日报和周报。不要用于会议纪要。"},
	{ID: "5", Name: "deployMachine", Description: "Rolls a service out to the cluster and watches it."},
}

func TestRankPicks(t *testing.T) {
	x := route.New(office)
	for query, want := range map[string]string{
		"extract the tables in this PDF":          "pdf-tools",
		"fill in the pdf form":                    "pdf-tools", // named by the spreadsheets' refusal too
		"please make me a budget for next year":   "spreadsheets",
		"I am presenting tomorrow, create charts": "slides", // stems
		"帮我把工作写成日报":                               "日报",
		"presentatoin with speeker notes":         "slides", // spelling
		"deploy to the machine":                   "deployMachine",
		"services in clusters":                    "deployMachine",
	} {
		if hits := x.Rank(query); hits[0].Skill.Name != want {
			t.Errorf("%s: %v", query, hits)
		}
	}
}

func TestRankScores(t *testing.T) {
	x := route.New(office)
	for _, h := range x.Rank("zzz qqq") {
		if h.Score != 0 {
			t.Errorf("%s has %v of a query it shares nothing with", h.Skill.Name, h.Score)
		}
	}
	near, far := x.Rank("merges documents")[0], x.Rank("merges documents and cooks rice tonight")[0]
	if near.Score <= far.Score || far.Score <= 0 {
		t.Errorf("a query that is answered in part has %v, one answered in full %v", far.Score, near.Score)
	}
	if hits := route.New(nil).Rank("x"); len(hits) != 0 {
		t.Errorf("no skills give %v", hits)
	}
}

// Equal skills are ordered by name, then ID, wherever they stood.
func TestRankTies(t *testing.T) {
	same := func(id, name string) route.Skill { return route.Skill{ID: id, Name: name, Description: "Cooks rice."} }
	x := route.New([]route.Skill{same("2", "b"), same("1", "b"), same("9", "a")})
	var got []string
	for _, h := range x.Rank("rice") {
		got = append(got, h.Skill.Name+h.Skill.ID)
	}
	if s := strings.Join(got, " "); s != "a9 b1 b2" {
		t.Errorf("got %s", s)
	}
}

// The same skills give the same scores, run after run: sums have a fixed order.
func TestRankIsDeterministic(t *testing.T) {
	skills := catalogue(40)
	query := strings.Join(vocabulary, " ")
	want := fmt.Sprint(route.New(skills).Rank(query))
	for range 5 {
		if got := fmt.Sprint(route.New(skills).Rank(query)); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

// What a skill is not for does not attract queries, in the main languages.
func TestRefusals(t *testing.T) {
	for _, refusal := range []string{
		"Do not use for zebras.", "DO NOT USE FOR: zebras", "Not for zebras.", "Don't use with zebras", "Never use on zebras.",
		"Avoid using it for zebras.", "Should not be used for zebras", "Skip when there are zebras",
		"Nicht für zebras.", "Ne pas utiliser pour zebras", "No usar para zebras.", "Não usar para zebras.", "Non usare per zebras.",
		"Не использовать для zebras.", "不要用于 zebras。", "不適用於 zebras", "zebras には使わない。", "zebras에는 사용하지 마세요.",
	} {
		x := route.New([]route.Skill{{ID: "1", Name: "horses", Description: "Feeds horses. " + refusal}, {ID: "2", Name: "rice", Description: "Cooks rice."}})
		if h := x.Rank("zebras")[0]; h.Score != 0 {
			t.Errorf("%q attracts with %v", refusal, h.Score)
		}
		if h := x.Rank("feeds horses")[0]; h.Skill.Name != "horses" || h.Score == 0 {
			t.Errorf("%q takes the rest of the description along", refusal)
		}
	}
	x := route.New([]route.Skill{{ID: "1", Name: "net", Description: "Fixes crashes. Not for projects on .NET Framework. Use for zebras."}, {ID: "2", Name: "rice", Description: "Cooks rice."}})
	if x.Rank("zebras")[0].Score == 0 || x.Rank("framework")[0].Score != 0 {
		t.Error("a refusal ends with its sentence, not at a full stop within a word")
	}
}

func TestWords(t *testing.T) {
	x := route.New(office)
	query := "could you extract tables from this grand PDF"
	words := x.Words(query, x.Rank(query)[0])
	if len(words) == 0 || words[0].Share <= 0 {
		t.Fatalf("got %v", words)
	}
	var got []string
	for _, w := range words {
		got = append(got, w.Text)
	}
	for _, want := range []string{"extract", "tables", "pdf"} {
		if !strings.Contains(strings.Join(got, ","), want) {
			t.Errorf("%q is not among %v", want, got)
		}
	}
	if unknown := x.Unknown(query); len(unknown) != 1 || unknown[0] != "grand" {
		t.Errorf("unknown: %v", unknown)
	}
}

func TestRun(t *testing.T) {
	r := route.New(office).Run([]route.Query{
		{Text: "extract tables from a PDF", Skill: "pdf-tools", Trigger: true},
		{Text: "extract tables from a PDF", Skill: "3", Trigger: true}, // by ID
		{Text: "merge documents", Skill: "pdf-tools"},
		{Text: "budget", Skill: "pdf-tools"},
		{Text: "make me a budget"},
		{Text: "x", Skill: "no-such", Trigger: true},
	})
	if r.Positives != 3 || r.Negatives != 2 || r.Danger != 1 || r.Top1 != 0.3333 {
		t.Errorf("%d positive, %d negative, %d in danger, top-1 %v", r.Positives, r.Negatives, r.Danger, r.Top1)
	}
	if a := r.Answers[1]; a.Rank < 2 || a.Margin >= 0 {
		t.Errorf("a skill that loses has rank %d and margin %v", a.Rank, a.Margin)
	}
	if a := r.Answers[4]; a.Rank != 0 || a.Margin <= 0 {
		t.Errorf("without an expected skill: rank %d, margin %v", a.Rank, a.Margin)
	}
	if len(r.Collisions) != 1 || r.Collisions[0].Skill != "3" || r.Collisions[0].Winner != "1" || len(r.Collisions[0].Words) == 0 {
		t.Errorf("collisions: %+v", r.Collisions)
	}
}

// TestShared ranks real queries, which others wrote for their own skills. The floors lie above what BM25 with
// character n-grams alone reaches.
func TestShared(t *testing.T) {
	racetest.Skip(t)
	file := sharedFile(t, "route", "queries.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Skip("no shared queries beside the repository: ", err)
	}
	e, err := route.ReadEvals(file, data, "")
	if err != nil {
		t.Fatal(err)
	}
	var labels struct{ Queries []struct{ English bool } }
	if err := json.Unmarshal(data, &labels); err != nil {
		t.Fatal(err)
	}
	x := route.New(e.Skills)
	var english, other []route.Query
	for i, q := range e.Queries {
		if labels.Queries[i].English {
			english = append(english, q)
		} else {
			other = append(other, q)
		}
	}
	for _, c := range []struct {
		what       string
		queries    []route.Query
		top1, top3 float64
	}{{"all", e.Queries, 0.66, 0.78}, {"English", english, 0.78, 0.86}, {"other", other, 0.47, 0.64}} {
		r := x.Run(c.queries)
		t.Logf("%s: top-1 %.3f, top-3 %.3f, mean reciprocal rank %.3f, %d of %d negatives first", c.what, r.Top1, r.Top3, r.MRR, r.Danger, r.Negatives)
		if r.Top1 < c.top1 || r.Top3 < c.top3 {
			t.Errorf("%s: want %.2f and %.2f", c.what, c.top1, c.top3)
		}
	}
}

// sharedFile is a file of the folder that SKILLLINT_SHARED names, else of one beside the repository.
func sharedFile(t *testing.T, elem ...string) string {
	t.Helper()
	dir := os.Getenv("SKILLLINT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	return filepath.Join(append([]string{dir}, elem...)...)
}

func FuzzRank(f *testing.F) {
	for _, s := range office {
		f.Add(s.Name, s.Description, "extract tables")
	}
	f.Add("", "'", "\xff")
	f.Add("x", `He said "don't" use 'it' „so“ 「あ」`, "C++ is it's camelCase")
	f.Fuzz(func(t *testing.T, name, description, query string) {
		x := route.New([]route.Skill{{ID: "1", Name: name, Description: description}, {ID: "2", Name: "other", Description: "Does things."}})
		hits := x.Rank(query)
		if len(hits) != 2 || !(hits[0].Score >= hits[1].Score) || hits[1].Score < 0 {
			t.Fatalf("%v", hits)
		}
		x.Words(query, hits[0])
	})
}

func FuzzReadEvals(f *testing.F) {
	f.Add("e.json", []byte(`{"skill":"x","queries":[{"q":"a"}]}`))
	f.Add("e.yaml", []byte("should_trigger_prompts: [a]\n"))
	f.Add("e.csv", []byte("prompt\na\n"))
	f.Fuzz(func(_ *testing.T, name string, data []byte) {
		route.ReadEvals(name, data, "") //nolint:errcheck // it must not panic
	})
}
