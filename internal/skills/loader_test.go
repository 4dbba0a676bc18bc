package skills

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

const demo = "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n"

// plant writes files, and links where the content is "-> target", to a new folder.
func plant(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		content := strings.ReplaceAll(string(f.Data), "DEMO\n", demo)
		if target, ok := strings.CutPrefix(strings.TrimSpace(content), "-> "); ok {
			if err := os.Symlink(target, name); err != nil {
				t.Skipf("no symbolic links here: %v", err)
			}
			continue
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func list(t *testing.T, dir string, paths ...string) []*Skill {
	t.Helper()
	if paths == nil {
		paths = []string{"."}
	}
	l := &LocalLoader{FS: Disk{}, Base: dir}
	for _, p := range paths {
		l.Paths = append(l.Paths, filepath.Join(dir, p))
	}
	all, err := l.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func paths(all []*Skill) []string {
	var out []string
	for _, s := range all {
		out = append(out, s.Doc.Path)
	}
	return out
}

func TestList(t *testing.T) {
	for name, c := range map[string]struct {
		tree  string
		paths []string
		want  []string
	}{
		"folders, sorted": {"-- b/SKILL.md --\nDEMO\n-- a/SKILL.md --\nDEMO\n-- a/references/x.md --\nx\n", nil, []string{"a/SKILL.md", "b/SKILL.md"}},
		"never searched":  {"-- node_modules/x/SKILL.md --\nDEMO\n-- .git/x/SKILL.md --\nDEMO\n-- vendor/x/SKILL.md --\nDEMO\n-- a/SKILL.md --\nDEMO\n", nil, []string{"a/SKILL.md"}},
		"ignored by git": {
			"-- .git/HEAD --\n-- .gitignore --\nout/\n*.tmp/\n!keep.tmp/\n.claude/\n/top\n-- out/x/SKILL.md --\nDEMO\n-- a.tmp/SKILL.md --\nDEMO\n-- keep.tmp/SKILL.md --\nDEMO\n" +
				"-- .claude/skills/x/SKILL.md --\nDEMO\n-- top/SKILL.md --\nDEMO\n-- b/top/SKILL.md --\nDEMO\n",
			nil,
			[]string{".claude/skills/x/SKILL.md", "b/top/SKILL.md", "keep.tmp/SKILL.md"},
		},
		"ignored from above": {"-- .git/HEAD --\n-- .gitignore --\n/pkg/out\n-- pkg/out/SKILL.md --\nDEMO\n-- pkg/in/SKILL.md --\nDEMO\n", []string{"pkg"}, []string{"pkg/in/SKILL.md"}},
		"named though ignored": {
			"-- .git/HEAD --\n-- .gitignore --\nout/\n-- out/SKILL.md --\nDEMO\n",
			[]string{"out"},
			[]string{"out/SKILL.md"},
		},
		"other case only with front matter": {"-- a/skill.md --\nDEMO\n-- b/skill.md --\n# A prompt\n-- c/skill.md --\nDEMO\n-- c/SKILL.md --\nDEMO\n", nil, []string{"a/skill.md", "c/SKILL.md"}},
		"loose files only with both keys":   {"-- skills/x.md --\nDEMO\n-- skills/README.md --\n# Skills\n-- skills/y.md --\n---\ntitle: y\n---\n-- docs/z.md --\nDEMO\n", nil, []string{"skills/x.md"}},
		"a link, once, where it is read":    {"-- .claude/skills/x --\n-> ../../shared/x\n-- shared/x/SKILL.md --\nDEMO\n", nil, []string{".claude/skills/x/SKILL.md"}},
		"the real one of two agents":        {"-- .claude/skills/x --\n-> ../../.agents/skills/x\n-- .agents/skills/x/SKILL.md --\nDEMO\n", nil, []string{".agents/skills/x/SKILL.md"}},
		"a linked folder of skills":         {"-- .claude/skills --\n-> ../kit\n-- kit/x/SKILL.md --\nDEMO\n", nil, []string{".claude/skills/x/SKILL.md"}},
		"loops":                             {"-- .claude/skills/x/SKILL.md --\nDEMO\n-- .claude/skills/x/up --\n-> ../..\n-- .claude/skills/self --\n-> self\n-- .claude/skills/y --\n-> x\n", nil, []string{".claude/skills/x/SKILL.md"}},
		"links to each other":               {"-- skills/a/b --\n-> ../b\n-- skills/b/a --\n-> ../a\n-- skills/a/SKILL.md --\nDEMO\n-- skills/b/SKILL.md --\nDEMO\n", nil, []string{"skills/a/SKILL.md", "skills/b/SKILL.md"}},
		"another name with both keys": {
			"-- skills/a/SKILL.md.txt --\nDEMO\n-- skills/b/skills.md --\n# Skills\n-- skills/c/SKILL --\nDEMO\n-- skills/c/skill.md --\nDEMO\n-- d/skill.txt --\nDEMO\n",
			nil,
			[]string{"skills/a/SKILL.md.txt", "skills/c/skill.md"},
		},
		"a link that leads nowhere": {"-- .claude/skills/x --\n-> ../../gone\n-- .claude/skills/.#x --\n-> lock\n-- skills/y --\n-> gone\n", nil, []string{".claude/skills/x/SKILL.md"}},
		"a file of a skill":         {"-- a/SKILL.md --\nDEMO\n-- a/references/x.md --\nx\n-- b/SKILL.md --\nDEMO\n", []string{"a/references/x.md"}, []string{"a/SKILL.md"}},
		"a named file":              {"-- a/SKILL.md --\nDEMO\n-- b/SKILL.md --\nDEMO\n", []string{"b/SKILL.md"}, []string{"b/SKILL.md"}},
		"named twice":               {"-- a/SKILL.md --\nDEMO\n", []string{"a", ".", "a/SKILL.md"}, []string{"a/SKILL.md"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := paths(list(t, plant(t, c.tree), c.paths...)); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	dir := plant(t, "-- .agents/skills/group/deep/SKILL.md --\nDEMO\n-- .agents/skills/top/SKILL.md --\nDEMO\n-- .agents/skills/top/agents/openai.yaml --\ninterface: {}\n"+
		"-- .agents/skills/top/parts/inner/SKILL.md --\nDEMO\n-- .agents/skills/SKILL.md --\nDEMO\n-- kit/SKILL.md --\nDEMO\n-- kit/skills/one/SKILL.md --\nDEMO\n-- skills/SKILL.md --\nDEMO\n")
	type place struct {
		layout             Layout
		root, brand, above string
		depth              int
	}
	want := map[string]place{
		".agents/skills/SKILL.md":                 {InRoot, ".agents/skills", ".agents", "", 0},
		".agents/skills/group/deep/SKILL.md":      {InFolder, ".agents/skills", ".agents", "", 2},
		".agents/skills/top/SKILL.md":             {InFolder, ".agents/skills", ".agents", "", 1},
		".agents/skills/top/parts/inner/SKILL.md": {InFolder, ".agents/skills", ".agents", ".agents/skills/top/SKILL.md", 3},
		"kit/SKILL.md":                            {InFolder, "", "", "", 0},
		"kit/skills/one/SKILL.md":                 {InFolder, "kit/skills", "", "", 1},
		"skills/SKILL.md":                         {InFolder, "skills", "", "", 0}, // a skill that is called so: no other lies below
	}
	all := list(t, dir)
	if len(all) != len(want) {
		t.Errorf("found %q", paths(all))
	}
	for _, s := range all {
		got := place{s.Layout, s.Root, s.Brand, s.Parent, s.Depth}
		if got != want[s.Doc.Path] {
			t.Errorf("%s: %+v, want %+v", s.Doc.Path, got, want[s.Doc.Path])
		}
		if hasSidecar := s.Sidecar != nil; hasSidecar != (s.Doc.Path == ".agents/skills/top/SKILL.md") {
			t.Errorf("%s: sidecar %v", s.Doc.Path, hasSidecar)
		}
	}
	if top := all[2]; !slices.Equal(top.Files, []File{{Path: "SKILL.md"}, {Path: "agents/openai.yaml"}, {Path: "parts/inner/SKILL.md"}}) {
		t.Errorf("files of the skill: %v", top.Files)
	}
}

// TestNameOfHere looks from inside the skill's folder, where the path does not tell the folder's name.
func TestNameOfHere(t *testing.T) {
	dir := plant(t, "-- photo/SKILL.md --\nDEMO\n")
	all := list(t, filepath.Join(dir, "photo"))
	if len(all) != 1 || all[0].Doc.Path != "SKILL.md" || all[0].Dir != "." || all[0].Folder != "photo" {
		t.Errorf("found %+v", all[0])
	}
}

func TestListFails(t *testing.T) {
	dir := plant(t, "-- notes.txt --\nx\n")
	for _, p := range []string{"missing", "notes.txt"} {
		l := &LocalLoader{FS: Disk{}, Base: dir, Paths: []string{filepath.Join(dir, p)}}
		if _, err := l.List(t.Context()); err == nil {
			t.Errorf("%s: no error", p)
		}
	}
}

// The walk shows every folder it searches and what Git ignores there.
func TestVisit(t *testing.T) {
	dir := plant(t, "-- .git/HEAD --\n-- .gitignore --\n.claude/\nout/\n*.local\n!keep.local\n-- a.local --\n-- keep.local --\n-- out/b --\n-- .claude/c --\n-- node_modules/d --\n-- sub/e --\n")
	var mu sync.Mutex
	var got []string
	l := &LocalLoader{FS: Disk{}, Base: dir, Paths: []string{dir}, Visit: func(f Folder) {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range f.Entries {
			if !e.IsDir() && e.Name() != ".gitignore" {
				got = append(got, fmt.Sprint(relPath(dir, filepath.Join(f.Abs, e.Name())), " ", f.Ignored(e.Name())))
			}
		}
	}}
	if _, err := l.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	want := []string{".claude/c true", "a.local true", "keep.local false", "sub/e false"}
	if !slices.Equal(got, want) {
		t.Errorf("visited %q, want %q", got, want)
	}
}

// TestBelow holds the short way against filepath.Rel.
func TestBelow(t *testing.T) {
	paths := []string{"", ".", "/", "/a", "/a/", "/a/b", "/a/bc", "/a//b", "/a/b/./c", "/a/b/..", "/a/..b/c", "/a/b/c", "a", "a/b", "../a", "../a/b", "/a/b/.c/d"}
	for _, base := range paths {
		for _, abs := range paths {
			base, abs := filepath.FromSlash(base), filepath.FromSlash(abs)
			got, ok := Below(base, abs)
			if want, err := filepath.Rel(base, abs); ok && (err != nil || got != want) {
				t.Errorf("Below(%q, %q) = %q, want %q, %v", base, abs, got, want, err)
			}
		}
	}
	if got, ok := Below(filepath.FromSlash("/a"), filepath.FromSlash("/a/b/.c/d")); !ok || filepath.ToSlash(got) != "b/.c/d" {
		t.Errorf("Below = %q, %t", got, ok)
	}
}
