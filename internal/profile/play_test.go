package profile_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// skill returns the text of a SKILL.md with the given front matter lines.
func skill(lines ...string) string {
	return "---\n" + strings.Join(lines, "\n") + "\n---\nBody text.\n"
}

// workspace returns a workspace of files, by path.
func workspace(files map[string]string) *profile.Workspace {
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return &profile.Workspace{Tree: profile.FS{FS: tree}, Root: "."}
}

// budgetWorkspace holds 150 skills with descriptions of 414 characters in each
// of the folders.
func budgetWorkspace(folders ...string) *profile.Workspace {
	files := map[string]string{}
	for _, dir := range folders {
		for i := range 150 {
			name := fmt.Sprintf("bud-%03d", i)
			files[dir+"/"+name+"/SKILL.md"] = skill("name: "+name, "description: "+strings.Repeat("x", 414))
		}
	}
	return workspace(files)
}

func find(t *testing.T, spec string) *profile.Profile {
	t.Helper()
	p, err := profile.Find(spec)
	must(t, err)
	return p
}

// absolute is a tree whose paths start with "/".
type absolute struct{ profile.FS }

func (a absolute) ReadFile(name string) ([]byte, error)       { return a.FS.ReadFile(name[1:]) }
func (a absolute) ReadDir(name string) ([]fs.DirEntry, error) { return a.FS.ReadDir(name[1:]) }
func (a absolute) Stat(name string) (fs.FileInfo, error)      { return a.FS.Stat(name[1:]) }

// lines tells each skill of a result in one line.
func lines(r *profile.Result) string {
	var b strings.Builder
	for _, o := range r.Skills {
		fmt.Fprintf(&b, "%s %s %s\n", o.File, o.Status, o.Check)
	}
	return b.String()
}

func TestWalk(t *testing.T) {
	one := func(name string) string { return skill("name: "+name, "description: D.") }
	files := map[string]string{
		".agents/skills/a/SKILL.md":              one("a"),
		".agents/skills/a/inner/SKILL.md":        one("inner"),
		".agents/skills/group/b/SKILL.md":        one("b"),
		".agents/skills/c/skill.md":              one("c"),
		".agents/skills/.d/SKILL.md":             one(".d"),
		".agents/skills/e.md":                    one("e"),
		".agents/skills/node_modules/f/SKILL.md": one("f"),
		".agents/skills/.gitignore":              "ignored/\n",
		".agents/skills/ignored/g/SKILL.md":      one("g"),
		".agents/skills/.d/h/SKILL.md":           one("h"),
		".agents/skills/a.md":                    one("beside-a"),
		".agents/skills/k/notes.md":              one("k"),
		".agents/skills/l.backup-1-2/SKILL.md":   one("l"),
	}
	for client, want := range map[string]string{
		"codex":      "a b g f inner l",
		"gemini-cli": "a l",
		"kimi-code":  ".d a b e g l",
		"pi":         "a b c k l",
		"qwen-code":  ".d a",
		"opencode":   ".d a b f g h inner l",
		"vscode":     ".d a c l.backup-1-2",
	} {
		var got []string
		for _, o := range find(t, client).Play(workspace(files)).Skills {
			if o.Listed {
				got = append(got, o.Loaded.Name)
			}
		}
		slices.Sort(got)
		wanted := strings.Fields(want)
		slices.Sort(wanted)
		if !slices.Equal(got, wanted) {
			t.Errorf("%s: got %v, want %v", client, got, wanted)
		}
	}
}

// A file that is a skill of its own needs less than a SKILL.md.
func TestFlatFiles(t *testing.T) {
	files := map[string]string{
		".agents/skills/notes.md":   "# Notes\n\nText.\n",
		".agents/skills/x/SKILL.md": "# Title\n",
		".pi/skills/y.md":           skill("description: D."),
	}
	for client, want := range map[string]string{"kimi-code": "notes|# Notes", "pi": "skills|D."} {
		var got []string
		for _, o := range find(t, client).Play(workspace(files)).Skills {
			if o.Listed {
				got = append(got, o.Name+"|"+o.Description)
			}
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q, want %q", client, got, want)
		}
	}
}

// The root of Codex's own skills stands behind the folders of its settings, and
// before those of the project, which go from the project's root down.
func TestAliases(t *testing.T) {
	w := workspace(map[string]string{
		".codex/skills/a/SKILL.md":      skill("name: a", "description: D."),
		".agents/skills/b/SKILL.md":     skill("name: b", "description: D."),
		"sub/.agents/skills/c/SKILL.md": skill("name: c", "description: D."),
	})
	w.Dir = "sub"
	var got []string
	for _, o := range find(t, "codex").Play(w).Skills {
		got = append(got, o.Location)
	}
	if want := "r0/a/SKILL.md r2/b/SKILL.md r3/c/SKILL.md"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// Of skills of one name in several folders Claude Code shows the nearest.
func TestNearest(t *testing.T) {
	w := workspace(map[string]string{
		".claude/skills/a/SKILL.md":     skill("name: a", "description: Far."),
		"sub/.claude/skills/a/SKILL.md": skill("name: a", "description: Near."),
	})
	w.Dir = "sub"
	got := find(t, "claude-code").Play(w).Skills
	if len(got) != 2 || got[0].Description != "Near." || got[1].Listed {
		t.Errorf("got %+v", got)
	}
}

func TestRoots(t *testing.T) {
	w := workspace(map[string]string{
		".claude/skills/a/SKILL.md":         skill("name: a", "description: D."),
		".codex/skills/b/SKILL.md":          skill("name: b", "description: D."),
		"sub/.claude/skills/c/SKILL.md":     skill("name: c", "description: D."),
		"sub/dir/.agents/skills/d/SKILL.md": skill("name: d", "description: D."),
		"home/.claude/skills/u/SKILL.md":    skill("name: u", "description: D."),
	})
	w.Dir, w.Home = "sub/dir", "home"
	for client, want := range map[string]string{
		"claude-code": "home/.claude/skills sub/.claude/skills .claude/skills",
		"codex":       ".codex/skills sub/dir/.agents/skills",
		"gemini-cli":  "sub/dir/.agents/skills",
		"kimi-cli":    ".claude/skills home/.claude/skills", // .codex/skills is of the same group
	} {
		var got []string
		for _, f := range find(t, client).Roots(w) {
			got = append(got, f.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, want %s", client, got, want)
		}
	}
}

func TestFolders(t *testing.T) {
	w := workspace(map[string]string{"packs/x/SKILL.md": skill("name: x", "description: D.")})
	w.Folders = []string{"packs"}
	if got := lines(find(t, "codex").Play(w)); got != "packs/x/SKILL.md listed \n" {
		t.Errorf("got %s", got)
	}
}

func TestDuplicates(t *testing.T) {
	files := map[string]string{
		".agents/skills/a/SKILL.md": skill("name: same", "description: First."),
		".agents/skills/b/SKILL.md": skill("name: same", "description: Second."),
		".agents/skills/c/SKILL.md": skill("name: SAME", "description: Third."),
	}
	for client, want := range map[string]string{
		"codex":      "First. Second. Third.",
		"pi":         "First. Third.",
		"kimi-code":  "First.",
		"gemini-cli": "First. Third.", // meets the last first, and the last met wins
	} {
		var got []string
		for _, o := range find(t, client).Play(workspace(files)).Skills {
			if o.Listed {
				got = append(got, o.Description)
			} else if o.Stage != profile.StageDedupe || !strings.Contains(o.Reason, ".agents/skills/") {
				t.Errorf("%s: %s lost at %s: %s", client, o.File, o.Stage, o.Reason)
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, want %s", client, got, want)
		}
	}
}

// TestLinks holds that one folder reached by two paths is one skill, that a
// cycle of links ends, and which clients follow links at all.
func TestLinks(t *testing.T) {
	root := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(root, ".agents", "skills", "a"), 0o755))
	must(t, os.MkdirAll(filepath.Join(root, ".claude"), 0o755))
	must(t, os.MkdirAll(filepath.Join(root, "elsewhere", "b"), 0o755))
	must(t, os.WriteFile(filepath.Join(root, ".agents", "skills", "a", "SKILL.md"), []byte(skill("name: a", "description: D.")), 0o644))
	must(t, os.WriteFile(filepath.Join(root, "elsewhere", "b", "SKILL.md"), []byte(skill("name: b", "description: D.")), 0o644))
	for link, target := range map[string]string{".claude/skills": "../.agents/skills", ".agents/skills/b": "../../elsewhere/b", ".agents/skills/loop": ".."} {
		if err := os.Symlink(target, filepath.Join(root, filepath.FromSlash(link))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	for client, want := range map[string]string{
		"copilot-cli": ".agents/skills/a/SKILL.md .agents/skills/b/SKILL.md",
		"claude-code": ".claude/skills/a/SKILL.md .claude/skills/b/SKILL.md",
		"opencode":    ".agents/skills/a/SKILL.md .agents/skills/b/SKILL.md",
		"continue":    ".claude/skills/a/SKILL.md",
	} {
		var got []string
		for _, o := range find(t, client).Play(&profile.Workspace{Tree: profile.OS{}, Root: filepath.ToSlash(root)}).Skills {
			got = append(got, strings.TrimPrefix(o.File, filepath.ToSlash(root)+"/"))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, want %s", client, got, want)
		}
	}
}

// TestNeighbours holds that one bad skill takes others down where clients do so.
func TestNeighbours(t *testing.T) {
	w := workspace(map[string]string{
		".agents/skills/bad/SKILL.md":  skill("name: bad", "description: 1"),
		".agents/skills/good/SKILL.md": skill("name: good", "description: D."),
	})
	want := ".agents/skills/bad/SKILL.md root-lost description-type\n.agents/skills/good/SKILL.md root-lost neighbour\n"
	if got := lines(find(t, "openhands").Play(w)); got != want {
		t.Errorf("openhands: got\n%swant\n%s", got, want)
	}
	w = workspace(map[string]string{"p/bad/SKILL.md": "no front matter", "p/good/SKILL.md": skill("name: good", "description: D.")})
	w.Folders = []string{"p"}
	want = "p/bad/SKILL.md client-crash front-matter\np/good/SKILL.md client-crash neighbour\n"
	if got := lines(find(t, "spring-ai").Play(w)); got != want {
		t.Errorf("spring-ai: got\n%swant\n%s", got, want)
	}
}

// TestBudgetPolicies holds the figures measured with 150 descriptions of 414
// characters.
func TestBudgetPolicies(t *testing.T) {
	for client, want := range map[string]string{
		"claude-code":         "53 full, 0 cut, 97 bare, 0 omitted",
		"claude-code@2.1.197": "58 full, 0 cut, 92 bare, 0 omitted",
		"codex":               "0 full, 150 cut, 0 bare, 0 omitted",
		"copilot-cli":         "29 full, 0 cut, 121 bare, 0 omitted",
		"opencode":            "150 full, 0 cut, 0 bare, 0 omitted",
		"mux":                 "50 full, 0 cut, 0 bare, 100 omitted",
	} {
		r := find(t, client).Play(budgetWorkspace(".agents/skills", ".claude/skills"))
		full, cut := 0, 0
		for _, o := range r.Skills {
			switch n := len(o.Description); {
			case n == 414:
				full++
			case n > 0:
				cut++
			}
		}
		if client == "mux" {
			full = strings.Count(r.Listing, strings.Repeat("x", 414))
		}
		got := fmt.Sprintf("%d full, %d cut, %d bare, %d omitted", full, cut, len(r.Budget.Bare), len(r.Budget.Omitted))
		if got != want {
			t.Errorf("%s: got %s, want %s", client, got, want)
		}
		if r.Budget.Used > r.Budget.Limit && r.Budget.Limit > 0 {
			t.Errorf("%s: uses %d of %d", client, r.Budget.Used, r.Budget.Limit)
		}
	}
}

// TestSidecar hides a skill by a file beside it.
func TestSidecar(t *testing.T) {
	w := workspace(map[string]string{
		".agents/skills/a/SKILL.md":           skill("name: a", "description: D."),
		".agents/skills/a/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n",
		".agents/skills/b/SKILL.md":           skill("name: b", "description: D."),
		".agents/skills/b/agents/openai.yaml": "policy: [",
	})
	want := ".agents/skills/b/SKILL.md listed \n.agents/skills/a/SKILL.md hidden policy.allow_implicit_invocation\n"
	if got := lines(find(t, "codex").Play(w)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestOpen plays a text that is being edited instead of the file.
func TestOpen(t *testing.T) {
	w := workspace(map[string]string{".agents/skills/a/SKILL.md": "broken"})
	w.Open = func(file string) *profile.Doc {
		return profile.NewDoc(file, []byte(skill("name: a", "description: Edited.")))
	}
	if r := find(t, "codex").Play(w); r.Skills[0].Description != "Edited." {
		t.Errorf("got %+v", r.Skills[0])
	}
}
