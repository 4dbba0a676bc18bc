package playground

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// memory is a file system of texts, without symbolic links. An overlay over nothing would do the same, and look through
// all of its texts for each folder.
type memory struct {
	texts   map[string]string        // by absolute path
	folders map[string][]fs.DirEntry // sorted by name
}

var _ skills.FS = (*memory)(nil)

func newMemory(texts map[string]string) *memory {
	m := &memory{texts, map[string][]fs.DirEntry{Base: nil}}
	for name := range texts {
		m.add(name, entry{name: filepath.Base(name), size: int64(len(texts[name])), mode: 0o644})
	}
	for dir := Base; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		m.add(dir, entry{name: filepath.Base(dir), mode: fs.ModeDir | 0o755})
	}
	for _, entries := range m.folders {
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return m
}

// add puts an entry into its folder, and that into its own when it is new. Where a path has a file for a folder, the file
// is there and the folder, too: nobody can drop such a thing.
func (m *memory) add(name string, e entry) {
	dir := filepath.Dir(name)
	entries, known := m.folders[dir]
	if slices.ContainsFunc(entries, func(have fs.DirEntry) bool { return have.Name() == e.name }) {
		return
	}
	m.folders[dir] = append(entries, e)
	if !known && dir != filepath.Dir(dir) {
		m.add(dir, entry{name: filepath.Base(dir), mode: fs.ModeDir | 0o755})
	}
}

func missing(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

// ReadFile implements skills.FS, as the methods below do.
func (m *memory) ReadFile(name string) ([]byte, error) {
	if text, ok := m.texts[filepath.Clean(name)]; ok {
		return []byte(text), nil
	}
	return nil, missing("open", name)
}

func (m *memory) ReadDir(name string) ([]fs.DirEntry, error) {
	if entries, ok := m.folders[filepath.Clean(name)]; ok {
		return slices.Clone(entries), nil
	}
	return nil, missing("open", name)
}

func (m *memory) Stat(name string) (fs.FileInfo, error) {
	name = filepath.Clean(name)
	if text, ok := m.texts[name]; ok {
		return entry{name: filepath.Base(name), size: int64(len(text)), mode: 0o644}, nil
	}
	if _, ok := m.folders[name]; ok {
		return entry{name: filepath.Base(name), mode: fs.ModeDir | 0o755}, nil
	}
	return nil, missing("stat", name)
}

func (m *memory) RealPath(name string) (string, error) {
	_, err := m.Stat(name)
	return filepath.Clean(name), err
}

// entry describes a file or a folder.
type entry struct {
	name string
	size int64
	mode fs.FileMode
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) Mode() fs.FileMode          { return e.mode }
func (e entry) Type() fs.FileMode          { return e.mode.Type() }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) IsDir() bool                { return e.mode.IsDir() }
func (e entry) Sys() any                   { return nil }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
