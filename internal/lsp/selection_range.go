package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/text"
)

// SelectionRange widens a selection step by step: word, line, value or block, section, part, document.
func (s *Server) SelectionRange(ctx context.Context, p *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	out := []protocol.SelectionRange{}
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	for _, pos := range p.Positions {
		out = append(out, pg.nested(pg.around(pg.offset(pos))))
	}
	return out, ctx.Err()
}

// around returns the spans around an offset, none of which need hold another.
func (p *page) around(off int) []text.Span {
	src := p.text()
	line := p.lines.Line(p.lines.OffsetLine(off))
	trimmed := line.In(src)
	start := line.Start + len(trimmed) - len(strings.TrimLeft(trimmed, " \t"))
	out := []text.Span{wordAt(src, off), {Start: start, End: max(start, line.Start+len(strings.TrimRight(trimmed, " \t")))}, line, {Start: 0, End: len(src)}}
	if f := p.fieldAt(off); f != nil && p.inFront(off) {
		out = append(out, f.Value, text.Span{Start: f.Key.Start, End: max(f.Value.End, f.Key.End)}, p.front.Block, text.Span{Start: p.front.Open.Span.Start, End: p.front.Close.Span.End})
	}
	for _, l := range p.body.Links {
		out = append(out, l.Text, l.Dest, l.Span)
	}
	for _, c := range p.body.CodeSpans {
		out = append(out, c.Content, c.Span)
	}
	for _, f := range p.body.Fences {
		out = append(out, f.Content, f.Span)
	}
	for i := range p.body.Headings {
		out = append(out, p.section(i))
	}
	if off >= p.body.Span.Start {
		out = append(out, p.body.Span)
	}
	return slices.DeleteFunc(out, func(s text.Span) bool { return off < s.Start || off > s.End || s.Empty() })
}

// nested links spans that hold each other, the smallest first. One that only overlaps is left out.
func (p *page) nested(spans []text.Span) protocol.SelectionRange {
	slices.SortFunc(spans, func(a, b text.Span) int { return b.Len() - a.Len() })
	var out *protocol.SelectionRange
	var last text.Span
	for _, s := range spans {
		if out != nil && (s == last || !last.Covers(s)) {
			continue
		}
		out, last = &protocol.SelectionRange{Range: p.rangeOf(s), Parent: out}, s
	}
	if out == nil {
		return protocol.SelectionRange{}
	}
	return *out
}
