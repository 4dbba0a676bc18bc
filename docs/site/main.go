// Site turns the Markdown of the repository's documentation into HTML, a page for a page, for any server of files or none.
package main

import (
	"flag"
	"fmt"
	"io/fs"
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

// copyTarget copies a file that is no page. Of a folder it copies all files, with a list of them.
func copyTarget(root, out, name string) error {
	file := filepath.Join(root, filepath.FromSlash(name))
	info, err := os.Stat(file)
	switch {
	case err != nil || isPage(name):
		return err
	case info.IsDir():
		return copyFolder(root, out, name)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return write(out, name, data)
}

func copyFolder(root, out, name string) error {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name), "README.md"))
	if err == nil && isPage(path.Join(name, "README.md")) {
		return nil // its page stands for it
	}
	list := "# " + name + "\n\n"
	err = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(name)), func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		shown := strings.TrimPrefix(filepath.ToSlash(rel), name+"/")
		list += fmt.Sprintf("- [%s](%s)\n", shown, shown)
		return copyTarget(root, out, filepath.ToSlash(rel))
	})
	if err != nil {
		return err
	}
	return write(out, path.Join(name, "index.html"), parse(path.Join(name, "README.md"), []byte(list)).html())
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
