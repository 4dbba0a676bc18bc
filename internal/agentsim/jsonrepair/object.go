package jsonrepair

import (
	"errors"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// errKey says that the library fails for a key that is no text.
var errKey = errors.New("a key is no text")

// object reads an object whose brace is past, or a list in its place.
func (p *parser) object(want *catalog.Node) *value {
	o, start, nested := newObject(), p.at, p.within(inValue)
	g := p.members(want)
	for c := p.peek(0); c != none && c != '}'; c = p.peek(0) {
		p.blanks()
		p.take(':')
		key, at := p.key(o)
		if !nested && p.inside(inList) && o.has(key) && p.beginsObject(at) {
			p.replace(at, at, []rune("{"))
			p.at = at - 1
			break
		}
		if p.blanks(); p.peek(0) == none || p.peek(0) == '}' {
			continue
		}
		p.at++ // the colon, or whatever stands in its place
		p.member(o, key, g)
		if is(p.peek(0), ",'\"") {
			p.at++
		}
		if p.peek(0) == ']' && p.inside(inList) {
			p.at--
			break
		}
		p.blanks()
	}
	p.at++
	if len(o.keys) == 0 && p.at-start > len("{}") {
		if other := p.otherObject(start, want); other != nil {
			return other
		}
	}
	return p.behindObject(o, want, g)
}

// key reads a key, and returns where it begins. It is empty at the end of an object.
func (p *parser) key(o *value) (key string, at int) {
	at = p.at
	p.enter(inKey, func() {
		for p.peek(0) != none {
			at = p.at
			if p.peek(0) == '[' && p.moreItems(o) {
				continue
			}
			k := p.string()
			if k.kind != aText {
				p.raise(errKey)
				return
			}
			if key = spelled(k.text); key != "" {
				return
			}
			if p.blanks(); is(p.peek(0), ":}") {
				return
			}
		}
	})
	return key, at
}

// member reads the value of a key.
func (p *parser) member(o *value, key string, g *memberGuide) {
	want, more, drop := g.schemas(key)
	var v *value
	p.enter(inValue, func() {
		if p.blanks(); !is(p.peek(0), ",}") {
			v = p.value(want)
			return
		}
		v = p.fit(missing, want)
	})
	for _, w := range more {
		v = p.fit(v, w)
	}
	if v == missing {
		v = textOf(nil)
	}
	if !drop {
		o.set(key, v)
	}
}

// beginsObject reports whether a key that an object in a list has already begins another object: it does not when it is
// written as a member like any other.
func (p *parser) beginsObject(at int) bool {
	before := at - 1
	for before > 0 && isSpace(p.text[before]) {
		before--
	}
	usual := at < len(p.text) && isQuote(p.text[at]) && p.text[before] == ',' && p.peek(p.pastBlanks(0)) == ':'
	return !usual
}

// moreItems takes a list in the place of a key to be more of the list before it.
func (p *parser) moreItems(o *value) bool {
	have := o.last()
	if have == nil || have.kind != aList {
		return false
	}
	p.at++
	have.append(p.list(nil, ']').items)
	p.blanks()
	p.take(',')
	p.blanks()
	return true
}

// append adds items to a list. To rows of the same length they are added as rows.
func (v *value) append(items []*value) {
	width := v.width()
	if width == 0 {
		if len(items) == 1 && items[0].kind == aList {
			items = items[0].items
		}
		v.items = append(v.items, items...)
		return
	}
	v.groupRows(width)
	isList := func(i *value) bool { return i.kind == aList }
	switch {
	case !slices.ContainsFunc(items, func(i *value) bool { return !isList(i) }):
		v.items = append(v.items, items...)
	default:
		v.items = append(v.items, listOf(items))
	}
}

// width is how long all the lists in a list are, 0 when there are none or they differ.
func (v *value) width() int {
	width, found := 0, false
	for _, item := range v.items {
		switch {
		case item.kind != aList:
		case found && len(item.items) != width:
			return 0
		default:
			width, found = len(item.items), true
		}
	}
	return width
}

// groupRows makes rows of what stands behind the last one, if it comes out even.
func (v *value) groupRows(width int) {
	end := len(v.items)
	for end > 0 && v.items[end-1].kind != aList {
		end--
	}
	tail := slices.Clone(v.items[end:])
	if len(tail)%width != 0 {
		return
	}
	v.items = v.items[:end]
	for row := range slices.Chunk(tail, width) {
		v.items = append(v.items, listOf(row))
	}
}

// otherObject reads braces in which no member was found once more: without the backslashes before its quotes, or as a
// list. It is nil when they are an object all the same.
func (p *parser) otherObject(start int, want *catalog.Node) (v *value) {
	inner := p.slice(start, p.at+1)
	body := strings.TrimLeftFunc(strings.TrimSuffix(inner, "}"), isSpace)
	escaped := func(quote string) bool { return strings.HasPrefix(body, quote) && strings.Contains(body, quote+":") }
	read := func() *value { return p.list(nil, ']') }
	switch {
	case body == "":
		return nil
	case escaped(`\"`), escaped(`\'`):
		plain := []rune(strings.NewReplacer(`\"`, `"`, `\'`, `'`).Replace(inner))
		p.replace(start, min(p.at+1, len(p.text)), plain)
		read = func() *value { return p.object(want) }
	case hasColon(body):
		return nil
	}
	p.at = start
	p.enter(inKey, func() { v = read() })
	p.deferred = append(p.deferred, inKey)
	return v
}

// hasColon reports whether there is a colon outside of texts.
func hasColon(s string) bool {
	open, backslashes := none, 0
	for _, c := range s {
		switch {
		case c == '\\':
			backslashes++
			continue
		case backslashes%2 != 0:
		case open != none && c == open:
			open = none
		case open != none:
		case isQuote(c):
			open = c
		case c == ':':
			return true
		}
		backslashes = 0
	}
	return false
}

// behindObject goes past a brace too many, and adds members that stand behind the end of an outermost object.
func (p *parser) behindObject(o *value, want *catalog.Node, g *memberGuide) *value {
	if len(p.places) > 0 {
		if p.within(inList) {
			p.take('}')
		}
		return o
	}
	p.blanks()
	if p.take(',') {
		if p.blanks(); isQuote(p.peek(0)) {
			if more := p.object(want); more.kind == anObject {
				for _, key := range more.keys {
					o.set(key, more.members[key])
				}
			}
		}
	}
	p.raise(g.complete(o))
	return o
}
