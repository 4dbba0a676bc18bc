package dialect

import (
	"strings"
)

// VS Code reads front matter with a YAML subset of its own
// (src/vs/base/common/yaml.ts): maps, lists, scalars in every style, flow
// collections, but no anchors, tags or merging. It never gives up: what it
// cannot read ends the collection that it stands in, and errors are only
// shown in the editor. The first of equal keys counts.
func vscode(s *Source, opt Options) (Map, error) {
	if m, ok := s.plain.read(s.front, inScript); ok {
		return m, nil
	}
	p := subset{tokens: scanSubset(s.front), dup: opt.DupKeys}
	p.skipBlank()
	if p.peek(0).kind == tokStart {
		p.pos++
		p.skipBlank()
	}
	if k := p.peek(0).kind; k == tokEOF || k == tokEnd {
		return Map{}, nil
	}
	v := p.value(-1)
	if v.Kind != Mapping {
		return nil, &Error{Line: 1, Reason: "not a mapping but a " + v.Kind.String(), Cause: ErrNotMapping}
	}
	return v.Map, nil
}

// subset parses the tokens of a block.
type subset struct {
	tokens []token
	pos    int
	dup    string
	depth  int
}

// maxDepth bounds the nesting, deeper values are empty.
const maxDepth = 200

func (p *subset) peek(ahead int) token {
	return p.tokens[min(p.pos+ahead, len(p.tokens)-1)]
}

func (p *subset) next() token {
	t := p.peek(0)
	if t.kind != tokEOF {
		p.pos++
	}
	return t
}

// skipBlank passes line breaks, comments and lines of white space.
func (p *subset) skipBlank() {
	for {
		switch p.peek(0).kind {
		case tokNewline, tokComment:
		case tokIndent:
			if k := p.peek(1).kind; k != tokNewline && k != tokComment && k != tokEOF {
				return
			}
		default:
			return
		}
		p.pos++
	}
}

// indent returns the indentation of the line that starts here.
func (p *subset) indent() int {
	if t := p.peek(0); t.kind == tokIndent {
		return t.size
	}
	return 0
}

// content returns the first token after the indentation.
func (p *subset) content() token {
	if p.peek(0).kind == tokIndent {
		return p.peek(1)
	}
	return p.peek(0)
}

func (p *subset) skipIndent() {
	if p.peek(0).kind == tokIndent {
		p.pos++
	}
}

// isEntry reports whether a scalar and a colon come next.
func (p *subset) isEntry() bool {
	at := 0
	if p.peek(0).kind == tokIndent {
		at = 1
	}
	return p.peek(at).kind == tokScalar && p.peek(at+1).kind == tokColon
}

// value reads what stands deeper than the column parent.
func (p *subset) value(parent int) Value {
	if p.depth++; p.depth > maxDepth {
		p.pos = len(p.tokens) - 1
		return text("")
	}
	defer func() { p.depth-- }()
	p.skipBlank()
	switch p.content().kind {
	case tokOpenMap, tokOpenList:
		p.skipIndent()
		return p.flow()
	case tokDash:
		return p.list(p.indent())
	}
	if p.isEntry() {
		return p.mapping(p.indent(), false)
	}
	if p.content().kind != tokScalar {
		return text("")
	}
	p.skipIndent()
	return p.scalar(p.next(), parent)
}

// mapping reads entries at one indentation. With inline the first entry
// stands here, after a dash.
func (p *subset) mapping(indent int, inline bool) Value {
	m := Map{}
	for {
		if !inline {
			p.skipBlank()
			if p.indent() < indent || !p.isEntry() {
				break
			}
		}
		inline = false
		p.skipIndent()
		key := p.next()
		p.pos++ // the colon
		m = p.add(m, key.text, p.entry(indent))
	}
	return Value{Kind: Mapping, Map: m, Text: scriptText(Value{Kind: Mapping})}
}

func (p *subset) add(m Map, key string, v Value) Map {
	if m.index(key, String) >= 0 && p.dup != DupLast {
		return m
	}
	return m.set(key, v)
}

// entry reads the value after a colon.
func (p *subset) entry(indent int) Value {
	switch t := p.peek(0); t.kind {
	case tokOpenMap, tokOpenList:
		return p.flow()
	case tokScalar:
		p.pos++
		return p.scalar(t, indent)
	}
	p.skipBlank()
	deeper := p.indent() > indent || p.indent() == indent && p.content().kind == tokDash
	if p.peek(0).kind == tokEOF || !deeper {
		return text("")
	}
	return p.value(indent)
}

func (p *subset) list(indent int) Value {
	v := Value{Kind: List, Items: []Value{}}
	for first := true; ; first = false {
		p.skipBlank()
		at := p.indent()
		if first && p.peek(0).kind == tokDash {
			at = p.peek(0).column
		}
		if at < indent || p.content().kind != tokDash {
			break
		}
		p.skipIndent()
		p.pos++ // the dash
		v.Items = append(v.Items, p.item(indent))
	}
	v.Text = scriptText(v)
	return v
}

func (p *subset) item(indent int) Value {
	t := p.peek(0)
	switch t.kind {
	case tokOpenMap, tokOpenList:
		return p.flow()
	case tokDash:
		if p.depth++; p.depth > maxDepth {
			p.pos = len(p.tokens) - 1
			return text("")
		}
		defer func() { p.depth-- }()
		return p.list(t.column)
	case tokScalar:
		if p.peek(1).kind == tokColon {
			return p.mapping(t.column, true)
		}
		p.pos++
		return p.scalar(t, indent)
	}
	p.skipBlank()
	if p.peek(0).kind == tokEOF || p.indent() <= indent {
		return text("")
	}
	return p.value(indent)
}

// scalar gives a scalar its value; a plain one may go on in deeper lines.
func (p *subset) scalar(t token, parent int) Value {
	if !t.plain {
		return text(t.text)
	}
	joined := t.text
	for {
		more, breaks := p.continuation(parent)
		if more == "" {
			return subsetPlain(joined)
		}
		if breaks == 0 {
			joined += " " + more
		} else {
			joined += strings.Repeat("\n", breaks) + more
		}
	}
}

// continuation takes the next line of a plain scalar and returns its text and
// the empty lines before it; "" when there is none.
func (p *subset) continuation(parent int) (string, int) {
	start, breaks, lines := p.pos, -1, 0
	for ; ; p.pos++ {
		k := p.peek(0).kind
		if k == tokNewline {
			breaks++
			lines++
			continue
		}
		if k != tokIndent || p.peek(1).kind != tokNewline {
			break
		}
	}
	deep := p.peek(0).kind == tokIndent && p.indent() > parent || parent < 0
	if lines > 0 && deep {
		if more := p.moreText(); more != "" {
			return more, breaks
		}
	}
	p.pos = start
	return "", 0
}

// moreText takes a scalar that is no key, or an item that is only text here.
func (p *subset) moreText() string {
	t := p.content()
	switch {
	case t.kind == tokDash:
		p.skipIndent()
		p.pos++
		if p.peek(0).kind == tokScalar {
			return "- " + p.next().text
		}
		return "-"
	case t.kind != tokScalar || p.isEntry():
		return ""
	}
	p.skipIndent()
	return p.next().text
}

// flow reads a collection in braces or brackets, as far as it goes.
func (p *subset) flow() Value {
	if p.depth++; p.depth > maxDepth {
		p.pos = len(p.tokens) - 1
		return text("")
	}
	defer func() { p.depth-- }()
	if p.next().kind == tokOpenMap {
		return p.flowMap()
	}
	v := Value{Kind: List, Items: []Value{}}
	for p.skipFlow(); ; p.skipFlow() {
		switch p.peek(0).kind {
		case tokCloseList:
			p.pos++
			fallthrough
		case tokEOF:
			v.Text = scriptText(v)
			return v
		case tokOpenMap, tokOpenList:
			v.Items = append(v.Items, p.flow())
		case tokScalar:
			v.Items = append(v.Items, p.flowScalar())
		default:
			p.pos++
			continue
		}
		p.skipFlow()
		if p.peek(0).kind == tokComma {
			p.pos++
		}
	}
}

func (p *subset) flowMap() Value {
	v := Value{Kind: Mapping, Map: Map{}}
	v.Text = scriptText(v)
	for p.skipFlow(); p.peek(0).kind == tokScalar; p.skipFlow() {
		key := p.flowScalar().Text
		value := text("")
		p.skipFlow()
		if p.peek(0).kind == tokColon {
			p.pos++
			p.skipFlow()
			value = p.flowValue()
		}
		v.Map = p.add(v.Map, key, value)
		p.skipFlow()
		if p.peek(0).kind == tokComma {
			p.pos++
		}
	}
	if p.peek(0).kind == tokCloseMap {
		p.pos++
	}
	return v
}

func (p *subset) flowValue() Value {
	switch p.peek(0).kind {
	case tokOpenMap, tokOpenList:
		return p.flow()
	case tokScalar:
		return p.flowScalar()
	}
	return text("")
}

// flowScalar joins the lines of a plain scalar with spaces.
func (p *subset) flowScalar() Value {
	t := p.next()
	if !t.plain {
		return text(t.text)
	}
	joined := t.text
	for {
		start := p.pos
		p.skipFlow()
		if p.pos == start || p.peek(0).kind != tokScalar || !p.peek(0).plain {
			p.pos = start
			return subsetPlain(joined)
		}
		joined += " " + p.next().text
	}
}

func (p *subset) skipFlow() {
	for {
		switch p.peek(0).kind {
		case tokNewline, tokComment, tokIndent:
			p.pos++
		default:
			return
		}
	}
}

// subsetPlain types a plain scalar the way the readers of single attributes
// do; its text stays as written.
func subsetPlain(s string) Value {
	v := Value{Kind: String, Text: s, Raw: s}
	switch {
	case s == "true" || s == "false":
		v.Kind = Bool
	case s == "null" || s == "~":
		v.Kind = Null
	case numeric(s) && coreFloat.MatchString(s):
		v.Kind = Float
		if digits, _ := cutSign(s); onlyDigits(digits, "0123456789") {
			v.Kind = Int
		}
	}
	return v
}
