package skills

import "github.com/skill-ls/skill-ls/internal/text"

// para is the open paragraph.
type para struct {
	from      int // offset in the flat text, behind the definitions taken from it
	line      int // index of its first line in scanner.lines
	delimiter int // index in scanner.lines of its first line that looks like a table's delimiter row, or 0
	columns   int // number of columns if that row makes it a table, else 0
}

// flatLine says where a line of the flat text comes from.
type flatLine struct {
	flat int // offset in the flat text
	src  int // offset in the source
}

// inlineText is a part of the flat text to search for inline elements: a paragraph, a heading or a
// cell of a table.
type inlineText struct {
	from, to int // offsets in the flat text
	line     int // index in scanner.lines of its first line
}

// inParagraph reports whether the line, which continues the first matched containers, continues the
// paragraph that is open, unless it starts something else.
func (s *scanner) inParagraph(matched int) bool {
	return s.leaf == leafParagraph && matched == len(s.containers)
}

// startParagraph opens a paragraph: https://spec.commonmark.org/0.31.2/#paragraphs
func (s *scanner) startParagraph(matched int) {
	s.startBlock(matched)
	s.leaf = leafParagraph
	s.para = para{from: len(s.flat), line: len(s.lines)}
	s.addFlat(s.text, s.end)
}

// addParagraphLine adds the line to the open paragraph and looks whether it makes it a table.
func (s *scanner) addParagraphLine() {
	s.addFlat(s.text, s.end)
	if s.para.delimiter == 0 && s.indent() < codeIndent {
		s.findTable()
	}
}

// closeParagraph takes the definitions from the start of the paragraph and leaves the rest to the
// search for inline elements.
func (s *scanner) closeParagraph() {
	s.takeDefinitions()
	if s.isTable() {
		s.addTable()
		return
	}
	s.addInline(s.para.from, len(s.flat), s.para.line)
}

// addFlat adds the line src[start:end] to the flat text and returns its offset there.
func (s *scanner) addFlat(start, end int) int {
	from := len(s.flat)
	s.lines = append(s.lines, flatLine{from, start})
	s.flat = append(append(s.flat, s.src[start:end]...), '\n')
	return from
}

// addInline notes a part of the flat text, less white space at its end, for the search for inline
// elements. line is the index in s.lines of its first line, or of one before.
func (s *scanner) addInline(from, to, line int) {
	flat := s.flatText()
	for to > from && (isBlank(flat[to-1]) || flat[to-1] == '\n') {
		to--
	}
	if to > from {
		line = searchLines(s.lines, line, len(s.lines), from)
		s.inlines = append(s.inlines, inlineText{from, to, line})
	}
}

// source returns the offset in the source of a byte of the flat text. line is the index in s.lines of
// the line it is on or of one before.
func (s *scanner) source(line, at int) int {
	l := s.lines[searchLines(s.lines, line, len(s.lines), at)]
	return l.src + at - l.flat
}

// sourceSpan returns the place in the source of a part of the flat text, which must not be empty.
func (s *scanner) sourceSpan(line int, flat text.Span) text.Span {
	return text.Span{Start: s.source(line, flat.Start), End: s.source(line, flat.End-1) + 1}
}

// destination returns the place in the source of a part of one line of the flat text, perhaps empty.
func (s *scanner) destination(line int, flat text.Span) text.Span {
	start := s.source(line, flat.Start)
	return text.Span{Start: start, End: start + flat.Len()}
}

// searchLines returns the last of lines[low:high] that starts at or before at, low if none does.
func searchLines(lines []flatLine, low, high, at int) int {
	for high-low > 1 {
		if mid := int(uint(low+high) / 2); lines[mid].flat <= at {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
