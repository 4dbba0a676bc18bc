package dialect

import (
	"strconv"
	"strings"
)

type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokScalar
	tokColon
	tokDash
	tokComma
	tokOpenMap
	tokCloseMap
	tokOpenList
	tokCloseList
	tokNewline
	tokIndent
	tokComment
	tokStart // ---
	tokEnd   // ...
)

// token is a piece of VS Code's YAML subset.
type token struct {
	kind   tokenKind
	text   string // of scalars, without quotes and escapes
	plain  bool   // an unquoted scalar
	size   int    // width of an indentation
	column int    // in bytes, from 0
}

// subsetScanner cuts text into tokens line by line.
type subsetScanner struct {
	in     string
	pos    int
	line   int // offset of the line
	tokens []token
	flow   int // open brackets
}

func scanSubset(text string) []token {
	s := subsetScanner{in: text, tokens: make([]token, 0, 16+len(text)/8)}
	for s.pos < len(s.in) {
		s.scanLine()
	}
	return append(s.tokens, token{})
}

// at returns the byte ahead, or 0 at the end.
func (s *subsetScanner) at(ahead int) byte {
	if s.pos+ahead < len(s.in) {
		return s.in[s.pos+ahead]
	}
	return 0
}

func (s *subsetScanner) done() bool { return s.pos >= len(s.in) }

func (s *subsetScanner) lineEnds() bool {
	return s.done() || s.at(0) == '\n' || s.at(0) == '\r'
}

func (s *subsetScanner) emit(k tokenKind, length int) {
	s.tokens = append(s.tokens, token{kind: k, column: s.pos - s.line})
	s.pos += length
}

// newline passes one line break and reports whether there was one.
func (s *subsetScanner) newline() bool {
	switch {
	case s.done() || !s.lineEnds():
		return false
	case s.at(0) == '\r' && s.at(1) == '\n':
		s.pos += 2
	default:
		s.pos++
	}
	s.line = s.pos
	return true
}

func (s *subsetScanner) endLine() {
	if s.newline() {
		s.tokens = append(s.tokens, token{kind: tokNewline})
	}
}

func (s *subsetScanner) skipSpaces() {
	for !s.done() && (s.at(0) == ' ' || s.at(0) == '\t') {
		s.pos++
	}
}

func (s *subsetScanner) skipLine() {
	for !s.lineEnds() {
		s.pos++
	}
}

func (s *subsetScanner) scanLine() {
	s.line = s.pos
	s.skipSpaces()
	indent := s.pos - s.line
	if indent > 0 {
		s.tokens = append(s.tokens, token{kind: tokIndent, size: indent})
	}
	switch {
	case s.lineEnds():
	case indent == 0 && s.marker("---"):
		s.emit(tokStart, 3)
		s.scanContent()
	case indent == 0 && s.marker("..."):
		s.emit(tokEnd, 3)
		s.scanContent()
	case s.at(0) == '%': // a directive
		s.skipLine()
	default:
		s.scanContent()
	}
	s.endLine()
}

// marker reports whether a document marker stands here.
func (s *subsetScanner) marker(m string) bool {
	return strings.HasPrefix(s.in[s.pos:], m) && spaceOrEnd(s.at(3))
}

func spaceOrEnd(c byte) bool { return c == 0 || c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (s *subsetScanner) scanContent() {
	for {
		s.skipSpaces()
		if s.lineEnds() {
			return
		}
		switch c := s.at(0); {
		case c == '#':
			s.emit(tokComment, 0)
			s.skipLine()
		case s.bracket(c):
		case c == ',' && s.flow > 0:
			s.emit(tokComma, 1)
		case c == '-' && spaceOrEnd(s.at(1)):
			s.emit(tokDash, 1)
		case c == ':' && (s.colon() || s.flow > 0 && s.afterJSON()):
			s.emit(tokColon, 1)
		case c == '"' || c == '\'':
			s.scanQuoted(c)
		case (c == '|' || c == '>') && s.flow == 0 && s.blockHeader():
			s.scanBlock(c)
			return
		default:
			s.scanPlain()
		}
	}
}

// bracket takes an opening bracket, or a closing one where one is open.
func (s *subsetScanner) bracket(c byte) bool {
	switch {
	case c == '{':
		s.flow++
		s.emit(tokOpenMap, 1)
	case c == '[':
		s.flow++
		s.emit(tokOpenList, 1)
	case c == '}' && s.flow > 0:
		s.flow--
		s.emit(tokCloseMap, 1)
	case c == ']' && s.flow > 0:
		s.flow--
		s.emit(tokCloseList, 1)
	default:
		return false
	}
	return true
}

// colon reports whether the colon here separates key and value.
func (s *subsetScanner) colon() bool {
	next := s.at(1)
	return spaceOrEnd(next) || s.flow > 0 && strings.IndexByte(",}]", next) >= 0
}

// afterJSON reports whether a quoted scalar or closing bracket came last.
func (s *subsetScanner) afterJSON() bool {
	for i := len(s.tokens) - 1; i >= 0; i-- {
		switch t := s.tokens[i]; t.kind {
		case tokNewline, tokIndent, tokComment:
			continue
		case tokCloseMap, tokCloseList:
			return true
		default:
			return t.kind == tokScalar && !t.plain
		}
	}
	return false
}

func (s *subsetScanner) scanPlain() {
	start, end := s.pos, s.pos
	for !s.lineEnds() {
		c := s.at(0)
		if s.flow > 0 && strings.IndexByte(",{}[]", c) >= 0 || c == ':' && s.colon() {
			break
		}
		if c == '#' && s.pos > start && strings.IndexByte(" \t", s.in[s.pos-1]) >= 0 {
			break
		}
		if s.pos++; c != ' ' && c != '\t' {
			end = s.pos
		}
	}
	s.tokens = append(s.tokens, token{kind: tokScalar, plain: true, text: s.in[start:end], column: start - s.line})
}

// scanQuoted reads to the closing quote, or to the end of the text.
func (s *subsetScanner) scanQuoted(quote byte) {
	column := s.pos - s.line
	s.pos++
	var out []byte
	kept := 0 // length up to which white space came from escapes
	for !s.done() {
		c := s.at(0)
		switch {
		case c == quote && quote == '\'' && s.at(1) == quote:
			out = append(out, quote)
			s.pos += 2
			kept = len(out)
		case c == quote:
			s.pos++
			s.tokens = append(s.tokens, token{kind: tokScalar, text: string(out), column: column})
			return
		case c == '\\' && quote == '"':
			out = s.escape(out)
			kept = len(out)
		case c == '\n' || c == '\r':
			out = append(out[:kept], strings.TrimRight(string(out[kept:]), " \t")...)
			out = append(out, s.fold()...)
			kept = len(out)
		default:
			out = append(out, c)
			s.pos++
		}
	}
	s.tokens = append(s.tokens, token{kind: tokScalar, text: string(out), column: column})
}

// fold passes line breaks in a quoted scalar and returns what they become.
func (s *subsetScanner) fold() string {
	s.newline()
	empty := 0
	for s.skipSpaces(); s.newline(); s.skipSpaces() {
		empty++
	}
	if empty > 0 {
		return strings.Repeat("\n", empty)
	}
	return " "
}

var subsetEscapes = map[byte]string{
	'n': "\n", 't': "\t", '\\': `\`, '"': `"`, '/': "/", 'r': "\r", '0': "\x00", 'a': "\a",
	'b': "\b", 'e': "\x1b", 'v': "\v", 'f': "\f", ' ': " ", '_': "\u00a0",
}

// escape reads an escape; unknown ones stay as written.
func (s *subsetScanner) escape(out []byte) []byte {
	next := s.at(1)
	if next == '\n' || next == '\r' {
		s.pos++
		s.newline()
		s.skipSpaces()
		return out
	}
	if size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[next]; size > 0 {
		return s.codePoint(out, size)
	}
	known, ok := subsetEscapes[next]
	if !ok {
		known = `\`
		if s.pos+1 < len(s.in) {
			known += string(next)
		}
	}
	s.pos = min(s.pos+2, len(s.in))
	return append(out, known...)
}

func (s *subsetScanner) codePoint(out []byte, size int) []byte {
	digits := s.in[min(s.pos+2, len(s.in)):min(s.pos+2+size, len(s.in))]
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) < size {
		out = append(out, s.in[s.pos:s.pos+2]...)
		s.pos += 2
		return out
	}
	s.pos += 2 + size
	return append(out, string(rune(n))...)
}

// blockHeader reports whether | or > here starts a block scalar.
func (s *subsetScanner) blockHeader() bool {
	i := s.pos + 1
	for i < len(s.in) && strings.IndexByte("123456789+-", s.in[i]) >= 0 {
		i++
	}
	rest := strings.TrimLeft(s.in[i:], " \t")
	return rest == "" || strings.IndexByte("\n\r#", rest[0]) >= 0
}

func (s *subsetScanner) scanBlock(style byte) {
	column := s.pos - s.line
	parent := s.parentIndent()
	s.pos++
	indent, chomp := 0, byte(0)
	for range 2 {
		switch c := s.at(0); {
		case c >= '1' && c <= '9' && indent == 0:
			indent = parent + int(c-'0')
			s.pos++
		case (c == '-' || c == '+') && chomp == 0:
			chomp = c
			s.pos++
		}
	}
	s.skipLine()
	s.newline()
	lines := s.blockLines(indent, parent)
	s.tokens = append(s.tokens, token{kind: tokScalar, text: blockText(lines, style, chomp), column: column})
}

// parentIndent returns the column that a block scalar must exceed: that of
// its key or dash, or -1 for the document itself.
func (s *subsetScanner) parentIndent() int {
	colon := false
	for i := len(s.tokens) - 1; i >= 0; i-- {
		switch t := s.tokens[i]; {
		case t.kind == tokNewline || t.kind == tokComment || t.kind == tokIndent:
		case colon || t.kind == tokDash:
			return t.column
		case t.kind == tokColon:
			colon = true
		case t.kind == tokStart:
			return -1
		default:
			return 0
		}
	}
	return 0
}

// blockLines reads the lines of a block scalar, without their indentation.
func (s *subsetScanner) blockLines(indent, parent int) []string {
	var lines []string
	for !s.done() {
		start := s.pos
		for s.at(0) == ' ' {
			s.pos++
		}
		width := s.pos - start
		if s.lineEnds() {
			kept := ""
			if indent > 0 && width > indent {
				kept = s.in[start+indent : s.pos]
			}
			lines = append(lines, kept)
			s.newline()
			continue
		}
		if indent == 0 && width > parent {
			indent = width
		}
		if width < indent || width <= parent || width == 0 && (s.marker("---") || s.marker("...")) {
			s.pos = start
			break
		}
		s.skipLine()
		lines = append(lines, s.in[start+indent:s.pos])
		s.newline()
	}
	return lines
}

// blockText joins the lines by style, | or >, and chomps the end.
func blockText(lines []string, style, chomp byte) string {
	last := len(lines)
	for last > 0 && lines[last-1] == "" {
		last--
	}
	out := strings.Join(lines[:last], "\n")
	if style == '>' {
		out = foldLines(lines[:last])
	}
	trailing := len(lines) - last
	switch {
	case chomp == '-':
		return out
	case chomp == '+' && last > 0:
		return out + strings.Repeat("\n", trailing+1)
	case chomp == '+':
		return strings.Repeat("\n", trailing)
	case last > 0:
		return out + "\n"
	}
	return out
}

// foldLines turns single line breaks into spaces, except around lines that
// are indented more (YAML 1.2.2, §8.1.3).
func foldLines(lines []string) string {
	var out strings.Builder
	empty, wasDeep, seen := 0, false, false
	for _, line := range lines {
		if line == "" {
			empty++
			continue
		}
		deep := line[0] == ' ' || line[0] == '\t'
		breaks := empty
		if seen && (deep || wasDeep) {
			breaks++
		}
		out.WriteString(strings.Repeat("\n", breaks))
		if seen && breaks == 0 {
			out.WriteByte(' ')
		}
		out.WriteString(line)
		empty, wasDeep, seen = 0, deep, true
	}
	return out.String()
}
