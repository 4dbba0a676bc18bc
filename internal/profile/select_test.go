package profile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

func names(ps []*profile.Profile) string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.Name
	}
	return strings.Join(out, " ")
}

func TestDefault(t *testing.T) {
	for dir, want := range map[string]string{
		".claude/skills/x":          "claude-code copilot-cli vscode cursor opencode",
		"/home/u/p/.agents/skills":  "codex copilot-cli vscode cursor gemini-cli opencode",
		".roo/skills":               "roo-code",
		"sub/.github/skills/deploy": "copilot-cli vscode",
		"skills/x":                  "claude-code codex copilot-cli vscode cursor gemini-cli opencode agentscope-2",
	} {
		if got := names(profile.Default(dir)); got != want {
			t.Errorf("%s: got %s, want %s", dir, got, want)
		}
	}
}

func TestReads(t *testing.T) {
	p := find(t, "agentscope-2")
	for dir, want := range map[string]bool{"skills": true, "a/skills/x": true, ".claude/skills": false, "/p/.x/skills": false, "docs": false} {
		if got := p.Reads(dir); got != want {
			t.Errorf("%s: got %v", dir, got)
		}
	}
}

// TestBrands holds the table of owners and the profiles together.
func TestBrands(t *testing.T) {
	for _, p := range profile.All() {
		for _, dir := range p.Brand {
			if owner := profile.Owner(dir); owner == nil || owner.Name != p.Name {
				t.Errorf("%s belongs to %s, but Owner says %v", dir, p.Name, owner)
			}
			if !p.Owns("x/" + dir + "/y") {
				t.Errorf("%s does not own %s", p.Name, dir)
			}
		}
	}
	if p := profile.Owner(".agents/skills"); p != nil {
		t.Errorf("%s owns the shared folder", p.Name)
	}
}

func TestFirstTier(t *testing.T) {
	for _, p := range profile.All() {
		if first := slices.Contains(profile.FirstTier(), p); first != (p.Tier == 1) {
			t.Errorf("%s: tier %d, in the first tier: %v", p.Name, p.Tier, first)
		}
	}
}

func TestFind(t *testing.T) {
	for spec, want := range map[string]string{
		"cladue-code":       `did you mean "claude-code"`,
		"codex@0.1":         "known: 0.171.0",
		"zzzzzzzzzzzzzzzzz": "known: agent-framework",
	} {
		if _, err := profile.Find(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", spec, err, want)
		}
	}
	if p := find(t, "claude-code@2.1.197"); p.Version != "2.1.197" || p.ID() != "claude-code@2.1.197" {
		t.Errorf("got version %s, id %s", p.Version, p.ID())
	}
	if p := find(t, "codex"); p.ID() != "codex" {
		t.Errorf("got id %s", p.ID())
	}
}

// TestFoldersAreFound holds the folders that the walk enters and those that clients read together: a folder of an
// agent is hidden, and hidden folders are searched only when they are known.
func TestFoldersAreFound(t *testing.T) {
	for _, p := range profile.All() {
		for _, r := range p.Discovery.Roots {
			dir, rest, _ := strings.Cut(r.Path, "/")
			if r.Scope == "project" && strings.HasPrefix(dir, ".") && strings.HasSuffix(rest, "skills") && !skills.IsBrand(dir) {
				t.Errorf("%s reads %s: skills do not know the folder %s", p.Name, r.Path, dir)
			}
		}
	}
}
