package route_test

import (
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim/route"
)

func TestReadEvals(t *testing.T) {
	for _, c := range []struct{ what, file, src, want string }{
		{"a bare list", "e.json", `[{"query":"a","should_trigger":true},{"query":"b","should_trigger":false}]`, "a>me b!me"},
		{"skill-creator's result", "e.json", `{"skill_name":"x","results":[{"query":"a","should_trigger":true,"pass":true}]}`, "a>x"},
		{"output evals have no labels", "e.json", `{"skill_name":"x","evals":[{"id":1,"prompt":"a","expected_output":"o"}]}`, "a>x"},
		{"a skill in the label's place", "e.json", `[{"query":"a","expected":"pdf"}]`, "a>pdf"},
		{"a skill for each case", "e.json", `{"cases":[{"q":"a","expected_skill":"y"}]}`, "a>y"},
		{"waza", "e.yaml", "skill: w\nshould_trigger_prompts:\n- {prompt: a, confidence: high}\n- b\nshould_not_trigger_prompts:\n- {prompt: c}\n", "a>w b>w c!w"},
		{"vally", "e.yaml", "stimuli:\n- prompt: a\n  graders: [{type: skill-invocation, config: {required: [v]}}]\n", "a>v"},
		{"dotnet", "e.yaml", "scenarios:\n- {prompt: a}\n- {prompt: b, expect_activation: false}\n", "a>me b!me"},
		{"CSV", "e.csv", "id,should_trigger,prompt\n1,true,\"a, a\"\n2,no,b\n", "a, a>me b!me"},
		{"Skill-Lab", "e.yaml", "skill: s\ntest_cases: [{id: 1, type: x, prompt: a, expected: no_trigger}]\n", "a!s"},
		{"a byte order mark", "e.json", "\ufeff[\"a\"]", "a>me"},
	} {
		e, err := route.ReadEvals(c.file, []byte(c.src), "me")
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		var got []string
		for _, q := range e.Queries {
			sign := "!"
			if q.Trigger {
				sign = ">"
			}
			got = append(got, q.Text+sign+q.Skill)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: got %s, want %s", c.what, s, c.want)
		}
	}
}

func TestReadEvalsRefuses(t *testing.T) {
	for src, want := range map[string]string{
		`[{"query":"a","should_trigger":"maybe"}]`: `case 1: label "maybe" is neither true nor false`,
		`[{"query":"a"},{"should_trigger":true}]`:  "case 2: no text",
		`{"tests":[]}`:   "no list of queries",
		`{"queries":{}}`: "not a list",
		`[1]`:            "case 1: neither a text nor an object",
		`{"skills":[7]}`: "skill 1 is not an object",
		`{`:              "read queries of e.json",
		`[{"query":"a","expected":"Some long text"}]`: "neither true nor false",
	} {
		if _, err := route.ReadEvals("e.json", []byte(src), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", src, err, want)
		}
	}
}
