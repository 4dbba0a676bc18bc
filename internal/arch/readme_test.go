package arch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadmeShowsRealOutput runs the command of README's sample and compares what it prints.
func TestReadmeShowsRealOutput(t *testing.T) {
	root := moduleRoot(t)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, sample, found := strings.Cut(string(readme), "\n```\n$ skilllint ")
	args, want, _ := strings.Cut(sample, "\n")
	want, _, closed := strings.Cut(want, "```\n")
	if !found || !closed {
		t.Fatal("README.md has no sample of what skilllint prints")
	}
	cmd := exec.Command("go", append([]string{"run", "./cmd/skilllint", "lint", "--fail-on", "never"}, strings.Fields(args)...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	got, err := cmd.Output()
	if err != nil {
		t.Fatalf("skilllint %s: %v", args, err)
	}
	if string(got) != want {
		t.Errorf("skilllint %s prints\n%s\nREADME.md shows\n%s", args, got, want)
	}
}
