package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DocumentLink lists the files that a text refers to, so that a click opens them. Addresses on the web are left
// to the editor.
func (s *Server) DocumentLink(ctx context.Context, p *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	out := []protocol.DocumentLink{}
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	for _, d := range pg.declared() {
		if to, ok := pg.fileLocation(d.Abs); ok {
			out = append(out, protocol.DocumentLink{Range: pg.rangeOf(d.Value.Span), Target: &to.URI, Tooltip: new(pg.live().Shown(d.Abs))})
		}
	}
	for _, r := range pg.references() {
		if to, ok := pg.destination(r); ok && !r.Span.Empty() {
			u := to.URI
			out = append(out, protocol.DocumentLink{Range: pg.rangeOf(whole(r)), Target: &u, Tooltip: new(pg.live().Shown(pathOf(canonical(u))))})
		}
	}
	return out, ctx.Err()
}
