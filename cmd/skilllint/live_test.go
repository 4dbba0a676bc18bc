package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// modelServer is a model on loopback that loads the skill pdf for what is about forms, and says no more after a result.
func modelServer(t *testing.T) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		var in struct {
			Messages []struct{ Role, Content string }
		}
		_ = json.Unmarshal(data, &in)
		last := in.Messages[len(in.Messages)-1]
		if last.Role == "user" && strings.Contains(last.Content, "form") {
			_, _ = io.WriteString(w, `{"message": {"tool_calls": [{"function": {"name": "Skill", "arguments": {"skill": "pdf"}}}]}}`)
			return
		}
		_, _ = io.WriteString(w, `{"message": {"content": "Done."}}`)
	}))
	t.Cleanup(s.Close)
	t.Setenv("OLLAMA_HOST", s.URL)
	t.Chdir(t.TempDir())
	write(t, "skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Fills in PDF files.\n---\nBody.\n")
	write(t, "skills/xlsx/SKILL.md", "---\nname: xlsx\ndescription: Edits spreadsheets.\n---\nBody.\n")
	write(t, "evals.json", `[{"query": "Fill in the form", "skill": "pdf", "should_trigger": true}, {"query": "Draw a form", "skill": "xlsx", "should_trigger": false}, {"query": "Sum up the table", "skill": "xlsx", "should_trigger": true}]`)
	write(t, "turn.yaml", "- user: Fill in the form\n- expect_skill: pdf\n- expect_end: completed\n- user: Sum up the table\n- expect_skill: xlsx\n")
}

// invoke runs the program and returns what it prints.
func invoke(args ...string) (status int, out, errOut string) {
	var o, e bytes.Buffer
	status = run(args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

func TestRouteLive(t *testing.T) {
	form := schema(t, "route.schema.json")
	modelServer(t)
	route := []string{"route", "--client", "agentscope-2", "--live", "ollama:m", "--tries", "2", "--evals", "evals.json"}
	status, out, errOut := invoke(append(route, "skills")...)
	if status != 0 {
		t.Fatalf("status %d: %s", status, errOut)
	}
	for _, want := range []string{
		"Asked of ollama:m; a skill triggers from a share of 0.50 on.",
		"  passes 2 of 2, wants pdf: Fill in the form (pdf 2×)",
		"  passes 0 of 2, not xlsx: Draw a form (pdf 2×)",
		"  fails 0 of 2, wants xlsx: Sum up the table (no skill 2×)",
		"passed 0.667 of 3 queries",
	} {
		if !strings.Contains(out, want+"\n") {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if status, out, _ := invoke(append(route, "--fail-under", "passed=0.8", "--format", "junit", "skills")...); status != statusFindings || !strings.Contains(out, `type="trigger-rate"`) {
		t.Errorf("status %d\n%s", status, out)
	}
	status, out, errOut = invoke(append(route, "--format", "json", "skills")...)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	if status != 0 || err != nil {
		t.Fatalf("status %d, %v: %s", status, err, errOut)
	}
	if err := form.Validate(value); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"route", "--live", "m", "--query", "x", "skills"}, "--live m: write PROVIDER:MODEL"},
		{[]string{"route", "--live", "ollama:m", "--tries", "0", "--query", "x", "skills"}, "--tries 0: must be 1 or more"},
		{[]string{"route", "--live", "ollama:m", "--threshold", "2", "--query", "x", "skills"}, "--threshold 2: must be above 0 and at most 1"},
		{[]string{"route", "--fail-under", "passed=1", "--query", "x", "skills"}, "--fail-under passed: needs --live"},
		{[]string{"simulate", "--live", "ollama:m", "skills"}, "--live needs --script"},
	} {
		if status, _, errOut := invoke(c.args...); status != statusUsage || !strings.Contains(errOut, c.want) {
			t.Errorf("%v: status %d, %s", c.args, status, errOut)
		}
	}
}

func TestSimulateLive(t *testing.T) {
	modelServer(t)
	status, out, errOut := invoke("simulate", "--client", "agentscope-2", "--live", "ollama:m", "--script", "turn.yaml", "skills/pdf", "skills/xlsx")
	if status != statusFindings {
		t.Fatalf("status %d: %s%s", status, out, errOut)
	}
	for _, want := range []string{"agent calls Skill\n  {\"skill\": \"pdf\"}\n", "result of Skill: success\n  Body.\n", "turn.yaml:5:3: failed: the model does not load the skill \"xlsx\"\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
