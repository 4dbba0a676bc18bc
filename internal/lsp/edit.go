package lsp

import (
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/lint"
)

// edit turns a fix into an edit of the workspace. It is false when the client cannot do all of it.
func (c converter) edit(fix lint.Fix) (*protocol.WorkspaceEdit, bool) {
	b := c.builder()
	for _, x := range fix.Creates {
		b.create(c.p.live.Abs(x.File), x.Text)
	}
	for _, e := range fix.Edits {
		b.replace(c.uri(e.File), c.mapper(e.File).rangeOf(e.Span), e.New)
	}
	for _, r := range fix.Renames {
		b.rename(c.p.live.Abs(r.From), c.p.live.Abs(r.To))
	}
	return b.build()
}

// builder collects the parts of an edit of the workspace.
type builder struct {
	*Server
	st      *state
	texts   map[uri.URI][]protocol.TextEdit
	order   []uri.URI
	first   []protocol.DocumentChange // files that are created before the texts are edited
	last    []protocol.DocumentChange // files that are renamed after
	refused bool                      // the client cannot do something of it
}

func (c converter) builder() *builder { return c.Server.builder(c.st) }

func (s *Server) builder(st *state) *builder {
	return &builder{Server: s, st: st, texts: map[uri.URI][]protocol.TextEdit{}}
}

func (b *builder) replace(u uri.URI, at protocol.Range, with string) {
	if b.texts[u] == nil {
		b.order = append(b.order, u)
	}
	b.texts[u] = append(b.texts[u], protocol.TextEdit{Range: at, NewText: with})
}

func (b *builder) create(abs, text string) {
	b.refused = b.refused || !b.can.create || !b.st.reaches(abs)
	u := b.st.uriOf(abs)
	b.first = append(b.first, &protocol.CreateFile{Kind: "create", URI: u, Options: &protocol.CreateFileOptions{IgnoreIfExists: new(true)}})
	if text != "" {
		b.replace(u, protocol.Range{}, text)
	}
}

func (b *builder) rename(from, to string) {
	b.refused = b.refused || !b.can.rename || !b.st.reaches(filepath.Dir(from)) || !b.st.reaches(filepath.Dir(to))
	b.last = append(b.last, &protocol.RenameFile{Kind: "rename", OldURI: b.st.uriOf(from), NewURI: b.st.uriOf(to)})
}

// build returns the edit. It is false when the client cannot do it, and when it changes nothing.
func (b *builder) build() (*protocol.WorkspaceEdit, bool) {
	if b.refused || len(b.order)+len(b.first)+len(b.last) == 0 {
		return nil, false
	}
	if !b.can.documentChanges {
		return &protocol.WorkspaceEdit{Changes: b.texts}, true
	}
	edit := &protocol.WorkspaceEdit{DocumentChanges: b.first}
	for _, u := range b.order {
		edit.DocumentChanges = append(edit.DocumentChanges, b.textEdit(u))
	}
	edit.DocumentChanges = append(edit.DocumentChanges, b.last...)
	return edit, true
}

// textEdit returns the edits of one document, bound to its version when it is open.
func (b *builder) textEdit(u uri.URI) *protocol.TextDocumentEdit {
	e := &protocol.TextDocumentEdit{}
	e.TextDocument.URI = u
	if d := b.st.docs[canonical(u)]; d != nil {
		e.TextDocument.Version = new(d.version)
	}
	for _, t := range b.texts[u] {
		e.Edits = append(e.Edits, &t)
	}
	return e
}
