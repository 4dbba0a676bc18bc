// Package example puts the examples of the rules' pages into files, for tests and for the pages in docs, which show what the
// program says about them.
package example

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// Alone is the file that an example is that is no archive.
const Alone = "demo/SKILL.md"

// IsArchive reports whether an example has files with names of their own.
func IsArchive(text string) bool { return strings.HasPrefix(text, "-- ") }

// Write puts an example below dir: the text of one SKILL.md, or a txtar archive, in which "NAME (executable)" has its execute
// bit and "NAME -> TARGET" is a symbolic link. Where the system makes no links the error is that of os.Symlink.
func Write(dir, text string) error {
	files := []txtar.File{{Name: Alone, Data: []byte(text)}}
	if IsArchive(text) {
		files = txtar.Parse([]byte(text)).Files
	}
	for _, f := range files {
		if err := writeFile(dir, f); err != nil {
			return fmt.Errorf("write the example: %w", err)
		}
	}
	return nil
}

func writeFile(dir string, f txtar.File) error {
	name, target, link := strings.Cut(f.Name, " -> ")
	name, executable := strings.CutSuffix(name, " (executable)")
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if link {
		return os.Symlink(target, name)
	}
	mode := os.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	return os.WriteFile(name, f.Data, mode)
}
