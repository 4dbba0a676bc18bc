package dialect

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Rules about where characters stand. The tree does not keep where a quoted
// scalar or flow collection ends, so layout finds it in the text.
type layout struct {
	text   string
	starts []int // offset of each line
	// The last offset asked for. Nodes come in order, so that even a long
	// line is passed over once.
	line, column, at int
}

func newLayout(text string) *layout {
	l := &layout{text: text, starts: []int{0}}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// offset converts a line and column, both from 1, columns in characters.
func (l *layout) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(l.starts) {
		return len(l.text)
	}
	if n.Line != l.line || n.Column < l.column {
		l.line, l.column, l.at = n.Line, 1, l.starts[n.Line-1]
	}
	for l.column < n.Column && l.at < len(l.text) {
		_, size := utf8.DecodeRuneInString(l.text[l.at:])
		l.at += size
		l.column++
	}
	return l.at
}

// end returns the offset after a quoted scalar or flow collection, and for
// other nodes its start.
func (l *layout) end(n *yaml.Node) int {
	at := l.offset(n)
	switch {
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		return l.quoted(l.skipTo(at, `"'`))
	case n.Style&yaml.FlowStyle != 0:
		return l.flow(l.skipTo(at, "[{"))
	}
	return at
}

// skipTo passes tag and anchor before the node proper.
func (l *layout) skipTo(at int, open string) int {
	if i := strings.IndexAny(l.text[at:], open); i >= 0 {
		return at + i
	}
	return len(l.text)
}

// quoted returns the offset after the quoted scalar that starts at at.
func (l *layout) quoted(at int) int {
	if at >= len(l.text) {
		return at
	}
	quote := l.text[at]
	for i := at + 1; i < len(l.text); i++ {
		switch {
		case l.text[i] == '\\' && quote == '"':
			i++
		case l.text[i] != quote:
		case quote == '\'' && i+1 < len(l.text) && l.text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return len(l.text)
}

// flow returns the offset after the flow collection that starts at at.
func (l *layout) flow(at int) int {
	depth := 0
	for i := at; i < len(l.text); i++ {
		before := byte(' ')
		if i > 0 {
			before = l.text[i-1]
		}
		switch c := l.text[i]; {
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case (c == '"' || c == '\'') && strings.IndexByte(" \t\n\r,[{:", before) >= 0:
			i = l.quoted(i) - 1
		case c == '#' && strings.IndexByte(" \t\n\r", before) >= 0:
			i = l.lineEnd(i) - 1
		}
	}
	return len(l.text)
}

func (l *layout) lineEnd(at int) int {
	if i := strings.IndexAny(l.text[at:], "\r\n"); i >= 0 {
		return at + i
	}
	return len(l.text)
}

// walk visits the nodes below root in order. indent is the column, from 0, of
// the block collection around a node, and -1 at the top.
func walk(n *yaml.Node, indent int, visit func(n *yaml.Node, indent int) *Error) *Error {
	if err := visit(n, indent); err != nil {
		return err
	}
	inner := indent
	if n.Style&yaml.FlowStyle == 0 && (n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode) {
		inner = n.Column - 1
	}
	for _, c := range n.Content {
		if err := walk(c, inner, visit); err != nil {
			return err
		}
	}
	return nil
}

// both makes one rule of two.
func both(first, second func(*tree) *Error) func(*tree) *Error {
	return func(t *tree) *Error {
		if err := first(t); err != nil {
			return err
		}
		return second(t)
	}
}

// oneAnchor is a rule of PyYAML: no anchor is set twice.
func oneAnchor(t *tree) *Error {
	if !strings.Contains(t.text, "&") {
		return nil
	}
	seen := map[string]bool{"": true}
	return walk(t.root, -1, func(n *yaml.Node, _ int) *Error {
		if n.Kind != yaml.AliasNode && n.Anchor != "" && seen[n.Anchor] {
			return refuse(n.Line, "the anchor %s is set twice", n.Anchor)
		}
		seen[n.Anchor] = true
		return nil
	})
}

// markIsBlank is a rule of libyaml when it is told the encoding, as serde_yaml
// does: a byte order mark at the start takes a column, so that the first key
// stands deeper than the others.
func markIsBlank(t *tree) *Error {
	if !strings.HasPrefix(t.text, byteOrderMark) || t.root.Line > 1 || t.root.Style&yaml.FlowStyle != 0 || len(t.root.Content) <= 2 {
		return nil
	}
	return refuse(1, "a byte order mark stands before the first key")
}

// noSlashEscape is a rule of yaml.v3, which does not know the escape of JSON.
func noSlashEscape(t *tree) *Error {
	if !strings.Contains(t.text, `\/`) {
		return nil
	}
	l := newLayout(t.text)
	return walk(t.root, -1, func(n *yaml.Node, _ int) *Error {
		if n.Style&yaml.DoubleQuotedStyle == 0 {
			return nil
		}
		raw := strings.ReplaceAll(l.text[l.offset(n):l.end(n)], `\\`, "")
		if strings.Contains(raw, `\/`) {
			return refuse(n.Line, `the escape \/ is unknown`)
		}
		return nil
	})
}

// indentedFlow is a rule of the npm package yaml: the lines of a quoted
// scalar or flow collection stand deeper than the block around it.
func indentedFlow(t *tree) *Error {
	var l *layout
	covered := 0 // the last line that was looked at
	return walk(t.root, -1, func(n *yaml.Node, indent int) *Error {
		if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.FlowStyle) == 0 || indent < 0 || n.Line <= covered {
			return nil
		}
		if l == nil {
			l = newLayout(t.text)
		}
		end := l.end(n)
		covered = n.Line
		for i := n.Line; i < len(l.starts) && l.starts[i] < end; i++ {
			covered = i + 1
			line := l.text[l.starts[i]:l.lineEnd(l.starts[i])]
			body := strings.TrimLeft(line, " ")
			closes := strings.IndexAny(body, "]}") == 0
			if strings.TrimSpace(body) != "" && len(line)-len(body) <= indent && !closes {
				return refuse(i+1, "the continuation of a quoted or bracketed value must be indented")
			}
		}
		return nil
	})
}

// tabAfterPlain is a rule of libyaml: no tab may stand where the indentation
// of a plain scalar's next line would be, even if that line is blank.
func tabAfterPlain(t *tree) *Error {
	if !strings.Contains(t.text, "\t") {
		return nil
	}
	l := newLayout(t.text)
	last := lastNodes(t.root, len(l.starts))
	before := 0 // the last line with text
	for i, start := range l.starts {
		line := l.text[start:l.lineEnd(start)]
		body := strings.TrimLeft(line, " ")
		if strings.HasPrefix(body, "\t") && last[before].plain && len(line)-len(body) <= last[before].indent {
			return refuse(i+1, "a tab stands where a plain value could go on")
		}
		if strings.TrimSpace(line) != "" {
			before = i
		}
	}
	return nil
}

// lineState is what the last node that starts on or before a line is.
type lineState struct {
	plain  bool // a plain scalar in block style
	indent int  // of the collection around it
}

func lastNodes(root *yaml.Node, lines int) []lineState {
	states := make([]lineState, lines)
	set := make([]bool, lines)
	_ = walk(root, -1, func(n *yaml.Node, indent int) *Error {
		if i := n.Line - 1; i >= 0 && i < lines {
			plain := n.Kind == yaml.ScalarNode && n.Style&^yaml.TaggedStyle == 0 && n.Value != ""
			states[i], set[i] = lineState{plain, indent}, true
		}
		return nil
	})
	for i := 1; i < lines; i++ {
		if !set[i] {
			states[i] = states[i-1]
		}
	}
	return states
}

// tabOutside is a rule of the parser written in Python: tabs stand only
// within quotes, block scalars and comments.
func tabOutside(t *tree) *Error {
	if !strings.Contains(t.text, "\t") {
		return nil
	}
	l := newLayout(t.text)
	free := []byte(t.text) // what tabs may not stand in; the rest is blanked
	_ = walk(t.root, -1, func(n *yaml.Node, indent int) *Error {
		switch {
		case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
			blank(free, l.offset(n), l.end(n))
		case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
			blank(free, l.lineEnd(l.offset(n)), l.blockEnd(n, indent))
		}
		return nil
	})
	for i, start := range l.starts {
		line := string(free[start:l.lineEnd(start)])
		if at := commentStart(line); at >= 0 {
			line = line[:at]
		}
		if strings.Contains(line, "\t") {
			return refuse(i+1, "a tab stands outside quotes")
		}
	}
	return nil
}

func blank(b []byte, from, to int) {
	for i := from; i < to && i < len(b); i++ {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = '"'
		}
	}
}

// blockEnd returns the offset after a block scalar: the next line with text
// that is not indented deeper than the collection around it.
func (l *layout) blockEnd(n *yaml.Node, indent int) int {
	for i := n.Line; i < len(l.starts); i++ {
		line := l.text[l.starts[i]:l.lineEnd(l.starts[i])]
		body := strings.TrimLeft(line, " ")
		if body != "" && len(line)-len(body) <= indent {
			return l.starts[i]
		}
	}
	return len(l.text)
}

func commentStart(line string) int {
	for i := range line {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return i
		}
	}
	return -1
}
