package mcpprobe

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// entriesOf parses a configuration at a place in the folder /w.
func entriesOf(t *testing.T, place, src string) []*mcpconfig.Server {
	t.Helper()
	f := mcpconfig.Parse(skills.NewDocument(place, filepath.FromSlash("/w/"+place), src), mcpconfig.Place{})
	if f == nil || len(f.Servers) == 0 {
		t.Fatalf("%s is no configuration", place)
	}
	return f.Servers
}

func TestLaunchOf(t *testing.T) {
	w := filepath.FromSlash("/w")
	for name, c := range map[string]struct {
		place, entry string
		want         Launch
	}{
		"started":     {".mcp.json", `{"command": "./run", "args": ["a", "b c"], "env": {"A": "${A}"}}`, Launch{Command: "./run", Args: []string{"a", "b c"}, Env: map[string]string{"A": "${A}"}, Cwd: w}},
		"in a folder": {".cursor/mcp.json", `{"command": "run", "cwd": "sub"}`, Launch{Command: "run", Cwd: filepath.Join(w, "sub")}},
		"reached":     {".mcp.json", `{"type": "http", "url": "https://docs.example/mcp", "headers": {"A": "b"}}`, Launch{Transport: HTTP, URL: "https://docs.example/mcp", Headers: map[string]string{"A": "b"}}},
		"the old way": {".mcp.json", `{"type": "sse", "url": "https://docs.example/sse"}`, Launch{Transport: SSE, URL: "https://docs.example/sse"}},
	} {
		got := LaunchOf(entriesOf(t, c.place, `{"mcpServers": {"docs": `+c.entry+`}}`)[0])
		if got.Name != "docs" || got.Config == "" || got.Command != c.want.Command || got.URL != c.want.URL || got.Cwd != c.want.Cwd || got.Transport != c.want.Transport ||
			!slices.Equal(got.Args, c.want.Args) || !maps.Equal(got.Env, c.want.Env) || !maps.Equal(got.Headers, c.want.Headers) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestLocalEntries starts a server that a user has for one project in that project.
func TestLocalEntries(t *testing.T) {
	entries := entriesOf(t, ".claude.json", `{"mcpServers": {"docs": {"command": "run"}}, "projects": {"/p/q": {"mcpServers": {"docs": {"command": "./run"}}}}}`)
	if user, local := LaunchOf(entries[0]), LaunchOf(entries[1]); user.Cwd != "" || local.Cwd != filepath.FromSlash("/p/q") {
		t.Errorf("started in %q and %q", user.Cwd, local.Cwd)
	}
}

func TestExpander(t *testing.T) {
	lookup := func(name string) (string, bool) { return "value of " + name, name == "SET" }
	for name, c := range map[string]struct{ place, arg, want, err string }{
		"set":                 {".mcp.json", "x${SET}y", "xvalue of SETy", ""},
		"a default":           {".mcp.json", "${UNSET:-d:-e}", "d:-e", ""},
		"not set":             {".mcp.json", "${UNSET}", "", "UNSET is not set"},
		"of another client":   {".mcp.json", "${env:SET}", "${env:SET}", ""},
		"of its own client":   {".cursor/mcp.json", "${env:SET} ${workspaceFolder}", "value of SET " + filepath.FromSlash("/w"), ""},
		"the user's folder":   {".cursor/mcp.json", "${userHome}", "/home/u", ""},
		"asked from the user": {".vscode/mcp.json", "${input:key}", "", "only the client has"},
	} {
		key := "mcpServers"
		if strings.HasPrefix(c.place, ".vscode") {
			key = "servers"
		}
		entries := entriesOf(t, c.place, `{"`+key+`": {"docs": {"command": "run", "args": ["`+c.arg+`"]}}}`)
		got, err := Expander(entries, lookup, "/home/u")(LaunchOf(entries[0]))
		switch {
		case c.err == "" && (err != nil || got.Args[0] != c.want):
			t.Errorf("%s: %q, %v; want %q", name, got.Args, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: error %v, want %q", name, err, c.err)
		}
	}
	entries := entriesOf(t, ".mcp.json", `{"mcpServers": {"docs": {"type": "http", "url": "https://docs.example/mcp", "headersHelper": "./run"}}}`)
	if _, err := Expander(entries, lookup, "")(LaunchOf(entries[0])); err == nil {
		t.Error("a command for headers is passed over")
	}
}
