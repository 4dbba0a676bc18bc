// Package memfs is a file system in memory, for tests of what reads skills by absolute paths.
package memfs

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing/fstest"
)

// FS holds files by absolute path, on any system with slashes and without drives. It implements skills.FS.
type FS struct{ files fstest.MapFS }

// New makes a file system of texts by absolute path.
func New(texts map[string]string) FS {
	m := FS{fstest.MapFS{}}
	for name, text := range texts {
		m.files[inside(name)] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// inside is an absolute path as package fs has it.
func inside(abs string) string {
	if abs = strings.TrimPrefix(filepath.ToSlash(abs), "/"); abs == "" {
		return "."
	}
	return abs
}

// ReadFile returns the text of a file.
func (m FS) ReadFile(abs string) ([]byte, error) { return m.files.ReadFile(inside(abs)) }

// ReadDir returns what a folder holds, by name.
func (m FS) ReadDir(abs string) ([]fs.DirEntry, error) { return m.files.ReadDir(inside(abs)) }

// Stat tells what a path is.
func (m FS) Stat(abs string) (fs.FileInfo, error) { return m.files.Stat(inside(abs)) }

// RealPath returns a path as it is: there are no links.
func (m FS) RealPath(abs string) (string, error) { return abs, nil }
