// Package arch keeps the packages of the module in order: who may import whom is data here, and its test reads
// the imports of every file, whatever system the file is built for.
package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/racetest"
)

const module = "github.com/skill-ls/skill-ls/"

// layers lists the folders of packages from the outside in. A package may import those of its own layer and of
// the layers after it, never one before.
var layers = []string{
	"bench",
	"release",
	"docs/site",
	"cmd",
	"internal/arch",
	"internal/bulk",
	"internal/lsp",
	"internal/mcpserve",
	"internal/playground",
	"internal/report",
	"internal/ask",
	"internal/agentsim",
	"internal/workspace",
	"internal/lint",
	"internal/threat",
	"internal/mcpprobe",
	"internal/profile",
	"internal/catalog",
	"internal/evals",
	"internal/manifest",
	"internal/mcpconfig",
	"internal/tokens",
	"internal/rerun",
	"internal/cache",
	"internal/redact",
	"internal/procgroup",
	"internal/npmtest",
	"internal/racetest",
	"internal/memfs",
	"internal/lookpath",
	"internal/skills",
	"internal/plainyaml",
	"internal/lazyregexp",
	"internal/text",
	"internal/version",
	"schemas",
}

// reserved lists imports that only the named files, or files below the named folders, may have.
var reserved = []struct {
	imports string // one path, or every path below it when it ends in a slash
	only    []string
	why     string
}{
	{
		"go.lsp.dev/",
		[]string{"internal/lsp/"},
		"the protocol library can be replaced in one place",
	},
	{
		"os/exec",
		[]string{"internal/procgroup/", "internal/mcpprobe/", "internal/agentsim/capture/", "internal/agentsim/runshell.go", "internal/workspace/git.go", "bench/", "release/"},
		"opening or linting a workspace runs nothing: processes start in a few files that are easy to review",
	},
	{
		"net",
		[]string{"internal/mcpprobe/", "internal/agentsim/capture/", "internal/agentsim/live/", "internal/cache/remote/"},
		"opening or linting a workspace talks to nobody",
	},
	{
		"net/http",
		[]string{"internal/mcpprobe/", "internal/agentsim/capture/", "internal/agentsim/live/", "internal/cache/remote/", "bench/"},
		"opening or linting a workspace talks to nobody",
	},
	{
		"github.com/mark3labs/mcp-go/",
		[]string{"internal/mcpprobe/", "internal/mcpserve/"},
		"rules read the raw JSON of tools, never typed structs",
	},
	{
		"github.com/tiktoken-go/",
		[]string{"internal/tokens/exact/"},
		"its tables are large, and linting estimates",
	},
}

// isolated lists what the packages below a folder may not reach, through however many other packages.
var isolated = []struct {
	folder string
	never  []string
	why    string
}{
	{
		"internal/lint",
		[]string{module + "internal/mcpprobe", "os/exec", "net", "go.lsp.dev/"},
		"rules are pure functions of skills and catalogues",
	},
	{"internal/profile", []string{"os/exec", "net"}, "playing a client reads files and nothing else"},
	{"internal/catalog", []string{"os/exec", "net"}, "a catalogue is data"},
	{"internal/threat", []string{"os/exec", "net"}, "what is judged is text"},
	{"internal/mcpconfig", []string{"os/exec", "net"}, "reading a configuration starts nothing"},
	{"internal/skills", []string{"os/exec", "net"}, "reading a skill starts nothing"},
}

// goPackage is what `go list -json` tells of a package.
type goPackage struct {
	ImportPath              string
	Dir                     string
	Standard                bool
	Module                  *struct{ Path string }
	GoFiles, IgnoredGoFiles []string
	Deps                    []string
}

// source is a file of the module and what it imports.
type source struct {
	file    string // relative to the module, with slashes
	imports []string
}

func TestImports(t *testing.T) {
	racetest.Skip(t)
	root := moduleRoot(t)
	pkgs := list(t, root)
	if len(pkgs) < 3 {
		t.Fatalf("go list shows %d packages of the module", len(pkgs))
	}
	for _, p := range pkgs {
		for _, s := range sources(t, root, p) {
			report(t, direction(s))
			report(t, reservations(s))
		}
		report(t, isolation(folder(p.ImportPath), p.Deps))
	}
}

// TestPlaygroundReachesNothing holds the program of the page in a browser, as it is built for one, to its promise that
// nothing leaves the page. What makes it large stays out, too.
func TestPlaygroundReachesNothing(t *testing.T) {
	racetest.Skip(t)
	t.Setenv("GOOS", "js")
	t.Setenv("GOARCH", "wasm")
	never := []string{"net", "net/http", "os/exec", "github.com/mark3labs/", "go.lsp.dev/", "github.com/tiktoken-go/"}
	found := false
	for _, p := range goList(t, moduleRoot(t), "./cmd/playground") {
		found = found || folder(p.ImportPath) == "cmd/playground"
		if slices.ContainsFunc(never, func(n string) bool { return covers(n, p.ImportPath) }) {
			t.Errorf("cmd/playground reaches %s (see `GOOS=js GOARCH=wasm go list -deps ./cmd/playground`)", p.ImportPath)
		}
	}
	if !found {
		t.Error("go list does not show cmd/playground")
	}
}

// TestTextIsStandardLibraryOnly holds because everything else builds on text.
func TestTextIsStandardLibraryOnly(t *testing.T) {
	racetest.Skip(t)
	for _, p := range goList(t, moduleRoot(t), "./internal/text") {
		if !p.Standard && folder(p.ImportPath) != "internal/text" {
			t.Errorf("internal/text reaches %s; it may use the standard library only", p.ImportPath)
		}
	}
}

// TestNotice wants every module that ends up in a program to be named, with its licence, in NOTICE.
func TestNotice(t *testing.T) {
	racetest.Skip(t)
	root := moduleRoot(t)
	notice, err := os.ReadFile(filepath.Join(root, "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	named := strings.Fields(string(notice))
	for _, p := range goList(t, root, "./...") {
		if p.Module != nil && p.Module.Path+"/" != module && !slices.Contains(named, p.Module.Path) {
			t.Errorf("%s is used (package %s) and not named in NOTICE", p.Module.Path, p.ImportPath)
			named = append(named, p.Module.Path)
		}
	}
}

// TestChecks plants one fault for each kind of check.
func TestChecks(t *testing.T) {
	racetest.Skip(t)
	for _, c := range []struct {
		got  []string
		want string // a part of the only message; none when empty
	}{
		{direction(source{"internal/text/a.go", []string{module + "internal/lint"}}), "internal/text may not import internal/lint"},
		{direction(source{"internal/lint/a.go", []string{module + "internal/lint/rules", module + "internal/text", "os"}}), ""},
		{direction(source{"internal/lint/rules/a.go", []string{module + "internal/report"}}), "may not import internal/report"},
		{direction(source{"internal/new/a.go", nil}), "no place"},
		{reservations(source{"internal/workspace/a.go", []string{"os/exec"}}), "os/exec"},
		{reservations(source{"internal/workspace/git.go", []string{"os/exec", "net/url"}}), ""},
		{reservations(source{"internal/lspx/a.go", []string{"go.lsp.dev/uri"}}), "go.lsp.dev/uri"},
		{isolation("internal/lint/rules", []string{"fmt", "net"}), "reaches net"},
		{isolation("internal/lint", []string{"net/url", "go.lsp.dev/protocol"}), "reaches go.lsp.dev/protocol"},
		{isolation("internal/linter", []string{"net"}), ""},
	} {
		switch {
		case c.want == "" && len(c.got) != 0:
			t.Errorf("unexpected: %q", c.got)
		case c.want != "" && (len(c.got) != 1 || !strings.Contains(c.got[0], c.want)):
			t.Errorf("got %q, want one message with %q", c.got, c.want)
		}
	}
}

// direction finds imports against the order of the layers.
func direction(s source) []string {
	from := layer(path.Dir(s.file))
	if from < 0 {
		return []string{fmt.Sprintf("%s has no place in the order of packages: name its folder in layers, and in CONTRIBUTING.md", s.file)}
	}
	var out []string
	for _, imported := range s.imports {
		if !strings.HasPrefix(imported, module) {
			continue
		}
		if to := layer(folder(imported)); to >= 0 && to < from {
			out = append(out, fmt.Sprintf("%s: %s may not import %s, which is built on top of it", s.file, layers[from], layers[to]))
		}
	}
	return out
}

// reservations finds imports that are reserved for other files.
func reservations(s source) []string {
	var out []string
	for _, r := range reserved {
		if slices.ContainsFunc(r.only, func(allowed string) bool { return covers(allowed, s.file) }) {
			continue
		}
		for _, imported := range s.imports {
			if covers(r.imports, imported) {
				out = append(out, fmt.Sprintf("%s imports %s, which only %s may: %s", s.file, imported, strings.Join(r.only, ", "), r.why))
			}
		}
	}
	return out
}

// isolation finds what the package in a folder reaches and must not.
func isolation(in string, deps []string) []string {
	var out []string
	for _, rule := range isolated {
		if !below(rule.folder, in) {
			continue
		}
		for _, dep := range deps {
			if slices.ContainsFunc(rule.never, func(n string) bool { return covers(n, dep) }) {
				out = append(out, fmt.Sprintf("%s reaches %s (see `go list -deps ./%s`): %s", in, dep, in, rule.why))
			}
		}
	}
	return out
}

// layer returns the index in layers of a folder relative to the module, or -1.
func layer(in string) int {
	return slices.IndexFunc(layers, func(l string) bool { return below(l, in) })
}

func below(folder, name string) bool { return name == folder || strings.HasPrefix(name, folder+"/") }

// covers reports whether pattern is the name, or the folder, with a slash at its end, that holds it.
func covers(pattern, name string) bool {
	return name == pattern || strings.HasSuffix(pattern, "/") && strings.HasPrefix(name, pattern)
}

func folder(importPath string) string { return strings.TrimPrefix(importPath, module) }

func report(t *testing.T, faults []string) {
	t.Helper()
	for _, f := range faults {
		t.Error(f)
	}
}

// list returns the packages of the module itself.
func list(t *testing.T, root string) []goPackage {
	return slices.DeleteFunc(goList(t, root, "./..."), func(p goPackage) bool { return !strings.HasPrefix(p.ImportPath, module) })
}

// goList returns the packages that a pattern stands for and all that they are built from. -e keeps a package
// that does not build at the moment from hiding the others.
func goList(t *testing.T, root, pattern string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Dir,Standard,Module,GoFiles,IgnoredGoFiles,Deps", pattern)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatalf("read what go list prints: %v", err)
		}
		pkgs = append(pkgs, p)
	}
}

// sources reads the imports of a package's files, tests left out: those may use whatever they test against.
func sources(t *testing.T, root string, p goPackage) []source {
	t.Helper()
	var out []source
	for _, name := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := filepath.Join(p.Dir, name)
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Errorf("read the imports: %v", err)
			continue
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		s := source{file: filepath.ToSlash(rel)}
		for _, spec := range tree.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			s.imports = append(s.imports, imported)
		}
		out = append(out, s)
	}
	return out
}

// moduleRoot returns the folder of go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}
