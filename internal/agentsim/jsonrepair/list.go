package jsonrepair

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// list reads a list whose opening bracket is past. A brace ends it, too.
func (p *parser) list(want *catalog.Node, end rune) *value {
	out, g := listOf(nil), p.items(want)
	p.enter(inList, func() {
		p.blanks()
		for n := 0; ; n++ {
			c := p.peek(0)
			if c == none || c == end || c == '}' {
				break
			}
			want, drop := g.reading(n)
			item := p.item(c, want)
			switch next := p.peek(0); {
			case item.empty() && next != end && next != ',':
				p.at++
			case item.is("...") && p.peek(-1) == '.':
			case !drop:
				out.items = append(out.items, item)
			}
			for c = p.peek(0); c != end && (isSpace(c) || c == ','); c = p.peek(0) {
				p.at++
			}
		}
		p.at++
	})
	return out
}

// item reads an item that begins with c. A text with a colon behind it begins an object without a brace.
func (p *parser) item(c rune, want *catalog.Node) *value {
	switch {
	case !isQuote(c):
		return p.value(want)
	case p.peek(p.pastBlanks(p.find(string(c), 1)+1)) == ':':
		return p.fit(p.object(want), want)
	}
	return p.fit(p.string(), want)
}

// parentheses read a tuple, which is a list, or a value with parentheses around it.
func (p *parser) parentheses(want *catalog.Node) *value {
	tuple := p.isList()
	p.at++
	v := p.list(want, ')')
	if !tuple && len(v.items) == 1 {
		return v.items[0]
	}
	return v
}

// nesting follows brackets from an opening parenthesis on.
type nesting struct {
	parentheses, brackets, braces int
	open                          rune // the quote of the text
	backslashes                   int
}

func (n *nesting) outermost() bool { return n.parentheses == 0 && n.brackets == 0 && n.braces == 0 }

// in reports whether a character is of a text or a backslash, and so none of the structure.
func (n *nesting) in(c rune) bool {
	if c == '\\' {
		n.backslashes++
		return true
	}
	escaped := n.backslashes%2 != 0
	n.backslashes = 0
	switch {
	case n.open != 0:
		if c == n.open && !escaped {
			n.open = 0
		}
		return true
	case isQuote(c) && !escaped:
		n.open = c
		return true
	}
	return false
}

// count follows a bracket.
func (n *nesting) count(c rune) {
	switch c {
	case '(':
		n.parentheses++
	case ')':
		n.parentheses--
	case '[':
		n.brackets++
	case ']':
		n.brackets = max(n.brackets-1, 0)
	case '{':
		n.braces++
	case '}':
		n.braces = max(n.braces-1, 0)
	}
}

// isList reports whether a parenthesis begins a tuple: there is a comma in it, or nothing.
func (p *parser) isList() bool {
	var n nesting
	content := false
	for _, c := range p.text[min(p.at+1, len(p.text)):] {
		p.walk(1)
		wasOpen := n.open != 0
		if n.in(c) {
			content = content || !wasOpen && n.open != 0 && n.outermost()
			continue
		}
		outermost := n.outermost()
		content = content || outermost && !isSpace(c) && c != ',' && c != ')'
		switch {
		case c == ')' && outermost:
			return !content
		case c == ',' && outermost:
			return true
		case c == ')' && n.parentheses == 0: // inside of other brackets
		default:
			n.count(c)
		}
	}
	return !content
}

// isTuple reports whether a parenthesis outside of all values begins one: it is first in its line, a value follows, and
// nothing stands behind it in the line that it is closed in.
func (p *parser) isTuple() bool {
	for i := p.at - 1; i >= 0 && p.text[i] != '\n' && p.text[i] != '\r'; i-- {
		if p.walk(1); !isSpace(p.text[i]) {
			return false
		}
	}
	inner := p.pastBlanks(1)
	if c := p.peek(inner); !isQuote(c) && !isDigit(c) && !is(c, "){[(-.") && !p.isWord(inner) {
		return false
	}
	var n nesting
	rest := p.text[min(p.at+1, len(p.text)):]
	for i, c := range rest {
		p.walk(1)
		if n.in(c) {
			continue
		}
		if c == ')' && n.outermost() {
			line, _, _ := strings.Cut(strings.ReplaceAll(string(rest[i+1:]), "\r", "\n"), "\n")
			return strings.TrimLeftFunc(line, isSpace) == ""
		}
		n.count(c)
	}
	return true
}

// isWord reports whether one of the words for a value stands n places on.
func (p *parser) isWord(n int) bool {
	at := p.at + n
	for _, word := range []string{"true", "null", "none", "false"} {
		if strings.ToLower(p.slice(at, at+len(word))) == word {
			return true
		}
	}
	return false
}
