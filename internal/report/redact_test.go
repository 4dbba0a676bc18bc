package report

import (
	"context"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/capture"
	"github.com/skill-ls/skill-ls/internal/agentsim/capture/model"
	"github.com/skill-ls/skill-ls/internal/agentsim/turn"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/memfs"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/redact"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// A token and a password, put together so that no file holds one.
const (
	madeToken    = "ghp" + "_" + "h7Kd92mQxL4vTz8bNc31RwYf6JpUs0EaGiOk"
	madePassword = "correct" + "Horse" + "47battery"
)

// leaky is a client whose skill and whose server's tool hold the token.
func leaky(t *testing.T, client string) *agentsim.Input {
	t.Helper()
	p, err := profile.Find(client)
	if err != nil {
		t.Fatal(err)
	}
	server, err := catalog.ReadList("docs", []byte(`[{"name": "find", "description": "Finds with `+madeToken+`.", "annotations": {"readOnlyHint": true},
		"inputSchema": {"type": "object", "properties": {"password": {"type": "string"}, "token": {"type": "string", "default": "`+madeToken+`"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	files := memfs.New(map[string]string{"/s/leak/SKILL.md": "---\nname: leak\ndescription: Signs in with " + madeToken + ".\n---\nUse " + madeToken + " for basic information.\n"})
	return &agentsim.Input{
		Profile: p, FS: files, Paths: []string{"/s/leak"}, SystemPrompt: "You sign in with " + madeToken + ".",
		Count: tokens.Estimate, Servers: []*catalog.Server{server}, Skill: "leak",
	}
}

// noSecret fails when something printed holds a credential, or hides nothing.
func noSecret(t *testing.T, what, printed string) {
	t.Helper()
	for _, secret := range []string{madeToken, madePassword} {
		if i := strings.Index(printed, secret); i >= 0 {
			t.Errorf("%s holds a credential: …%s…", what, printed[max(i-60, 0):min(i+60, len(printed))])
		}
	}
	if !strings.Contains(printed, redact.Mark) {
		t.Errorf("%s hides nothing", what)
	}
}

func TestSimulateHidesCredentials(t *testing.T) {
	for _, client := range []string{"agentscope-1", "agentscope-2", "claude-code", "codex"} {
		s, err := agentsim.Simulate(context.Background(), leaky(t, client))
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"text", "json", "markdown", "prompt"} {
			var b strings.Builder
			if err := Simulate(&b, s, format, SimulateOptions{Base: "/s"}); err != nil {
				t.Fatal(err)
			}
			noSecret(t, client+" as "+format, b.String())
		}
		var b strings.Builder
		page := PageOptions{Base: "/s", Texts: map[string]string{"/s/leak/SKILL.md": "Use " + madeToken}}
		if err := SimulatePage(&b, []ClientPage{{Simulation: s, Activations: []*agentsim.Activation{s.Activation}}}, page); err != nil {
			t.Fatal(err)
		}
		noSecret(t, client+" as a page", b.String())
		if s.Prompt[0].Text == "" || !strings.Contains(s.Text(), madeToken) {
			t.Errorf("%s: the simulation itself was changed", client)
		}
	}
}

func TestTurnHidesCredentials(t *testing.T) {
	script, err := turn.ParseScript("turn.yaml", []byte(`
- user: Sign in with `+madeToken+`
- call: FIND
  arguments: {password: `+madePassword+`, token: x}
  result: "Signed in as `+madePassword+`; the token is `+madeToken+`."
  expect_result: {contains: "never `+madePassword+`"}
- call: FIND
  arguments: {token: x}
  result: [{type: text, text: '{"session_token": "`+madePassword+`", "note": "basic information"}'}, {type: resource_link, uri: "https://x:`+madePassword+`@docs.example/", name: l}]
- call: FIND
  arguments: {token: x}
  error: "refused `+madeToken+`"
- say: The token is `+madeToken+`
`))
	if err != nil {
		t.Fatal(err)
	}
	for client, tool := range map[string]string{"agentscope-1": "find", "agentscope-2": "mcp__docs__find", "claude-code": "mcp__docs__find"} {
		for i := range script.Steps {
			for j := range script.Steps[i].Calls {
				script.Steps[i].Calls[j].Tool = tool
			}
		}
		in := leaky(t, client)
		tr, err := turn.Play(context.Background(), &turn.Input{Client: in, Script: script})
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"text", "json", "markdown", "prompt"} {
			var b strings.Builder
			if err := Turn(&b, tr, format, SimulateOptions{Base: "/s"}); err != nil {
				t.Fatal(err)
			}
			noSecret(t, client+" as "+format, b.String())
			if !strings.Contains(b.String(), "basic information") {
				t.Errorf("%s as %s hides words", client, format)
			}
		}
	}
}

func TestCaptureHidesCredentials(t *testing.T) {
	p, err := profile.Find("codex")
	if err != nil {
		t.Fatal(err)
	}
	schema := []byte(`{"type":"object","properties":{"token":{"type":"string","default":"` + madeToken + `"}}}`)
	c := &capture.Capture{
		Profile: p, Prompt: []agentsim.Part{{Role: "system", Text: "Key " + madeToken, Exact: true}},
		Skills: []capture.Skill{{Verdict: capture.Differs, Name: "a", Sent: "a " + madeToken, Predicted: "b " + madeToken}},
		Tools: []capture.Tool{{
			Verdict: capture.Differs, Name: "find", Differs: []string{"description", "schema"},
			Sent:      &model.Tool{Name: "find", Description: madeToken, InputSchema: schema},
			Predicted: &agentsim.Tool{Name: "find", Description: "was " + madeToken, InputSchema: schema},
		}},
		Steps: []capture.Played{{Step: capture.Step{Call: "find"}, Result: `{"password": "` + madePassword + `"}`}},
		Notes: []string{"It said " + madeToken},
	}
	for _, format := range []string{"text", "json", "markdown"} {
		var b strings.Builder
		if err := Capture(&b, c, format, SimulateOptions{Base: "/s"}); err != nil {
			t.Fatal(err)
		}
		noSecret(t, "as "+format, b.String())
	}
}
