package evals_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/evals"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// TestRead holds the shapes of published files.
func TestRead(t *testing.T) {
	cases := map[string]struct{ text, want string }{
		"a list":             {`[{"query": "rename these", "should_trigger": true}, {"query": "what time is it", "should_trigger": false, "note": "x"}]`, "rename these()+ what time is it()-"},
		"an object":          {`{"skill_name": "demo", "evals": [{"prompt": "rename", "expected": "yes"}]}`, "rename(demo)+"},
		"cases":              {`{"skill": "demo", "cases": [{"input": "a", "should": false}, {"q": "b", "expected_trigger": true}]}`, "a(demo)- b(demo)+"},
		"the skill by entry": {`[{"query": "a", "expected": "demo"}, {"query": "b", "expect_skill": "other"}]`, "a(demo)+ b(other)+"},
		"results":            {`{"skill_name": "demo", "results": [{"query": "a", "should_trigger": true, "trigger_rate": 0.5, "pass": true}]}`, "a(demo)+"},
		"no label":           {`[{"query": "a", "why": "x"}]`, "a()+"},
		"no list":            {`{"name": "x"}`, "! no list"},
		"a number":           {`7`, "! no list"},
		"nothing":            {``, "! not valid"},
		"broken":             {`[{"query": "a",}]`, "! not valid"},
		"no query":           {`[{"should_trigger": true}]`, "! no query"},
		"an odd label alone": {`[{"query": "a", "should_trigger": "maybe"}]`, "! neither true nor false"},
		"an odd label":       {`{"skill": "x", "queries": [{"query": "a", "should_trigger": "maybe"}]}`, "! neither true nor false"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := evals.Read(skills.NewDocument("x.json", "", c.text))
			var got []string
			for _, q := range f.Queries {
				sign := map[bool]string{true: "+", false: "-"}[q.Should]
				got = append(got, fmt.Sprintf("%s(%s)%s", q.Text, q.Skill, sign))
			}
			for _, x := range f.Problems {
				got = append(got, "! "+x.Message)
			}
			want, said, problem := strings.Cut(c.want, "! ")
			joined := strings.Join(got, " ")
			if problem && !strings.Contains(joined, said) || !problem && joined != want || problem != (len(f.Problems) > 0) {
				t.Errorf("got %q, want %q", joined, c.want)
			}
		})
	}
}

func TestIsName(t *testing.T) {
	for rel, want := range map[string]bool{
		"evals/trigger-eval.json": true, "evals/trigger_eval.json": true, "evals/eval_queries.json": true, "evals/train_queries.json": true,
		"evals/evals.json": false, "trigger-eval.json": false, "evals/trigger-eval.md": false, "references/queries.json": false,
	} {
		if got := evals.IsName(rel); got != want {
			t.Errorf("IsName(%q) = %v", rel, got)
		}
	}
}
