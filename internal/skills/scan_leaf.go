package skills

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// leaf is the kind of the leaf block that is open.
type leaf uint8

const (
	leafNone leaf = iota
	leafParagraph
	leafIndented
	leafFence
	leafHTML
)

// codeIndent is the indentation of indented code, at which nothing else starts:
// https://spec.commonmark.org/0.31.2/#indented-code-blocks
const codeIndent = 4

// fence is the opening of a fenced code block.
type fence struct {
	char byte
	run  int // length of the opening run
}

// continueLeaf gives the rest of the line to the open leaf and reports whether it took it. A
// paragraph never takes it here, for most blocks can interrupt one.
func (s *scanner) continueLeaf() bool {
	switch s.leaf {
	case leafFence:
		s.addFenceLine()
		return true
	case leafHTML:
		s.addHTMLLine()
		return true
	case leafIndented:
		return s.addIndentedLine()
	}
	return false
}

// closeLeaf closes the open leaf, if any.
func (s *scanner) closeLeaf() {
	was := s.leaf
	s.leaf = leafNone
	switch was {
	case leafParagraph:
		s.closeParagraph()
	case leafHTML:
		s.findComments(s.body.HTML[len(s.body.HTML)-1])
	}
}

// openLeaf opens the leaf that starts at the rest of the line, other than indented code and
// paragraphs, and reports whether there is one.
func (s *scanner) openLeaf(matched int) bool {
	switch s.src[s.text] {
	case '#':
		return s.heading(matched)
	case '`', '~':
		return s.openFence(matched)
	case '<':
		return s.openHTML(matched)
	case '=':
		return s.setext(matched)
	case '-':
		return s.setext(matched) || s.thematicBreak(matched)
	case '*', '_':
		return s.thematicBreak(matched)
	}
	return false
}

// heading takes an ATX heading: https://spec.commonmark.org/0.31.2/#atx-headings
func (s *scanner) heading(matched int) bool {
	level := runLength(s.rest(), 0)
	start := s.text + level
	if level > 6 || start < s.end && !isBlank(s.src[start]) {
		return false
	}
	s.startBlock(matched)
	for start < s.end && isBlank(s.src[start]) {
		start++
	}
	end := headingEnd(s.src, start, trimBlanks(s.src, start, s.end))
	s.body.Headings = append(s.body.Headings, Heading{
		Span:  text.Span{Start: s.text, End: s.end},
		Level: level,
		Text:  text.Span{Start: start, End: end},
	})
	from := s.addFlat(start, end)
	s.addInline(from, from+end-start, len(s.lines)-1)
	return true
}

// headingEnd returns where the text src[start:end] of an ATX heading ends before a closing sequence.
func headingEnd(src string, start, end int) int {
	i := end
	for i > start && src[i-1] == '#' {
		i--
	}
	if i == start || isBlank(src[i-1]) {
		return trimBlanks(src, start, i)
	}
	return end
}

// setext turns the open paragraph into a heading if the line underlines it:
// https://spec.commonmark.org/0.31.2/#setext-headings. A paragraph of nothing but link reference
// definitions, or one that has become a table, cannot be underlined.
func (s *scanner) setext(matched int) bool {
	char, n := s.src[s.text], runLength(s.rest(), 0)
	if !s.inParagraph(matched) || trimBlanks(s.src, s.text+n, s.end) > s.text+n {
		return false
	}
	if s.takeDefinitions(); s.para.from == len(s.flat) {
		s.leaf = leafNone
		return false
	}
	if s.isTable() {
		return false
	}
	s.closeLeaf()
	level := 1
	if char == '-' {
		level = 2
	}
	title := s.inlines[len(s.inlines)-1]
	span := s.sourceSpan(title.line, text.Span{Start: title.from, End: title.to})
	s.body.Headings = append(s.body.Headings, Heading{
		Span: text.Span{Start: span.Start, End: s.end}, Level: level, Text: span,
	})
	return true
}

// thematicBreak takes a thematic break: https://spec.commonmark.org/0.31.2/#thematic-breaks. On a
// line of many list markers each is tried, so a failure is remembered for all before its place.
func (s *scanner) thematicBreak(matched int) bool {
	if s.text < s.noBreak {
		return false
	}
	n := 0
	for i := s.text; i < s.end; i++ {
		if s.src[i] == s.src[s.text] {
			n++
		} else if !isBlank(s.src[i]) {
			s.noBreak = i
			return false
		}
	}
	if n < 3 {
		return false
	}
	s.startBlock(matched)
	return true
}

// openFence opens a fenced code block: https://spec.commonmark.org/0.31.2/#fenced-code-blocks
func (s *scanner) openFence(matched int) bool {
	rest := s.rest()
	run := runLength(rest, 0)
	if run < 3 || rest[0] == '`' && strings.IndexByte(rest[run:], '`') >= 0 {
		return false
	}
	s.startBlock(matched)
	s.leaf = leafFence
	s.fence = fence{rest[0], run}
	start := s.text + run
	for start < s.end && isBlank(s.src[start]) {
		start++
	}
	s.body.Fences = append(s.body.Fences, Fence{
		Span:    text.Span{Start: s.text, End: s.next},
		Open:    text.Span{Start: s.text, End: s.text + run},
		Info:    text.Span{Start: start, End: trimBlanks(s.src, start, s.end)},
		Content: text.At(s.next),
	})
	return true
}

// addFenceLine closes the open fenced code block if the line is its closing fence, else adds it.
func (s *scanner) addFenceLine() {
	f := &s.body.Fences[len(s.body.Fences)-1]
	if end := s.closingFence(); end > 0 {
		f.Closed = true
		f.Span.End = end
		s.leaf = leafNone
		return
	}
	f.Content.End = s.next
	f.Span.End = s.next
}

// closingFence returns where the closing fence on the line ends, 0 if there is none.
func (s *scanner) closingFence() int {
	if s.blank() || s.indent() >= codeIndent || s.src[s.text] != s.fence.char {
		return 0
	}
	run := runLength(s.rest(), 0)
	end := s.text + run
	if run < s.fence.run || trimBlanks(s.src, end, s.end) > end {
		return 0
	}
	return end
}

// openIndented opens an indented code block, which cannot interrupt a paragraph.
func (s *scanner) openIndented(matched int) bool {
	if s.leaf == leafParagraph {
		return false
	}
	s.startBlock(matched)
	s.leaf = leafIndented
	s.body.Indented = append(s.body.Indented, text.Span{Start: s.text, End: s.end})
	return true
}

// addIndentedLine adds the line to the open indented code block or closes that. Blank lines count
// only once another line of code follows.
func (s *scanner) addIndentedLine() bool {
	switch {
	case s.blank():
		return true
	case s.indent() < codeIndent:
		s.leaf = leafNone
		return false
	}
	s.body.Indented[len(s.body.Indented)-1].End = s.end
	return true
}

// runLength returns how many characters equal to t[at] stand at at.
func runLength(t string, at int) int {
	n := 1
	for at+n < len(t) && t[at+n] == t[at] {
		n++
	}
	return n
}
