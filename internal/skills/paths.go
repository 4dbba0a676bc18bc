package skills

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// relPath shows abs relative to base, with slashes.
func relPath(base, abs string) string {
	if rel, ok := Below(base, abs); ok {
		return filepath.ToSlash(rel)
	}
	rel, err := filepath.Rel(base, abs)
	if err != nil {
		return filepath.ToSlash(abs)
	}
	return path.Clean(filepath.ToSlash(rel))
}

// Below returns the path of a file relative to a folder that it lies in, as filepath.Rel does; false for another place and
// for paths that are not clean. Most files lie below, and most paths are made by joining names.
func Below(base, abs string) (rel string, ok bool) {
	rel, ok = strings.CutPrefix(abs, base)
	if !ok || base == "" || len(rel) < 2 || !os.IsPathSeparator(rel[0]) {
		return "", false
	}
	rel = rel[1:]
	return rel, filepath.Clean(rel) == rel && rel != "." && !strings.HasPrefix(rel, "..") && !os.IsPathSeparator(rel[0])
}

// entryPath is filepath.Join for a clean path and a name, which need no cleaning.
func entryPath(dir, name string) string {
	if dir == "" || dir == "." || os.IsPathSeparator(dir[len(dir)-1]) {
		return filepath.Join(dir, name)
	}
	return dir + string(filepath.Separator) + name
}
