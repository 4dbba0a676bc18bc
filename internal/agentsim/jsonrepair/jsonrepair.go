// Package jsonrepair makes of broken JSON what the Python library json_repair makes of it, with which agents read the
// arguments of calls: what is not closed is closed, keys and texts need no quotes, and where a text is ambiguous a rule
// decides. It is called as AgentScope calls it, with stream_stable, which leaves texts that are not closed as they are.
//
// The library's rules differ from version to version. These are those of 0.59, of May 2026 (commit 9ce0b27), the newest when
// AgentScope 1.0.21 came out, which pins none; testdata has what it made of drawn texts.
// https://github.com/mangiucugna/json_repair
package jsonrepair

import (
	"errors"
	"slices"

	"github.com/skill-ls/skill-ls/internal/agentsim/python"
	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Repair is json.loads(repair_json(text, stream_stable=True)) for a text that is no JSON. The value is nil when the library
// raises an exception, or finds no value. It is not sure where Python's value has no JSON, or its stack has an end.
func Repair(text string) (value *catalog.Node, sure bool) {
	p := newParser(text, nil)
	v := p.document(nil)
	value, sure = p.result(v)
	return value, sure && !hasNaN(text)
}

// hasNaN reports whether a text is JSON for Python alone, which takes NaN and infinities.
func hasNaN(text string) bool { return python.LoadsError(text) == "" }

// RepairFor is Repair with a schema: values are changed so that they fit it, and nil is what does not fit all the same. A
// text that is JSON is looked at too. With a schema that is wrong itself it is not sure.
func RepairFor(text string, schema *catalog.Node) (value *catalog.Node, sure bool) {
	g := &guide{root: schema, unsure: python.CheckSchema(schema) != nil}
	if g.unsure {
		return nil, false
	}
	n, err := catalog.Parse(text)
	if err == nil {
		switch err := g.check(n, schema); {
		case err == nil:
			return n, !g.unsure
		case !errors.Is(err, errUnfit):
			return nil, !g.unsure
		}
	}
	p := newParser(text, g)
	v := p.document(schema)
	if p.err == nil {
		p.raise(g.validate(v, schema))
	}
	value, sure = p.result(v)
	return value, sure && !g.unsure && (err == nil || !hasNaN(text))
}

// place is what a value stands in.
type place int

const (
	inKey place = iota
	inValue
	inList
)

// parser goes through a text. Once there is an error, the text has an end where the parser is.
type parser struct {
	cursor
	guide    *guide // nil without a schema
	places   []place
	deferred []place // that the next value stands in, beside those
	depth    int
	err      error
}

func newParser(text string, g *guide) *parser {
	return &parser{cursor: cursor{text: []rune(text)}, guide: g}
}

// raise keeps the first error, and ends the text.
func (p *parser) raise(err error) {
	if err != nil && p.err == nil {
		p.err, p.over = err, true
	}
}

// errDeep says that the text is too deep or too long to be followed to its end.
var errDeep = errors.New("the text is too deep or too long")

func (p *parser) result(v *value) (n *catalog.Node, sure bool) {
	if p.spent {
		p.raise(errDeep)
	}
	if p.err != nil {
		return nil, !errors.Is(p.err, errDeep)
	}
	if v.kind == aText && len(v.text) == 0 {
		return nil, true
	}
	return v.node()
}

// enter puts what f reads into a place.
func (p *parser) enter(where place, f func()) {
	p.places = append(p.places, where)
	f()
	if n := len(p.places); n > 0 { // the document may have left all
		p.places = p.places[:n-1]
	}
}

// within reports whether the innermost place is that one.
func (p *parser) within(where place) bool {
	n := len(p.places)
	return n > 0 && p.places[n-1] == where
}

// inside reports whether any place is that one.
func (p *parser) inside(where place) bool { return slices.Contains(p.places, where) }

// document reads all values of the text. Several become a list, but one of the same shape as that before it takes its
// place, and so does any behind an empty one.
func (p *parser) document(want *catalog.Node) *value {
	first := p.value(want)
	if !p.more() {
		return first
	}
	all := []*value{first}
	for p.more() {
		p.places, p.deferred = nil, nil
		next := p.value(want)
		if !next.truthy() {
			p.at++
			continue
		}
		if last := all[len(all)-1]; sameShape(last, next) || !last.truthy() {
			all = all[:len(all)-1]
		}
		all = append(all, next)
	}
	if len(all) == 1 {
		return all[0]
	}
	return listOf(all)
}

// mostDepth is how deep values may lie in each other. Python's own limit depends on the program.
const mostDepth = 200

// value reads the next value, passing over what cannot begin one. want is the schema of the value; nil for any.
func (p *parser) value(want *catalog.Node) *value {
	if p.depth++; p.depth > mostDepth {
		p.raise(errDeep)
	}
	defer func() { p.depth-- }()
	if n := len(p.deferred); n > 0 {
		p.places, p.deferred = append(p.places, p.deferred...), nil
		defer func() { p.places = p.places[:max(len(p.places)-n, 0)] }()
	}
	want = p.resolve(want)
	for ; p.more(); p.at++ {
		switch c := p.peek(0); {
		case c == '{':
			p.at++
			return p.fit(p.object(want), want)
		case c == '[':
			p.at++
			return p.fit(p.list(want, ']'), want)
		case c == '(' && (len(p.places) > 0 || p.isTuple()):
			return p.fit(p.parentheses(want), want)
		case len(p.places) > 0 && (isQuote(c) || isAlpha(c)):
			return p.fit(p.string(), want)
		case len(p.places) > 0 && (isDigit(c) || c == '-' || c == '.'):
			return p.fit(p.number(), want)
		case c == '#' || c == '/':
			return p.fit(p.comment(), want)
		}
	}
	return textOf(nil)
}

// resolve follows the references of a schema; it is nil for one that takes anything.
func (p *parser) resolve(want *catalog.Node) *catalog.Node {
	if p.guide == nil || want == nil || p.err != nil {
		return nil
	}
	resolved, err := p.guide.resolve(want)
	p.raise(err)
	if allowed, isBool := resolved.Bool(); isBool {
		if !allowed {
			p.raise(errUnfit)
		}
		return nil
	}
	return resolved
}

// fit makes a value fit a schema, if there is one.
func (p *parser) fit(v *value, want *catalog.Node) *value {
	if want == nil || p.err != nil {
		return v
	}
	fitting, err := p.guide.fit(v, want)
	if err != nil {
		p.raise(err)
		return v
	}
	return fitting
}
