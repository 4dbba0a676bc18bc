package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/skill-ls/skill-ls/internal/agentsim/turn"
)

// The schema takes a script when the program does, but for the order of steps.
func TestScriptSchemaAgrees(t *testing.T) {
	s := schema(t, "script.schema.json")
	for src, valid := range map[string]bool{
		"- user: x":             true,
		"steps: [{user: x}]":    true,
		"[{user: x}, {say: y}]": true,
		"agent: a\nmax_iters: 3\npermission_mode: explore\nsessions: {a: stateless}\ntools: [a, {name: b, input_schema: {}, read_only: true}]\nsteps: [{user: x}]": true,
		"[{user: x}, {call: a, arguments: {b: 1}, allow: false, result: x, expect_result: y}]":                                                                     true,
		"[{user: x}, {call: a, arguments: '{', error: gone, expect_result: {contains: [a], state: error, lost: false}}]":                                           true,
		"[{user: x}, {calls: [{call: a}, {call: b, result: [{type: text}]}]}, {expect_result: {matches: a, text: b}}]":                                             true,
		"[{user: x}, {call: a, result: {structuredContent: {}}}]":                                                                                                  true,
		"[{user: x}, {expect_skill: a}, {expect_skill: {name: a, args: b, within: 2}}, {expect_end: waiting}]":                                                     true,
		"parallel_tool_calls: true\nsteps: [{user: x}, {calls: [{call: a, takes: 1.5}, {call: b, takes: 0}]}]":                                                     true,
		"": false,
		"parallel_tool_calls: 2\nsteps: [{user: x}]":           false,
		"[{user: x}, {call: a, takes: -1}]":                    false,
		"[{user: x}, {call: a, takes: long}]":                  false,
		"steps: []":                                            false,
		"- x":                                                  false,
		"- {user: x, say: y}":                                  false,
		"- {user: [x]}":                                        false,
		"max_iters: 0\nsteps: [{user: x}]":                     false,
		"permission_mode: all\nsteps: [{user: x}]":             false,
		"sessions: {a: both}\nsteps: [{user: x}]":              false,
		"tools: [{read_only: true}]\nsteps: [{user: x}]":       false,
		"other: 1\nsteps: [{user: x}]":                         false,
		"[{user: x}, {call: a, arguments: [1]}]":               false,
		"[{user: x}, {call: a, result: 5}]":                    false,
		"[{user: x}, {call: a, result: {x: 1}}]":               false,
		"[{user: x}, {call: a, allow: 1}]":                     false,
		"[{user: x}, {call: ''}]":                              false,
		"[{user: x}, {calls: [{result: x}]}]":                  false,
		"[{user: x}, {expect_skill: {within: 1}}]":             false,
		"[{user: x}, {expect_end: late}]":                      false,
		"[{user: x}, {call: a, expect_result: {state: fine}}]": false,
	} {
		_, err := turn.ParseScript("x", []byte(src))
		agree(t, s, src, err, valid)
	}
}

// The examples in the schemas hold, and what is printed is as its schema says.
func TestTranscriptFollowsItsSchema(t *testing.T) {
	transcript := schema(t, "transcript.schema.json")
	for name, s := range map[string]*jsonschema.Schema{"script": schema(t, "script.schema.json"), "transcript": transcript} {
		data, err := os.ReadFile(filepath.Join("..", "..", "schemas", name+".schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		var doc struct{ Examples []any }
		if err := json.Unmarshal(data, &doc); err != nil || len(doc.Examples) == 0 {
			t.Fatalf("%s: %v, %d examples", name, err, len(doc.Examples))
		}
		for _, example := range doc.Examples {
			if err := s.Validate(example); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	simulated := schema(t, "simulate.schema.json")
	t.Chdir(t.TempDir())
	write(t, "s/pdf/SKILL.md", "---\nname: pdf\ndescription: Fills in PDF forms.\n---\nBody.\n")
	write(t, "tools.json", `[{"name": "get", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": true}}]`)
	write(t, "turn.yaml", "- user: x\n- say: y\n- expect_skill: pdf\n- {call: mcp__d__get, result: [{type: image, data: AA==, mimeType: image/png}, {type: resource_link, uri: 'a:b'}], expect_result: no}\n- {call: mcp__d__get, arguments: '[]'}\n- say: z\n")
	for _, client := range []string{"agentscope-1", "agentscope-2", "claude-code", "codex"} {
		var out, errOut bytes.Buffer
		status := run([]string{"simulate", "--client", client, "--tools", "d=tools.json", "--script", "turn.yaml", "--format", "json", "s/pdf"}, strings.NewReader(""), &out, &errOut)
		if status != statusFindings {
			t.Fatalf("%s: status %d: %s", client, status, errOut.String())
		}
		value, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		if err := simulated.Validate(value); err != nil {
			t.Errorf("%s: %v", client, err)
		}
		if err := transcript.Validate(value.(map[string]any)["turn"]); err != nil {
			t.Errorf("%s: %v", client, err)
		}
	}
}

// With stateless sessions each call has one of its own, beside the one that lists the tools.
func TestSessions(t *testing.T) {
	var mu sync.Mutex
	sessions := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Cursor string }
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		result := `"error":{"code":-32601,"message":"Method not found"}`
		switch m.Method {
		case "initialize":
			mu.Lock()
			sessions++
			mu.Unlock()
			result = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}}`
		case "tools/list":
			name, next := "get", `"nextCursor":"2",`
			if m.Params.Cursor != "" {
				name, next = "late", ""
			}
			result = `"result":{` + next + `"tools":[{"name":"` + name + `","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{}}}]}`
		case "tools/call":
			result = `"result":{"content":[{"type":"text","text":"got"}]}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, result)
	}))
	defer s.Close()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Chdir(t.TempDir())
	write(t, "skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Fills in PDF forms.\n---\nBody.\n")
	write(t, ".mcp.json", `{"mcpServers": {"web": {"type": "http", "url": "`+s.URL+`"}}}`)
	for kind, want := range map[string]int{"stateful": 1, "stateless": 3} {
		sessions = 0
		write(t, "turn.yaml", "sessions: {web: "+kind+"}\nsteps: [{user: x}, {call: mcp__web__get, expect_result: got}, {call: mcp__web__get, expect_result: got}, {say: y}]\n")
		status, out, errOut := invoke("simulate", "--client", "agentscope-2", "--script", "turn.yaml", "--call", "--yes", ".")
		if status != 0 || sessions != want {
			t.Errorf("%s: status %d after %d sessions, want %d\n%s%s", kind, status, sessions, want, out, errOut)
		}
	}
	// It asks for the first page only, which others do not.
	write(t, "turn.yaml", "- user: x\n- {call: mcp__web__late, expect_result: got}\n- say: y\n")
	status, out, errOut := invoke("simulate", "--client", "agentscope-2", "--script", "turn.yaml", "--call", "--yes", ".")
	if status != statusFindings || !strings.Contains(out, "ToolNotFoundError") || !strings.Contains(errOut, "of web it gets 1 of 2") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	if status, out, errOut := invoke("simulate", "--client", "claude-code", "--script", "turn.yaml", "--call", "--yes", "."); status != 0 {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}
