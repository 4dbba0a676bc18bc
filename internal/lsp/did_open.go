package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/text"
)

// DidOpen takes over a document from the disk.
func (s *Server) DidOpen(ctx context.Context, p *protocol.DidOpenTextDocumentParams) error {
	src := strings.Clone(p.TextDocument.Text) // what is decoded may share the memory of its message
	d := &document{
		raw: p.TextDocument.URI, language: strings.Clone(string(p.TextDocument.LanguageID)), version: p.TextDocument.Version,
		text: src, lines: text.NewLineIndex(src),
	}
	if raw, ok := ctx.Value(rawKey{}).(uri.URI); ok && raw != "" {
		d.raw = uri.URI(strings.Clone(string(raw)))
	}
	u := canonical(d.raw)
	d.abs = pathOf(u)
	s.change(func(st *state) {
		if have := st.docs[u]; have != nil {
			s.log.Warn("a document was opened twice; the second text counts", "uri", u)
		}
		s.lay(st, u, d)
	})
	return nil
}
