package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// page is one Markdown file.
type page struct {
	name    string // relative to the repository, with slashes
	source  []byte
	tree    ast.Node
	links   []link // to files of the repository, and within the page
	anchors map[string]bool
	title   string
}

// link is a destination as it is written, of a link or an image.
type link string

// file is the part that names a file, "" for the page itself.
func (l link) file() string {
	file, _, _ := strings.Cut(string(l), "#")
	return file
}

// anchor is the part behind #, or "".
func (l link) anchor() string {
	_, anchor, _ := strings.Cut(string(l), "#")
	return anchor
}

// isPage reports whether a file is made a page of the site.
func isPage(name string) bool {
	if path.Ext(name) != ".md" || strings.HasPrefix(name, "docs/examples/") {
		return false
	}
	if !strings.Contains(name, "/") {
		return true
	}
	for _, folder := range folders {
		if strings.HasPrefix(name, folder+"/") {
			return true
		}
	}
	return false
}

// readPages reads all pages of a repository, by name.
func readPages(root string) (map[string]*page, error) {
	pages := map[string]*page{}
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if e.IsDir() && (e.Name() == "node_modules" || e.Name() == "testdata" || e.Name() == "bin" || e.Name() == "dist" || name == ".git") {
			return fs.SkipDir
		}
		if e.IsDir() || !isPage(name) {
			return nil
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		pages[name] = parse(name, source)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	return pages, nil
}

var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe()), // the comments around parts that are made
)

func parse(name string, source []byte) *page {
	if bytes.HasPrefix(source, []byte("---\n")) { // the front matter of a skill
		if _, body, ok := bytes.Cut(source[4:], []byte("\n---\n")); ok {
			source = body
		}
	}
	p := &page{name: name, source: source, anchors: map[string]bool{}, title: name}
	p.tree = markdown.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(slugs{p.anchors}))))
	_ = ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if entering {
			p.visit(n)
		}
		return ast.WalkContinue, nil
	})
	return p
}

// visit notes a link, and turns one to a page into one to its HTML.
func (p *page) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.Link:
		n.Destination = p.follow(n.Destination)
	case *ast.Image:
		n.Destination = p.follow(n.Destination)
	case *ast.Heading:
		if n.Level == 1 && p.title == p.name {
			p.title = string(bytes.TrimSpace(n.Lines().Value(p.source)))
		}
	}
}

func (p *page) follow(to []byte) []byte {
	if bytes.Contains(to, []byte(":")) { // an address elsewhere
		return to
	}
	l := link(to)
	p.links = append(p.links, l)
	if l.file() == "" || !isPage(path.Join(path.Dir(p.name), l.file())) {
		return to
	}
	out := address(l.file())
	if l.anchor() != "" {
		out += "#" + l.anchor()
	}
	return []byte(out)
}

// slugs gives headings the anchors that GitHub gives them.
type slugs struct{ used map[string]bool }

// Generate implements parser.IDs: letters and digits in lower case, hyphens for blanks, a number for what is there twice.
func (s slugs) Generate(heading []byte, _ ast.NodeKind) []byte {
	slug := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, string(heading))
	unique := slug
	for i := 1; s.used[unique]; i++ {
		unique = fmt.Sprintf("%s-%d", slug, i)
	}
	s.used[unique] = true
	return []byte(unique)
}

// Put implements parser.IDs.
func (s slugs) Put(id []byte) { s.used[string(id)] = true }

//go:embed page.html
var frame string

var frameTemplate = template.Must(template.New("page").Parse(frame))

// html returns the page as HTML.
func (p *page) html() []byte {
	var body, out bytes.Buffer
	_ = markdown.Renderer().Render(&body, p.source, p.tree) // a buffer takes everything
	up := strings.Repeat("../", strings.Count(p.name, "/"))
	data := struct {
		Title, Up string
		Body      template.HTML
	}{p.title, up, template.HTML(body.String())} // made from our own files
	if err := frameTemplate.Execute(&out, data); err != nil {
		panic(err) // the template is ours, and the test runs it
	}
	return out.Bytes()
}
