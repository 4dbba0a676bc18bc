package lsp

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/racetest"
)

// wantFromClients is what every real client must see in one short session.
const wantFromClients = `diagnostic yaml/unquoted-colon 2:20
hover description
completion license
mended
stopped
`

// drive runs a real client in a folder with one faulty skill and compares what it prints.
func drive(t *testing.T, name string, args ...string) {
	t.Helper()
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill})
	cmd := exec.Command(name, args...)
	for i, a := range cmd.Args {
		cmd.Args[i] = strings.NewReplacer("$PROGRAM", program(t), "$FOLDER", dir).Replace(a)
	}
	cmd.Env = append(os.Environ(), "SKILL_LS="+program(t), "FOLDER="+dir, "HOME="+t.TempDir(),
		"PATH="+filepath.Dir(program(t))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if os.Getenv("NODE_PATH") == "" {
		cmd.Env = append(cmd.Env, "NODE_PATH="+globalModules())
	}
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil || string(out) != wantFromClients {
		t.Errorf("%v: %v\n%s\nwant\n%s\n%s", cmd.Args, err, out, wantFromClients, log.String())
	}
}

// clientScript returns the path of one of the clients' scripts.
func clientScript(t *testing.T, name string) string {
	t.Helper()
	abs, err := filepath.Abs(filepath.Join("..", "..", "testdata", "clients", name))
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// recipes returns the blocks of code of a page on an editor, by their language.
func recipes(t *testing.T, page string) map[string][]string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "..", "docs", "editors", page))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, block := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```").FindAllStringSubmatch(string(src), -1) {
		out[block[1]] = append(out[block[1]], block[2])
	}
	return out
}

// globalModules returns where npm puts packages for everybody, or "".
func globalModules() string {
	out, err := exec.Command("npm", "root", "-g").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func TestNeovim(t *testing.T) {
	racetest.Skip(t)
	if _, err := exec.LookPath("nvim"); err != nil {
		t.Skip("Neovim is not installed: apt-get install neovim")
	}
	drive(t, "nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", "luafile "+clientScript(t, "nvim.lua"))
}

func TestEglot(t *testing.T) {
	racetest.Skip(t)
	if _, err := exec.LookPath("emacs"); err != nil {
		t.Skip("Emacs is not installed: apt-get install emacs-nox elpa-eglot")
	}
	args := []string{"-Q", "--batch"}
	folders, err := filepath.Glob("/usr/share/emacs/site-lisp/elpa/*") // Debian's packages, which -Q leaves out
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range folders {
		args = append(args, "-L", dir)
	}
	if err := exec.Command("emacs", append(args[:len(args):len(args)], "--eval", "(require 'eglot)")...).Run(); err != nil {
		t.Skip("this Emacs has no eglot: apt-get install elpa-eglot")
	}
	recipe := filepath.Join(t.TempDir(), "init.el")
	if err := os.WriteFile(recipe, []byte(recipes(t, "emacs.md")["elisp"][0]), 0o600); err != nil {
		t.Fatal(err)
	}
	drive(t, "emacs", append(args, "-l", recipe, "-l", clientScript(t, "eglot.el"))...)
}

func TestNodeClient(t *testing.T) {
	racetest.Skip(t)
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node is not installed: apt-get install nodejs npm")
	}
	find := exec.Command("node", "-e", "require.resolve('vscode-languageserver-protocol/node')")
	find.Env = os.Environ()
	if os.Getenv("NODE_PATH") == "" {
		find.Env = append(find.Env, "NODE_PATH="+globalModules())
	}
	if err := find.Run(); err != nil {
		t.Skip("Microsoft's client is not installed: npm install -g vscode-languageserver-protocol")
	}
	drive(t, "node", clientScript(t, "node.cjs"), "$PROGRAM", "$FOLDER")
}
