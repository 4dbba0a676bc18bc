package report_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/capture"
	"github.com/skill-ls/skill-ls/internal/agentsim/capture/model"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
)

// captured is a capture with one of each verdict.
func captured(t *testing.T) *capture.Capture {
	t.Helper()
	p, err := profile.Find("codex")
	if err != nil {
		t.Fatal(err)
	}
	sent := &model.Tool{Name: "words_look", Description: "Looks |\x1b[31m up.", InputSchema: json.RawMessage(`{"type":"object"}`)}
	said := &agentsim.Tool{Server: "words", Tool: "look", Name: "words_look", Listed: true, Description: "Looks up.", InputSchema: json.RawMessage(`{"type":"object"}`)}
	return &capture.Capture{
		Profile: p, Installed: "0.171.0", Protocol: "openai-responses", Requests: 2, Place: "developer",
		Prompt: []agentsim.Part{{Role: "user", Text: "say\nok", Tokens: 2, Exact: true}},
		Skills: []capture.Skill{
			{Verdict: capture.Own, Name: "bundled", Sent: "- bundled: x"},
			{Verdict: capture.Same, Name: "tea", File: "/w/tea/SKILL.md", Sent: "- tea: Brews.", Predicted: "- tea: Brews."},
			{Verdict: capture.Differs, Name: "cut", File: "/w/cut/SKILL.md", Sent: "- cut: Cuts\n  twice", Predicted: "- cut: Cuts"},
			{Verdict: capture.Unexpected, Name: "odd", File: "/w/odd/SKILL.md", Sent: "- odd: Odd.", Reason: "it has no description"},
			{Verdict: capture.Missing, Name: "gone", File: "/w/gone/SKILL.md", Predicted: "- gone: Gone."},
		},
		Tools: []capture.Tool{
			{Verdict: capture.Own, Name: "shell", Sent: &model.Tool{Name: "shell"}},
			{Verdict: capture.Differs, Name: "words_look", Server: "words", Sent: sent, Predicted: said, Differs: []string{"description"}},
		},
		Steps: []capture.Played{
			{Step: capture.Step{Call: "shell", Arguments: map[string]any{"a": 1}}, Offered: true, Result: "fine"},
			{Step: capture.Step{Say: "bye"}, Failed: true, Reason: "the client did not ask its model so often"},
		},
		Refused: []string{"telemetry.example:443"},
		Notes:   []string{"Codex CLI ended with exit status 1; the last it said:\n  oh"},
	}
}

func captureAs(t *testing.T, c *capture.Capture, format string) string {
	t.Helper()
	var b strings.Builder
	if err := report.Capture(&b, c, format, report.SimulateOptions{Base: "/w"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCaptureFormats(t *testing.T) {
	summary := "The prediction does not hold: 1 as predicted, 2 differs, 1 predicted, not sent, 1 sent, predicted not to be, 1 step of the script failed."
	for format, parts := range map[string][]string{
		"text": {
			"Codex CLI 0.171.0, as it speaks to its model (openai-responses, 2 requests); predicted for 0.171.0 (observed)\n",
			"user (2 tokens, exact)\n  say\n  ok\n", "  bundled  the client's own\n", "= tea  as predicted (tea/SKILL.md)\n",
			"~ cut  differs (cut/SKILL.md)\n    - - cut: Cuts\n    + - cut: Cuts\n    +   twice\n",
			"+ odd  sent, predicted not to be: it has no description (odd/SKILL.md)\n    + - odd: Odd.\n", "- gone  predicted, not sent (gone/SKILL.md)\n",
			"~ words_look  differs in its description (words/look)\n    - Looks up.\n    + Looks |<U+001B>[31m up.\n",
			"= 1. call shell\n    fine\n~ 2. say bye: the client did not ask its model so often\n",
			"note: Codex CLI ended with exit status 1; the last it said:\n  oh\nnote: The client wanted to reach telemetry.example:443, and was not let.\n", summary,
		},
		"markdown": {"# Codex CLI 0.171.0", summary, "| ~ | cut | differs (cut/SKILL.md) |", "```diff\n-- cut: Cuts\n+- cut: Cuts\n+  twice\n```", "## Script\n\n1. call shell\n", "## Notes", "## Prompt"},
		"json":     {`"agrees": false`, `"verdict": "unexpected"`, `"refused_hosts": [`, `"installed_version": "0.171.0"`},
	} {
		got := captureAs(t, captured(t), format)
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q is not in\n%s", format, part, got)
			}
		}
		if strings.Contains(got, "\x1b") && format == "text" {
			t.Errorf("a control character gets through:\n%s", got)
		}
	}
}

func TestCaptureThatAgrees(t *testing.T) {
	c := captured(t)
	c.Skills, c.Tools, c.Steps = c.Skills[:2], c.Tools[:1], c.Steps[:1]
	if got := captureAs(t, c, "text"); !strings.HasSuffix(got, "\nThe prediction holds: 1 as predicted.\n") {
		t.Errorf("got\n%s", got)
	}
	c.Steps = captured(t).Steps
	if got := captureAs(t, c, "text"); !strings.Contains(got, "\nThe script was not played to its end: 1 as predicted, 1 step of the script failed.\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestInstallations(t *testing.T) {
	list := []capture.Installation{
		{Profile: &profile.Profile{Name: "pi", Version: "1"}, Program: "/bin/pi"},
		{Profile: &profile.Profile{Name: "codex", Version: "2"}, Missing: errors.New("it is not installed")},
	}
	for format, want := range map[string]string{
		"text":     "pi     /bin/pi\ncodex  it is not installed\n",
		"markdown": "| client | program |\n| --- | --- |\n| pi | /bin/pi |\n| codex | it is not installed |\n",
	} {
		var b strings.Builder
		if err := report.Installations(&b, list, format); err != nil || b.String() != want {
			t.Errorf("%v, %s:\n%s", err, format, b.String())
		}
	}
	var b strings.Builder
	if err := report.Installations(&b, list, "json"); err != nil || !strings.Contains(b.String(), `"missing": "it is not installed"`) {
		t.Errorf("%v, %s", err, b.String())
	}
	validate(t, "../../schemas/capture-list.schema.json", []byte(b.String()))
}

func TestCaptureFollowsItsSchema(t *testing.T) {
	validate(t, "../../schemas/capture.schema.json", []byte(captureAs(t, captured(t), "json")))
	data, err := os.ReadFile("../../schemas/capture.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct{ Examples []json.RawMessage }
	if err := json.Unmarshal(data, &schema); err != nil || len(schema.Examples) == 0 {
		t.Fatalf("no example: %v", err)
	}
	for _, example := range schema.Examples {
		validate(t, "../../schemas/capture.schema.json", example)
	}
}
