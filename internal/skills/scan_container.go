package skills

import "strings"

// container is a block quote or a list item. Lists need no entry of their own: whether two items are
// of one list changes nothing that a Body tells.
type container struct {
	quote  bool
	offset int  // columns the content of a list item is indented
	empty  bool // nothing has been found in it yet
}

// matchContainers goes over the prefixes of the open containers at the start of the line and returns
// how many containers the line continues.
func (s *scanner) matchContainers() int {
	quotes := 0
	for i, c := range s.containers {
		s.findText()
		switch {
		case c.quote:
			if !s.skipQuoteMarker() {
				return i
			}
			quotes++
		case s.blank():
			return s.matchBlank(quotes)
		case s.indent() >= c.offset:
			s.skipColumns(c.offset)
		default:
			return i
		}
	}
	return len(s.containers)
}

// matchBlank returns how many containers a blank line continues, when it has passed the first quotes
// block quotes. It continues every list item, without a look at each, but one that began with a
// blank line too: https://spec.commonmark.org/0.31.2/#list-items, rule 3.
func (s *scanner) matchBlank(quotes int) int {
	if quotes < len(s.quotes) {
		return s.quotes[quotes]
	}
	last := len(s.containers) - 1
	if s.containers[last].empty {
		return last
	}
	return last + 1
}

// openContainer opens the block quote or list item that starts at the rest of the line, inside the
// first matched containers.
func (s *scanner) openContainer(matched int) bool {
	if s.src[s.text] == '>' {
		s.startBlock(matched)
		s.skipQuoteMarker()
		s.quotes = append(s.quotes, len(s.containers))
		s.containers = append(s.containers, container{quote: true})
		return true
	}
	return s.openListItem(matched)
}

// skipQuoteMarker goes over a block quote marker: ">" and a space or tab after it
// (https://spec.commonmark.org/0.31.2/#block-quote-marker).
func (s *scanner) skipQuoteMarker() bool {
	if s.blank() || s.src[s.text] != '>' || s.indent() >= codeIndent {
		return false
	}
	s.skipText(1)
	s.skipColumns(1)
	return true
}

// openListItem opens a list item: https://spec.commonmark.org/0.31.2/#list-items
func (s *scanner) openListItem(matched int) bool {
	width := listMarker(s.rest())
	if width == 0 || s.inParagraph(matched) && !interrupts(s.rest(), width) {
		return false
	}
	indent := s.indent()
	s.startBlock(matched)
	s.skipText(width)
	s.findText()
	spaces := s.indent()
	if s.blank() || spaces > codeIndent {
		spaces = 1 // the item starts with a blank line or with indented code
	}
	s.skipColumns(spaces)
	s.containers = append(s.containers, container{offset: indent + width + spaces, empty: true})
	return true
}

// listMarker returns the length of the list marker at the start of rest, 0 if there is none: "-",
// "+", "*", or up to nine digits with "." or ")", and white space or the end of the line behind it
// (https://spec.commonmark.org/0.31.2/#list-marker).
func listMarker(rest string) int {
	n := 0
	for n < len(rest) && n < 10 && isDigit(rest[n]) {
		n++
	}
	delimiters := "-+*"
	if n > 0 {
		delimiters = ".)"
	}
	if n == 10 || n == len(rest) || strings.IndexByte(delimiters, rest[n]) < 0 {
		return 0
	}
	n++
	if n < len(rest) && !isBlank(rest[n]) {
		return 0
	}
	return n
}

// interrupts reports whether a list item whose marker is width bytes long can interrupt a paragraph:
// when it is not empty, and starts with 1 if it is numbered.
func interrupts(rest string, width int) bool {
	if isDigit(rest[0]) && strings.TrimLeft(rest[:width-1], "0") != "1" {
		return false
	}
	return trimBlanks(rest, width, len(rest)) > width
}

// startBlock makes room for a new block inside the first matched containers: it closes what is open
// deeper.
func (s *scanner) startBlock(matched int) {
	s.closeTo(matched)
	if matched > 0 {
		s.containers[matched-1].empty = false
	}
}

// closeTo closes the leaf and all containers but the first n.
func (s *scanner) closeTo(n int) {
	s.closeLeaf()
	s.containers = s.containers[:n]
	for len(s.quotes) > 0 && s.quotes[len(s.quotes)-1] >= n {
		s.quotes = s.quotes[:len(s.quotes)-1]
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
