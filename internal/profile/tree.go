package profile

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Tree is the file system a client is played on. Paths are absolute or
// relative to whatever the Tree stands on; the package only joins names to
// the paths it was given, with "/".
type Tree interface {
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error) // sorted by name
	Stat(name string) (fs.FileInfo, error)      // follows symbolic links
	Resolve(name string) (string, error)        // the path without symbolic links
}

// OS is the Tree of the operating system.
type OS struct{}

// ReadFile reads a file.
func (OS) ReadFile(name string) ([]byte, error) { return os.ReadFile(filepath.FromSlash(name)) }

// ReadDir lists a folder, sorted by name.
func (OS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(filepath.FromSlash(name)) }

// Stat describes a file and follows symbolic links.
func (OS) Stat(name string) (fs.FileInfo, error) { return os.Stat(filepath.FromSlash(name)) }

// Resolve returns the path without symbolic links.
func (OS) Resolve(name string) (string, error) {
	p, err := filepath.EvalSymlinks(filepath.FromSlash(name))
	return filepath.ToSlash(p), err
}

// FS is the Tree of an fs.FS, such as an fstest.MapFS. It has no symbolic links.
type FS struct{ fs.FS }

// ReadFile reads a file.
func (t FS) ReadFile(name string) ([]byte, error) { return fs.ReadFile(t.FS, name) }

// ReadDir lists a folder, sorted by name.
func (t FS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(t.FS, name) }

// Stat describes a file.
func (t FS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(t.FS, name) }

// Resolve returns name.
func (t FS) Resolve(name string) (string, error) { return name, nil }
