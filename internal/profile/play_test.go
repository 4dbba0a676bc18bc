package profile_test

import (
	"fmt"
	"io/fs"
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
