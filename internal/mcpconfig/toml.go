package mcpconfig

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/skill-ls/skill-ls/internal/text"
)

// tomlReader builds nodes from the expressions of a TOML text: lines "key = value" and "[table]" headers.
type tomlReader struct {
	parser unstable.Parser
	src    string
	shift  int
	root   *Node
	table  *Node            // what the lines below the last header belong to
	opened map[*Member]bool // tables that have had a header of their own
}

// parseTOML reads TOML. A line that is broken is noted, once for the file, and left out.
func parseTOML(f *File) {
	src := f.Doc.Text
	shift := len(src) - len(strings.TrimPrefix(src, bom))
	if deep := tooDeep(src); deep >= 0 {
		f.fault(SyntaxFault, text.Span{Start: deep, End: deep + 1}, "brackets nest too deep")
		return
	}
	body := []byte(src[shift:])
	for round := 0; round < maxMends; round++ {
		r := &tomlReader{src: src, shift: shift}
		err := r.read(body)
		f.Root = r.root
		if err == nil {
			return
		}
		at := r.errorSpan(err, len(body))
		if round == 0 {
			f.fault(SyntaxFault, at.Shift(shift), err.Error())
		}
		if !blankLine(body, at.Start) {
			return
		}
	}
}

// blankLine puts blanks in place of the line that at lies on. It reports whether that changed anything.
func blankLine(body []byte, at int) bool {
	changed := false
	start := strings.LastIndexByte(string(body[:at]), '\n') + 1
	for i := start; i < len(body) && body[i] != '\n'; i++ {
		changed = changed || body[i] != ' '
		body[i] = ' '
	}
	return changed
}

func (r *tomlReader) read(body []byte) error {
	r.root = &Node{Kind: Object, Span: text.Span{Start: r.shift, End: len(r.src)}}
	r.table, r.opened = r.root, map[*Member]bool{}
	r.parser.Reset(body)
	for r.parser.NextExpression() {
		switch e := r.parser.Expression(); e.Kind {
		case unstable.KeyValue:
			r.keyValue(r.table, e)
		case unstable.Table:
			r.header(e, false)
		case unstable.ArrayTable:
			r.header(e, true)
		}
	}
	return r.parser.Error()
}

func (r *tomlReader) errorSpan(err error, size int) text.Span {
	var pe *unstable.ParserError
	if !errors.As(err, &pe) || len(pe.Highlight) == 0 {
		return text.At(max(size-1, 0))
	}
	at := r.parser.Range(pe.Highlight)
	return text.Span{Start: int(at.Offset), End: int(at.Offset + at.Length)}
}

// keys returns the parts of a dotted key, without values.
func (r *tomlReader) keys(it unstable.Iterator) []*Member {
	var out []*Member
	for it.Next() {
		k := it.Node()
		if k.Kind != unstable.Key {
			break
		}
		out = append(out, &Member{Name: string(k.Data), Key: r.span(k.Raw)})
	}
	return out
}

// header opens the table of a "[a.b]" or "[[a.b]]" line.
func (r *tomlReader) header(e *unstable.Node, array bool) {
	path := r.keys(e.Key())
	at := r.root
	for i, key := range path {
		last := i == len(path)-1
		have := at.Member(key.Name)
		if have == nil || last && !array && (r.opened[have] || have.Value.Kind != Object) {
			key.Value = &Node{Kind: Object, Span: text.At(key.Key.End)}
			if last && array {
				key.Value.Kind = Array
			}
			at.Members = append(at.Members, key)
			have = key
		}
		if last && !array {
			r.opened[have] = true
		}
		at = have.Value
		if at.Kind == Array && (last || len(at.Items) > 0) {
			if last {
				at.Items = append(at.Items, &Node{Kind: Object, Span: text.At(key.Key.End)})
			}
			at = at.Items[len(at.Items)-1]
		}
	}
	r.table = at
}

func (r *tomlReader) keyValue(in *Node, e *unstable.Node) {
	path := r.keys(e.Key())
	whole := r.span(e.Raw)
	for _, key := range path[:len(path)-1] {
		have := in.Member(key.Name)
		if have == nil || have.Value.Kind != Object {
			key.Value = &Node{Kind: Object, Span: text.Span{Start: key.Key.Start, End: whole.End}}
			in.Members = append(in.Members, key)
			have = key
		}
		in = have.Value
	}
	last := path[len(path)-1]
	start := whole.Start + len(r.src[whole.Start:whole.End]) // where no "=" is found
	if i := strings.IndexByte(r.src[last.Key.End:whole.End], '='); i >= 0 {
		start = last.Key.End + i + 1
		start += len(r.src[start:whole.End]) - len(strings.TrimLeft(r.src[start:whole.End], " \t"))
	}
	last.Value = r.value(e.Value(), text.Span{Start: start, End: start + len(strings.TrimRight(r.src[start:whole.End], " \t"))})
	in.Members = append(in.Members, last)
}

// value converts a value that stands at a place. The parser gives the exact place of scalars.
func (r *tomlReader) value(v *unstable.Node, at text.Span) *Node {
	n := &Node{Span: at, Text: string(v.Data)}
	if v.Raw.Length > 0 && v.Kind != unstable.InlineTable && v.Kind != unstable.Array {
		n.Span = r.span(v.Raw)
	}
	switch v.Kind {
	case unstable.String:
		n.Kind, n.inner = String, unquoted(r.src, n.Span)
	case unstable.Bool:
		n.Kind = Bool
	case unstable.InlineTable:
		n.Kind, n.Text = Object, ""
		r.inside(v, func(e *unstable.Node) { r.keyValue(n, e) })
	case unstable.Array:
		n.Kind, n.Text = Array, ""
		r.inside(v, func(e *unstable.Node) { n.Items = append(n.Items, r.value(e, at)) })
	default:
		n.Kind = Number // dates too: no key of a server wants one
	}
	return n
}

func (r *tomlReader) inside(v *unstable.Node, each func(*unstable.Node)) {
	for it := v.Children(); it.Next(); {
		if it.Node().Kind != unstable.Comment {
			each(it.Node())
		}
	}
}

func (r *tomlReader) span(raw unstable.Range) text.Span {
	return text.Span{Start: r.shift + int(raw.Offset), End: r.shift + int(raw.Offset+raw.Length)}
}

// unquoted returns the span between the quotes of a text, one or three on each side.
func unquoted(src string, at text.Span) text.Span {
	raw := at.In(src)
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		if len(raw) >= 2*len(quote) && strings.HasPrefix(raw, quote) && strings.HasSuffix(raw, quote) {
			return text.Span{Start: at.Start + len(quote), End: at.End - len(quote)}
		}
	}
	return at
}
