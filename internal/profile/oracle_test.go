package profile_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// shared returns a folder of the reference material beside the repository, or
// skips the test: the material is not part of the repository.
func shared(t *testing.T, elem ...string) string {
	t.Helper()
	root := os.Getenv("SKILLLINT_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	dir := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no reference material: %v", err)
	}
	return dir
}

type observation struct {
	Client, Version string
	SkillsDir       string `json:"skills_dir"`
	Latest          bool
	Skills          map[string]struct {
		Workspace, Dir, File        string
		Listed                      bool
		Name, Description, Location string
	}
}

func (o observation) spec() string {
	if o.Latest {
		return o.Client
	}
	return o.Client + "@" + o.Version
}

// TestObserved compares every client with what it was seen to put into a
// prompt: whether a skill is listed, its name, description and location.
func TestObserved(t *testing.T) {
	dir := shared(t, "oracle", "skills")
	files, err := filepath.Glob(filepath.Join(dir, "observed", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no observations", err)
	}
	for _, file := range files {
		var o observation
		readJSON(t, file, &o)
		t.Run(o.spec(), func(t *testing.T) { compareObserved(t, dir, o) })
	}
}

func compareObserved(t *testing.T, dir string, o observation) {
	got := map[string]profile.Outcome{}
	p, err := profile.Find(o.spec())
	if err != nil {
		t.Fatal(err)
	}
	workspaces := map[string]bool{}
	for _, s := range o.Skills {
		workspaces[s.Workspace] = true
	}
	for name := range workspaces {
		root := filepath.Join(t.TempDir(), name)
		copyTree(t, filepath.Join(dir, "workspaces", name), root)
		if strings.HasPrefix(o.SkillsDir, ".claude") {
			must(t, os.Rename(filepath.Join(root, ".agents"), filepath.Join(root, ".claude")))
		}
		for _, s := range p.Play(&profile.Workspace{Tree: profile.OS{}, Root: root}).Skills {
			rel, err := filepath.Rel(root, s.File)
			must(t, err)
			s.Location = strings.ReplaceAll(s.Location, root, "$WORKSPACE")
			got[name+"/"+rel] = *s
		}
	}
	agree := 0
	race := o.Client == "opencode" || o.Client == "kilo" // two skills of one name race there
	for id, want := range o.Skills {
		if race && (id == "e01-first" || id == "e02-second") {
			continue
		}
		key := want.Workspace + "/" + filepath.Join(o.SkillsDir, want.Dir, want.File)
		s := got[key]
		same := s.Listed == want.Listed
		if want.Listed {
			same = same && s.Name == want.Name && s.Location == want.Location &&
				strings.Trim(s.Description, "\n") == strings.Trim(want.Description, "\n")
		}
		if same {
			agree++
			continue
		}
		t.Errorf("%s: seen %v %q %q %q\n  ours %v %q %q %q (%s %s: %s)", id,
			want.Listed, want.Name, short(want.Description), want.Location,
			s.Listed, s.Name, short(s.Description), s.Location, s.Stage, s.Check, s.Reason)
	}
	t.Logf("%s: %d of %d agree", o.spec(), agree, len(o.Skills))
}

func short(s string) string {
	if r := []rune(s); len(r) > 80 {
		return fmt.Sprintf("%s…[%d]", string(r[:80]), len(r))
	}
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	src, err := os.ReadFile(file)
	must(t, err)
	must(t, json.Unmarshal(src, into))
}

// copyTree copies a folder and keeps symbolic links as they are.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	must(t, filepath.WalkDir(from, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, file)
		dst := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			return os.MkdirAll(dst, 0o755)
		case e.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(file)
			if err != nil {
				return err
			}
			return os.Symlink(link, dst)
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if isFlattenedLink(file, src) {
			return os.Symlink(string(src), dst)
		}
		return os.WriteFile(dst, src, 0o644)
	}))
}

// isFlattenedLink reports whether a file is a symbolic link written out as
// text, as a checkout without core.symlinks leaves it.
func isFlattenedLink(file string, src []byte) bool {
	if !strings.HasPrefix(string(src), "../") || strings.ContainsAny(string(src), "\n") {
		return false
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(file), string(src)))
	return err == nil
}

func TestNames(t *testing.T) {
	if names := profile.Names(); !slices.IsSorted(names) {
		t.Errorf("names are not sorted: %v", names)
	}
}
