package agentsim

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// setting is a client played on the skills of an input.
type setting struct {
	result *profile.Result
	root   string // the project's
	notes  []string
}

// set plays the client, on skills alone or in the folder it is started in.
func set(ctx context.Context, in *Input) (*setting, error) {
	tree := diskTree{in.FS}
	if slices.ContainsFunc(in.Paths, func(p string) bool { return !isSkill(tree, p) }) || len(in.Paths) == 0 {
		if len(in.Paths) != 1 {
			return nil, errors.New("give one folder, or skills only")
		}
		return setFolder(ctx, in, slashed(in.Paths[0]))
	}
	paths := slices.Clone(in.Paths)
	for _, g := range in.Groups {
		if g.Active {
			paths = append(paths, g.Paths...)
		}
	}
	return setSkills(in, paths), nil
}

func slashed(p string) string { return filepath.ToSlash(p) }

// isSkill reports whether a path is a SKILL.md or a folder that has one.
func isSkill(tree profile.Tree, p string) bool {
	p = slashed(p)
	info, err := tree.Stat(p)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		return skills.IsSkillFile(path.Base(p))
	}
	_, ok := skillFile(tree, p)
	return ok
}

func skillFile(tree profile.Tree, dir string) (string, bool) {
	entries, err := tree.ReadDir(dir)
	if err != nil {
		return "", false
	}
	i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() && skills.IsSkillFile(e.Name()) })
	if i < 0 {
		return "", false
	}
	return path.Join(dir, entries[i].Name()), true
}

// setSkills plays the client as if it read the folders that the skills lie in, and nothing else lay there. A
// program that registers skills one by one does so in their order.
func setSkills(in *Input, paths []string) *setting {
	only := chosen{diskTree{in.FS}, map[string]bool{}}
	w := &profile.Workspace{Tree: only, OnlyFolders: true}
	for _, p := range paths {
		dir := slashed(p)
		if skills.IsSkillFile(path.Base(dir)) {
			dir = path.Dir(dir)
		}
		only.dirs[dir] = true
		if in.Profile.Kind != "sdk" || !in.Profile.Discovery.RootSkill {
			dir = path.Dir(dir)
		}
		if !slices.Contains(w.Folders, dir) {
			w.Folders = append(w.Folders, dir)
		}
	}
	w.Root = w.Folders[0]
	return &setting{result: in.Profile.Play(w), root: w.Root}
}

// chosen is a tree with no other folders of skills than those chosen.
type chosen struct {
	diskTree
	dirs map[string]bool
}

func (c chosen) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := c.diskTree.ReadDir(name)
	if err != nil || c.inside(name) {
		return entries, err
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e fs.DirEntry) bool { return !c.dirs[path.Join(name, e.Name())] }), nil
}

func (c chosen) inside(name string) bool {
	for dir := range c.dirs {
		if name == dir || strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// setFolder plays the client as it is started in a folder. Skills in folders that no client owns are shown when
// it finds none in its own: a collection of skills is no project.
func setFolder(ctx context.Context, in *Input, dir string) (*setting, error) {
	tree := diskTree{in.FS}
	if _, err := tree.ReadDir(dir); err != nil {
		return nil, fmt.Errorf("read the folder to simulate: %w", err)
	}
	w := &profile.Workspace{Tree: tree, Root: projectRoot(tree, dir), Dir: dir, Home: slashed(in.Home), Loaded: in.Loaded}
	if brand, project := within(dir); brand != "" && in.Profile.Reads(brand) {
		w.Root, w.Dir = project, project
	} else if brand != "" {
		w.OnlyFolders, w.Folders = true, []string{dir}
	}
	r := in.Profile.Play(w)
	all, err := in.skillsIn(ctx, dir)
	if err != nil {
		return nil, err
	}
	free := unowned(all)
	st := &setting{root: w.Root}
	if len(r.Skills) == 0 && len(free) > 0 {
		w.Folders = append(w.Folders, free...)
		r = in.Profile.Play(w)
	}
	st.result = r
	st.noteUnread(in.Profile, dir, all, r)
	return st, nil
}

// skillsIn returns the skills that lie in the folder of the input, whoever reads them.
func (in *Input) skillsIn(ctx context.Context, dir string) ([]*skills.Skill, error) {
	if in.Skills != nil {
		return in.Skills, nil
	}
	all, err := (&skills.LocalLoader{FS: in.FS, Base: filepath.FromSlash(dir), Paths: []string{filepath.FromSlash(dir)}}).List(ctx)
	if err != nil {
		return nil, fmt.Errorf("find skills: %w", err)
	}
	return all, nil
}

// unowned returns the folders of skills that no client owns.
func unowned(all []*skills.Skill) []string {
	var out []string
	for _, s := range all {
		if s.Brand != "" || s.Layout == skills.Flat || s.Parent != "" || s.Fragment() {
			continue
		}
		if dir := path.Dir(path.Dir(slashed(s.Doc.Abs))); !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// noteUnread tells of skills that lie where the client does not look.
func (st *setting) noteUnread(p *profile.Profile, base string, all []*skills.Skill, r *profile.Result) {
	seen := map[string]bool{}
	for _, o := range r.Skills {
		seen[o.File] = true
	}
	var where []string
	n := 0
	for _, s := range all {
		if seen[slashed(s.Doc.Abs)] || s.Layout == skills.Flat || s.Fragment() {
			continue
		}
		n++
		if dir := below(base, path.Dir(path.Dir(slashed(s.Doc.Abs)))); !slices.Contains(where, dir) {
			where = append(where, dir)
		}
	}
	const most = 3
	if n == 0 {
		return
	}
	if len(where) > most {
		where = append(where[:most], "…")
	}
	st.notes = append(st.notes, fmt.Sprintf("%s does not look where %s, in %s.", p.Label, lie(n), strings.Join(where, ", ")))
}

// below returns a path as seen from a folder. Both are absolute, with slashes.
func below(base, p string) string {
	rel, err := filepath.Rel(filepath.FromSlash(base), filepath.FromSlash(p))
	if err != nil {
		return p // another drive
	}
	return slashed(rel)
}

func lie(n int) string {
	if n == 1 {
		return "1 skill lies"
	}
	return fmt.Sprintf("%d skills lie", n)
}

// within returns the agent's own folder of skills that a folder is or lies in, and the project that it lies in.
func within(dir string) (brand, project string) {
	up := dir
	for path.Dir(up) != up {
		parent := path.Dir(up)
		if path.Base(up) == "skills" && skills.IsBrand(path.Base(parent)) {
			return up, path.Dir(parent)
		}
		up = parent
	}
	return "", ""
}

// projectRoot is the nearest folder upward with a .git, else the folder itself.
func projectRoot(tree profile.Tree, dir string) string {
	for up := dir; ; up = path.Dir(up) {
		if _, err := tree.Stat(path.Join(up, ".git")); err == nil {
			return up
		}
		if path.Dir(up) == up {
			return dir
		}
	}
}

// diskTree shows a file system of the operating system's paths to clients, whose paths have slashes.
type diskTree struct{ fs skills.FS }

func (t diskTree) ReadFile(name string) ([]byte, error) {
	return t.fs.ReadFile(filepath.FromSlash(name))
}

func (t diskTree) ReadDir(name string) ([]fs.DirEntry, error) {
	return t.fs.ReadDir(filepath.FromSlash(name))
}

func (t diskTree) Stat(name string) (fs.FileInfo, error) { return t.fs.Stat(filepath.FromSlash(name)) }

func (t diskTree) Resolve(name string) (string, error) {
	real, err := t.fs.RealPath(filepath.FromSlash(name))
	return slashed(real), err
}
