package skills

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/skill-ls/skill-ls/internal/text"
)

// ScanBody finds the blocks and the inline elements of the Markdown in src from byte offset from,
// which must be the start of a line, to the end. It follows CommonMark 0.31.2
// (https://spec.commonmark.org/0.31.2/) and knows GitHub's tables as far as their cells keep inline
// elements apart. It accepts every text, valid UTF-8 or not, and takes time linear in its length.
func ScanBody(src string, from int) Body {
	s := scanner{src: src, next: from, lf: -1, cr: -1}
	s.body.Span = text.Span{Start: from, End: len(src)}
	room := scanRooms.Get().(*scanRoom)
	s.flat, s.lines, s.inlines = room.flat[:0], room.lines[:0], room.inlines[:0]
	s.body.CodeSpans = make([]CodeSpan, 0, strings.Count(src[from:], "`")/2)
	for s.nextLine() {
		s.line()
	}
	s.closeTo(0)
	s.scanInlines()
	s.sort()
	if cap(s.flat) < maxScanRoom {
		room.flat, room.lines, room.inlines = s.flat, s.lines, s.inlines
		scanRooms.Put(room)
	}
	return s.body
}

// scanRoom is the memory that a scan takes while it runs, kept for the next one.
type scanRoom struct {
	flat    []byte
	lines   []flatLine
	inlines []inlineText
}

var scanRooms = sync.Pool{New: func() any { return &scanRoom{} }}

// maxScanRoom is the size of a text in bytes from which the memory is given back.
const maxScanRoom = 1 << 20

// flatText returns the flat text so far. It holds until the scan ends: what outlives that is copied.
func (s *scanner) flatText() string { return unsafe.String(unsafe.SliceData(s.flat), len(s.flat)) }

// scanner reads the lines of a text one by one and keeps the blocks that are open, in the manner of
// https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy. Only the innermost block can be a
// leaf, so the open blocks are a stack of containers and at most one leaf.
type scanner struct {
	src  string
	body Body

	// The current line: src[start:end], the next one starts at next. lf and cr are the next line
	// feed and carriage return at or after start, remembered so that a text without one of them is
	// searched for it only once.
	start, end, next int
	lf, cr           int

	// What is left of the line: from pos, which stands in column col; a tab may be used up in part.
	// The first character that is no space or tab is at text, in column textCol.
	pos, col      int
	text, textCol int
	noBreak       int // no thematic break of this line starts before this offset

	containers []container
	quotes     []int // where in containers the block quotes are
	leaf       leaf
	html       htmlEnd // what ends the HTML block that is open
	fence      fence   // the fenced code block that is open
	para       para    // the paragraph that is open

	// The text to search for inline elements, with lines joined by "\n" and without the prefixes of
	// containers, and where its lines come from.
	flat    []byte
	lines   []flatLine
	inlines []inlineText
	labels  map[string]int // index in body.Definitions by label
}

// nextLine goes to the next line and reports whether there is one. Lines end at "\n", "\r\n" and a
// lone "\r" (https://spec.commonmark.org/0.31.2/#line).
func (s *scanner) nextLine() bool {
	if s.next >= len(s.src) {
		return false
	}
	s.start = s.next
	s.lf = s.indexFrom(s.lf, '\n')
	s.cr = s.indexFrom(s.cr, '\r')
	s.end = min(s.lf, s.cr)
	s.next = s.end + 1
	if s.lf == s.cr+1 {
		s.next++
	}
	s.next = min(s.next, len(s.src))
	s.pos, s.col = s.start, 0
	s.text, s.noBreak = -1, 0
	return true
}

// indexFrom returns the offset of the first c at or after the start of the line, the length of the
// text if there is none. last is the answer for the line before.
func (s *scanner) indexFrom(last int, c byte) int {
	if last >= s.start {
		return last
	}
	if i := strings.IndexByte(s.src[s.start:], c); i >= 0 {
		return s.start + i
	}
	return len(s.src)
}

// line finds out what the current line belongs to and what it starts.
func (s *scanner) line() {
	matched := s.matchContainers()
	s.findText()
	if matched == len(s.containers) && s.continueLeaf() {
		return
	}
	matched, done := s.openBlocks(matched)
	switch {
	case done:
	case s.leaf == leafParagraph && !s.blank():
		s.addParagraphLine() // perhaps a lazy one: https://spec.commonmark.org/0.31.2/#lazy-continuation-line
	case s.blank():
		s.closeTo(matched)
	default:
		s.startParagraph(matched)
	}
}

// openBlocks opens the blocks that start on the rest of the line inside the first matched
// containers. It returns the number of containers the rest of the line then lies in, and whether
// nothing is left of it.
func (s *scanner) openBlocks(matched int) (int, bool) {
	for !s.blank() {
		if s.indent() >= codeIndent {
			return matched, s.openIndented(matched)
		}
		if s.openLeaf(matched) {
			return matched, true
		}
		if !s.openContainer(matched) {
			break
		}
		matched = len(s.containers)
		s.findText()
	}
	return matched, false
}

// tabStop is the distance of tab stops: https://spec.commonmark.org/0.31.2/#tabs
const tabStop = 4

// findText finds the first character of the rest of the line that is no space or tab.
func (s *scanner) findText() {
	if s.text >= s.pos {
		return
	}
	i, col := s.pos, s.col
	for ; i < s.end; i++ {
		if s.src[i] == '\t' {
			col += tabStop - col%tabStop
		} else if s.src[i] == ' ' {
			col++
		} else {
			break
		}
	}
	s.text, s.textCol = i, col
}

// indent returns how many columns of white space stand before the rest of the line.
func (s *scanner) indent() int { return s.textCol - s.col }

// blank reports whether nothing but white space is left of the line.
func (s *scanner) blank() bool { return s.text == s.end }

// rest returns what is left of the line without its indentation.
func (s *scanner) rest() string { return s.src[s.text:s.end] }

// skipColumns goes over up to n columns of white space, a part of a tab if need be.
func (s *scanner) skipColumns(n int) {
	for n > 0 && s.pos < s.end && isBlank(s.src[s.pos]) {
		width := 1
		if s.src[s.pos] == '\t' {
			width = tabStop - s.col%tabStop
		}
		if width > n {
			s.col += n
			return
		}
		s.pos++
		s.col += width
		n -= width
	}
}

// skipText goes over n characters of the rest of the line and the indentation before them.
func (s *scanner) skipText(n int) {
	s.pos, s.col = s.text+n, s.textCol+n
}

// sort puts in the order of the text what was found when it ended or in separate passes.
func (s *scanner) sort() {
	byStart := func(a, b text.Span) int { return a.Start - b.Start }
	slices.SortFunc(s.body.HTML, byStart)
	slices.SortFunc(s.body.Comments, byStart)
	slices.SortFunc(s.body.Links, func(a, b Link) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
}

// isBlank reports whether c is a space or a tab.
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// trimBlanks returns end moved back over spaces and tabs, not below start.
func trimBlanks(src string, start, end int) int {
	for end > start && isBlank(src[end-1]) {
		end--
	}
	return end
}
