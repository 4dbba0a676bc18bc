package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Tree looks single files up and remembers what folders hold, so that asking again costs nothing. Names
// count in their exact case, whatever the file system does. It may be used by several goroutines at once.
type Tree struct {
	fs  FS
	top string // absolute
	*folders
	texts   *sync.Map        // absolute path -> *Document
	read    func(abs string) // is told of every file whose text is asked for; nil tells nobody
	witness Witness          // is told of everything that is asked; nil tells nobody
}

// folders is what a tree remembers of folders, whatever the texts in them.
type folders struct {
	lists   sync.Map // absolute path -> listing
	roots   sync.Map // absolute path -> string
	plugins sync.Map // absolute path -> string
}

// listing is what a folder holds, sorted by name; nil when the folder could not be read.
type listing []fs.DirEntry

func byName(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) }

// find returns the entry of a name, or nil.
func (l listing) find(name string) fs.DirEntry {
	if i, found := slices.BinarySearchFunc(l, name, byName); found {
		return l[i]
	}
	return nil
}

// NewTree returns a tree over a file system. top is the absolute path of the folder that stands for the root
// of a project where nothing else does.
func NewTree(fsys FS, top string) *Tree {
	return &Tree{fs: fsys, top: top, folders: &folders{}, texts: &sync.Map{}}
}

// WithTexts returns a tree over a file system that differs from that of t in the texts of files alone: what
// folders hold need not be asked again.
func (t *Tree) WithTexts(fsys FS) *Tree {
	return &Tree{fs: fsys, top: t.top, folders: t.folders, texts: &sync.Map{}}
}

// Tracing returns the same tree, which calls read with the absolute path of each file whose text is asked
// for, there or not.
func (t *Tree) Tracing(read func(abs string)) *Tree {
	traced := *t
	traced.read = read
	return &traced
}

// maxReferenceSize is the size in bytes from which a file that a skill refers to is not read. Agents cut a
// file that they read long before.
const maxReferenceSize = 1 << 20

// Exists reports whether a file or folder lies at an absolute path, in that exact case as far down as the
// path leaves the folder "from". A symbolic link that leads nowhere does not exist.
func (t *Tree) Exists(from, abs string) bool {
	found := t.exists(from, abs)
	t.tell(Query{Kind: queryExists, From: from, Path: abs}, func() string { return strconv.FormatBool(found) })
	return found
}

func (t *Tree) exists(from, abs string) bool {
	rel, below := Below(from, abs)
	if !below {
		var err error
		if rel, err = filepath.Rel(from, abs); err != nil {
			return false
		}
	}
	dir, certain := from, false // that it is there, without asking the file system
	for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
		if part == "." || part == ".." {
			dir, certain = filepath.Join(dir, part), false
			continue
		}
		if !t.holds(dir, part) {
			return false
		}
		l := t.list(dir)
		e := l.find(part)
		if l != nil && e == nil {
			return false // the file system takes another case for the same
		}
		certain = e != nil && (certain || dir == from) && e.Type()&fs.ModeSymlink == 0
		dir = filepath.Join(dir, part)
	}
	if certain {
		return true
	}
	_, err := t.fs.Stat(abs)
	return err == nil
}

// OtherCase returns the absolute path of what lies at abs when case does not matter, or "". Only the last
// name may differ.
func (t *Tree) OtherCase(abs string) string {
	other := t.otherCase(abs)
	t.tell(Query{Kind: queryCase, Path: abs}, func() string { return other })
	return other
}

func (t *Tree) otherCase(abs string) string {
	dir, name := filepath.Split(abs)
	for _, other := range t.list(filepath.Clean(dir)) {
		if other.Name() != name && strings.EqualFold(other.Name(), name) {
			return filepath.Join(dir, other.Name())
		}
	}
	return ""
}

// Names returns the names of what a folder holds, sorted.
func (t *Tree) Names(dir string) []string {
	names := t.names(dir)
	t.tell(Query{Kind: queryNames, Path: dir}, func() string { return namesAnswer(names) })
	return names
}

func (t *Tree) names(dir string) []string {
	var names []string
	for _, e := range t.list(dir) {
		names = append(names, e.Name())
	}
	return names
}

// Entries returns what a folder holds, sorted by name; false for a folder that cannot be read.
func (t *Tree) Entries(dir string) ([]fs.DirEntry, bool) {
	l := t.list(dir)
	return l, l != nil
}

// Saw remembers what a folder holds, for those who read it anyway.
func (t *Tree) Saw(dir string, entries []fs.DirEntry) { t.remember(dir, entries) }

// Top returns the absolute path of the folder that the tree was made for.
func (t *Tree) Top() string { return t.top }

func (t *Tree) list(dir string) listing {
	if l, ok := t.lists.Load(dir); ok {
		return l.(listing)
	}
	entries, err := t.fs.ReadDir(dir)
	if err != nil {
		t.lists.Store(dir, listing(nil))
		return nil
	}
	return t.remember(dir, entries)
}

func (t *Tree) remember(dir string, entries []fs.DirEntry) listing {
	sorted := func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) }
	if !slices.IsSortedFunc(entries, sorted) {
		entries = slices.SortedFunc(slices.Values(entries), sorted)
	}
	l := listing(entries)
	if l == nil {
		l = listing{} // an empty folder, not one that cannot be read
	}
	t.lists.Store(dir, l)
	return l
}

// holds reports whether a folder holds something by a name, without listing it: what lies above a workspace may be large.
func (t *Tree) holds(dir, name string) bool {
	if !t.MayHold(dir, name) {
		return false
	}
	_, err := t.fs.Stat(filepath.Join(dir, name))
	return err == nil
}

// holdsExactly is holds in that exact case.
func (t *Tree) holdsExactly(dir, name string) bool {
	return t.holds(dir, name) && t.list(dir).find(name) != nil
}

// MayHold reports whether a folder may hold something by a name: it is false only when what it holds has been listed.
func (t *Tree) MayHold(dir, name string) bool {
	l, known := t.lists.Load(dir)
	return !known || l.(listing).find(name) != nil
}

// Root returns the root of the project that a folder lies in: the nearest folder at or above it with a
// ".git", else the top of the tree when the folder lies below it, else "".
func (t *Tree) Root(dir string) string {
	root := t.root(dir)
	t.tell(Query{Kind: queryRoot, Path: dir}, func() string { return root })
	return root
}

func (t *Tree) root(dir string) string {
	if r, ok := t.roots.Load(dir); ok {
		return r.(string)
	}
	root := ""
	if t.holds(dir, ".git") {
		root = dir
	} else if up := filepath.Dir(dir); up != dir {
		root = t.root(up)
	}
	if root == "" && dir == t.top {
		root = dir
	}
	t.roots.Store(dir, root)
	return root
}

// PluginRoot returns the nearest folder at or above dir with a .claude-plugin/plugin.json, or "".
func (t *Tree) PluginRoot(dir string) string {
	root := t.pluginRoot(dir)
	t.tell(Query{Kind: queryPlugin, Path: dir}, func() string { return root })
	return root
}

func (t *Tree) pluginRoot(dir string) string {
	if r, ok := t.plugins.Load(dir); ok {
		return r.(string)
	}
	root := ""
	if t.holdsExactly(dir, ".claude-plugin") && t.holdsExactly(filepath.Join(dir, ".claude-plugin"), "plugin.json") {
		root = dir
	} else if up := filepath.Dir(dir); up != dir {
		root = t.pluginRoot(up)
	}
	t.plugins.Store(dir, root)
	return root
}

// RealPath returns a path with all symbolic links followed.
func (t *Tree) RealPath(abs string) (string, error) {
	real, err := t.fs.RealPath(abs)
	t.tell(Query{Kind: queryReal, Path: abs}, func() string { return orError(real, err) })
	return real, err
}

// Mode returns the mode of the file that a path leads to.
func (t *Tree) Mode(abs string) (fs.FileMode, error) {
	mode, err := t.mode(abs)
	t.tell(Query{Kind: queryMode, Path: abs}, func() string { return modeAnswer(mode, err) })
	return mode, err
}

func (t *Tree) mode(abs string) (fs.FileMode, error) {
	info, err := t.fs.Stat(abs)
	if err != nil {
		return 0, err
	}
	return info.Mode(), nil
}

// Head returns the first n bytes of a regular file, or all of it when it has fewer.
func (t *Tree) Head(abs string, n int) ([]byte, error) {
	data, err := t.head(abs, n)
	t.tell(Query{Kind: queryHead, Path: abs, Most: n}, func() string { return headAnswer(data, err) })
	return data, err
}

func (t *Tree) head(abs string, n int) ([]byte, error) {
	if t.read != nil {
		t.read(abs)
	}
	switch mode, err := t.mode(abs); {
	case err != nil:
		return nil, err
	case !mode.IsRegular():
		return nil, errors.New("is not a regular file")
	}
	return ReadHead(t.fs, abs, n)
}

// Document reads a file of at most 1 MB. shown is the path that findings name it by.
func (t *Tree) Document(shown, abs string) (*Document, error) {
	d, err := t.document(shown, abs)
	t.tell(Query{Kind: queryText, Path: abs}, func() string {
		if err != nil {
			return textAnswer("", err)
		}
		return textAnswer(d.Raw, nil)
	})
	return d, err
}

func (t *Tree) document(shown, abs string) (*Document, error) {
	raw, err := t.raw(abs)
	if err != nil {
		return nil, err
	}
	if d := t.Kept(abs); d != nil {
		return d, nil
	}
	return NewDocument(shown, abs, raw), nil
}

// raw returns what the document of a file is made of.
func (t *Tree) raw(abs string) (string, error) {
	if t.read != nil {
		t.read(abs)
	}
	if d := t.Kept(abs); d != nil {
		return d.Raw, nil
	}
	info, err := t.fs.Stat(abs)
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("is not a regular file")
	case info.Size() > maxReferenceSize:
		return "", fmt.Errorf("has %d bytes; more than %d are not read", info.Size(), maxReferenceSize)
	}
	raw, err := t.fs.ReadFile(abs)
	return string(raw), err
}

// Keep makes Document return d again, without reading: findings on it will be asked about.
func (t *Tree) Keep(d *Document) {
	t.texts.Store(d.Abs, d)
	if t.witness != nil {
		t.witness.Kept(d)
	}
}

// Kept returns the document that was kept under an absolute path, or nil.
func (t *Tree) Kept(abs string) *Document {
	if d, ok := t.texts.Load(abs); ok {
		return d.(*Document)
	}
	return nil
}
