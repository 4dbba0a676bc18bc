package mcpserve

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// roots is the disk as far as an agent may ask about it: what lies outside of some folders is not there, whatever
// symbolic links lead to it.
type roots struct {
	dirs []string // absolute
	real []string // the same with all symbolic links followed
}

func newRoots(dirs []string) (*roots, error) {
	r := &roots{}
	for _, dir := range dirs {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return nil, err
		}
		if info, err := (skills.Disk{}).Stat(real); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder", dir)
		}
		r.dirs, r.real = append(r.dirs, dir), append(r.real, real)
	}
	return r, nil
}

// outsideError is the error for what lies outside. To the engine it is a file that does not exist.
type outsideError struct{}

func (outsideError) Error() string   { return "lies outside the folders that may be asked about" }
func (outsideError) Is(e error) bool { return e == fs.ErrNotExist }

// inside returns where a file really lies.
func (r *roots) inside(op, name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err == nil && slices.ContainsFunc(r.real, func(dir string) bool { return within(dir, real) }) {
		return real, nil
	}
	// What is not there is told apart from what lies outside by its name alone: whether something exists outside is
	// nobody's business.
	if err != nil && slices.ContainsFunc(r.dirs, func(dir string) bool { return within(dir, filepath.Clean(name)) }) {
		return "", err
	}
	return "", &fs.PathError{Op: op, Path: name, Err: outsideError{}}
}

func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// ReadFile implements skills.FS, as the methods below do.
func (r *roots) ReadFile(name string) ([]byte, error) {
	real, err := r.inside("open", name)
	if err != nil {
		return nil, err
	}
	return skills.Disk{}.ReadFile(real)
}

func (r *roots) ReadHead(name string, n int) ([]byte, error) {
	real, err := r.inside("open", name)
	if err != nil {
		return nil, err
	}
	return skills.Disk{}.ReadHead(real, n)
}

func (r *roots) ReadDir(name string) ([]fs.DirEntry, error) {
	real, err := r.inside("open", name)
	if err != nil {
		return nil, err
	}
	return skills.Disk{}.ReadDir(real)
}

func (r *roots) Stat(name string) (fs.FileInfo, error) {
	real, err := r.inside("stat", name)
	if err != nil {
		return nil, err
	}
	return skills.Disk{}.Stat(real)
}

func (r *roots) RealPath(name string) (string, error) { return r.inside("open", name) }
