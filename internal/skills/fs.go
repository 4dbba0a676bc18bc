package skills

import (
	"io/fs"
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

// Disk is the file system of the machine.
type Disk struct{}

func (Disk) ReadFile(name string) ([]byte, error)       { return os.ReadFile(name) }
func (Disk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (Disk) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (Disk) RealPath(name string) (string, error)       { return filepath.EvalSymlinks(name) }
