//go:build unix

package capture

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/skill-ls/skill-ls/internal/procgroup"
)

// A client that leaves a process behind, one that does not want to be ended, is rid of it.
func TestNoProcessIsLeft(t *testing.T) {
	t.Parallel()
	note := filepath.Join(t.TempDir(), "group")
	if _, err := Run(context.Background(), fake(t, "orphan "+note)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	id, err := strconv.Atoi(string(data))
	if err != nil {
		t.Fatal(err)
	}
	if left := (&procgroup.Group{ID: id}); !left.Empty() {
		left.Kill()
		t.Errorf("processes of group %d are left", id)
	}
}
