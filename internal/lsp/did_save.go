package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidSave has a file that was deleted come back: it is on disk again.
func (s *Server) DidSave(_ context.Context, p *protocol.DidSaveTextDocumentParams) error {
	u := canonical(p.TextDocument.URI)
	d := s.state().docs[u]
	if d == nil || !d.gone {
		return nil
	}
	s.change(func(st *state) { s.lay(st, u, d.with(d.version, d.text)) })
	return nil
}
