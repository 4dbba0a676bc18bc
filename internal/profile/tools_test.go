package profile_test

import (
	"slices"
	"testing"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// TestToolPatterns holds that a blank inside parentheses does not part a tool for Claude Code, and does for a
// client that splits at every blank.
func TestToolPatterns(t *testing.T) {
	doc := profile.NewDoc("s/x/SKILL.md", []byte(skill("name: x", "description: D.", "allowed-tools: Read, Bash(python3 *)")))
	for name, want := range map[string][]string{
		"claude-code":  {"Read", "Bash(python3 *)"},
		"mistral-vibe": {"Read,", "Bash(python3", "*)"},
	} {
		p, err := profile.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.PlayFile(doc).Loaded.Tools; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
