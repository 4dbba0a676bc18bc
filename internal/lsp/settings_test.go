package lsp

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// "all" means all clients, in the editor's settings as in a configuration file.
func TestAllClients(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("SKILL.md", "---\nname: x\ndescription: Sorts shells. Use it at the beach.\n---\n")
	for raw, config := range map[string]string{`{"clients": ["all"]}`: "exclude: []\n", `{}`: "clients: [all]\n"} {
		write(".skilllint.yaml", config)
		s := &Server{reg: rules.Registry()}
		st := &state{fs: workspace.NewOverlay(skills.Disk{}, nil)}
		var err error
		if st.settings, err = parseSettings([]byte(raw), s.reg); err != nil {
			t.Fatal(err)
		}
		o, err := s.options(st, root, []string{root})
		if err != nil {
			t.Fatal(err)
		}
		snapshot, err := workspace.Load(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if got := snapshot.Settings("SKILL.md").Clients; !slices.Equal(got, profile.Everyone()) {
			t.Errorf("settings %s and configuration %q mean %q", raw, config, got)
		}
	}
}
