package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var root = filepath.Join("..", "..")

// TestLinks follows every link of every page to a file, and to a heading where it names one. Nothing is fetched.
func TestLinks(t *testing.T) {
	pages, err := readPages(root)
	if err != nil {
		t.Fatal(err)
	}
	if pages["README.md"] == nil || pages["docs/README.md"] == nil || len(pages) < 50 {
		t.Fatalf("%d pages, without the first ones", len(pages))
	}
	for name, p := range pages {
		for _, l := range p.links {
			if fault := broken(pages, p, l); fault != "" {
				t.Errorf("%s: %s: %s", name, l, fault)
			}
		}
	}
}

// broken says what is wrong with a link, or nothing.
func broken(pages map[string]*page, p *page, l link) string {
	target := p.name
	if l.file() != "" {
		target = path.Join(path.Dir(p.name), l.file())
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil {
		return "no such file"
	}
	if to := pages[target]; l.anchor() != "" && to != nil && !to.anchors[l.anchor()] {
		return "no such heading"
	}
	return ""
}

// TestBrokenLinks holds the check itself against links of each kind.
func TestBrokenLinks(t *testing.T) {
	pages, err := readPages(root)
	if err != nil {
		t.Fatal(err)
	}
	p := parse("docs/x.md", []byte("# A *b* `c/d`!\n\n## A b\n\n[1](#a-b-cd) [2](#a-b) [3](#gone) [4](README.md#commands) [5](README.md#gone) [6](gone.md) [7](images/terminal.svg) ![8](gone.svg) [9](https://example.com/gone)\n"))
	pages[p.name] = p
	want := []string{"no such file", "no such file", "no such file", "", "no such heading", "no such file", "", "no such file"}
	// The page itself is no file, so links within it are looked up in one that is.
	for i, l := range p.links {
		if got := broken(pages, p, l); got != want[i] {
			t.Errorf("%s: %q, want %q", l, got, want[i])
		}
	}
	for _, anchor := range []string{"a-b-cd", "a-b"} {
		if !p.anchors[anchor] {
			t.Errorf("no anchor %q in %v", anchor, p.anchors)
		}
	}
}

// TestReached wants every page of docs to be linked from another one: nobody finds it otherwise.
func TestReached(t *testing.T) {
	pages, err := readPages(root)
	if err != nil {
		t.Fatal(err)
	}
	reached := map[string]bool{}
	for _, p := range pages {
		for _, l := range p.links {
			if target := path.Join(path.Dir(p.name), l.file()); target != p.name {
				reached[target] = true
			}
		}
	}
	for name := range pages {
		if strings.HasPrefix(name, "docs/") && !reached[name] {
			t.Errorf("no page leads to %s", name)
		}
	}
}

// TestBuild builds the site and follows its links as a browser would.
func TestBuild(t *testing.T) {
	out := t.TempDir()
	if err := build(root, out); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(out, "docs", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{`<a href="rules/index.html">the rules</a>`, `<h2 id="commands">`, `href="../docs/index.html"`, "<table>"} {
		if !strings.Contains(text, want) {
			t.Errorf("docs/index.html lacks %s", want)
		}
	}
	followAll(t, out)
}

var reference = regexp.MustCompile(`(?:href|src)="([^"#:]+)(?:#[^"]*)?"`)

// followAll wants every file that a page of the site leads to, with an index where that is a folder.
func followAll(t *testing.T, out string) {
	t.Helper()
	followed := 0
	err := filepath.WalkDir(out, func(file string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".html" {
			return err
		}
		data, err := os.ReadFile(file)
		for _, m := range reference.FindAllStringSubmatch(string(data), -1) {
			followed++
			target := filepath.Join(filepath.Dir(file), filepath.FromSlash(m[1]))
			info, err := os.Stat(target)
			if err == nil && info.IsDir() {
				_, err = os.Stat(filepath.Join(target, "index.html"))
			}
			if err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
		return err
	})
	if err != nil || followed < 1000 {
		t.Errorf("%d links were followed, %v", followed, err)
	}
}
