package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// DidChange applies edits to an open document. Edits that the client numbers backwards are applied too: what
// it shows is what counts.
func (s *Server) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	u := canonical(p.TextDocument.URI)
	d := s.state().docs[u]
	if d == nil {
		return fmt.Errorf("%w: %s is not open", jsonrpc2.ErrInvalidParams, u)
	}
	if p.TextDocument.Version < d.version {
		s.log.Warn("a version goes back", "uri", u, "from", d.version, "to", p.TextDocument.Version)
	}
	for _, c := range p.ContentChanges {
		if part, ok := c.(*protocol.TextDocumentContentChangePartial); ok && before(part.Range.End, part.Range.Start) {
			return fmt.Errorf("%w: a range of %s ends before it starts", jsonrpc2.ErrInvalidParams, u)
		}
	}
	next := d.with(p.TextDocument.Version, strings.Clone(d.apply(p.ContentChanges, s.can.encoding)))
	s.change(func(st *state) { s.lay(st, u, next) })
	return nil
}

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
