package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// tree writes files below a new folder, by their paths with slashes, and returns the folder.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	return dir
}

func write(t testing.TB, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// rule returns a rule that runs over single skills.
func rule(name string, run func(*lint.Pass)) *lint.Rule {
	return &lint.Rule{Name: "demo/" + name, Severity: lint.Error, Scope: lint.SkillScope, Run: run}
}

// replace returns a rule with a safe fix that replaces one word by another.
func replace(word, by string) *lint.Rule {
	return rule(word+"-"+by, func(p *lint.Pass) {
		i := strings.Index(p.Text(), word)
		if i < 0 {
			return
		}
		at := text.Span{Start: i, End: i + len(word)}
		p.Report(lint.Finding{Span: at, Message: word, Fixes: []lint.Fix{{Safe: true, Edits: []lint.Edit{lint.Replace(at, by)}}}})
	})
}

// job returns a job over a folder with some rules.
func job(t testing.TB, dir string, rules ...*lint.Rule) *workspace.Job {
	t.Helper()
	reg := lint.NewRegistry(rules)
	resolver, err := lint.NewResolver(reg, lint.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	parse := func(file, src string) (*lint.Config, error) {
		return lint.ParseConfig(file, src, reg, func(string) error { return nil })
	}
	return &workspace.Job{
		Options: workspace.Options{
			FS: skills.Disk{}, Base: dir, Paths: []string{dir},
			Configs: workspace.FindConfigs(skills.Disk{}, dir, parse), Resolver: resolver,
		},
		Engine: lint.NewEngine(reg),
	}
}

func skill(name string) string {
	return "---\nname: " + name + "\ndescription: Does a thing. Use when needed.\n---\n\nwork\n"
}

// An overlay shows the same as a disk on which its texts are written.
func TestOverlayIsLikeDisk(t *testing.T) {
	below := map[string]string{"a/SKILL.md": "old", "a/x.md": "x", "b/SKILL.md": "b"}
	above := map[string]string{"a/SKILL.md": "new", "a/sub/y.md": "y", "c/d/SKILL.md": "c"}
	dir, both := tree(t, below), tree(t, below)
	texts := map[string]string{}
	for name, content := range above {
		texts[filepath.Join(dir, filepath.FromSlash(name))] = content
		write(t, filepath.Join(both, filepath.FromSlash(name)), content)
	}
	overlay := workspace.NewOverlay(skills.Disk{}, texts)
	if got, want := list(t, overlay, dir), list(t, skills.Disk{}, both); got != want {
		t.Errorf("the overlay shows\n%s\nthe disk\n%s", got, want)
	}
	more := overlay.With(map[string]string{filepath.Join(dir, "b", "SKILL.md"): "newer"})
	if b, err := more.ReadFile(filepath.Join(dir, "b", "SKILL.md")); err != nil || string(b) != "newer" {
		t.Errorf("With: %q, %v", b, err)
	}
	if b, err := overlay.ReadFile(filepath.Join(dir, "b", "SKILL.md")); err != nil || string(b) != "b" {
		t.Errorf("With changes the overlay it is called on: %q, %v", b, err)
	}
	for _, name := range []string{"nowhere", "nowhere/x.md"} {
		abs := filepath.Join(dir, filepath.FromSlash(name))
		_, readErr := overlay.ReadFile(abs)
		_, statErr := overlay.Stat(abs)
		_, realErr := overlay.RealPath(abs)
		_, dirErr := overlay.ReadDir(abs)
		for _, err := range []error{readErr, statErr, realErr, dirErr} {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v, want that it does not exist", name, err)
			}
		}
	}
}

// list prints what a file system has below a folder.
func list(t *testing.T, fsys skills.FS, dir string) string {
	t.Helper()
	var b strings.Builder
	var walk func(string)
	walk = func(at string) {
		entries, err := fsys.ReadDir(at)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			abs := filepath.Join(at, e.Name())
			info, err := fsys.Stat(abs)
			real, realErr := fsys.RealPath(abs)
			if err != nil || realErr != nil || info.IsDir() != e.IsDir() || info.Name() != e.Name() {
				t.Fatalf("%s: %v, %v, %v", abs, info, err, realErr)
			}
			fmt.Fprintln(&b, workspace.Shown(dir, abs), workspace.Shown(dir, real), e.Type())
			if e.IsDir() {
				walk(abs)
				continue
			}
			content, err := fsys.ReadFile(abs)
			if err != nil || int64(len(content)) != info.Size() {
				t.Fatalf("%s: %v, %d bytes of %d", abs, err, len(content), info.Size())
			}
			fmt.Fprintf(&b, "  %q\n", content)
		}
	}
	walk(dir)
	return b.String()
}

func TestConfigsNearestUpToTheRepository(t *testing.T) {
	dir := tree(t, map[string]string{
		".skilllint.yaml":            "clients: [top]",
		"repo/.git/HEAD":             "",
		"repo/a/.skilllint.json":     `{"clients": ["a"]}`,
		"repo/a/b/SKILL.md":          "",
		"repo/a/both/.skilllint.yml": "clients: [yml]",
		"worktree/.git":              "gitdir: elsewhere",
		"plain/x/SKILL.md":           "",
		"broken/.skilllint.yaml":     "clients: top",
	})
	write(t, filepath.Join(dir, "repo", "a", "both", ".skilllint.yaml"), "clients: [yaml]")
	configs := job(t, dir).Configs
	for where, want := range map[string]string{
		".": "top", "plain/x": "top", "repo": "", "repo/a": "a", "repo/a/b": "a", "repo/a/both": "yaml", "worktree/x": "", "gone/y": "top",
	} {
		got := configs.For(filepath.Join(dir, filepath.FromSlash(where)))
		if strings.Join(got.Clients, ",") != want {
			t.Errorf("%s: configuration for %v, want %q", where, got.Clients, want)
		}
	}
	if err := configs.Err(); err != nil {
		t.Errorf("a folder nobody asked for counts: %v", err)
	}
	for range 2 {
		configs.For(filepath.Join(dir, "broken"))
	}
	if err := configs.Err(); err == nil || strings.Count(err.Error(), "\n") > 0 || !strings.HasPrefix(err.Error(), "broken/.skilllint.yaml:1:10: ") {
		t.Errorf("faults of a configuration: %v, want one with its place", err)
	}
}

func TestLintIsStableAndGuarded(t *testing.T) {
	files := map[string]string{}
	for i := range 200 {
		files[fmt.Sprintf("skills/s%03d/SKILL.md", i)] = skill("x")
	}
	dir := tree(t, files)
	work := rule("work", func(p *lint.Pass) { p.Report(lint.Finding{Message: p.Skill.Folder}) })
	var runs [][]string
	for _, jobs := range []int{1, 8} {
		j := job(t, dir, work)
		j.Workers = jobs
		r, err := j.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, f.File+f.Message)
		}
		runs = append(runs, got)
	}
	if !slices.Equal(runs[0], runs[1]) || len(runs[0]) != 200 || !slices.IsSorted(runs[0]) {
		t.Errorf("the order of the findings depends on the number of jobs: %v, %v", runs[0], runs[1])
	}

	bad := rule("bad", func(p *lint.Pass) {
		if p.Skill.Folder == "s100" {
			panic("a fault")
		}
	})
	var fault *workspace.Fault
	if _, err := job(t, dir, bad).Run(context.Background()); !errors.As(err, &fault) || fault.File != "skills/s100/SKILL.md" {
		t.Errorf("a rule that panics: %v, want a fault that names the file", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := job(t, dir, work).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("an end of the context: %v", err)
	}
}

// A hint is left out unless the rule's level is configured or the rule selected.
func TestHintsOnDemand(t *testing.T) {
	dir := tree(t, map[string]string{"skills/a/SKILL.md": skill("a"), "skills/b/SKILL.md": skill("b"), "skills/b/.skilllint.yaml": "rules: {demo: hint}"})
	opinion := rule("opinion", func(p *lint.Pass) { p.Report(lint.Finding{Message: "so-so"}) })
	opinion.Severity = lint.Hint
	r, err := job(t, dir, opinion).Run(context.Background())
	if err != nil || len(r.Findings) != 1 || r.Findings[0].File != "skills/b/SKILL.md" {
		t.Errorf("%v, %v; want the hint that is configured", r.Findings, err)
	}
}

func TestPlanRoundByRound(t *testing.T) {
	dir := tree(t, map[string]string{"skills/a/SKILL.md": skill("a")})
	f, err := job(t, dir, replace("work", "play"), replace("play", "rest")).Plan(context.Background(), false)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Changes) != 1 || !strings.HasSuffix(f.Changes[0].After, "\nrest\n") || len(f.Applied) != 2 || len(f.Left.Findings) != 0 {
		t.Errorf("%+v, want both fixes one behind the other", f)
	}
	if got := read(t, filepath.Join(dir, "skills", "a", "SKILL.md")); got != skill("a") {
		t.Errorf("planning writes: %q", got)
	}
	// Rules that undo each other end, and what is left is told.
	f, err = job(t, dir, replace("work", "play"), replace("play", "work")).Plan(context.Background(), false)
	if err != nil || len(f.Left.Findings) != 1 {
		t.Errorf("rules that undo each other: %+v, %v", f, err)
	}
}

func TestFixRefuses(t *testing.T) {
	content := skill("a")
	dir := tree(t, map[string]string{"skills/a/SKILL.md": content, "skills/b/SKILL.md": skill("b")})
	file := filepath.Join(dir, "skills", "a", "SKILL.md")

	// A file that somebody else writes in the meantime.
	meddle := rule("meddle", func(p *lint.Pass) {
		if p.Skill.Folder == "a" {
			write(t, file, content+"more\n")
		}
	})
	j := job(t, dir, replace("work", "play"), meddle)
	j.Paths = []string{filepath.Dir(file)}
	w, err := j.Fix(context.Background(), false)
	if err != nil || len(w.Refused) != 1 || len(w.Applied) != 0 || len(w.Left.Findings) != 1 || read(t, file) != content+"more\n" {
		t.Errorf("a file that has changed: %+v, %v", w, err)
	}

	// A name that is taken, and one outside the paths.
	for _, to := range []string{"skills/b", "../stolen"} {
		move := rule("move", func(p *lint.Pass) {
			if p.Skill.Folder == "a" {
				p.Report(lint.Finding{Message: "move", Fixes: []lint.Fix{{Safe: true, Renames: []lint.Rename{{From: "skills/a", To: to}}}}})
			}
		})
		w, err := job(t, dir, move).Fix(context.Background(), false)
		if err != nil || len(w.Refused) != 1 || len(w.Applied) != 0 || len(w.Left.Findings) != 1 {
			t.Errorf("to %s: %+v, %v", to, w, err)
		}
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "stolen")); err == nil {
		t.Error("a folder was moved out of the paths")
	}

	// A file to be created outside, or over another.
	for _, name := range []string{"../new/SKILL.md", "skills/b/SKILL.md"} {
		add := rule("add", func(p *lint.Pass) {
			if p.Skill.Folder == "a" {
				p.Report(lint.Finding{Message: "add", Fixes: []lint.Fix{{Safe: true, Creates: []lint.Create{{File: name, Text: "new"}}}}})
			}
		})
		w, err := job(t, dir, add).Fix(context.Background(), false)
		if err != nil || len(w.Refused) != 1 || len(w.Left.Findings) != 1 {
			t.Errorf("create %s: %+v, %v", name, w, err)
		}
	}
	if read(t, filepath.Join(dir, "skills", "b", "SKILL.md")) != skill("b") {
		t.Error("a file was overwritten")
	}
}

func TestFixMovesAndCreates(t *testing.T) {
	dir := tree(t, map[string]string{"skills/a/SKILL.md": skill("a")})
	move := rule("move", func(p *lint.Pass) {
		if p.Skill.Folder == "a" {
			p.Report(lint.Finding{Message: "move", Fixes: []lint.Fix{{Safe: true, Renames: []lint.Rename{{From: "skills/a", To: "skills/new"}}}}})
		}
	})
	add := rule("add", func(p *lint.Pass) {
		if p.Skill.Folder == "new" && len(p.Skill.Files) == 1 {
			p.Report(lint.Finding{Message: "add", Fixes: []lint.Fix{{Safe: true, Creates: []lint.Create{{File: "skills/new/refs/x.md", Text: "x\n"}}}}})
		}
	})
	w, err := job(t, dir, replace("work", "play"), move, add).Fix(context.Background(), false)
	if err != nil || len(w.Refused) != 0 || len(w.Applied) != 3 || w.Files != 3 || len(w.Left.Findings) != 0 {
		t.Fatalf("%+v, %v", w, err)
	}
	if got := read(t, filepath.Join(dir, "skills", "new", "SKILL.md")); !strings.HasSuffix(got, "\nplay\n") {
		t.Errorf("%q", got)
	}
	if got := read(t, filepath.Join(dir, "skills", "new", "refs", "x.md")); got != "x\n" {
		t.Errorf("%q", got)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "skills", "new"))
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v; want no file left over", entries, err)
	}
}

func TestStamp(t *testing.T) {
	dir := tree(t, map[string]string{"skills/a/SKILL.md": skill("a"), "skills/a/refs/x.md": "x", "other/notes.md": "notes"})
	j := job(t, dir)
	last := uint64(0)
	stamp := func(what string, changes bool) {
		t.Helper()
		got, err := j.Stamp(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if changed := got != last; changed != changes {
			t.Errorf("%s: the stamp changes: %v, want %v", what, changed, changes)
		}
		last = got
	}
	stamp("at first", true)
	stamp("again", false)
	write(t, filepath.Join(dir, "other", "notes.md"), "more notes")
	stamp("a file of no skill", false)
	write(t, filepath.Join(dir, "skills", "a", "refs", "x.md"), "xx")
	stamp("a resource", true)
	write(t, filepath.Join(dir, "skills", "b", "SKILL.md"), skill("b"))
	stamp("a new skill", true)
	write(t, filepath.Join(dir, ".skilllint.yaml"), "")
	stamp("a new configuration", true)
	write(t, filepath.Join(dir, "mcp-tools.lock.json"), "{}")
	stamp("a lock file", true)
	write(t, filepath.Join(dir, ".claude-plugin", "marketplace.json"), "{}")
	stamp("a manifest", true)
	if err := os.Remove(filepath.Join(dir, "skills", "b", "SKILL.md")); err != nil {
		t.Fatal(err)
	}
	stamp("a skill that is gone", true)
}
