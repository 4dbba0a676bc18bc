package skills

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// candidate is a file that may be a skill.
type candidate struct {
	abs     string
	layout  Layout
	named   bool // the user named the file itself
	regular bool // by what its folder lists: no link, no pipe
	astray  bool // its folder is a symbolic link that leads nowhere
	linked  bool // reached through a symbolic link to a folder
	files   []File
}

// folder is one folder the walk has seen.
type folder struct {
	abs     string
	links   int // how many symbolic links were followed to reach it
	entries []fs.DirEntry
}

// Folder is a folder that the search goes through.
type Folder struct {
	Abs     string
	Entries []fs.DirEntry
	ignore  *ignoreFile
}

// Ignored reports whether Git leaves out an entry of the folder, or the folder itself. An agent's own folder is
// searched even so.
func (f Folder) Ignored(name string) bool {
	if f.ignore == nil {
		return false
	}
	if f.ignore.ignored(filepath.Join(f.Abs, name), false) {
		return true
	}
	top := f.ignore
	for top.parent != nil {
		top = top.parent
	}
	for dir := f.Abs; len(dir) > len(top.dir); dir = filepath.Dir(dir) {
		if f.ignore.ignored(dir, true) {
			return true
		}
	}
	return false
}

// maxLinks is how many symbolic links to folders are followed one behind the other. A link into a folder of
// links is seen in practice; more would only make loops longer.
const maxLinks = 2

// walker searches folders in parallel.
type walker struct {
	loader *LocalLoader
	group  *errgroup.Group
	mu     sync.Mutex
	dirs   map[string]*folder // by absolute path
	named  map[string]bool
}

func newWalker(l *LocalLoader) *walker {
	g := new(errgroup.Group)
	g.SetLimit(l.workers())
	return &walker{loader: l, group: g, dirs: map[string]*folder{}, named: map[string]bool{}}
}

// start begins the search at a path the user named.
func (w *walker) start(ctx context.Context, abs string) error {
	info, err := w.loader.FS.Stat(abs)
	if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := w.loader.FS.ReadDir(abs)
		if err != nil {
			return err
		}
		w.walk(ctx, abs, 0, ignoreAbove(w.loader.FS, abs), entries)
		return nil
	}
	dir := filepath.Dir(abs)
	if !IsSkillFile(filepath.Base(abs)) {
		skill := w.owner(dir)
		if skill == "" && filepath.Ext(abs) != ".md" {
			return fmt.Errorf("%s: %w", relPath(w.loader.Base, abs), ErrNoSkill)
		}
		if skill != "" {
			abs, dir = skill, filepath.Dir(skill)
		}
	}
	w.named[abs] = true
	entries, err := w.loader.FS.ReadDir(dir)
	if err != nil {
		return err
	}
	w.walk(ctx, dir, 0, nil, entries)
	return nil
}

// owner returns the SKILL.md of the nearest skill folder at or above dir, or "".
func (w *walker) owner(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, FileName)
		if _, err := w.loader.FS.Stat(file); err == nil {
			return file
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}

func (w *walker) wait() error { return w.group.Wait() }

// walk records a folder and goes into those below it, in a goroutine of their own while there is room.
func (w *walker) walk(ctx context.Context, abs string, links int, ignore *ignoreFile, entries []fs.DirEntry) {
	if !w.record(abs, links, entries) {
		return
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }) {
		ignore = ignoreIn(w.loader.FS, abs, ignore)
	}
	if w.loader.Visit != nil {
		w.loader.Visit(Folder{abs, entries, ignore})
	}
	for _, e := range entries {
		child := entryPath(abs, e.Name())
		isLink := e.Type()&fs.ModeSymlink != 0
		if !e.IsDir() && !(isLink && links < maxLinks && w.follows(child)) || w.prunes(child, ignore) {
			continue
		}
		links := links
		if isLink {
			links++
		}
		down := func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			below, err := w.loader.FS.ReadDir(child)
			if err != nil {
				return nil //nolint:nilerr // a folder that may not be read hides what is in it, and no more
			}
			w.walk(ctx, child, links, ignore, below)
			return nil
		}
		if !w.group.TryGo(down) && down() != nil {
			return
		}
	}
}

func (w *walker) record(abs string, links int, entries []fs.DirEntry) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dirs[abs] != nil {
		return false
	}
	w.dirs[abs] = &folder{abs, links, entries}
	return true
}

// follows decides on a symbolic link. Only links where skills are looked for are followed, and none that
// leads back to a folder above itself.
func (w *walker) follows(link string) bool {
	if !inBrand(link) && filepath.Base(filepath.Dir(link)) != "skills" {
		return false
	}
	info, err := w.loader.FS.Stat(link)
	if err != nil || !info.IsDir() {
		return false
	}
	target, err := w.loader.FS.RealPath(link)
	if err != nil {
		return false
	}
	here, err := w.loader.FS.RealPath(filepath.Dir(link))
	return err == nil && here != target && !strings.HasPrefix(here, target+string(filepath.Separator))
}

func (w *walker) prunes(abs string, ignore *ignoreFile) bool {
	if skipped(filepath.Base(abs)) {
		return true
	}
	if w.loader.Exclude != nil && w.loader.Exclude(relPath(w.loader.Base, abs)) {
		return true
	}
	return ignore != nil && !inBrand(abs) && ignore.ignored(abs, true)
}

// inBrand reports whether a path is, or lies in, an agent's own folder.
func inBrand(abs string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(abs), "/"), IsBrand)
}

// candidates returns the files that may be skills, each real file once, sorted by path.
func (w *walker) candidates() []candidate {
	dirs := make([]*folder, 0, len(w.dirs))
	for _, d := range w.dirs {
		dirs = append(dirs, d)
	}
	slices.SortFunc(dirs, func(a, b *folder) int { return cmp.Compare(a.abs, b.abs) })
	var out []candidate
	for _, d := range dirs {
		for _, c := range w.inFolder(d) {
			if w.loader.Exclude == nil || !w.loader.Exclude(relPath(w.loader.Base, c.abs)) {
				out = append(out, c)
			}
		}
	}
	out = w.unique(out)
	var g errgroup.Group
	for some := range slices.Chunk(out, len(out)/w.loader.workers()+1) {
		g.Go(func() error {
			w.addFiles(some)
			return nil
		})
	}
	_ = g.Wait() // nothing fails
	return out
}

// addFiles lists what lies in the folders of skills. The search is over, so that nobody writes what it found.
func (w *walker) addFiles(some []candidate) {
	for i := range some {
		if c := &some[i]; c.layout == InFolder {
			c.files = w.filesBelow(filepath.Dir(c.abs), "")
			slices.SortFunc(c.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
		}
	}
}

// inFolder returns the candidates of one folder: its SKILL.md, or the file that comes nearest to that
// name, and in a folder of skills the Markdown files lying about.
func (w *walker) inFolder(d *folder) []candidate {
	var out []candidate
	exact := slices.ContainsFunc(d.entries, func(e fs.DirEntry) bool { return e.Name() == FileName && !e.IsDir() })
	flat := filepath.Base(d.abs) == "skills"
	inRoot := filepath.Base(filepath.Dir(d.abs)) == "skills"
	anyCase := slices.ContainsFunc(d.entries, func(e fs.DirEntry) bool { return IsSkillFile(e.Name()) })
	for _, e := range d.entries {
		c := candidate{abs: entryPath(d.abs, e.Name()), regular: e.Type().IsRegular(), linked: d.links > 0}
		c.named = w.named[c.abs]
		switch {
		case len(w.named) > 0 && !c.named && w.onlyNamed(d.abs):
		case e.IsDir() && e.Name() != FileName: // a folder of that name is a skill that nobody can read
		case e.Name() == FileName, IsSkillFile(e.Name()) && (!exact || c.named):
			out = append(out, c)
		case (flat || c.named) && filepath.Ext(e.Name()) == ".md" && !IsSkillFile(e.Name()):
			c.layout = Flat
			out = append(out, c)
		case inRoot && !anyCase && IsLikeSkillFile(e.Name()):
			out = append(out, c)
		case flat && w.leadsNowhere(d.abs, e):
			out = append(out, candidate{abs: filepath.Join(c.abs, FileName), astray: true})
		}
	}
	return out
}

// leadsNowhere reports whether an entry of an agent's folder of skills is a symbolic link without a target. Those with a dot
// in front are locks of editors.
func (w *walker) leadsNowhere(dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 || e.Name()[0] == '.' || !IsBrand(filepath.Base(filepath.Dir(dir))) {
		return false
	}
	_, err := w.loader.FS.Stat(filepath.Join(dir, e.Name()))
	return errors.Is(err, fs.ErrNotExist)
}

// onlyNamed reports whether dir was walked only for a file the user named: no folder above it was.
func (w *walker) onlyNamed(dir string) bool {
	return !slices.ContainsFunc(w.loader.Paths, func(p string) bool {
		rel, err := filepath.Rel(p, dir)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	})
}

// unique keeps one candidate of those that are the same file under different paths: one that lies in an
// agent's folder before one that does not, then a real one before a linked one, then the first.
func (w *walker) unique(all []candidate) []candidate {
	if !slices.ContainsFunc(all, func(c candidate) bool { return c.linked }) {
		return all
	}
	rank := func(c candidate) int {
		r := 0
		if !inBrand(c.abs) {
			r += 2
		}
		if c.linked {
			r++
		}
		return r
	}
	best := map[string]int{}
	keys := make([]string, len(all))
	for i, c := range all {
		key, err := w.loader.FS.RealPath(c.abs)
		if err != nil {
			key = c.abs
		}
		keys[i] = key
		if j, ok := best[key]; !ok || rank(c) < rank(all[j]) {
			best[key] = i
		}
	}
	var out []candidate
	for i, c := range all {
		if best[keys[i]] == i {
			out = append(out, c)
		}
	}
	return out
}

// filesBelow lists the files the walk saw at and below dir.
func (w *walker) filesBelow(dir, prefix string) []File {
	d := w.dirs[dir]
	if d == nil {
		return nil
	}
	files := make([]File, 0, len(d.entries))
	for _, e := range d.entries {
		rel := path.Join(prefix, e.Name())
		if sub := entryPath(dir, e.Name()); w.dirs[sub] != nil {
			files = append(files, w.filesBelow(sub, rel)...)
		} else if !e.IsDir() {
			files = append(files, File{Path: rel, Symlink: e.Type()&fs.ModeSymlink != 0})
		}
	}
	return files
}
