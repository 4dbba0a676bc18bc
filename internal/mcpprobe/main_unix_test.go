//go:build unix

package mcpprobe

import (
	"testing"

	"github.com/skill-ls/skill-ls/internal/procgroup"
)

// nothingLeft wants every process group to be empty.
func nothingLeft(t *testing.T, name string, g *groups) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.ids) == 0 {
		t.Errorf("%s: nothing was started", name)
	}
	for _, id := range g.ids {
		if left := (&procgroup.Group{ID: id}); !left.Empty() {
			t.Errorf("%s: processes of group %d are left", name, id)
			left.Kill()
		}
	}
}
