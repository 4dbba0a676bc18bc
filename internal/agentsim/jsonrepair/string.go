package jsonrepair

// quoted is a text being read.
type quoted struct {
	open, close rune
	bare        bool   // it has no quote at its beginning
	doubled     bool   // it has two
	pair        bool   // a quote of the text was kept, whose partner is still to come
	text        []rune // so far
}

// string reads a text, with quotes or without, and the words true, false and null.
func (p *parser) string() *value {
	q, whole := p.opening()
	if whole != nil {
		return whole
	}
	c := p.body(q)
	if q.bare && p.within(inKey) && isSpace(c) { // words in the place of a key
		if p.blanks(); !is(p.peek(0), ":,") {
			return textOf(nil)
		}
	}
	if c == q.close {
		p.at++
	}
	return textOf(q.text)
}

// opening goes to the first character of a text. What is already decided there is the whole value.
func (p *parser) opening() (q *quoted, whole *value) {
	c := p.peek(0)
	if c == '#' || c == '/' {
		return nil, p.comment()
	}
	for ; c != none && !isQuote(c) && !isAlnum(c); c = p.peek(0) {
		p.at++
	}
	if c == none {
		return nil, textOf(nil)
	}
	if plain := p.plain(); plain != nil {
		return nil, plain
	}
	q = &quoted{open: '"', close: '"', bare: !isQuote(c)}
	switch {
	case c == '\'':
		q.open, q.close = c, c
	case c == '“':
		q.open, q.close = c, '”'
	case q.bare && is(c, "tTfFnN") && !p.within(inKey):
		if word := p.word(); word != nil {
			return nil, word
		}
	}
	if !q.bare {
		p.at++
	}
	if p.peek(0) == '`' {
		if inside := p.fenced(); inside != nil {
			return nil, inside
		}
	}
	if p.peek(0) == q.open {
		whole = p.twoQuotes(q)
	}
	return q, whole
}

// plain reads a text that is as it should be; nil for others.
func (p *parser) plain() *value {
	if p.peek(0) != '"' {
		return nil
	}
	end := p.at + 1
	for ; end < len(p.text) && p.text[end] != '"'; end++ {
		if is(p.text[end], "\\\n\r") {
			return nil
		}
	}
	if p.walk(end - p.at); end == len(p.text) {
		return nil
	}
	behind := p.peek(p.pastBlanks(end + 1 - p.at))
	expected := behind == none
	switch {
	case p.within(inKey):
		expected = behind == ':'
	case p.within(inValue):
		expected = expected || is(behind, ",}")
	case p.within(inList):
		expected = expected || is(behind, ",]")
	}
	if !expected {
		return nil
	}
	s := p.text[p.at+1 : end]
	p.at = end + 1
	return textOf(s[:len(s):len(s)])
}

// twoQuotes decides what two quotes at the beginning mean: an empty text, which is the whole, or a text with one or two too
// many, of which the rest is to be read.
func (p *parser) twoQuotes(q *quoted) *value {
	behind := p.peek(1)
	switch {
	case p.within(inKey) && behind == ':', p.within(inValue) && is(behind, ",}"), p.within(inList) && is(behind, ",]"):
		p.at++
		return textOf(nil)
	case behind == q.open:
		return textOf(nil)
	}
	if p.peek(p.find(string(q.close), 1)+1) == q.close {
		q.doubled = true
		p.at++
		return nil
	}
	switch next := p.peek(p.pastBlanks(1)); {
	case isQuote(next) || is(next, "{["):
		p.at++
		return textOf(nil)
	case !is(next, ",]}"):
		p.at++
	}
	return nil
}

// body reads a text up to the character that it ends at, and returns that.
func (p *parser) body(q *quoted) rune {
	c := p.peek(0)
	for c != none && c != q.close {
		if q.bare && (p.within(inKey) && (c == ':' || isSpace(c)) || p.within(inList) && is(c, "],")) || c == '}' && p.closes() {
			break
		}
		q.text = append(q.text, c)
		p.at++
		if c = p.peek(0); c == none {
			q.text = trimmed(q.text)
			break
		}
		if q.escaping() {
			var read bool
			if c, read = p.escape(q, c); read {
				continue
			}
		}
		if c == ':' && !q.bare && p.within(inKey) && p.endsKey(q) {
			break
		}
		if c != q.close || q.escaping() {
			continue
		}
		var does decision
		if c, does = p.quote(q, c); does == ends {
			break
		}
	}
	return c
}

// escaping reports whether the last character is a backslash.
func (q *quoted) escaping() bool { return len(q.text) > 0 && q.text[len(q.text)-1] == '\\' }

// trimmed is a text without the half of an escape that it ends with.
func trimmed(s []rune) []rune {
	if n := len(s); n > 0 && s[n-1] == '\\' {
		return s[:n-1]
	}
	return s
}

// closes reports whether a brace ends the object, and with it a text that is not closed: nothing is behind it, or the end of
// a fence.
func (p *parser) closes() bool {
	if !p.within(inValue) {
		return false
	}
	i := p.pastBlanks(1)
	return p.peek(i) == none || p.peek(i) == '`' && p.peek(i+1) == '`' && p.peek(i+2) == '`'
}

// endsKey reports whether a colon ends a key whose quote is missing: a text in quotes follows, and then the next member, or
// no text at all.
func (p *parser) endsKey(q *quoted) bool {
	i := p.find(string(q.open), 1)
	if p.peek(i) == none {
		return true
	}
	i = p.find(string(q.close), i+1)
	return p.peek(i) != none && is(p.peek(p.pastBlanks(i+1)), ",}")
}

var escapes = map[rune]rune{'t': '\t', 'n': '\n', 'r': '\r', 'b': '\b'}

// escape reads the character behind a backslash, and reports whether the two are an escape. It returns what comes next.
func (p *parser) escape(q *quoted, c rune) (next rune, read bool) {
	last := len(q.text) - 1
	plain, known := escapes[c]
	switch {
	case known, c == q.close, c == '\\':
		if !known {
			plain = c
		}
		q.text[last] = plain
		p.at++
		for c = p.peek(0); q.escaping() && (c == q.close || c == '\\'); c = p.peek(0) {
			q.text[last] = c
			p.at++
		}
		return c, true
	case c == 'u' || c == 'x':
		digits := 4
		if c == 'x' {
			digits = 2
		}
		n, ok := hexadecimal(p.text[min(p.at+1, len(p.text)):min(p.at+1+digits, len(p.text))], digits)
		if !ok {
			return c, false
		}
		q.text[last] = n
		p.at += 1 + digits
		return p.peek(0), true
	case isQuote(c): // needs none
		q.text[last] = c
		p.at++
		return p.peek(0), true
	}
	return c, false
}

func hexadecimal(s []rune, digits int) (n rune, ok bool) {
	for _, c := range s {
		n <<= 4
		switch {
		case c >= '0' && c <= '9':
			n += c - '0'
		case c >= 'a' && c <= 'f':
			n += c - 'a' + 10
		case c >= 'A' && c <= 'F':
			n += c - 'A' + 10
		default:
			return 0, false
		}
	}
	return n, len(s) == digits
}

// word reads true, false or null, however they are spelled; nil for anything else.
func (p *parser) word() *value {
	for _, w := range []struct {
		word string
		v    *value
	}{{"true", boolOf(true)}, {"false", boolOf(false)}, {"null", &value{}}} {
		n := 0
		for n < len(w.word) && lower(p.peek(n)) == rune(w.word[n]) {
			n++
		}
		if n == len(w.word) {
			p.at += n
			return w.v
		}
	}
	return nil
}

// lower is the small letter of an ASCII letter.
func lower(c rune) rune {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// fenced reads a value in a fence of three backquotes inside of a text; nil when there is none.
func (p *parser) fenced() *value {
	const fence = "```json"
	n := len(fence)
	if p.slice(p.at, p.at+n) != fence {
		return nil
	}
	if end := p.at + p.find("`", n); p.slice(end, end+3) != fence[:3] {
		return nil
	}
	p.at += n
	if v := p.value(nil); v.kind != aBool || v.yes { // False is no value there
		return v
	}
	return nil
}
