package playground

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// Files in memory are there, and are not, as those on a disk.
func TestMemoryIsLikeADisk(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for name, text := range map[string]string{"a/b/SKILL.md": "one", "a/b.md": "", "a/b/c/d": "three", "e": "four"} {
		texts[filepath.Join(Base, filepath.FromSlash(name))] = text
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{".", "a", "a/b", "a/b/", "a/./b/c/../SKILL.md", "a/b.md", "a/b/c", "a/b/c/d", "e", "e/f", "x", "a/x", "../y"} {
		got, want := seen(newMemory(texts), Base, name), seen(skills.Disk{}, dir, name)
		if got != want {
			t.Errorf("%s: in memory %+v, on a disk %+v", name, got, want)
		}
	}
}

// look is what a file system tells of a path.
type look struct {
	there, folder bool
	size          int64 // of a file
	text, entries string
	real          string // from the root
}

func seen(fsys skills.FS, root, name string) look {
	abs := root + string(filepath.Separator) + filepath.FromSlash(name)
	var l look
	if info, err := fsys.Stat(abs); err == nil {
		l.there, l.folder = true, info.IsDir()
		if !l.folder {
			l.size = info.Size()
		}
	}
	data, _ := fsys.ReadFile(abs)
	l.text = string(data)
	entries, _ := fsys.ReadDir(abs)
	for _, e := range entries {
		l.entries += fs.FormatDirEntry(e) + "\n"
	}
	if real, err := fsys.RealPath(abs); err == nil {
		l.real, _ = filepath.Rel(root, real)
	}
	return l
}

func TestEmptyFolder(t *testing.T) {
	m := newMemory(nil)
	if info, err := m.Stat(Base); err != nil || !info.IsDir() {
		t.Errorf("the folder itself: %v, %v", info, err)
	}
	if entries, err := m.ReadDir(Base); err != nil || len(entries) > 0 {
		t.Errorf("it holds %v, %v", entries, err)
	}
}
