package mcpconfig

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/text"
)

// jsonReader turns a syntax tree of hujson into nodes.
type jsonReader struct {
	src   string
	shift int // what lies before the parsed text: a byte order mark
	out   *File
}

// maxDepth bounds how deep brackets may nest; parsers recurse.
const maxDepth = 200

// parseJSON reads JSON with comments and trailing commas. Where it is broken, the first fault is noted and
// the rest read as well as can be.
func parseJSON(f *File) {
	src := f.Doc.Text
	r := &jsonReader{src: src, shift: len(src) - len(strings.TrimPrefix(src, bom)), out: f}
	if deep := tooDeep(src); deep >= 0 {
		f.fault(SyntaxFault, text.Span{Start: deep, End: deep + 1}, fmt.Sprintf("brackets nest deeper than %d levels", maxDepth))
		return
	}
	body := []byte(src[r.shift:] + "\n") // hujson wants a line comment to end
	for round := 0; round < maxMends; round++ {
		v, err := hujson.Parse(body)
		if err == nil {
			r.comments(body)
			f.Root = r.node(&v)
			return
		}
		at := errorOffset(body, err)
		if round == 0 {
			f.Faults = append(f.Faults, r.syntaxFault(body, at, err))
		}
		if body = mend(body, at, err); body == nil {
			return
		}
	}
}

// tooDeep returns the offset of the first bracket beyond maxDepth, or -1. Brackets in texts count too; no
// configuration has that many.
func tooDeep(src string) int {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return i
			}
		case '}', ']':
			depth--
		}
	}
	return -1
}

// maxMends bounds how many faults of one file are mended.
const maxMends = 50

var errorPlace = lazyregexp.New(`^hujson: line (\d+), column (\d+): `)

// errorOffset returns where the parser stopped. hujson tells it in the message alone, columns in bytes.
func errorOffset(body []byte, err error) int {
	m := errorPlace.FindStringSubmatch(err.Error())
	if m == nil {
		return len(body)
	}
	line, _ := strconv.Atoi(m[1])
	column, _ := strconv.Atoi(m[2])
	off := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(string(body[off:]), '\n')
		if i < 0 {
			break
		}
		off += i + 1
	}
	return min(off+column-1, len(body))
}

// mend returns a text of which more can be read, or nil. Offsets stay as they are: a missing comma takes the
// place of white space, missing brackets are added at the end, and what follows the value becomes blank.
func mend(body []byte, at int, err error) []byte {
	body = append([]byte(nil), body...)
	message := err.Error()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return closeOpen(body)
	case strings.Contains(message, "after top-level value"):
		return body[:at]
	case strings.Contains(message, "after object value"), strings.Contains(message, "after array value"):
		if space := lastSpace(body, at); space >= 0 && strings.IndexByte("\"{[", body[at]) >= 0 {
			body[space] = ','
			return body
		}
	}
	return closeOpen(body[:at])
}

// lastSpace returns the offset of the white space right before at, or -1.
func lastSpace(body []byte, at int) int {
	if at > 0 && strings.IndexByte(" \t\r\n", body[at-1]) >= 0 {
		return at - 1
	}
	return -1
}

// closeOpen cuts an unfinished member off the end of body and adds the brackets that are open there. It
// returns nil when nothing is left.
func closeOpen(body []byte) []byte {
	open, cut := openBrackets(body)
	if len(open) == 0 {
		return nil
	}
	body = append([]byte(nil), body[:cut]...)
	for i := len(open) - 1; i >= 0; i-- {
		body = append(body, open[i])
	}
	return body
}

// openBrackets returns the closing brackets that body lacks, outermost first, and where the last of its
// members that is whole ends.
func openBrackets(body []byte) (open []byte, end int) {
	for i := 0; i < len(body); i++ {
		switch c := body[i]; c {
		case '{':
			open, end = append(open, '}'), i+1
		case '[':
			open, end = append(open, ']'), i+1
		case '}', ']':
			if len(open) > 0 {
				open, end = open[:len(open)-1], i+1
			}
		case ',':
			end = i
		case '"':
			i = stringEnd(body, i)
		case '/':
			i = commentEnd(body, i) - 1
		}
	}
	return open, min(end, len(body))
}

// stringEnd returns the offset of the quote that closes the one at start, or the end of body.
func stringEnd(body []byte, start int) int {
	for i := start + 1; i < len(body); i++ {
		switch body[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(body)
}

// commentEnd returns the offset behind a comment, or behind a slash that starts none.
func commentEnd(body []byte, start int) int {
	rest := string(body[start:])
	stop, skip := "", 0
	switch {
	case strings.HasPrefix(rest, "//"):
		stop = "\n"
	case strings.HasPrefix(rest, "/*"):
		stop, skip = "*/", 2
	default:
		return start + 1
	}
	if i := strings.Index(rest[2:], stop); i >= 0 {
		return start + 2 + i + skip
	}
	return len(body)
}

// syntaxFault says what is wrong at the place where the parser stopped.
func (r *jsonReader) syntaxFault(body []byte, at int, err error) Fault {
	message := errorPlace.ReplaceAllString(err.Error(), "")
	f := Fault{Kind: SyntaxFault, Message: message, Span: r.within(at, at+1)}
	before := len(strings.TrimRight(string(body[:at]), " \t\r\n"))
	switch {
	case controlByte(body, at) > 0:
		at = controlByte(body, at)
		f.Span = r.within(at, at+1)
		f.Message = fmt.Sprintf("the character U+%04X stands inside quotes", body[at])
		if body[at] == '\n' || body[at] == '\r' {
			f.Message = "the quotes are not closed on their line"
		}
	case strings.TrimSpace(string(body)) == "":
		f.Message = "it is empty"
	case at < len(body) && body[at] == '\'':
		f.Message = "texts and keys stand in double quotes"
	case errors.Is(err, io.ErrUnexpectedEOF):
		f.Message = "the text ends before its brackets are closed"
	case strings.Contains(message, "after top-level value"):
		f.Message = "more text follows after the closing bracket"
	case (strings.Contains(message, "after object value") || strings.Contains(message, "after array value")) && body[at] == '"':
		f.Message = "a comma is missing before this"
		f.Edits = []text.Edit{{Span: text.At(r.shift + before), New: ","}}
	}
	return f
}

// controlByte returns the offset of the first byte that may not stand in the text whose quote stands at an offset, or -1.
func controlByte(body []byte, quote int) int {
	if quote >= len(body) || body[quote] != '"' {
		return -1
	}
	for i, end := quote+1, stringEnd(body, quote); i < end; i++ {
		if body[i] < ' ' {
			return i
		}
	}
	return -1
}

// comments notes the comments of a text that parses.
func (r *jsonReader) comments(body []byte) {
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '"':
			i = stringEnd(body, i)
		case '/':
			end := commentEnd(body, i)
			r.out.Comments = append(r.out.Comments, r.within(i, end))
			i = end - 1
		}
	}
}

func (r *jsonReader) node(v *hujson.Value) *Node {
	n := &Node{Span: r.span(v)}
	switch x := v.Value.(type) {
	case *hujson.Object:
		n.Kind = Object
		for i := range x.Members {
			m := &x.Members[i]
			n.Members = append(n.Members, &Member{Name: r.text(m.Name.Value), Key: r.span(&m.Name), Value: r.node(&m.Value)})
		}
		if k := len(x.Members); k > 0 {
			r.trailing(&x.Members[k-1].Value, n)
		}
	case *hujson.Array:
		n.Kind = Array
		for i := range x.Elements {
			n.Items = append(n.Items, r.node(&x.Elements[i]))
		}
		if k := len(x.Elements); k > 0 {
			r.trailing(&x.Elements[k-1], n)
		}
	case hujson.Literal:
		r.literal(n, x)
	}
	return n
}

func (r *jsonReader) literal(n *Node, x hujson.Literal) {
	n.Kind = map[hujson.Kind]Kind{'n': Null, 't': Bool, 'f': Bool, '0': Number, '"': String}[x.Kind()]
	n.Text = r.text(x)
	if n.Kind == String {
		n.inner = unquoted(r.src, n.Span)
	}
}

func (r *jsonReader) text(v hujson.ValueTrimmed) string {
	if x, ok := v.(hujson.Literal); ok {
		return x.String()
	}
	return ""
}

func (r *jsonReader) span(v *hujson.Value) text.Span {
	return r.within(v.StartOffset, v.EndOffset)
}

// within converts offsets into the parsed text, which may be longer than the file where it was mended.
func (r *jsonReader) within(start, end int) text.Span {
	return text.Span{Start: min(r.shift+start, len(r.src)), End: min(r.shift+end, len(r.src))}
}

// trailing notes the comma behind the last value of a bracket: hujson keeps what follows the value then,
// even when it is empty.
func (r *jsonReader) trailing(last *hujson.Value, in *Node) {
	if last.AfterExtra == nil {
		return
	}
	at := r.shift + last.EndOffset + len(last.AfterExtra)
	if at < min(in.Span.End, len(r.src)) && r.src[at] == ',' {
		r.out.TrailingCommas = append(r.out.TrailingCommas, text.Span{Start: at, End: at + 1})
	}
}

// Quote writes a text as a value. What it returns reads the same in JSON, TOML and YAML.
func Quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}
