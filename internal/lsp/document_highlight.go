package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/text"
)

// DocumentHighlight marks the other places of a document that speak of the same: a file, a heading, a skill or a tool.
func (s *Server) DocumentHighlight(ctx context.Context, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	out := []protocol.DocumentHighlight{}
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	mark := func(at text.Span, kind protocol.DocumentHighlightKind) {
		out = append(out, protocol.DocumentHighlight{Range: pg.rangeOf(at), Kind: kind})
	}
	off := pg.offset(p.Position)
	if m, ok := pg.toolAt(off); ok {
		for _, at := range pg.toolPlaces(toolAim{m.Offer.Name, m.Tool.Name()}) {
			mark(at, protocol.DocumentHighlightKindRead)
		}
		return out, ctx.Err()
	}
	if skill, at := pg.mentionAt(off); skill != nil {
		if pg.main && skill == pg.skill {
			if f := pg.front.Field("name"); f != nil {
				mark(nameSpan(pg.text(), f), protocol.DocumentHighlightKindWrite)
			}
		}
		for _, at := range mentions(pg.text(), at.In(pg.text())) {
			mark(at, protocol.DocumentHighlightKindRead)
		}
		return out, nil
	}
	abs, heading := pg.aim(off)
	if _, ok := pg.referenceAt(off); !ok && heading == nil {
		return out, nil
	}
	if heading != nil {
		mark(heading.Text, protocol.DocumentHighlightKindWrite)
	}
	for _, r := range pg.references() {
		to, there := pg.target(r)
		if !there || to != abs {
			continue
		}
		if i := rules.Anchored(pg.text(), pg.body, r.Fragment); heading == nil || i >= 0 && pg.body.Headings[i] == *heading {
			mark(whole(r), protocol.DocumentHighlightKindRead)
		}
	}
	return out, ctx.Err()
}
