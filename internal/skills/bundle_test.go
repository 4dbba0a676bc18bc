package skills

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// put writes files below a folder; an entry whose content starts with "-> " is a symbolic link.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(content, "-> "); ok {
			err = os.Symlink(target, file)
		} else {
			err = os.WriteFile(file, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func bundle(t *testing.T, name string) *Bundle {
	t.Helper()
	b, err := ReadBundle(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const bundledSkill = "---\nname: demo\ndescription: Says hello. Use when greeted.\n---\n\nSay hello.\n"

// The hash is that of what lies in the folder, wherever that lies and whatever lies around it.
func TestBundleHash(t *testing.T) {
	files := map[string]string{"SKILL.md": bundledSkill, "scripts/run.sh": "#!/bin/sh\n", "big.bin": strings.Repeat("x", keptSize+1)}
	one, two := t.TempDir(), filepath.Join(t.TempDir(), "deep", "skills", "other")
	put(t, one, files)
	put(t, two, files)
	put(t, filepath.Dir(two), map[string]string{"neighbour/SKILL.md": bundledSkill})
	put(t, two, map[string]string{".git/HEAD": "ref: x\n", "node_modules/x/index.js": "1\n"})
	want := bundle(t, one).Hash()
	if got := bundle(t, filepath.Join(two, "SKILL.md")).Hash(); got != want {
		t.Errorf("the hash depends on the place: %s and %s", got, want)
	}
	seen := map[string]string{want: "as it was"}
	for _, change := range []struct {
		what string
		do   func() error
	}{
		{"a text", func() error { return os.WriteFile(filepath.Join(one, "SKILL.md"), []byte(bundledSkill+"!"), 0o644) }},
		{"a large file", func() error {
			return os.WriteFile(filepath.Join(one, "big.bin"), []byte(strings.Repeat("y", keptSize+1)), 0o644)
		}},
		{"a name", func() error { return os.Rename(filepath.Join(one, "big.bin"), filepath.Join(one, "big.dat")) }},
		{"a new file", func() error { return os.WriteFile(filepath.Join(one, "empty"), nil, 0o644) }},
		{"a mode", func() error { return os.Chmod(filepath.Join(one, "scripts", "run.sh"), 0o755) }},
		{"a link", func() error { return os.Symlink("SKILL.md", filepath.Join(one, "link")) }},
	} {
		if change.what == "a mode" && runtime.GOOS == "windows" {
			continue // there is no such mode
		}
		if err := change.do(); err != nil {
			t.Fatal(err)
		}
		hash := bundle(t, one).Hash()
		if before, ok := seen[hash]; ok {
			t.Errorf("%s: the hash is that of %s", change.what, before)
		}
		seen[hash] = change.what
	}
}

// What lies outside counts as there and cannot be read; what would make the folder a part of something else is not there.
func TestBundleOutside(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".claude", "skills", "demo")
	put(t, dir, map[string]string{
		"SKILL.md": bundledSkill, "references/a.md": "a\n", "in.md": "-> references/a.md", "refs": "-> references",
		"out.md": "-> ../../secret.md", "abs": "-> /etc/passwd", "gone.md": "-> nowhere.md", "loop": "-> loop",
	})
	put(t, filepath.Join(dir, "..", ".."), map[string]string{"secret.md": "secret\n", ".git/HEAD": "x\n", "SKILL.md": bundledSkill})
	b := bundle(t, dir)
	if want := filepath.FromSlash(filepath.VolumeName(dir) + "/.claude/skills/demo"); b.Home() != want {
		t.Errorf("it appears at %s, want %s", b.Home(), want)
	}
	at := func(rel string) string { return filepath.Join(b.Home(), filepath.FromSlash(rel)) }
	for rel, want := range map[string]string{"in.md": "a\n", "refs/a.md": "a\n", "SKILL.md": bundledSkill} {
		if got, err := b.ReadFile(at(rel)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", rel, got, err)
		}
	}
	for _, rel := range []string{"out.md", "abs", "../other/SKILL.md", "../../../x"} {
		if _, err := b.Stat(at(rel)); err != nil {
			t.Errorf("%s should count as there: %v", rel, err)
		}
		if got, err := b.ReadFile(at(rel)); !errors.Is(err, errOutside) {
			t.Errorf("%s can be read: %q, %v", rel, got, err)
		}
	}
	for _, rel := range []string{"gone.md", "absent", "SKILL.md/x", "../SKILL.md", "../../SKILL.md", "../../.git", "../.git"} {
		if _, err := b.Stat(at(rel)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s should not be there: %v", rel, err)
		}
	}
	if _, err := b.Stat(at("loop")); err == nil {
		t.Error("a link to itself leads somewhere")
	}
	if _, err := b.ReadDir(at("..")); err == nil {
		t.Error("a folder outside can be listed")
	}
	if real, err := b.RealPath(at("abs")); err != nil || filepath.ToSlash(real) != "/etc/passwd" {
		t.Errorf("abs leads to %s, %v", real, err)
	}
}

// A loader finds in a bundle what it finds in the folder.
func TestBundleIsLoaded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "skills", "demo")
	put(t, dir, map[string]string{"SKILL.md": bundledSkill, "agents/openai.yaml": "interface: {}\n", "scripts/run.sh": "#!/bin/sh\n", ".gitignore": "cache/\n", "cache/x": "x\n"})
	b := bundle(t, dir)
	want := loaded(t, &LocalLoader{FS: Disk{}, Base: dir, Paths: []string{filepath.Join(dir, "SKILL.md")}})
	got := loaded(t, &LocalLoader{FS: b, Base: b.Home(), Paths: []string{b.File()}})
	if len(got) != 1 || len(want) != 1 {
		t.Fatalf("%d and %d skills", len(got), len(want))
	}
	g, w := got[0], want[0]
	if g.Doc.Raw != w.Doc.Raw || g.Doc.Path != w.Doc.Path || g.Sidecar == nil || !slices.Equal(g.Files, w.Files) || g.Folder != w.Folder || g.Depth != w.Depth {
		t.Errorf("got %+v\nwant %+v", g, w)
	}
}

func loaded(t *testing.T, l *LocalLoader) []*Skill {
	t.Helper()
	found, err := l.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A skill without a folder of its own takes none of its neighbours along.
func TestBundleOfOneFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "skills")
	put(t, dir, map[string]string{"demo.md": bundledSkill, "other.md": bundledSkill, "x/SKILL.md": bundledSkill, "SKILL.md": bundledSkill})
	b := bundle(t, filepath.Join(dir, "demo.md"))
	if len(b.files) != 1 {
		t.Errorf("it holds %d files", len(b.files))
	}
	found := loaded(t, &LocalLoader{FS: b, Base: b.Home(), Paths: []string{b.File()}})
	if len(found) != 1 || found[0].Layout != Flat || found[0].Doc.Path != "demo.md" {
		t.Errorf("found %+v", found)
	}
}

func TestBundleOfNoSkill(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"run.sh": "x\n", "folder/a.txt": "x\n"})
	for _, name := range []string{"run.sh", "folder", "absent"} {
		if _, err := ReadBundle(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is taken for a skill", name)
		}
	}
}
