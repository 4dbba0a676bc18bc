package lsp

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"golang.org/x/tools/txtar"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

var update = flag.Bool("update", false, "write what the server says as the expected sections of the marker tests")

// TestMarkers runs the scripts of testdata/lsp. Each is a txtar archive: files of a workspace, a section "script",
// and sections "@NAME" with what its commands must give. A place is written as a piece of text that stands in
// the file once, with "|" where the cursor is. The commands:
//
//	open FILE, close FILE, save FILE, delete FILE, untitled URI @TEXT
//	write FILE @TEXT              writes the file on disk and tells the server
//	edit FILE "old" "new"         edits the open document
//	settings @JSON
//	expect @NAME                  all diagnostics; the batch linter must find the same
//	action FILE "place" "title" @NAME    does a code action; what it changes
//	actions FILE "place" @NAME    the titles offered
//	hover, definition, references, highlight FILE "place" @NAME
//	complete FILE "place" @NAME PART    the items offered, those that hold PART if it is given
//	rename FILE "place" NEW @NAME what a rename changes
//	move FROM TO @NAME            what moving a file or folder changes
//	symbols, links, folding, hints, lenses, tokens, format FILE @NAME
//	selection FILE "place" @NAME
//	find QUERY @NAME              symbols of the workspace
//	clients FILE @NAME            who lists the skill
func TestMarkers(t *testing.T) {
	files, err := filepath.Glob("../../testdata/lsp/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		for _, mode := range []editorOptions{
			{enc: protocol.PositionEncodingKindUTF16},
			{enc: protocol.PositionEncodingKindUTF8, pull: true},
			{enc: protocol.PositionEncodingKindUTF32, pull: true},
		} {
			name := fmt.Sprintf("%s/%s", strings.TrimSuffix(filepath.Base(file), ".txt"), mode.enc)
			t.Run(name, func(t *testing.T) { runMarkers(t, file, mode) })
		}
	}
}

// script is one run of a marker test.
type script struct {
	*editor
	archive *txtar.Archive
	golden  map[string]string
	got     map[string]string
}

func runMarkers(t *testing.T, file string, o editorOptions) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &script{archive: archive, golden: map[string]string{}, got: map[string]string{}}
	onDisk := map[string]string{}
	lines := ""
	for _, f := range archive.Files {
		switch {
		case f.Name == "script":
			lines = string(f.Data)
		case f.Name[0] == '@':
			s.golden[f.Name] = string(f.Data)
		default:
			onDisk[f.Name] = string(f.Data)
		}
	}
	s.editor = newEditor(t, newFolder(t, onDisk), o)
	s.settle()
	for line := range strings.Lines(lines) {
		words := split(strings.TrimSpace(line))
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		do := commands[words[0]]
		if do == nil {
			t.Fatalf("no command %q", words[0])
		}
		do(s, words[1:])
	}
	s.compare(t, file)
}

// compare holds what came against the expected sections, or writes them.
func (s *script) compare(t *testing.T, file string) {
	if *update {
		for i, f := range s.archive.Files {
			if got, ok := s.got[f.Name]; ok {
				s.archive.Files[i].Data = []byte(got)
				delete(s.got, f.Name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.got)) {
			s.archive.Files = append(s.archive.Files, txtar.File{Name: name, Data: []byte(s.got[name])})
		}
		if err := os.WriteFile(file, txtar.Format(s.archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.got)) {
		if s.got[name] != s.golden[name] {
			t.Errorf("%s is\n%s\nwant\n%s", name, s.got[name], s.golden[name])
		}
	}
}

// split cuts a line into words; quoted ones are Go strings.
func split(line string) []string {
	var out []string
	for line != "" {
		line = strings.TrimLeft(line, " ")
		if q, err := strconv.QuotedPrefix(line); err == nil {
			word, _ := strconv.Unquote(q)
			out, line = append(out, word), line[len(q):]
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if word != "" {
			out = append(out, word)
		}
		line = rest
	}
	return out
}

var commands map[string]func(*script, []string)

func init() {
	commands = map[string]func(*script, []string){
		"open":  func(s *script, a []string) { s.open(a[0]) },
		"close": func(s *script, a []string) { s.close(s.uri(a[0])) },
		"save": func(s *script, a []string) {
			writeFiles(s.t, s.dir, map[string]string{a[0]: s.docs[s.uri(a[0])].text})
			s.watched(s.uri(a[0]), protocol.FileChangeTypeChanged)
		},
		"delete": func(s *script, a []string) {
			if err := os.RemoveAll(filepath.Join(s.dir, filepath.FromSlash(a[0]))); err != nil {
				s.t.Fatal(err)
			}
			s.watched(s.uri(a[0]), protocol.FileChangeTypeDeleted)
		},
		"untitled": func(s *script, a []string) { s.openURI(uri.URI(a[0]), s.golden[a[1]]) },
		"write":    (*script).write,
		"edit":     (*script).edit,
		"settings": func(s *script, a []string) {
			s.mu.Lock()
			s.settings = s.golden[a[0]]
			s.mu.Unlock()
			s.srv.takeSettings([]byte(s.golden[a[0]]))
		},
		"expect":     (*script).expect,
		"action":     (*script).action,
		"actions":    (*script).listActions,
		"hover":      (*script).hover,
		"complete":   (*script).complete,
		"definition": (*script).definition,
		"references": (*script).findReferences,
		"highlight":  (*script).highlight,
		"rename":     (*script).renameAt,
		"move":       (*script).moveFile,
		"symbols":    (*script).outline,
		"links":      (*script).documentLinks,
		"folding":    (*script).folding,
		"hints":      (*script).inlayHints,
		"lenses":     (*script).lenses,
		"tokens":     (*script).semanticTokens,
		"format":     (*script).format,
		"selection":  (*script).selection,
		"find":       (*script).findSymbols,
		"clients":    (*script).whichClients,
	}
}

func (s *script) write(a []string) {
	_, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(a[0])))
	writeFiles(s.t, s.dir, map[string]string{a[0]: s.golden[a[1]]})
	kind := protocol.FileChangeTypeChanged
	if err != nil {
		kind = protocol.FileChangeTypeCreated
	}
	s.watched(s.uri(a[0]), kind)
}

func (s *script) edit(a []string) {
	u := s.uri(a[0])
	i := strings.Index(s.docs[u].text, a[1])
	if i < 0 {
		s.t.Fatalf("%s does not hold %q", a[0], a[1])
	}
	s.replace(u, text.Span{Start: i, End: i + len(a[1])}, a[2])
}

// content returns the text of a file as the editor has it.
func (s *script) content(file string) string {
	if d := s.docs[s.uri(file)]; d != nil {
		return d.text
	}
	return s.read(file)
}

// at returns the document and the place that a command names.
func (s *script) at(a []string) protocol.TextDocumentPositionParams {
	s.t.Helper()
	u := s.uri(a[0])
	src := s.content(a[0])
	plain := strings.Replace(a[1], "|", "", 1)
	if strings.Count(src, plain) != 1 {
		s.t.Fatalf("%s holds %q %d times", a[0], plain, strings.Count(src, plain))
	}
	off := strings.Index(src, plain) + max(strings.IndexByte(a[1], '|'), 0)
	return protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: u},
		Position:     mapper{text.NewLineIndex(src), s.enc}.position(off),
	}
}

// file returns the name of a file for its URI.
func (s *script) file(u uri.URI) string {
	if rel, err := filepath.Rel(s.dir, pathOf(u)); err == nil && pathOf(u) != "" {
		return filepath.ToSlash(rel)
	}
	return string(u)
}

// place writes a range as lines and columns from 1, in characters.
func (s *script) place(u uri.URI, r protocol.Range) string {
	src := ""
	if d := s.docs[u]; d != nil {
		src = d.text
	} else if raw, err := os.ReadFile(pathOf(u)); err == nil {
		src = string(raw)
	}
	x := text.NewLineIndex(src)
	m := mapper{x, s.enc}
	p := func(q protocol.Position) string {
		c := x.OffsetPosition(m.offset(q), text.UTF32)
		return fmt.Sprintf("%d:%d", c.Line+1, c.Column+1)
	}
	return fmt.Sprintf("%s:%s-%s", s.file(u), p(r.Start), p(r.End))
}

// expect compares all diagnostics, those of files that are not open included, and holds them against the batch
// linter over the same texts.
func (s *script) expect(a []string) {
	s.t.Helper()
	s.settle()
	var lines []string
	for u, items := range s.everything() {
		for _, d := range items {
			message, _, _ := strings.Cut(string(d.Message.(protocol.String)), "\n")
			lines = append(lines, fmt.Sprintf("%s %s %s: %s", s.place(u, d.Range), levels[d.Severity], string(d.Code.(protocol.String)), message))
		}
	}
	slices.Sort(lines)
	var places []string // without the messages, which have tests of their own
	for _, l := range lines {
		place, _, _ := strings.Cut(l, ": ")
		places = append(places, place)
	}
	s.got[a[0]] = join(places)
	if batch := s.batch(); batch != nil && !slices.Equal(batch, lines) {
		s.t.Errorf("%s: the server says\n%s\nthe batch linter\n%s", a[0], join(lines), join(batch))
	}
}

var levels = map[protocol.DiagnosticSeverity]string{1: "error", 2: "warning", 3: "info", 4: "hint"}

func join(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// everything returns the diagnostics of all documents.
func (s *script) everything() map[uri.URI][]protocol.Diagnostic {
	out := map[uri.URI][]protocol.Diagnostic{}
	if !s.pull {
		s.mu.Lock()
		defer s.mu.Unlock()
		return maps.Clone(s.shown)
	}
	r, err := s.DiagnosticWorkspace(s.ctx(), &protocol.WorkspaceDiagnosticParams{})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, item := range r.Items {
		full := item.(*protocol.WorkspaceFullDocumentDiagnosticReport)
		out[full.URI] = full.Items
	}
	for u := range s.docs {
		if got, want := rulesOf(s.diagnostics(u)), rulesOf(out[u]); got != want {
			s.t.Errorf("%s alone has %s, among all %s", u, got, want)
		}
	}
	return out
}

// batch returns what the batch linter finds, nil where it cannot be compared: configurations with faults end it,
// and it has no use for documents without a file.
func (s *script) batch() []string {
	texts := map[string]string{}
	for u, d := range s.docs {
		if pathOf(u) == "" {
			return nil
		}
		if _, err := os.Stat(pathOf(u)); err == nil {
			texts[pathOf(u)] = d.text
		}
	}
	st := *s.srv.state()
	st.fs = workspace.NewOverlay(skills.Disk{}, texts)
	o, err := s.srv.options(&st, s.dir, []string{s.dir})
	if err != nil {
		s.t.Fatal(err)
	}
	job := &workspace.Job{Options: o, Engine: s.srv.engine, Filters: []workspace.Filter{workspace.ConfiguredBaselines}}
	r, err := job.Run(context.Background())
	if err != nil {
		return nil
	}
	out := []string{}
	for _, f := range r.Findings {
		if f.File == "." {
			continue
		}
		m := mapper{r.Doc(f.File).Lines(), s.enc}
		out = append(out, fmt.Sprintf("%s %s %s: %s", s.place(s.uri(f.File), m.rangeOf(f.Span)), f.Severity, f.Rule.Name, f.Message))
	}
	slices.Sort(out)
	return out
}
