package workspace

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// Overlay is a file system with some texts laid over another one: fixes not written yet, standard input, or
// an editor's unsaved files. It never changes.
type Overlay struct {
	skills.FS
	texts map[string]string // by absolute path
}

// NewOverlay lays texts, by absolute path, over a file system. A file that is not there below appears,
// and so do the folders it lies in.
func NewOverlay(under skills.FS, texts map[string]string) *Overlay {
	clean := make(map[string]string, len(texts))
	for name, text := range texts {
		clean[filepath.Clean(name)] = text
	}
	return &Overlay{under, clean}
}

// With returns an overlay that has more texts, which win over those of o.
func (o *Overlay) With(texts map[string]string) *Overlay {
	next := &Overlay{o.FS, maps.Clone(o.texts)}
	for name, text := range texts {
		next.texts[filepath.Clean(name)] = text
	}
	return next
}

// Without returns an overlay without the text of one file: what lies below shows again.
func (o *Overlay) Without(name string) *Overlay {
	next := &Overlay{o.FS, maps.Clone(o.texts)}
	delete(next.texts, filepath.Clean(name))
	return next
}

// ReadFile implements skills.FS.
func (o *Overlay) ReadFile(name string) ([]byte, error) {
	if text, ok := o.texts[filepath.Clean(name)]; ok {
		return []byte(text), nil
	}
	return o.FS.ReadFile(name)
}

// ReadHead reads the start of a file; see skills.ReadHead.
func (o *Overlay) ReadHead(name string, n int) ([]byte, error) {
	if text, ok := o.texts[filepath.Clean(name)]; ok {
		return []byte(text[:min(n, len(text))]), nil
	}
	return skills.ReadHead(o.FS, name, n)
}

// Stat implements skills.FS.
func (o *Overlay) Stat(name string) (fs.FileInfo, error) {
	name = filepath.Clean(name)
	info, err := o.FS.Stat(name)
	if text, ok := o.texts[name]; ok {
		e := entry{name: filepath.Base(name), size: int64(len(text)), mode: 0o644}
		if err == nil {
			e.mode, e.time = info.Mode(), info.ModTime()
		}
		return e, nil
	}
	if err != nil && len(o.below(name)) > 0 {
		return entry{name: filepath.Base(name), mode: fs.ModeDir | 0o755}, nil
	}
	return info, err
}

// ReadDir implements skills.FS.
func (o *Overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := o.FS.ReadDir(name)
	added := o.below(filepath.Clean(name))
	if err != nil && len(added) == 0 {
		return nil, err
	}
	for _, e := range added {
		if !slices.ContainsFunc(entries, func(have fs.DirEntry) bool { return have.Name() == e.Name() }) {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// RealPath implements skills.FS. A file that lies only in the overlay is where its folder is.
func (o *Overlay) RealPath(name string) (string, error) {
	real, err := o.FS.RealPath(name)
	if err == nil {
		return real, nil
	}
	if _, statErr := o.Stat(name); statErr != nil {
		return "", err
	}
	up := filepath.Dir(name)
	if up == name { // nothing lies below the overlay
		return name, nil
	}
	dir, dirErr := o.RealPath(up)
	if dirErr != nil {
		return "", dirErr
	}
	return filepath.Join(dir, filepath.Base(name)), nil
}

// below returns the entries that the overlay's texts give a folder.
func (o *Overlay) below(dir string) []entry {
	prefix := strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	var out []entry
	for name, text := range o.texts {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		e := entry{name: rest, size: int64(len(text)), mode: 0o644}
		if sub, _, deeper := strings.Cut(rest, string(filepath.Separator)); deeper {
			e = entry{name: sub, mode: fs.ModeDir | 0o755}
		}
		out = append(out, e)
	}
	return out
}

// entry describes a file or folder that is in an overlay only.
type entry struct {
	name string
	size int64
	mode fs.FileMode
	time time.Time
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return e.size }
func (e entry) Mode() fs.FileMode          { return e.mode }
func (e entry) Type() fs.FileMode          { return e.mode.Type() }
func (e entry) ModTime() time.Time         { return e.time }
func (e entry) IsDir() bool                { return e.mode.IsDir() }
func (e entry) Sys() any                   { return nil }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
