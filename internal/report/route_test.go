package report_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim/route"
	"github.com/skill-ls/skill-ls/internal/report"
)

func routed(t *testing.T, format string) string {
	t.Helper()
	x := route.New([]route.Skill{
		{ID: "1", Name: "pdf", Description: "Fills forms and merges PDF files."},
		{ID: "2", Name: "slides", Description: "Creates presentations."},
	})
	r := x.Run([]route.Query{
		{Text: "merge PDF files", Skill: "pdf", Trigger: true},
		{Text: "fill forms", Skill: "slides", Trigger: true},
		{Text: "PDF <colour>", Skill: "pdf"},
		{Text: "cook", Skill: "rice", Trigger: true},
		{Text: "presentation"},
	})
	var b strings.Builder
	o := report.RouteOptions{Top: 1, Gates: []report.Gate{{Name: "top1", Least: 0.9, Have: r.Top1}, {Name: "top3", Least: 0.5, Have: r.Top3}}}
	if err := report.Route(&b, r, format, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRouteText(t *testing.T) {
	got := routed(t, "text")
	for _, want := range []string{
		"   1  +", "wants pdf     merge PDF files\n", "   2  -", "wants slides  fill forms  goes to pdf  (", "not pdf       PDF <colour>\n", "   -        -  wants rice    cook\n",
		"leads by ", "3 queries should trigger: top-1 0.333, top-3 0.667", "1 should not: 1 in danger",
		"1 wins 1 query of 2: fill, fill forms, forms", "top1 0.333, at least 0.900: not reached", "top3 0.667, at least 0.500: reached",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestRouteMarkdown(t *testing.T) {
	got := routed(t, "markdown")
	for _, want := range []string{
		"## presentation\n", "| 1 | ", "| slides | present", "| 2 | -1.", "| wants slides | fill forms | pdf (", "PDF &lt;colour&gt;", "| - | - | wants rice | cook |  |",
		"3 queries should trigger", "## Near-collisions", "top1 0.333, at least 0.900: **not reached**", proxyWords,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

const proxyWords = "A comparison of words, not a model"

func TestRouteFollowsItsSchema(t *testing.T) {
	validate(t, "../../schemas/route.schema.json", []byte(routed(t, "json")))
}

// Queries that should not trigger a skill get no verdict; the figures fail like tests.
func TestRouteJUnit(t *testing.T) {
	var out struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Cases []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	got := routed(t, "junit")
	if err := xml.Unmarshal([]byte(got), &out); err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, s := range out.Suites {
		for _, c := range s.Cases {
			if c.Failure != nil {
				failed = append(failed, c.Name)
			}
		}
	}
	if want := "fill forms, cook, top1 at least 0.900"; strings.Join(failed, ", ") != want || out.Failures != 3 || out.Tests != 7 {
		t.Errorf("%d of %d fail: %q, want %s in\n%s", out.Failures, out.Tests, failed, want, got)
	}
}
