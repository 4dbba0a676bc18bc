package skills

import (
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignoreFile holds the patterns of one .gitignore. https://git-scm.com/docs/gitignore#_pattern_format
type ignoreFile struct {
	dir      string // absolute path of the folder it lies in
	patterns []ignorePattern
	parent   *ignoreFile
}

type ignorePattern struct {
	glob    string // relative to dir
	negate  bool
	dirOnly bool
}

func parseIgnore(dir, content string, parent *ignoreFile) *ignoreFile {
	f := &ignoreFile{dir: dir, parent: parent}
	for line := range strings.Lines(content) {
		if p, ok := parsePattern(strings.TrimRight(line, " \t\r\n")); ok {
			f.patterns = append(f.patterns, p)
		}
	}
	return f
}

func parsePattern(line string) (ignorePattern, bool) {
	var p ignorePattern
	if line == "" || line[0] == '#' {
		return p, false
	}
	line, p.negate = strings.CutPrefix(line, "!")
	line, p.dirOnly = strings.CutSuffix(line, "/")
	line = strings.TrimPrefix(line, `\`)
	if anchored := strings.Contains(line, "/"); anchored {
		p.glob = strings.TrimPrefix(line, "/")
	} else {
		p.glob = "**/" + line
	}
	return p, p.glob != "" && doublestar.ValidatePattern(p.glob)
}

// ignored reports whether the entry is left out. The last pattern that matches decides, the file nearest
// to the entry comes last.
func (f *ignoreFile) ignored(abs string, dir bool) bool {
	for ; f != nil; f = f.parent {
		rel, err := filepath.Rel(f.dir, abs)
		if err != nil {
			continue
		}
		rel = filepath.ToSlash(rel)
		for i := len(f.patterns) - 1; i >= 0; i-- {
			if p := f.patterns[i]; (dir || !p.dirOnly) && doublestar.MatchUnvalidated(p.glob, rel) {
				return !p.negate
			}
		}
	}
	return false
}

// ignoreAbove reads the .gitignore files from the repository's root down to dir, dir itself left out.
func ignoreAbove(fsys FS, dir string) *ignoreFile {
	var up []string
	for at := dir; ; {
		if _, err := fsys.Stat(filepath.Join(at, ".git")); err == nil {
			break
		}
		parent := filepath.Dir(at)
		if parent == at {
			return nil // no repository
		}
		up = append(up, parent)
		at = parent
	}
	var f *ignoreFile
	for i := len(up) - 1; i >= 0; i-- {
		f = ignoreIn(fsys, up[i], f)
	}
	return f
}

func ignoreIn(fsys FS, dir string, parent *ignoreFile) *ignoreFile {
	b, err := fsys.ReadFile(filepath.Join(dir, ".gitignore"))
	if err != nil {
		return parent // there is none, or none that can be read: nothing is ignored by it
	}
	return parseIgnore(dir, string(b), parent)
}

// skipped are the folders that are never searched: what tools put there is not the author's.
func skipped(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", "node_modules", "vendor", "dist", ".venv", "venv", "__pycache__", ".tox", "site-packages", "dist-packages":
		return true
	}
	return false
}
