package profile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// TestListings compares the text of each client's listing with the one that
// stood in its request.
func TestListings(t *testing.T) {
	dir := shared(t, "oracle")
	files, err := filepath.Glob(filepath.Join(dir, "listing", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no listings", err)
	}
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), "@")
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(file)
			must(t, err)
			_, want, _ := strings.Cut(string(src), "\n") // the first line says where the text stood
			if got := listing(t, dir, name); got != strings.TrimSuffix(want, "\n") {
				t.Errorf("got\n%q\nwant\n%q", got, want)
			}
		})
	}
}

func listing(t *testing.T, dir, client string) string {
	t.Helper()
	skills := ".agents/skills"
	if client == "claude-code" || client == "continue" {
		skills = ".claude/skills"
	}
	root := t.TempDir()
	for _, s := range []string{"a01-plain", "a03-crlf", "a09-trailing-space", "a15-rule-in-body"} {
		copyTree(t, filepath.Join(dir, "skills", "workspaces", "A", ".agents", "skills", s), filepath.Join(root, skills, s))
	}
	p, err := profile.Find(client)
	must(t, err)
	r := p.Play(&profile.Workspace{Tree: profile.OS{}, Root: root})
	return strings.ReplaceAll(r.Listing, root, "$WORKSPACE")
}

type budgetObservation struct {
	Observed map[string]struct {
		Entries []struct {
			Name  string
			Chars int `json:"description_chars"`
		}
	}
}

// TestBudgets compares how many characters of 150 equal descriptions each
// client leaves.
func TestBudgets(t *testing.T) {
	var o budgetObservation
	readJSON(t, filepath.Join(shared(t, "oracle", "budget"), "observed.json"), &o)
	for id, want := range o.Observed {
		t.Run(id, func(t *testing.T) {
			got := playBudget(t, id)
			if strings.HasPrefix(id, "continue@") {
				return // reads files concurrently: any order
			}
			for i, e := range want.Entries {
				description := got.Skills[i].Description
				description = strings.TrimSuffix(description, " (project)")
				chars := e.Chars
				if strings.HasPrefix(id, "qwen-code@") {
					chars -= len(" (project)")
				}
				if got.Skills[i].Name != e.Name || len(description) != chars {
					t.Fatalf("entry %d: got %s with %d characters, want %s with %d", i, got.Skills[i].Name, len(description), e.Name, chars)
				}
			}
		})
	}
}

func playBudget(t *testing.T, id string) *profile.Result {
	t.Helper()
	name, version, _ := strings.Cut(id, "@")
	p, err := profile.Find(name)
	must(t, err)
	if p.Version != version {
		p, err = profile.Find(id)
		must(t, err)
	}
	return p.Play(budgetWorkspace(".agents/skills", ".claude/skills"))
}
