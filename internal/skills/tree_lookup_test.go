package skills

import (
	"path/filepath"
	"testing"
)

func TestTreeExists(t *testing.T) {
	dir := plant(t, "-- a/skills/demo/references/Guide.md --\n-- a/docs/x.md --\n-- a/skills/demo/gone.md --\n-> nowhere.md\n")
	tree := NewTree(Disk{}, dir)
	from := filepath.Join(dir, "a", "skills", "demo")
	for rel, want := range map[string]bool{
		".": true, "references": true, "references/Guide.md": true, "../../docs/x.md": true, "../demo/references/Guide.md": true,
		"references/guide.md": false, "References/Guide.md": false, "../../Docs/x.md": false, "references/x.md": false, "gone.md": false,
	} {
		if got := tree.Exists(from, filepath.Join(from, filepath.FromSlash(rel))); got != want {
			t.Errorf("%s exists: %v, want %v", rel, got, want)
		}
	}
	if got := tree.OtherCase(filepath.Join(from, "references", "GUIDE.md")); got != filepath.Join(from, "references", "Guide.md") {
		t.Errorf("another case of GUIDE.md: %q", got)
	}
	if got := tree.OtherCase(filepath.Join(from, "references", "Guide.md")); got != "" {
		t.Errorf("another case of Guide.md: %q", got)
	}
}

func TestTreeRoots(t *testing.T) {
	dir := plant(t, "-- repo/.git/HEAD --\nx\n-- repo/plug/.claude-plugin/plugin.json --\n{}\n-- repo/plug/skills/demo/SKILL.md --\nDEMO\n-- loose/demo/SKILL.md --\nDEMO\n")
	join := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	tree := NewTree(Disk{}, join("loose"))
	for from, want := range map[string]string{
		join("repo", "plug", "skills", "demo"): join("repo"),
		join("loose", "demo"):                  join("loose"),
	} {
		if got := tree.Root(from); got != want {
			t.Errorf("the root of %s is %q, want %q", from, got, want)
		}
	}
	if got := tree.PluginRoot(join("repo", "plug", "skills", "demo")); got != join("repo", "plug") {
		t.Errorf("the root of the plugin is %q", got)
	}
	if got := tree.PluginRoot(join("repo")); got != "" {
		t.Errorf("a repository without a plugin has the plugin root %q", got)
	}
}

func TestHolds(t *testing.T) {
	s := &Skill{Files: []File{{Path: "SKILL.md"}, {Path: "a-b/x.md"}, {Path: "a/b/c.md"}}}
	for rel, want := range map[string]bool{
		"": true, ".": true, "SKILL.md": true, "a": true, "a/": true, "a/b": true, "a/b/c.md": true, "a-b": true,
		"skill.md": false, "a/c.md": false, "b": false, "a/b/c": false,
	} {
		if got := s.Holds(rel); got != want {
			t.Errorf("the skill holds %q: %v, want %v", rel, got, want)
		}
	}
}
