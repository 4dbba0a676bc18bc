package skills

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// FS is what the loader reads from, by absolute paths of the operating system. The language server lays
// unsaved text over it.
type FS interface {
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
	RealPath(name string) (string, error) // all symbolic links followed
}

// ReadHead returns the first n bytes of a file, or all of it when it has fewer. A file system that can do so reads no more.
func ReadHead(fsys FS, name string, n int) ([]byte, error) {
	if h, ok := fsys.(interface {
		ReadHead(name string, n int) ([]byte, error)
	}); ok {
		return h.ReadHead(name, n)
	}
	data, err := fsys.ReadFile(name)
	return data[:min(n, len(data))], err
}

// Disk is the file system of the machine.
type Disk struct{}

// ReadFile implements FS, as the methods below do.
func (Disk) ReadFile(name string) ([]byte, error) { return readHead(name, math.MaxInt) }

// ReadHead reads the start of a file.
func (Disk) ReadHead(name string, n int) ([]byte, error) { return readHead(name, n) }

func (Disk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (Disk) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (Disk) RealPath(name string) (string, error)       { return filepath.EvalSymlinks(name) }
