package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/racetest"
)

// TestDocumented wants a sentence about every package, and in those that others import about every exported name.
func TestDocumented(t *testing.T) {
	racetest.Skip(t)
	root := moduleRoot(t)
	for _, p := range list(t, root) {
		in, documented := folder(p.ImportPath), false
		for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Errorf("read the comments: %v", err)
				continue
			}
			documented = documented || aboutPackage(file, path.Base(in))
			if file.Name.Name == "main" {
				continue
			}
			for _, n := range undocumented(file) {
				t.Errorf("%s: %s has no comment", path.Join(in, filepath.Base(fset.Position(n.Pos()).String())), n.Name)
			}
		}
		if !documented && len(p.GoFiles) > 0 {
			t.Errorf("%s: no file says what the package is for (// Package %s …)", in, path.Base(in))
		}
	}
}

// aboutPackage reports whether a file has the package's comment: "Package x …", and for a program its name or "Command x …".
func aboutPackage(file *ast.File, folder string) bool {
	text := file.Doc.Text()
	if file.Name.Name != "main" {
		return strings.HasPrefix(text, "Package "+file.Name.Name+" ")
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(text, "Command "), " ")
	return strings.EqualFold(name, folder)
}

var stop = regexp.MustCompile("(?m)^\\| `([a-z0-9_/]+\\.go)` \\| `([A-Za-z]+)` \\|")

// TestTour wants the functions that the tour in CONTRIBUTING.md stops at to be where it says.
func TestTour(t *testing.T) {
	racetest.Skip(t)
	root := moduleRoot(t)
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	stops := stop.FindAllStringSubmatch(string(text), -1)
	if len(stops) < 20 {
		t.Fatalf("the tour has %d stops", len(stops))
	}
	for _, s := range stops {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(s[1])), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("the tour in CONTRIBUTING.md: %v", err)
			continue
		}
		if !slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
			f, ok := d.(*ast.FuncDecl)
			return ok && f.Name.Name == s[2]
		}) {
			t.Errorf("the tour in CONTRIBUTING.md: %s has no function %s", s[1], s[2])
		}
	}
}

// wellKnown are methods that everybody knows the meaning of.
var wellKnown = []string{"Error", "String", "Unwrap"}

// undocumented returns the exported names of a file that have no comment: on the declaration, its group or its line. Methods
// that implement an interface are told of together: those behind one with a comment need none of their own. The values of an
// enumeration are told of by its type.
func undocumented(file *ast.File) []*ast.Ident {
	var out []*ast.Ident
	told := map[string]bool{} // receivers that have a method with a comment
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			receiver := receiverOf(d)
			method := receiver != ""
			told[receiver] = told[receiver] || method && d.Doc != nil
			seen := d.Name.IsExported() && (!method || ast.IsExported(receiver))
			if seen && d.Doc == nil && !told[receiver] && !slices.Contains(wellKnown, d.Name.Name) {
				out = append(out, d.Name)
			}
		case *ast.GenDecl:
			out = append(out, undocumentedIn(d)...)
		}
	}
	return out
}

func undocumentedIn(d *ast.GenDecl) []*ast.Ident {
	var out []*ast.Ident
	if first, ok := d.Specs[0].(*ast.ValueSpec); d.Doc != nil || ok && first.Type != nil && d.Tok == token.CONST {
		return nil
	}
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && s.Doc == nil && s.Comment == nil {
				out = append(out, s.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && s.Doc == nil && s.Comment == nil {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

// receiverOf returns the name of the type that a method belongs to, "" for a function.
func receiverOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	kind := d.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if generic, ok := kind.(*ast.IndexExpr); ok {
		kind = generic.X
	}
	name, _ := kind.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}
