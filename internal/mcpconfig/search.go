package mcpconfig

import (
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// MaxFileSize is the size in bytes from which a configuration is not read. Those of users, which hold the state of
// a client too, have a few megabytes.
const MaxFileSize = 16 << 20

// Search collects the configuration files in the folders that a walk shows it. The zero value is ready for use.
type Search struct {
	Home string // absolute path of the user's own folder, "" when there is none

	mu    sync.Mutex
	found map[string]Place // by absolute path
}

// Visit looks at one folder. It may be called by several goroutines at once.
func (s *Search) Visit(f skills.Folder) {
	for _, e := range f.Entries {
		if e.IsDir() || !MayBe(e.Name()) {
			continue
		}
		abs := filepath.Join(f.Abs, e.Name())
		if format := Match(abs); format != nil && format.Searched() {
			s.add(abs, Place{Ignored: f.Ignored(e.Name()), Plugin: isPlugin(f.Entries), Home: s.atHome(format, abs)})
		}
	}
}

// atHome reports whether a file that a project may have lies where it holds for all projects of the user.
func (s *Search) atHome(format *Format, abs string) bool {
	return s.Home != "" && format != nil && format.project(abs) == filepath.Clean(s.Home)
}

func isPlugin(entries []fs.DirEntry) bool {
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".claude-plugin" })
}

func (s *Search) add(abs string, place Place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found == nil {
		s.found = map[string]Place{}
	}
	s.found[abs] = place
}

// Name adds a file that the user named, and reports whether it is a configuration.
func (s *Search) Name(fsys skills.FS, abs string) bool {
	if info, err := fsys.Stat(abs); err != nil || info.IsDir() {
		return false // most that users name are folders: what lies beside them does not matter
	}
	place := Place{Named: true, Home: s.atHome(Match(abs), abs)}
	if entries, err := fsys.ReadDir(filepath.Dir(abs)); err == nil {
		place.Plugin = isPlugin(entries)
	}
	if readFile(fsys, "", abs, place) == nil {
		return false
	}
	s.add(abs, place)
	return true
}

// Keep drops the files for which keep, given the absolute path, is false.
func (s *Search) Keep(keep func(abs string) bool) {
	for abs := range s.found {
		if !keep(abs) {
			delete(s.found, abs)
		}
	}
}

// Paths returns the absolute paths of what was found, sorted. What the files hold may speak against them.
func (s *Search) Paths() []string {
	out := make([]string, 0, len(s.found))
	for abs := range s.found {
		out = append(out, abs)
	}
	slices.Sort(out)
	return out
}

// Files reads what was found, sorted by path. base is what shown paths are relative to. A file that cannot be
// read, or is no configuration by its content, is left out.
func (s *Search) Files(fsys skills.FS, base string) []*File {
	var out []*File
	for _, abs := range s.Paths() {
		if f := readFile(fsys, base, abs, s.found[abs]); f != nil {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *File) int { return cmp.Compare(a.Doc.Path, b.Doc.Path) })
	return out
}

func readFile(fsys skills.FS, base, abs string, place Place) *File {
	info, err := fsys.Stat(abs)
	if err != nil || !info.Mode().IsRegular() || info.Size() > MaxFileSize {
		return nil
	}
	raw, err := fsys.ReadFile(abs)
	if err != nil {
		return nil
	}
	shown, err := filepath.Rel(base, abs)
	if err != nil {
		shown = abs
	}
	return Parse(skills.NewDocument(filepath.ToSlash(shown), abs, string(raw)), place)
}
