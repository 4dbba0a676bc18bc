package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// A skill that a client reaches by a link is listed, whichever of the two paths the skill is shown by.
func TestRosterThroughLinks(t *testing.T) {
	for _, c := range []struct{ client, link, to, real string }{
		{"claude-code", ".claude/skills", "../.agents/skills", ".agents/skills/one"},            // the folder of another agent
		{"claude-code", ".claude/skills/one", "../../.agents/skills/one", ".agents/skills/one"}, // one skill of it
		{"codex", ".agents/skills/one", "../../lib/one", "lib/one"},                             // a folder nobody owns
	} {
		t.Run(c.link, func(t *testing.T) {
			base := t.TempDir()
			file := filepath.Join(base, filepath.FromSlash(c.real), "SKILL.md")
			link := filepath.Join(base, filepath.FromSlash(c.link))
			for _, dir := range []string{filepath.Dir(file), filepath.Dir(link)} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(file, []byte("---\nname: one\ndescription: Sorts photos.\n---\n\nSort.\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.FromSlash(c.to), link); err != nil {
				t.Skipf("no symbolic links here: %v", err)
			}
			reg := rules.Registry()
			resolver, err := lint.NewResolver(reg, lint.Flags{Clients: []string{c.client}})
			if err != nil {
				t.Fatal(err)
			}
			s, err := workspace.Load(t.Context(), workspace.Options{FS: skills.Disk{}, Base: base, Paths: []string{base}, Configs: workspace.NoConfig(base), Resolver: resolver})
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Roster(t.Context(), lint.NewEngine(reg), 1)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Skills) != 1 {
				t.Fatalf("%d skills, want the one that is there", len(r.Skills))
			}
			for _, p := range r.Clients {
				if cell := r.Cell(p, r.Skills[0]); cell.Status != profile.Listed {
					t.Errorf("%s: %s %s", p.Name, cell.Status, cell.Reason)
				}
			}
		})
	}
}

// A question that nobody waits for any more stops between two skills.
func TestRosterOfStops(t *testing.T) {
	s := take(t, tree(t, liveFiles), skills.Disk{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	parts := []workspace.Part{{Live: workspace.NewLive(s, lint.NewEngine(rules.Registry())), Skills: s.Skills()}}
	if r, err := workspace.RosterOf(ctx, parts, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("it goes on: %v, %v", r, err)
	}
}
