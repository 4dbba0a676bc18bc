package playground_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/playground"
)

const faulty = "---\nname: map-tides\ndescription: Map the tides: high and low water of a harbour. Use it for days at sea.\n---\n\nRead [the table](table.md).\n"

// ask puts a question, and reads the answer into a value.
func ask(t *testing.T, p *playground.Playground, question, params string, to any) {
	t.Helper()
	out, err := p.Answer(context.Background(), question, []byte(params))
	if err != nil {
		t.Fatalf("%s %s: %v", question, params, err)
	}
	if err := json.Unmarshal(out, to); err != nil {
		t.Fatalf("%s %s: %v in %s", question, params, err, out)
	}
}

func withFiles(t *testing.T, files map[string]string) *playground.Playground {
	t.Helper()
	data, err := json.Marshal(map[string]any{"files": files})
	if err != nil {
		t.Fatal(err)
	}
	p := playground.New()
	ask(t, p, "files", string(data), new(any))
	return p
}

type report struct {
	Findings []struct {
		Rule, File string
		Fixes      []struct{ Safe bool }
	}
}

func (r report) rules() []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Rule)
	}
	return out
}

// Files are all there is: a link is found when the page has the file, and the configuration and the tools recorded in
// a lock count, as they do on a disk.
func TestLint(t *testing.T) {
	files := map[string]string{".claude/skills/map-tides/SKILL.md": faulty}
	var got report
	ask(t, withFiles(t, files), "lint", `{"clients": ["all"]}`, &got)
	if want := []string{"yaml/unquoted-colon", "link/missing"}; !slices.Equal(got.rules(), want) {
		t.Errorf("found %q, want %q", got.rules(), want)
	}
	if len(got.Findings) > 0 && (len(got.Findings[0].Fixes) == 0 || got.Findings[0].File != ".claude/skills/map-tides/SKILL.md") {
		t.Errorf("the first finding is %+v", got.Findings[0])
	}
	files[".claude/skills/map-tides/table.md"] = "# Table\n"
	files[".skilllint.yaml"] = "rules:\n  yaml: off\n"
	got = report{}
	ask(t, withFiles(t, files), "lint", `{"clients": ["all"]}`, &got)
	if len(got.rules()) != 0 {
		t.Errorf("found %q with the table there and the rules off", got.rules())
	}
}

func TestClients(t *testing.T) {
	p := withFiles(t, map[string]string{"skills/map-tides/SKILL.md": faulty})
	var got struct {
		Clients []struct {
			Name   string
			Skills []struct{ Status, Rule string }
		}
	}
	ask(t, p, "clients", `{"clients": ["copilot-cli", "codex"]}`, &got)
	status := map[string]string{}
	for _, c := range got.Clients {
		status[c.Name] = c.Skills[0].Status + " " + c.Skills[0].Rule
	}
	if status["copilot-cli"] != "dropped yaml/unquoted-colon" || status["codex"] != "listed " {
		t.Errorf("clients make of it %q", status)
	}
}

func TestSimulateAndRoute(t *testing.T) {
	p := withFiles(t, map[string]string{
		".mcp.json":                          `{"mcpServers": {"docs": {"command": "docs-mcp"}}}`,
		"mcp-tools.lock.json":                `{"version": 1, "servers": {"docs": {"tools": [{"name": "find.all", "hash": "sha256:91ffbcd718666352f16c2468a7b5a8f5b2408919280c647aad52dbe88bee8ce6", "definition": {"name": "find.all", "description": "Finds all.", "inputSchema": {"type": "object"}}}]}}}`,
		".claude/skills/map-tides/SKILL.md":  strings.Replace(faulty, "tides: high", "tides, high", 1),
		".claude/skills/sort-shell/SKILL.md": "---\nname: sort-shell\ndescription: Sorts shells by kind. Use it after a walk on the beach.\n---\n\nSort.\n",
	})
	var sim struct {
		Skills     []struct{ Name string }
		Tools      []struct{ Name string }
		Activation struct{ Parts []struct{ Text string } }
	}
	ask(t, p, "simulate", `{"client": "claude-code", "skill": ".claude/skills/map-tides/SKILL.md"}`, &sim)
	if len(sim.Skills) != 2 || len(sim.Activation.Parts) == 0 || len(sim.Tools) != 1 || !strings.HasPrefix(sim.Tools[0].Name, "mcp__docs__find") {
		t.Errorf("simulated %+v", sim)
	}
	var markdown string
	ask(t, p, "simulate", `{"client": "codex", "skill": "gone/SKILL.md", "format": "markdown"}`, &markdown)
	if !strings.Contains(markdown, "Codex") {
		t.Errorf("Markdown %q", markdown)
	}
	var routed struct {
		Queries []struct{ Ranking []struct{ Name string } }
	}
	ask(t, p, "route", `{"client": "claude-code", "query": "when is high water"}`, &routed)
	if len(routed.Queries) != 1 || len(routed.Queries[0].Ranking) == 0 || routed.Queries[0].Ranking[0].Name != "map-tides" {
		t.Errorf("routed %+v", routed)
	}
}

func TestAbout(t *testing.T) {
	var about struct {
		Version string
		Rules   int
		Clients []struct {
			Name  string
			Usual bool
		}
	}
	ask(t, playground.New(), "about", `{}`, &about)
	if about.Version == "" || about.Rules < 100 || len(about.Clients) < 20 || !about.Clients[0].Usual {
		t.Errorf("about: %+v", about)
	}
	var page string
	ask(t, playground.New(), "explain", `{"rule": "yaml/unquoted-colon"}`, &page)
	if !strings.HasPrefix(page, "# yaml/unquoted-colon") {
		t.Errorf("the page of a rule: %q", page)
	}
}

// Bytes that are no text come as such, so that what is wrong with them is found.
func TestBytes(t *testing.T) {
	p := playground.New()
	ask(t, p, "files", `{"files": {}, "bytes": {"skills/map-tides/SKILL.md": "LS0tCm5hbWU6IG1hcC10aWRlcwpkZXNjcmlwdGlvbjogTWFwcyB0aWRlcyBp/m4gYSBoYXJib3VyLiBVc2UgaXQgYXQgc2VhLgotLS0KClJlYWQuCg=="}}`, new(any))
	var got report
	ask(t, p, "lint", `{"clients": ["all"]}`, &got)
	if !slices.Contains(got.rules(), "file/encoding") {
		t.Errorf("found %q, want file/encoding", got.rules())
	}
}

func TestRefusals(t *testing.T) {
	for question, params := range map[string]string{
		"files":    `{"files": {"../x/SKILL.md": ""}}`,
		"lint":     `{"clients": "codex"}`,
		"explain":  `{"rule": "nothing/here"}`,
		"simulate": `{"client": "codx"}`,
		"format":   `{}`,
	} {
		if out, err := playground.New().Answer(context.Background(), question, []byte(params)); err == nil {
			t.Errorf("%s %s: answered %s", question, params, out)
		}
	}
}
