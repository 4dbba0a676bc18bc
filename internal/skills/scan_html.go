package skills

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// htmlEnd is the end condition of an HTML block (https://spec.commonmark.org/0.31.2/#html-blocks): the
// text to find, or one of the two below.
type htmlEnd string

const (
	endTag   htmlEnd = "</" // the closing tag of an element of raw text, kind 1
	endBlank htmlEnd = ""   // a blank line, kinds 6 and 7
)

// markup holds what starts with "<" and is no tag, and what ends it: comments, processing instructions,
// CDATA sections and declarations, in which a letter follows. They make HTML blocks of kinds 2 to 5.
var markup = [...]struct{ open, end string }{
	{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"},
}

// markupAt returns which of markup starts at at, -1 if none does.
func markupAt(t string, at int) int {
	for i, m := range markup {
		if !strings.HasPrefix(t[at:], m.open) {
			continue
		}
		if letter := at + len(m.open); m.open == "<!" && (letter == len(t) || !isLetter(t[letter])) {
			return -1
		}
		return i
	}
	return -1
}

// rawElements are the elements of HTML blocks of kind 1.
var rawElements = [...]string{"pre", "script", "style", "textarea"}

// blockElements are the elements of HTML blocks of kind 6.
var blockElements = set(
	"address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col",
	"colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
	"footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr",
	"html", "iframe", "legend", "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol",
	"optgroup", "option", "p", "param", "search", "section", "summary", "table", "tbody", "td", "tfoot",
	"th", "thead", "title", "tr", "track", "ul",
)

// set returns the set of names.
func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

// openHTML opens an HTML block.
func (s *scanner) openHTML(matched int) bool {
	end, ok := htmlStart(s.rest(), s.leaf != leafParagraph)
	if !ok {
		return false
	}
	s.startBlock(matched)
	s.leaf, s.html = leafHTML, end
	s.body.HTML = append(s.body.HTML, text.Span{Start: s.text})
	s.addHTMLLine()
	return true
}

// addHTMLLine adds the line to the open HTML block and closes that if the line ends it. A blank line
// that ends it belongs to nothing.
func (s *scanner) addHTMLLine() {
	if s.html == endBlank && s.blank() {
		s.closeLeaf()
		return
	}
	s.body.HTML[len(s.body.HTML)-1].End = s.end
	if s.html != endBlank && s.html.in(s.rest()) {
		s.closeLeaf()
	}
}

// in reports whether line meets the end condition.
func (e htmlEnd) in(line string) bool {
	if e != endTag {
		return strings.Contains(line, string(e))
	}
	for {
		_, after, ok := strings.Cut(line, string(endTag))
		if !ok {
			return false
		}
		if n := nameLength(after); n < len(after) && after[n] == '>' && isRawElement(after[:n]) {
			return true
		}
		line = after
	}
}

// htmlStart reports whether an HTML block starts with line, which starts with "<", and what ends it.
// A tag of an element that is no block, kind 7, starts one only where lone is set: it cannot
// interrupt a paragraph.
func htmlStart(line string, lone bool) (htmlEnd, bool) {
	if kind := markupAt(line, 0); kind >= 0 {
		return htmlEnd(markup[kind].end), true
	}
	slash := strings.HasPrefix(line, "</")
	at := 1
	if slash {
		at = 2
	}
	n := nameLength(line[at:])
	name, after := line[at:at+n], line[at+n:]
	switch {
	case name == "":
		return "", false
	case !slash && isRawElement(name) && tagNameEnds(after, false):
		return endTag, true
	case blockElements[strings.ToLower(name)] && tagNameEnds(after, true):
		return endBlank, true
	}
	return endBlank, lone && !isRawElement(name) && isLoneTag(line)
}

// tagNameEnds reports whether after, which follows the name of a tag, ends the name: with white
// space, ">" or the end of the line, or with "/>" where that is allowed.
func tagNameEnds(after string, slash bool) bool {
	return after == "" || isBlank(after[0]) || after[0] == '>' || slash && strings.HasPrefix(after, "/>")
}

// isLoneTag reports whether line is one complete tag and white space.
func isLoneTag(line string) bool {
	end := scanTag(line, 0)
	return end > 0 && trimBlanks(line, end, len(line)) == end
}

// isRawElement reports whether name, in any case, is one of rawElements.
func isRawElement(name string) bool {
	for _, e := range rawElements {
		if strings.EqualFold(e, name) {
			return true
		}
	}
	return false
}

// findComments notes the comments in an HTML block. One that is not closed runs to the end of the
// block.
func (s *scanner) findComments(block text.Span) {
	for at := block.Start; ; {
		i := strings.Index(s.src[at:block.End], "<!--")
		if i < 0 {
			return
		}
		at += i
		end := commentEnd(s.src[:block.End], at)
		if end < 0 {
			end = block.End
		}
		s.body.Comments = append(s.body.Comments, text.Span{Start: at, End: end})
		at = end
	}
}

// commentEnd returns where the comment that starts at at ends, -1 if it does not:
// https://spec.commonmark.org/0.31.2/#html-comment
func commentEnd(t string, at int) int {
	for _, short := range [...]string{"<!-->", "<!--->"} {
		if strings.HasPrefix(t[at:], short) {
			return at + len(short)
		}
	}
	return endAfter(t, at+len("<!--"), "-->")
}

// endAfter returns the end of the first closer at or after at, -1 if there is none.
func endAfter(t string, at int, closer string) int {
	if i := strings.Index(t[at:], closer); i >= 0 {
		return at + i + len(closer)
	}
	return -1
}

// scanTag returns the end of the open or closing tag that starts at at, -1 if there is none:
// https://spec.commonmark.org/0.31.2/#open-tag
func scanTag(t string, at int) int {
	slash := strings.HasPrefix(t[at:], "</")
	at++
	if slash {
		at++
	}
	n := nameLength(t[at:])
	if n == 0 {
		return -1
	}
	at += n
	if !slash {
		at = skipAttributes(t, at)
	}
	at = skipSpace(t, at)
	if !slash && at < len(t) && t[at] == '/' {
		at++
	}
	if at < len(t) && t[at] == '>' {
		return at + 1
	}
	return -1
}

// skipAttributes goes over the attributes of a tag: https://spec.commonmark.org/0.31.2/#attribute
func skipAttributes(t string, at int) int {
	for {
		name := skipSpace(t, at)
		if name == at || name == len(t) || !isAttributeStart(t[name]) {
			return at
		}
		for at = name; at < len(t) && isAttributeName(t[at]); {
			at++
		}
		if equals := skipSpace(t, at); equals < len(t) && t[equals] == '=' {
			end := scanValue(t, skipSpace(t, equals+1))
			if end < 0 {
				return at
			}
			at = end
		}
	}
}

// scanValue returns the end of the attribute value that starts at at, -1 if there is none.
func scanValue(t string, at int) int {
	if at == len(t) {
		return -1
	}
	if c := t[at]; c == '"' || c == '\'' {
		return endAfter(t, at+1, t[at:at+1])
	}
	end := at
	for end < len(t) && t[end] > ' ' && strings.IndexByte("\"'=<>`", t[end]) < 0 {
		end++
	}
	if end == at {
		return -1
	}
	return end
}

// nameLength returns the length of the tag name at the start of t, 0 if there is none.
func nameLength(t string) int {
	if t == "" || !isLetter(t[0]) {
		return 0
	}
	n := 1
	for n < len(t) && (isLetter(t[n]) || isDigit(t[n]) || t[n] == '-') {
		n++
	}
	return n
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAttributeStart(c byte) bool { return isLetter(c) || c == '_' || c == ':' }

func isAttributeName(c byte) bool { return isAttributeStart(c) || isDigit(c) || c == '.' || c == '-' }

// skipSpace goes over spaces, tabs and line breaks. In flat text no two line breaks follow each
// other, so this is what CommonMark means by "spaces, tabs, and up to one line ending".
func skipSpace(t string, at int) int {
	for at < len(t) && (isBlank(t[at]) || t[at] == '\n') {
		at++
	}
	return at
}
