package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/text"
)

func (s *script) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *script) codeActions(a []string) []*protocol.CodeAction {
	s.t.Helper()
	at := s.at(a)
	p := &protocol.CodeActionParams{TextDocument: at.TextDocument, Range: protocol.Range{Start: at.Position, End: at.Position}}
	p.Context.Diagnostics = s.diagnostics(at.TextDocument.URI)
	list, err := s.CodeAction(s.ctx(), p)
	s.check(err)
	var out []*protocol.CodeAction
	for _, x := range list {
		out = append(out, x.(*protocol.CodeAction))
	}
	return out
}

func (s *script) listActions(a []string) {
	s.sync()
	var lines []string
	for _, x := range s.codeActions(a) {
		lines = append(lines, fmt.Sprintf("%s: %s", *x.Kind, x.Title))
	}
	s.got[a[2]] = join(lines)
}

// action does a code action and notes what it changes.
func (s *script) action(a []string) {
	s.sync()
	for _, x := range s.codeActions(a) {
		if !strings.Contains(x.Title, a[2]) {
			continue
		}
		done, err := s.CodeActionResolve(s.ctx(), x)
		s.check(err)
		s.applied(done.Edit, a[3])
		return
	}
	s.t.Errorf("no action is called %q at %q", a[2], a[1])
}

// applied does an edit and notes the difference it makes to all files. The server is told of moved files.
func (s *script) applied(edit *protocol.WorkspaceEdit, name string) {
	s.t.Helper()
	before := s.files()
	s.check(s.apply(edit, false))
	after := s.files()
	s.got[name] = difference(before, after)
	for _, c := range edit.DocumentChanges {
		switch c := c.(type) {
		case *protocol.RenameFile:
			s.check(s.DidRenameFiles(s.ctx(), &protocol.RenameFilesParams{Files: []protocol.FileRename{{OldURI: string(c.OldURI), NewURI: string(c.NewURI)}}}))
		case *protocol.CreateFile:
			s.watched(c.URI, protocol.FileChangeTypeCreated)
		}
	}
}

// files returns the texts of all files, those of open documents as the editor has them.
func (s *script) files() map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(s.dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(s.dir, name)
			out[filepath.ToSlash(rel)] = s.content(filepath.ToSlash(rel))
		}
		return err
	})
	s.check(err)
	return out
}

func difference(before, after map[string]string) string {
	names := map[string]bool{}
	for n := range before {
		names[n] = true
	}
	for n := range after {
		names[n] = true
	}
	var b strings.Builder
	for _, n := range slices.Sorted(maps.Keys(names)) {
		old, had := before[n]
		now, has := after[n]
		switch {
		case !has:
			fmt.Fprintf(&b, "gone: %s\n", n)
		case !had:
			fmt.Fprintf(&b, "new: %s\n%s", n, indented(now))
		case old != now:
			fmt.Fprintf(&b, "changed: %s\n", n)
			for line := range strings.Lines(udiff.Unified(n, n, old, now)) {
				if (line[0] == '+' || line[0] == '-') && !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "---\t") && !strings.HasPrefix(line, "--- ") {
					b.WriteString(line)
				}
			}
		}
	}
	return b.String()
}

// indented keeps lines from being taken for those that separate the sections of an archive.
func indented(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString("| " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

// hoverLines is how much of a hover a test looks at: pages of rules and tables of clients grow.
const hoverLines = 6

func (s *script) hover(a []string) {
	h, err := s.Hover(s.ctx(), &protocol.HoverParams{TextDocumentPositionParams: s.at(a)})
	s.check(err)
	s.got[a[2]] = "nothing\n"
	if h != nil {
		lines := strings.SplitAfterN(h.Contents.(*protocol.MarkupContent).Value, "\n", hoverLines+1)
		s.got[a[2]] = indented(s.place(s.uri(a[0]), *h.Range) + "\n" + strings.Join(lines[:min(len(lines), hoverLines)], ""))
	}
}

func (s *script) complete(a []string) {
	s.sync()
	r, err := s.Completion(s.ctx(), &protocol.CompletionParams{TextDocumentPositionParams: s.at(a)})
	s.check(err)
	var lines []string
	for _, it := range r.(*protocol.CompletionList).Items {
		if len(a) > 3 && !strings.Contains(it.Label, a[3]) {
			continue
		}
		detail, _ := it.Detail.Get()
		edit := it.TextEdit.(*protocol.TextEdit)
		lines = append(lines, fmt.Sprintf("%s %q %s", s.place(s.uri(a[0]), edit.Range), edit.NewText, detail))
	}
	s.got[a[2]] = join(lines)
}

func (s *script) locations(list []protocol.Location) string {
	var lines []string
	for _, l := range list {
		lines = append(lines, s.place(l.URI, l.Range))
	}
	return join(lines)
}

func (s *script) definition(a []string) {
	r, err := s.Definition(s.ctx(), &protocol.DefinitionParams{TextDocumentPositionParams: s.at(a)})
	s.check(err)
	s.got[a[2]] = s.locations(r.(protocol.LocationSlice))
}

func (s *script) findReferences(a []string) {
	r, err := s.References(s.ctx(), &protocol.ReferenceParams{TextDocumentPositionParams: s.at(a), Context: protocol.ReferenceContext{IncludeDeclaration: true}})
	s.check(err)
	s.got[a[2]] = s.locations(r)
}

func (s *script) highlight(a []string) {
	r, err := s.DocumentHighlight(s.ctx(), &protocol.DocumentHighlightParams{TextDocumentPositionParams: s.at(a)})
	s.check(err)
	var lines []string
	for _, h := range r {
		lines = append(lines, fmt.Sprintf("%s %d", s.place(s.uri(a[0]), h.Range), h.Kind))
	}
	s.got[a[2]] = join(lines)
}

func (s *script) renameAt(a []string) {
	at := s.at(a)
	ready, err := s.PrepareRename(s.ctx(), &protocol.PrepareRenameParams{TextDocumentPositionParams: at})
	s.check(err)
	if ready == nil {
		s.got[a[3]] = "cannot be renamed\n"
		return
	}
	edit, err := s.Rename(s.ctx(), &protocol.RenameParams{TextDocumentPositionParams: at, NewName: a[2]})
	if err != nil {
		s.got[a[3]] = err.Error() + "\n"
		return
	}
	s.applied(edit, a[3])
}

func (s *script) moveFile(a []string) {
	files := []protocol.FileRename{{OldURI: string(s.uri(a[0])), NewURI: string(s.uri(a[1]))}}
	edit, err := s.WillRenameFiles(s.ctx(), &protocol.RenameFilesParams{Files: files})
	s.check(err)
	before := s.files()
	s.check(s.apply(edit, false))
	from, to := filepath.Join(s.dir, filepath.FromSlash(a[0])), filepath.Join(s.dir, filepath.FromSlash(a[1]))
	s.check(os.MkdirAll(filepath.Dir(to), 0o755))
	s.check(os.Rename(from, to))
	s.check(s.DidRenameFiles(s.ctx(), &protocol.RenameFilesParams{Files: files}))
	s.got[a[2]] = difference(before, s.files())
}

func (s *script) id(file string) protocol.TextDocumentIdentifier {
	return protocol.TextDocumentIdentifier{URI: s.uri(file)}
}

func (s *script) outline(a []string) {
	r, err := s.DocumentSymbol(s.ctx(), &protocol.DocumentSymbolParams{TextDocument: s.id(a[0])})
	s.check(err)
	var lines []string
	var list func([]protocol.DocumentSymbol, string)
	list = func(all []protocol.DocumentSymbol, indent string) {
		for _, x := range all {
			lines = append(lines, fmt.Sprintf("%s%s %s", indent, x.Name, s.place(s.uri(a[0]), x.Range)))
			list(x.Children, indent+"  ")
		}
	}
	list(r.(protocol.DocumentSymbolSlice), "")
	s.got[a[1]] = join(lines)
}

func (s *script) documentLinks(a []string) {
	r, err := s.DocumentLink(s.ctx(), &protocol.DocumentLinkParams{TextDocument: s.id(a[0])})
	s.check(err)
	var lines []string
	for _, l := range r {
		lines = append(lines, s.place(s.uri(a[0]), l.Range)+" "+s.file(*l.Target))
	}
	s.got[a[1]] = join(lines)
}

func (s *script) folding(a []string) {
	r, err := s.FoldingRanges(s.ctx(), &protocol.FoldingRangeParams{TextDocument: s.id(a[0])})
	s.check(err)
	var lines []string
	for _, f := range r {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%d-%d %s", f.StartLine+1, f.EndLine+1, f.Kind)))
	}
	s.got[a[1]] = join(lines)
}

// whole is the range of a file.
func (s *script) whole(file string) protocol.Range {
	src := s.content(file)
	return mapper{text.NewLineIndex(src), s.enc}.rangeOf(text.Span{Start: 0, End: len(src)})
}

func (s *script) inlayHints(a []string) {
	r, err := s.InlayHint(s.ctx(), &protocol.InlayHintParams{TextDocument: s.id(a[0]), Range: s.whole(a[0])})
	s.check(err)
	var lines []string
	for _, h := range r {
		lines = append(lines, fmt.Sprintf("%s %s", s.place(s.uri(a[0]), protocol.Range{Start: h.Position, End: h.Position}), h.Label))
	}
	s.got[a[1]] = join(lines)
}

func (s *script) lenses(a []string) {
	r, err := s.CodeLens(s.ctx(), &protocol.CodeLensParams{TextDocument: s.id(a[0])})
	s.check(err)
	var lines []string
	for _, l := range r {
		done, err := s.CodeLensResolve(s.ctx(), &l)
		s.check(err)
		lines = append(lines, s.place(s.uri(a[0]), done.Range)+" "+done.Command.Title)
	}
	s.got[a[1]] = join(lines)
}

func (s *script) semanticTokens(a []string) {
	r, err := s.SemanticTokensFull(s.ctx(), &protocol.SemanticTokensParams{TextDocument: s.id(a[0])})
	s.check(err)
	part, err := s.SemanticTokensRange(s.ctx(), &protocol.SemanticTokensRangeParams{TextDocument: s.id(a[0]), Range: s.whole(a[0])})
	s.check(err)
	if !slices.Equal(r.Data, part.Data) {
		s.t.Errorf("all tokens are %v, those in the range of all %v", r.Data, part.Data)
	}
	src := s.content(a[0])
	m := mapper{text.NewLineIndex(src), s.enc}
	var lines []string
	var at protocol.Position
	for d := r.Data; len(d) >= 5; d = d[5:] {
		if d[0] > 0 {
			at.Character = 0
		}
		at.Line, at.Character = at.Line+d[0], at.Character+d[1]
		end := protocol.Position{Line: at.Line, Character: at.Character + d[2]}
		lines = append(lines, fmt.Sprintf("%d %s %q", at.Line+1, tokenTypes[d[3]], m.span(protocol.Range{Start: at, End: end}).In(src)))
	}
	s.got[a[1]] = join(lines)
}

func (s *script) format(a []string) {
	edits, err := s.Formatting(s.ctx(), &protocol.DocumentFormattingParams{TextDocument: s.id(a[0])})
	s.check(err)
	before := s.files()
	s.check(s.applyText(s.uri(a[0]), edits, false))
	s.got[a[1]] = difference(before, s.files())
	again, err := s.Formatting(s.ctx(), &protocol.DocumentFormattingParams{TextDocument: s.id(a[0])})
	s.check(err)
	if len(again) > 0 {
		s.t.Errorf("formatting again changes %v", again)
	}
}

func (s *script) selection(a []string) {
	at := s.at(a)
	r, err := s.SelectionRange(s.ctx(), &protocol.SelectionRangeParams{TextDocument: at.TextDocument, Positions: []protocol.Position{at.Position}})
	s.check(err)
	var lines []string
	for x := &r[0]; x != nil; x = x.Parent {
		lines = append(lines, s.place(at.TextDocument.URI, x.Range))
	}
	s.got[a[2]] = join(lines)
}

func (s *script) findSymbols(a []string) {
	r, err := s.Symbols(s.ctx(), &protocol.WorkspaceSymbolParams{Query: a[0]})
	s.check(err)
	var lines []string
	for _, x := range r.(protocol.SymbolInformationSlice) { // the protocol package cannot tell the two apart
		lines = append(lines, x.Name+" "+s.place(x.Location.URI, x.Location.Range))
	}
	s.got[a[1]] = join(lines)
}

func (s *script) whichClients(a []string) {
	raw, err := json.Marshal(map[string]any{"textDocument": map[string]any{"uri": s.uri(a[0])}})
	s.check(err)
	var result jsonrpc2.RawMessage
	_, err = s.conn.Call(s.ctx(), methodClients, jsonrpc2.RawMessage(raw), &result)
	s.check(err)
	var out struct {
		Clients []struct {
			Name   string
			Skills []struct{ Name, Status string }
		}
	}
	s.check(json.Unmarshal(result, &out))
	var lines []string
	for _, c := range out.Clients {
		lines = append(lines, fmt.Sprintf("%s %s %q", c.Name, c.Skills[0].Status, c.Skills[0].Name))
	}
	s.got[a[1]] = join(lines)
}
