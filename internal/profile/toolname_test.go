package profile_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// TestToolNamesObserved compares the name of each tool with the one the client
// sent to the model.
func TestToolNamesObserved(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared(t, "oracle", "mcp", "observed"), "*.json"))
	must(t, err)
	for _, file := range files {
		var o struct {
			Client, Version string
			Tools           map[string]struct { // a name is absent when it was not kept
				Name string
			}
		}
		readJSON(t, file, &o)
		p := findVersion(t, o.Client, o.Version)
		for tool, want := range o.Tools {
			got, known := p.ToolName("nasty", tool)
			if !known {
				t.Fatalf("%s: naming is unknown", o.Client)
			}
			if want.Name != "" && got.Name != want.Name {
				t.Errorf("%s %s: got %s, want %s", p.ID(), tool, got.Name, want.Name)
			}
		}
	}
}

func findVersion(t *testing.T, name, version string) *profile.Profile {
	t.Helper()
	p := find(t, name)
	if p.Version == version {
		return p
	}
	return find(t, name+"@"+version)
}

func TestToolName(t *testing.T) {
	long := "t_" + strings.Repeat("l", 126)
	for _, c := range []struct{ client, tool, want, how string }{
		{"claude-code", "a", "mcp__s__a", "exact"},
		{"claude-code", "a/b", "mcp__s__a_b", "sanitised"},
		{"claude-code", long, "", "dropped"},
		{"codex", "a-b", "mcp__s::a_b", "sanitised"},
		{"copilot-cli", long, "s-t_" + strings.Repeat("l", 60), "cut"},
		{"gemini-cli", long, "mcp_s_t_" + strings.Repeat("l", 22) + "..." + strings.Repeat("l", 30), "cut"},
		{"crush", "a b", "mcp_s_a b", "exact"},
	} {
		got, known := find(t, c.client).ToolName("s", c.tool)
		if !known || got.Name != c.want || got.How != c.how {
			t.Errorf("%s %.8s: got %q %s, want %q %s", c.client, c.tool, got.Name, got.How, c.want, c.how)
		}
	}
	if _, known := find(t, "cursor").ToolName("s", strings.Repeat("t", 59)); known {
		t.Error("Cursor's naming is not published")
	}
	if got, known := find(t, "cursor").ToolName("s", strings.Repeat("t", 60)); !known || got.How != "dropped" {
		t.Errorf("Cursor leaves out what has more than 60 characters with its server: got %+v", got)
	}
}

// Qwen Code was seen to show this name, 2026-11-30; a long one was computed by its function.
func TestMarkedNames(t *testing.T) {
	p, err := profile.Find("qwen-code")
	must(t, err)
	for tool, want := range map[string]profile.ToolName{
		"look_up":                {Name: "mcp__words__look_up", How: "exact"},
		"rhyme with":             {Name: "mcp__words__rhyme_with_1cvl3oh", How: "hashed"},
		strings.Repeat("ab", 30): {Name: "mcp__words__" + strings.Repeat("ab", 21) + "a_1t3lw3k", How: "hashed"},
	} {
		if got, known := p.ToolName("words", tool); !known || got != want {
			t.Errorf("%s: %+v, want %+v", tool, got, want)
		}
	}
}
