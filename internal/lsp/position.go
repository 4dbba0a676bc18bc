package lsp

import (
	"math"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/text"
)

// encodings are the ways to count columns that the server can, all of the protocol's.
var encodings = map[protocol.PositionEncodingKind]text.Encoding{
	protocol.PositionEncodingKindUTF8:  text.UTF8,
	protocol.PositionEncodingKindUTF16: text.UTF16,
	protocol.PositionEncodingKindUTF32: text.UTF32,
}

// encoding picks the first that the client prefers, or UTF-16, which every client can.
func encoding(offered []protocol.PositionEncodingKind) protocol.PositionEncodingKind {
	for _, e := range offered {
		if _, ok := encodings[e]; ok {
			return e
		}
	}
	return protocol.PositionEncodingKindUTF16
}

// mapper converts between byte offsets of a text and positions of the protocol.
type mapper struct {
	lines *text.LineIndex
	enc   text.Encoding
}

func (m mapper) position(off int) protocol.Position {
	p := m.lines.OffsetPosition(off, m.enc)
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Column)}
}

func (m mapper) rangeOf(at text.Span) protocol.Range {
	return protocol.Range{Start: m.position(at.Start), End: m.position(at.End)}
}

func (m mapper) offset(p protocol.Position) int {
	return m.lines.PositionOffset(text.Position{Line: clamp(p.Line), Column: clamp(p.Character)}, m.enc)
}

// span returns the bytes of a range; one that ends before it starts is empty.
func (m mapper) span(r protocol.Range) text.Span {
	at := text.Span{Start: m.offset(r.Start), End: m.offset(r.End)}
	at.End = max(at.End, at.Start)
	return at
}

// clamp keeps a number that clients may choose within what int holds on every system.
func clamp(n uint32) int { return int(min(n, math.MaxInt32)) }
