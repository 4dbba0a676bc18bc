package text

import (
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Encoding says in which unit a column is counted. The names are those of LSP's
// PositionEncodingKind: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.18/specification/#positionEncodingKind
type Encoding uint8

const (
	UTF16 Encoding = iota // UTF-16 code units, the default of LSP
	UTF8                  // bytes
	UTF32                 // code points, what people call characters
)

// Position is a place by line and column, both counted from 0.
type Position struct{ Line, Column int }

// LineIndex converts between byte offsets and positions of one text. Lines end at "\n", "\r\n" and
// a lone "\r", as in LSP. The line table is built on first use; a LineIndex may be used by several
// goroutines at once.
type LineIndex struct {
	src    string
	once   sync.Once
	starts []uint32 // byte offset of the first byte of each line; no text in memory comes near the 4 GiB it holds
	ascii  bool     // whole text is ASCII: a column is a byte count in every encoding
}

// NewLineIndex returns the index of src. It does no work yet.
func NewLineIndex(src string) *LineIndex { return &LineIndex{src: src} }

func (x *LineIndex) init() {
	x.once.Do(func() {
		x.starts = append(make([]uint32, 0, 1+strings.Count(x.src, "\n")), 0)
		x.ascii = NonASCII(x.src, 0) == len(x.src)
		returns := strings.IndexByte(x.src, '\r') >= 0
		for end := 0; ; end++ {
			next := lineBreak(x.src[end:], returns)
			if next < 0 {
				return
			}
			end += next
			if strings.HasPrefix(x.src[end:], "\r\n") {
				end++
			}
			x.starts = append(x.starts, uint32(end+1))
		}
	})
}

// lineBreak returns the offset of the first line break in s, or -1. Most texts have no carriage return.
func lineBreak(s string, returns bool) int {
	if returns {
		return strings.IndexAny(s, "\r\n")
	}
	return strings.IndexByte(s, '\n')
}

// Lines returns the number of lines. An empty text has one; a text that ends in a line break has an
// empty last line.
func (x *LineIndex) Lines() int {
	x.init()
	return len(x.starts)
}

// Line returns the span of a line without its line break. A line that does not exist is the empty
// span at the end of the text.
func (x *LineIndex) Line(line int) Span {
	x.init()
	if line < 0 || line >= len(x.starts) {
		return At(len(x.src))
	}
	s := Span{int(x.starts[line]), len(x.src)}
	if line+1 < len(x.starts) {
		s.End = int(x.starts[line+1])
	}
	for s.End > s.Start && (x.src[s.End-1] == '\n' || x.src[s.End-1] == '\r') {
		s.End--
	}
	return s
}

// OffsetLine returns the line that off lies on.
func (x *LineIndex) OffsetLine(off int) int {
	x.init()
	return sort.Search(len(x.starts), func(i int) bool { return int(x.starts[i]) > off }) - 1
}

// OffsetPosition converts a byte offset. An offset outside the text is clamped, one inside a rune
// counts as the rune's start, one between "\r" and "\n" as the end of the line.
func (x *LineIndex) OffsetPosition(off int, enc Encoding) Position {
	x.init()
	off = min(max(off, 0), len(x.src))
	line := max(x.OffsetLine(off), 0)
	start := int(x.starts[line])
	off = min(off, max(x.Line(line).End, start))
	return Position{line, x.width(start, off, enc)}
}

// PositionOffset converts a position. A column past the end of its line is the end of the line and a
// line past the last is the end of the text, as LSP wants; a column inside a rune is its start.
func (x *LineIndex) PositionOffset(p Position, enc Encoding) int {
	line := x.Line(p.Line)
	if p.Line < 0 {
		return 0
	}
	if x.ascii || enc == UTF8 {
		return x.runeStart(min(line.Start+max(p.Column, 0), line.End))
	}
	off, col := line.Start, 0
	for off < line.End {
		r, n := utf8.DecodeRuneInString(x.src[off:line.End])
		if col += units(r, enc); col > p.Column {
			break
		}
		off += n
	}
	return off
}

// width returns the length of the text from start to off in units of enc.
func (x *LineIndex) width(start, off int, enc Encoding) int {
	off = x.runeStart(off)
	if x.ascii || enc == UTF8 {
		return off - start
	}
	n := 0
	for _, r := range x.src[start:off] {
		n += units(r, enc)
	}
	return n
}

// runeStart moves off back to the first byte of the rune it lies in. Bytes that are not UTF-8 count
// as one rune each.
func (x *LineIndex) runeStart(off int) int {
	if x.ascii {
		return off
	}
	for back := 1; back < utf8.UTFMax && off-back >= 0 && off < len(x.src) && !utf8.RuneStart(x.src[off]); back++ {
		if _, n := utf8.DecodeRuneInString(x.src[off-back:]); n > back {
			return off - back
		}
	}
	return off
}

func units(r rune, enc Encoding) int {
	if enc == UTF16 && r > 0xFFFF {
		return 2
	}
	return 1
}
