package profile

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Workspace is what clients are played on. It keeps the documents it read, so
// that several clients share them; it is not safe for concurrent use.
type Workspace struct {
	Tree Tree
	Root string // the project root: the folder with .git, else the folder given
	Dir  string // where the client is started, in or below Root; empty is Root
	Home string // the user's home folder; empty leaves user skills out

	// Folders are played like a project root of every client: they hold skills
	// that lie in no folder a client owns.
	Folders []string
	// OnlyFolders leaves the clients' own roots out.
	OnlyFolders bool

	// NoListing leaves Result.Listing empty, for those who want the outcomes.
	NoListing bool

	// Open gives the Doc of a file, for files that are edited or already read;
	// nil reads them from the Tree. A nil Doc is a file that cannot be read.
	Open func(file string) *Doc

	// Loaded gives what a client loaded of a file already, which is used up;
	// nil, or a nil Play, loads it.
	Loaded func(p *Profile, file string) *Play

	docs map[string]*Doc
}

// Folder is a root resolved on a workspace.
type Folder struct {
	Path  string
	Scope string
	Gate  string // what must hold before the client reads it, as words
	Walk  Walk
	root  int // index into Discovery.Roots
}

// candidate is a file that may be a skill.
type candidate struct {
	found
	scope  string
	folder int    // index into the folders walked
	rel    string // path below that folder
	// beforeOwn: the folder stands before that of the client's bundled skills
	beforeOwn bool
}

// found is a file a walk found.
type found struct {
	file string
	real string // its folder without symbolic links
	flat bool
}

// Roots resolves the folders the client reads on a workspace, in its order.
// Folders that do not exist are left out.
func (p *Profile) Roots(w *Workspace) []Folder {
	var out []Folder
	groups := map[string]bool{}
	if !w.OnlyFolders {
		for i, r := range p.Discovery.Roots {
			if r.Group != "" && groups[r.Group] {
				continue
			}
			found := p.resolve(w, i)
			if r.Group != "" && len(found) > 0 {
				groups[r.Group] = true
			}
			out = append(out, found...)
		}
	}
	for _, dir := range w.Folders {
		out = append(out, Folder{Path: path.Clean(dir), Scope: "project", Walk: p.Discovery.Walk, root: len(p.Discovery.Roots)})
	}
	return distinct(out)
}

func (p *Profile) resolve(w *Workspace, root int) []Folder {
	walk, r := p.Discovery.Walk, p.Discovery.Roots[root]
	if r.Flat != nil {
		walk.Flat = *r.Flat
	}
	if r.Below != nil {
		walk.FlatBelow = *r.Below
	}
	var out []Folder
	for _, base := range w.bases(r.Base) {
		dir := path.Join(base, r.Path)
		if info, err := w.Tree.Stat(dir); err == nil && info.IsDir() {
			out = append(out, Folder{Path: dir, Scope: r.Scope, Gate: r.Gate, Walk: walk, root: root})
		}
	}
	return out
}

// bases lists the folders a root's path may start from, nearest first.
func (w *Workspace) bases(base string) []string {
	dir := w.Dir
	if dir == "" {
		dir = w.Root
	}
	switch base {
	case "root":
		return []string{w.Root}
	case "cwd":
		return []string{dir}
	case "ancestors":
		return ancestors(dir, w.Root)
	case "trail":
		down := ancestors(dir, w.Root)
		slices.Reverse(down)
		return down
	case "home":
		if w.Home != "" {
			return []string{w.Home}
		}
	case "abs":
		if w.Home != "" { // machine-wide folders belong to the machine the user sits at
			return []string{"/"}
		}
	}
	return nil
}

func ancestors(dir, root string) []string {
	out := []string{dir}
	for dir != root && dir != path.Dir(dir) {
		dir = path.Dir(dir)
		out = append(out, dir)
	}
	return out
}

func distinct(folders []Folder) []Folder {
	seen := map[string]bool{}
	return slices.DeleteFunc(folders, func(f Folder) bool {
		dup := seen[f.Path]
		seen[f.Path] = true
		return dup
	})
}

// walker searches one root.
type walker struct {
	Walk
	w      *Workspace
	dirs   int
	seen   map[string]bool // folders without links, against cycles
	found  []found
	flats  []found
	ignore []ignoreRule
}

func (w *Workspace) walk(f Folder) *walker {
	k := &walker{Walk: f.Walk, w: w, seen: map[string]bool{}}
	if real, err := w.Tree.Resolve(f.Path); err == nil {
		k.dir(f.Path, real, 0, false)
	}
	return k
}

// dir searches a folder that lies depth levels below the root; real is its
// path without symbolic links, which may form cycles. Of a leaf only the folder
// itself is looked at.
func (k *walker) dir(dir, real string, depth int, leaf bool) {
	if k.MaxDirs > 0 && k.dirs >= k.MaxDirs || k.seen[real] {
		return
	}
	k.dirs++
	k.seen[real] = true
	entries, err := k.w.Tree.ReadDir(dir)
	if err != nil {
		return // a folder that cannot be read holds nothing a client finds
	}
	if k.Reverse {
		entries = slices.Clone(entries)
		slices.Reverse(entries)
	}
	k.readIgnore(dir, entries)
	if (depth > 0 || k.RootSkill) && k.take(dir, real, entries) && k.Stop {
		return
	}
	if depth == 0 && k.Flat || depth > 0 && k.FlatBelow {
		k.flat(dir, real, entries, depth)
	}
	if leaf || k.Depth > 0 && depth >= k.Depth {
		return
	}
	for _, e := range entries {
		if k.isFolder(dir, e) && !k.ignored(dir, e.Name(), true) {
			if passed := k.passes(e.Name()); !passed || k.Leaves {
				k.child(dir, real, e, depth+1, passed)
			}
		}
	}
}

// child searches a folder in dir, or what a link in dir stands for.
func (k *walker) child(dir, real string, e fs.DirEntry, depth int, leaf bool) {
	sub := below(dir, e)
	target := sub
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		var err error
		if target, err = k.w.Tree.Resolve(sub); err != nil {
			return
		}
	case real != dir:
		target = below(real, e)
	}
	k.dir(sub, target, depth, leaf)
}

// below is the path of an entry of a folder, whose own path is clean.
func below(dir string, e fs.DirEntry) string {
	if dir == "." || dir == "/" {
		return path.Join(dir, e.Name())
	}
	return dir + "/" + e.Name() // Join would look for dots on each of many thousand paths
}

// take adds the folder's skill file and reports whether there is one.
func (k *walker) take(dir, real string, entries []fs.DirEntry) bool {
	for _, e := range entries {
		if e.Name() != "SKILL.md" && !(k.Fold && strings.EqualFold(e.Name(), "SKILL.md")) {
			continue
		}
		if k.isFile(dir, e) && !k.ignored(dir, e.Name(), false) {
			k.found = append(k.found, found{file: below(dir, e), real: real})
			return true
		}
	}
	return false
}

func (k *walker) isFile(dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.Type().IsRegular()
	}
	if !k.FileLinks {
		return false
	}
	info, err := k.w.Tree.Stat(path.Join(dir, e.Name()))
	return err == nil && info.Mode().IsRegular()
}

func (k *walker) flat(dir, real string, entries []fs.DirEntry, depth int) {
	for _, e := range entries {
		name := e.Name()
		switch {
		case path.Ext(name) != ".md", depth == 0 && strings.EqualFold(name, "SKILL.md"), !k.isFile(dir, e), k.ignored(dir, name, false):
		case k.FlatBelow && strings.HasPrefix(name, "."):
		case k.FlatYields && k.isSkill(path.Join(dir, base(name))):
		default:
			k.flats = append(k.flats, found{path.Join(dir, name), path.Join(real, name), true})
		}
	}
}

func (k *walker) isSkill(dir string) bool {
	info, err := k.w.Tree.Stat(path.Join(dir, "SKILL.md"))
	return err == nil && info.Mode().IsRegular()
}

// passes reports whether the client passes over folders of that name.
func (k *walker) passes(name string) bool {
	return !k.Hidden && strings.HasPrefix(name, ".") || slices.ContainsFunc(k.Exclude, func(pattern string) bool {
		matched, err := path.Match(pattern, name)
		return err == nil && matched
	})
}

// isFolder reports whether an entry is a folder, or a link to one that the client follows.
func (k *walker) isFolder(dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	if !k.DirLinks {
		return false
	}
	info, err := k.w.Tree.Stat(path.Join(dir, e.Name()))
	return err == nil && info.IsDir()
}

// ignoreRule is one line of an ignore file.
type ignoreRule struct {
	dir     string // where the file lies
	pattern string
	rooted  bool // holds only right in dir
	folder  bool // holds only for folders
	negated bool
}

func (k *walker) readIgnore(dir string, entries []fs.DirEntry) {
	if len(k.IgnoreFiles) == 0 {
		return
	}
	for _, e := range entries {
		if !slices.Contains(k.IgnoreFiles, e.Name()) {
			continue
		}
		src, err := k.w.Tree.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		for line := range bytes.Lines(src) {
			if r, ok := parseIgnore(dir, string(bytes.TrimSpace(line))); ok {
				k.ignore = append(k.ignore, r)
			}
		}
	}
}

func parseIgnore(dir, line string) (ignoreRule, bool) {
	if line == "" || strings.HasPrefix(line, "#") {
		return ignoreRule{}, false
	}
	r := ignoreRule{dir: dir}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.folder = strings.CutSuffix(line, "/")
	r.rooted = strings.Contains(line, "/")
	r.pattern = strings.TrimPrefix(line, "/")
	return r, true
}

func (k *walker) ignored(dir, name string, folder bool) bool {
	ignored := false
	for _, r := range k.ignore {
		if r.matches(path.Join(dir, name), folder) {
			ignored = !r.negated
		}
	}
	return ignored
}

func (r ignoreRule) matches(file string, folder bool) bool {
	if r.folder && !folder {
		return false
	}
	rel, ok := strings.CutPrefix(file, r.dir+"/")
	if !ok {
		return false
	}
	if !r.rooted {
		rel = path.Base(rel)
	}
	matched, err := path.Match(r.pattern, rel)
	return err == nil && matched
}

// candidates lists the skill files the client finds, in the order it meets them.
func (p *Profile) candidates(w *Workspace) []candidate {
	var out []candidate
	for i, f := range p.Roots(w) {
		k := w.walk(f)
		out = slices.Grow(out, len(k.found)+len(k.flats))
		for _, some := range [][]found{k.found, k.flats} {
			for _, found := range some {
				out = append(out, candidate{found, f.Scope, i, strings.TrimPrefix(found.file, f.Path+"/"), p.beforeOwn(f)})
			}
		}
	}
	return p.distinctFolders(out)
}

// distinctFolders keeps one of the candidates that are one folder reached by
// several paths, the one that would win: the other is no skill that is lost.
func (p *Profile) distinctFolders(all []candidate) []candidate {
	if p.Dedupe.Key == "" || p.Dedupe.Key == "none" {
		return all
	}
	kept := make(map[string]int, len(all))
	for i, c := range all {
		if _, dup := kept[c.real]; !dup || p.Dedupe.Winner == "last" {
			kept[c.real] = i
		}
	}
	if len(kept) == len(all) {
		return all
	}
	var out []candidate
	for i, c := range all {
		if kept[c.real] == i {
			out = append(out, c)
		}
	}
	return out
}

// doc reads a file once for all clients.
func (w *Workspace) doc(file string) *Doc {
	if d, ok := w.docs[file]; ok {
		return d
	}
	d := w.open(file)
	if w.docs == nil {
		w.docs = map[string]*Doc{}
	}
	w.docs[file] = d
	return d
}

func (w *Workspace) open(file string) *Doc {
	if w.Open != nil {
		return w.Open(file)
	}
	src, err := w.Tree.ReadFile(file)
	if err != nil {
		return nil
	}
	d := NewDoc(file, src)
	d.Beside = func(name string) ([]byte, error) { return w.Tree.ReadFile(path.Join(path.Dir(file), name)) }
	return d
}
