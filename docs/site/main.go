// Site turns the Markdown of the repository's documentation into HTML, a page for a page, for any server of files or none.
package main

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

func main() {
	root := flag.String("root", ".", "the repository")
	out := flag.String("o", "dist/docs", "the folder to write to, which is emptied")
	flag.Parse()
	if err := build(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// folders are those whose files belong to the documentation, with what pages link to in them.
var folders = []string{"docs", "schemas", "skills", "editors/vscode", "editors/nvim"}

// build writes all pages, and beside them the pictures and other files that they lead to.
func build(root, out string) error {
	if err := os.RemoveAll(out); err != nil {
		return fmt.Errorf("empty the folder: %w", err)
	}
	pages, err := readPages(root)
	if err != nil {
		return err
	}
	for name, p := range pages {
		if err := write(out, address(name), p.html()); err != nil {
			return err
		}
		for _, l := range p.links {
			if err := copyTarget(root, out, path.Join(path.Dir(name), l.file())); err != nil {
				return fmt.Errorf("%s: copy what it leads to: %w", name, err)
			}
		}
	}
	return nil
}

// address is the file that a page is written to: README.md is the index of its folder.
func address(name string) string {
	if !strings.HasSuffix(name, ".md") {
		return name
	}
	if path.Base(name) == "README.md" {
		return path.Join(path.Dir(name), "index.html")
	}
	return strings.TrimSuffix(name, ".md") + ".html"
}

// copyTarget copies a file that is no page. Folders are left out: on a server there is nothing to see in them.
func copyTarget(root, out, name string) error {
	file := filepath.Join(root, filepath.FromSlash(name))
	if info, err := os.Stat(file); err != nil || info.IsDir() || isPage(name) {
		return err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return write(out, name, data)
}

func write(out, name string, data []byte) error {
	file := filepath.Join(out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return fmt.Errorf("write a page: %w", err)
	}
	return nil
}
