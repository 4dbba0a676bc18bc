package jsonrepair

// decision is what a quote inside of a text, or at its end, does.
type decision int

const (
	closes decision = iota // the text, unless the caller sees that it is the other quote
	stays                  // in the text
	ends                   // the text, before it
)

// keep takes a quote into the text.
func (p *parser) keep(q *quoted, c rune) (rune, decision) {
	q.text = append(q.text, c)
	p.at++
	return p.peek(0), stays
}

// keepPair takes a quote into the text, and with it the next one.
func (p *parser) keepPair(q *quoted, c rune) (rune, decision) {
	q.pair = !q.pair
	return p.keep(q, c)
}

// quote decides whether a closing quote ends the text, or should have been escaped: what stands between it and the next
// quote, and behind that, tells. It returns the character that is next.
func (p *parser) quote(q *quoted, c rune) (rune, decision) {
	switch {
	case q.doubled && p.peek(1) == q.close:
		p.at++
		return c, stays
	case q.bare && p.within(inValue):
		return p.quoteBehindWords(q, c)
	case q.pair:
		q.pair = false
		return p.keep(q, c)
	}
	i := p.untilStructure(q)
	switch next := p.peek(i); {
	case next == ',' && p.within(inValue):
		i = p.find(string(q.close), i+1)
		if is(p.peek(p.pastBlanks(i+1)), "},") {
			return p.keep(q, c)
		}
	case next == q.close && p.peek(i-1) != '\\':
		return p.quoteBeforeQuote(q, c, i)
	}
	return c, closes
}

// untilStructure is how far it is to the next quote, or to a character that belongs to the value around the text.
func (p *parser) untilStructure(q *quoted) int {
	letters := false
	i := 1
	for next := p.peek(i); next != none && next != q.open && next != q.close; next = p.peek(i) {
		letters = letters || isAlpha(next)
		if p.inside(inKey) && is(next, ":}") || p.inside(inValue) && next == '}' || p.inside(inList) && is(next, "],") ||
			!letters && p.within(inValue) && next == ',' {
			break
		}
		i++
	}
	return i
}

// quoteBehindWords decides about a quote behind words without one. It may be that of the next key.
func (p *parser) quoteBehindWords(q *quoted, c rune) (rune, decision) {
	i := 1
	for next := p.peek(i); next != none && next != q.open && next != q.close; next = p.peek(i) {
		i++
	}
	if p.peek(i) != none && p.peek(p.pastBlanks(i+1)) == ':' {
		p.at--
		return p.peek(0), ends
	}
	return c, closes
}

// quoteBeforeQuote decides about a quote that has nothing of the structure between itself and the next one, i places on.
func (p *parser) quoteBeforeQuote(q *quoted, c rune, i int) (rune, decision) {
	if p.pastBlanks(1) >= i {
		return c, ends
	}
	switch {
	case p.within(inValue):
		return p.quoteInValue(q, c, i)
	case p.within(inList):
		if p.oddQuotes(q, i) {
			return c, ends
		}
		return p.keepPair(q, c)
	case p.within(inKey):
		return p.keep(q, c)
	}
	return c, closes
}

// quoteInValue keeps a quote of a value, unless the one i places on begins the next key.
func (p *parser) quoteInValue(q *quoted, c rune, i int) (rune, decision) {
	i = p.pastBlanks(i + 1)
	if p.peek(i) == ',' {
		i = p.find(string(q.open), i+1) + 1
		i = p.find(string(q.close), i+1) + 1
		i = p.pastBlanks(i)
		if p.peek(i) == ':' {
			return p.keep(q, c)
		}
	}
	i = p.find(string(q.close), i+1) + 1
	next := p.peek(i)
	for next != none && next != ':' && !is(next, ",]}") && (next != q.close || p.peek(i-1) == '\\') {
		i++
		next = p.peek(i)
	}
	if next != ':' {
		return p.keepPair(q, c)
	}
	return c, closes
}

// oddQuotes reports whether the quotes up to the end of the list have no partners, counted from the one i places on.
func (p *parser) oddQuotes(q *quoted, i int) bool {
	targets := string(q.close) + "]"
	for p.peek(i) == q.close {
		if i = p.find(targets, i+1); p.peek(i) != q.close {
			return true
		}
		i = p.find(targets, i+1)
	}
	return false
}
