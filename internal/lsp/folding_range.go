package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/text"
)

// FoldingRanges lists what can be folded: the front matter, its values of several lines, sections and blocks of
// code.
func (s *Server) FoldingRanges(ctx context.Context, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	out := []protocol.FoldingRange{}
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	add := func(at text.Span, kind protocol.FoldingRangeKind) {
		src := pg.text()[at.Start:at.End]
		end := at.Start + len(strings.TrimRight(src, " \t\r\n"))
		if first, last := pg.position(at.Start).Line, pg.position(end).Line; last > first {
			out = append(out, protocol.FoldingRange{StartLine: first, EndLine: last, Kind: kind})
		}
	}
	if pg.front.Closed() {
		add(text.Span{Start: pg.front.Open.Span.Start, End: pg.front.Close.Span.End}, protocol.FoldingRangeKindRegion)
	}
	for _, f := range pg.front.Fields {
		add(text.Span{Start: f.Key.Start, End: max(f.Key.End, f.Value.End)}, "")
	}
	for i := range pg.body.Headings {
		add(pg.section(i), "")
	}
	for _, f := range pg.body.Fences {
		add(f.Span, "")
	}
	for _, c := range pg.body.Comments {
		add(c, protocol.FoldingRangeKindComment)
	}
	return out, ctx.Err()
}
