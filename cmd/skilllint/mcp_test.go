package main

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/agentsim/capture"
	"github.com/skill-ls/skill-ls/internal/npmtest"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// TestRealClientsUseServer starts the clients that continuous integration installs with skilllint as their only MCP
// server, and lets their models call it.
func TestRealClientsUseServer(t *testing.T) {
	program, err := exec.LookPath("skilllint") // testscript puts it there
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(program)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ server, tool string }{
		"codex":      {"[mcp_servers.skilllint]\ncommand = " + string(quoted) + "\nargs = [\"mcp\"]\n", "mcp__skilllint::lint"},
		"gemini-cli": {`"skilllint": {"command": ` + string(quoted) + `, "args": ["mcp"]}`, "mcp_skilllint_lint"},
	} {
		t.Run(name, func(t *testing.T) {
			p := asServer(t, name, c.server)
			got, err := capture.Run(context.Background(), capture.Options{
				Profile: p, Exactly: true, Program: npmtest.Client(t, p.Run.Command[0]), Dir: faultySkill(t), Timeout: time.Minute, Count: tokens.Estimate,
				Script: []capture.Step{{
					Call: c.tool, Arguments: map[string]any{"clients": []string{"all"}}, Expect: capture.Expect{Contains: "yaml/unquoted-colon"},
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range got.Tools {
				if strings.Contains(tool.Name, "skilllint") {
					names = append(names, tool.Name[strings.LastIndexAny(tool.Name, "_:")+1:])
				}
			}
			slices.Sort(names)
			if want := []string{"clients", "explain", "lint", "route", "simulate"}; !slices.Equal(names, want) {
				t.Errorf("the model is offered %q of skilllint, want %q", names, want)
			}
			for _, s := range got.Steps {
				if s.Failed {
					t.Errorf("%s: %s: %s", s.Call, s.Reason, s.Result)
				}
			}
		})
	}
}

// asServer returns a client whose settings name one MCP server.
func asServer(t *testing.T, client, server string) *profile.Profile {
	t.Helper()
	p, err := profile.Find(client)
	if err != nil {
		t.Fatal(err)
	}
	one, run := *p, *p.Run
	run.Files = maps.Clone(run.Files)
	for name, text := range run.Files {
		run.Files[name] = strings.Replace(text, "{servers}", server, 1)
	}
	one.Run = &run
	return &one
}

// faultySkill returns a project with one skill that needs quotes.
func faultySkill(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD":                         "ref: refs/heads/main\n",
		".agents/skills/map-tides/SKILL.md": "---\nname: map-tides\ndescription: Map the tides of a harbour: high and low water. Use it for days at sea.\n---\n\nRead the table.\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
