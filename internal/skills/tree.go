package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Tree looks single files up and remembers what folders hold, so that asking again costs nothing. Names
// count in their exact case, whatever the file system does. It may be used by several goroutines at once.
type Tree struct {
	fs  FS
	top string // absolute
	*folders
	texts *sync.Map        // absolute path -> *Document
	read  func(abs string) // is told of every file whose text is asked for; nil tells nobody
}

// folders is what a tree remembers of folders, whatever the texts in them.
type folders struct {
	lists sync.Map // absolute path -> *listing
	roots sync.Map // absolute path -> string
}

// listing is what a folder holds, sorted.
type listing struct {
	known bool // the folder could be read
	names []string
}

func (l *listing) has(name string) bool {
	_, found := slices.BinarySearch(l.names, name)
	return found
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
	if _, err := t.fs.Stat(abs); err != nil {
		return false
	}
	rel, err := filepath.Rel(from, abs)
	if err != nil || rel == "." {
		return err == nil
	}
	dir := from
	for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
		if part == ".." {
			dir = filepath.Dir(dir)
			continue
		}
		if l := t.list(dir); l.known && !l.has(part) {
			return false
		}
		dir = filepath.Join(dir, part)
	}
	return true
}

// OtherCase returns the absolute path of what lies at abs when case does not matter, or "". Only the last
// name may differ.
func (t *Tree) OtherCase(abs string) string {
	dir, name := filepath.Split(abs)
	for _, other := range t.list(filepath.Clean(dir)).names {
		if other != name && strings.EqualFold(other, name) {
			return filepath.Join(dir, other)
		}
	}
	return ""
}

// Names returns the names of what a folder holds, sorted.
func (t *Tree) Names(dir string) []string { return t.list(dir).names }

// Top returns the absolute path of the folder that the tree was made for.
func (t *Tree) Top() string { return t.top }

func (t *Tree) list(dir string) *listing {
	if l, ok := t.lists.Load(dir); ok {
		return l.(*listing)
	}
	l := &listing{}
	if entries, err := t.fs.ReadDir(dir); err == nil {
		l.known, l.names = true, make([]string, len(entries))
		for i, e := range entries {
			l.names[i] = e.Name()
		}
		slices.Sort(l.names)
	}
	t.lists.Store(dir, l)
	return l
}

// Root returns the root of the project that a folder lies in: the nearest folder at or above it with a
// ".git", else the top of the tree when the folder lies below it, else "".
func (t *Tree) Root(dir string) string {
	if r, ok := t.roots.Load(dir); ok {
		return r.(string)
	}
	root := ""
	if _, err := t.fs.Stat(filepath.Join(dir, ".git")); err == nil {
		root = dir
	} else if up := filepath.Dir(dir); up != dir {
		root = t.Root(up)
	}
	if root == "" && dir == t.top {
		root = dir
	}
	t.roots.Store(dir, root)
	return root
}

// PluginRoot returns the nearest folder at or above dir with a .claude-plugin/plugin.json, or "".
func (t *Tree) PluginRoot(dir string) string {
	for {
		if t.list(dir).has(".claude-plugin") && t.list(filepath.Join(dir, ".claude-plugin")).has("plugin.json") {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// RealPath returns a path with all symbolic links followed.
func (t *Tree) RealPath(abs string) (string, error) { return t.fs.RealPath(abs) }

// Mode returns the mode of the file that a path leads to.
func (t *Tree) Mode(abs string) (fs.FileMode, error) {
	info, err := t.fs.Stat(abs)
	if err != nil {
		return 0, err
	}
	return info.Mode(), nil
}

// Document reads a file of at most 1 MB. shown is the path that findings name it by.
func (t *Tree) Document(shown, abs string) (*Document, error) {
	if t.read != nil {
		t.read(abs)
	}
	if d, ok := t.texts.Load(abs); ok {
		return d.(*Document), nil
	}
	info, err := t.fs.Stat(abs)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case info.Size() > maxReferenceSize:
		return nil, fmt.Errorf("has %d bytes; more than %d are not read", info.Size(), maxReferenceSize)
	}
	raw, err := t.fs.ReadFile(abs)
	if err != nil {
		return nil, err
	}
	return NewDocument(shown, abs, string(raw)), nil
}

// Keep makes Document return d again, without reading: findings on it will be asked about.
func (t *Tree) Keep(d *Document) { t.texts.Store(d.Abs, d) }

// Kept returns the document that was kept under an absolute path, or nil.
func (t *Tree) Kept(abs string) *Document {
	if d, ok := t.texts.Load(abs); ok {
		return d.(*Document)
	}
	return nil
}
