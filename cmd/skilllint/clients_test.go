package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/racetest"
)

// A client is one file: a program built with one more in the folder of clients plays it, shows it and names it in
// findings, with no other change.
func TestNewClientIsOneFile(t *testing.T) {
	racetest.Skip(t) // the program that it builds is
	if testing.Short() {
		t.Skip("builds the program")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	profiles, dir := filepath.Join(root, "internal", "profile"), t.TempDir()
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(profiles, "clients", "newcomer.yaml"): filepath.Join(profiles, "testdata", "newcomer.yaml"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), string(overlay))
	write(t, filepath.Join(dir, ".agents", "skills", "odd", "SKILL.md"), "---\nname: even\ndescription: Renames <photos>.\n---\n\nRename.\n")
	write(t, filepath.Join(dir, ".agents", "skills", "one", "SKILL.md"), "---\nname: one\ndescription: Sorts all of the photos.\n---\n\nSort.\n")
	program := filepath.Join(dir, "skilllint.exe")
	if out, err := command(root, "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "./cmd/skilllint"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	table, err := command(dir, program, "clients", "--client", "newcomer,codex")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"newcomer 2.0", "✗ newcomer: does not load the skill", "[name/folder]", "~ newcomer: shows only the first 17 characters of the description"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	findings, err := command(dir, program, "--client", "newcomer", "--fail-on", "never")
	if want := "Newcomer 2.0 does not load this skill"; err != nil || !strings.Contains(findings, want) {
		t.Errorf("%v: no finding says %q:\n%s", err, want, findings)
	}
}

func command(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	return string(out), err
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestUTF8Locale(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, true},
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LANG": "C.UTF-8"}, true},
		{map[string]string{"LANG": "C.UTF-8", "LC_ALL": "C"}, false},
		{map[string]string{"LC_CTYPE": "de_DE.utf8", "LANG": "C"}, true},
	} {
		if got := utf8Locale(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
	}
}
