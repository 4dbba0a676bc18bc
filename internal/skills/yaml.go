package skills

import (
	"errors"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/plainyaml"
	"github.com/skill-ls/skill-ls/internal/text"
)

// block is the outcome of parsing the text between the fences.
type block struct {
	shape  Shape
	fields []Field
	errors []SyntaxError
}

// sound reports whether the block is a YAML mapping with at least one key.
func (b block) sound() bool { return len(b.errors) == 0 && len(b.fields) > 0 }

// parseBlock parses the YAML of span. Where it is broken, the fields are recovered one by one.
func parseBlock(src string, span text.Span) block {
	b := block{shape: Mapping}
	if plainyaml.Read(span.In(src), func(entries []plainyaml.Entry) { b.fields = plainFields(src, span, entries) }) {
		return b
	}
	root, err := parseYAML(span.In(src))
	if err != nil {
		return recoverBlock(src, span, err)
	}
	if b.shape = shapeOf(root); b.shape != Mapping {
		return b
	}
	b.fields = newPlaces(src, span).fields(root)
	for i := range b.fields {
		b.fields[i].node = root.Content[2*i+1] // the others may hold what it is an alias of
	}
	return b
}

// plainFields returns the fields that a parser would find in a plain block, whose lines hold a key or an item each.
func plainFields(src string, span text.Span, entries []plainyaml.Entry) []Field {
	fields := make([]Field, 0, len(entries))
	line, start := 1, span.Start
	goTo := func(want int) int { // entries come in the order of their lines
		for ; line < want; line++ {
			start = nextLine(src, start)
		}
		return start
	}
	for i := range entries {
		e := &entries[i]
		at := goTo(e.KeyAt.Line)
		f := Field{Name: e.Key, Key: text.Span{Start: at, End: at + len(e.Key)}, Colon: at + len(e.Key)}
		f.Value.Start = goTo(e.At.Line) + e.At.Column - 1 // nothing but ASCII stands before it
		f.Extent = text.Span{Start: at, End: span.End}
		if i+1 < len(entries) {
			f.Extent.End = goTo(entries[i+1].KeyAt.Line)
		}
		f.Value.End = trimRight(src, f.Value.Start, f.Extent.End)
		f.kind, f.tag, f.style, f.Text = e.Kind(), e.Tag(), e.Style(), e.Text
		fields = append(fields, f)
	}
	return fields
}

func shapeOf(root *yaml.Node) Shape {
	switch {
	case root.Kind == yaml.MappingNode:
		return Mapping
	case root.Kind == yaml.SequenceNode:
		return List
	case root.ShortTag() == "!!null":
		return Nothing
	}
	return Scalar
}

// parseYAML returns the top node of the first document; an empty document is a null scalar.
func parseYAML(src string) (*yaml.Node, error) {
	if root := plainyaml.Tree(src); root != nil {
		return root, nil
	}
	return unmarshal(src)
}

func unmarshal(src string) (*yaml.Node, error) {
	masked := maskSurrogates(src)
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(masked), &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}, nil
	}
	if masked != src {
		unmaskSurrogates(doc.Content[0])
	}
	return doc.Content[0], nil
}

// The parser refuses "\ud83d\udee1", the way JSON writes a character beyond U+FFFF, which every
// JavaScript client accepts and inline JSON in metadata really holds. The halves are moved to the private
// use area, at equal length so that positions stay, and joined in the parsed values.
const (
	surrogateMin = 0xD800
	surrogateMax = 0xDFFF
	privateShift = 0xE000 - surrogateMin
)

func maskSurrogates(src string) string {
	if !strings.Contains(src, `\ud`) && !strings.Contains(src, `\uD`) {
		return src
	}
	b := []byte(src)
	for i := 0; i+6 <= len(b); i++ {
		if b[i] != '\\' {
			continue
		}
		if b[i+1] == 'u' && (b[i+2] == 'd' || b[i+2] == 'D') {
			switch b[i+3] { // d8..db begin a pair, dc..df end one
			case '8', '9':
				b[i+2], b[i+3] = 'e', b[i+3]-'8'+'0'
			case 'a', 'b', 'A', 'B':
				b[i+2], b[i+3] = 'e', b[i+3]|0x20-'a'+'2'
			case 'c', 'd', 'e', 'f', 'C', 'D', 'E', 'F':
				b[i+2], b[i+3] = 'e', b[i+3]|0x20-'c'+'4'
			}
		}
		i++ // the escaped character is no backslash of its own
	}
	return string(b)
}

func unmaskSurrogates(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Style == yaml.DoubleQuotedStyle {
		n.Value = joinSurrogates(n.Value)
	}
	for _, c := range n.Content {
		unmaskSurrogates(c)
	}
}

func joinSurrogates(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		hi, n := utf8.DecodeRuneInString(s[i:])
		lo, m := utf8.DecodeRuneInString(s[i+n:])
		hi, lo = hi-privateShift, lo-privateShift
		if hi >= surrogateMin && hi < 0xDC00 && lo >= 0xDC00 && lo <= surrogateMax {
			b.WriteRune((hi-surrogateMin)<<10 + (lo - 0xDC00) + 0x10000)
			i += n + m
			continue
		}
		b.WriteString(s[i : i+n])
		i += n
	}
	return b.String()
}

// places turns the parser's lines and columns into spans. Both count from 1, columns in code points.
type places struct {
	src   string
	span  text.Span
	lines []int // offset of each line as the YAML parser counts them
}

func newPlaces(src string, span text.Span) *places {
	p := &places{src: src, span: span, lines: append(make([]int, 0, 1+strings.Count(span.In(src), "\n")), span.Start)}
	for off := span.Start; off < span.End; {
		n := yamlBreak(src[off:span.End])
		if n > 0 {
			p.lines = append(p.lines, off+n)
		}
		off += max(n, 1)
	}
	return p
}

// yamlBreak returns the length of the line break that s starts with. The parser follows YAML 1.1, which
// counts NEL, LS and PS too: https://yaml.org/spec/1.1/#b-char
func yamlBreak(s string) int {
	switch {
	case s[0] == '\n':
		return 1
	case strings.HasPrefix(s, "\r\n"):
		return 2
	case s[0] == '\r':
		return 1
	case strings.HasPrefix(s, "\u0085"):
		return 2
	case strings.HasPrefix(s, "\u2028"), strings.HasPrefix(s, "\u2029"):
		return 3
	}
	return 0
}

// offset converts a line and column of the parser.
func (p *places) offset(line, column int) int {
	if line < 1 || line > len(p.lines) {
		return p.span.End
	}
	off := p.lines[line-1]
	for i := 1; i < column && off < p.span.End; i++ {
		_, n := utf8.DecodeRuneInString(p.src[off:])
		off += n
	}
	return min(off, p.span.End)
}

// fields returns the keys of a mapping with their spans.
func (p *places) fields(root *yaml.Node) []Field {
	fields := make([]Field, 0, len(root.Content)/2)
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		limit := p.span.End
		if i+2 < len(root.Content) {
			next := root.Content[i+2]
			limit = p.offset(next.Line, next.Column)
		}
		f := Field{Name: key.Value, Key: p.key(key, p.upTo(value, key, limit))}
		if key.Kind != yaml.ScalarNode {
			f.Name = ""
		}
		f.Extent = text.Span{Start: f.Key.Start, End: limit}
		f.Colon = min(f.Key.End+max(strings.IndexByte(p.src[f.Key.End:limit], ':'), 0), limit)
		f.Value = p.node(value, limit, root.Style&yaml.FlowStyle != 0)
		if f.Value.Start < f.Colon { // an empty value has the place of its key
			f.Value = text.At(min(f.Colon+1, limit))
		}
		f.set(value)
		fields = append(fields, f)
	}
	return fields
}

// upTo returns where a value starts, or limit when it is empty and so has no place of its own.
func (p *places) upTo(value, key *yaml.Node, limit int) int {
	if start := p.offset(value.Line, value.Column); start > p.offset(key.Line, key.Column) {
		return min(start, limit)
	}
	return limit
}

// key returns the span of a key. A plain one stands as it is written, on one line; one with a tag or an anchor
// is looked for like a value.
func (p *places) key(n *yaml.Node, limit int) text.Span {
	start := p.offset(n.Line, n.Column)
	if n.Kind != yaml.ScalarNode || n.Style != 0 || n.Value == "" || !strings.HasPrefix(p.src[start:limit], n.Value) {
		return p.node(n, limit, false)
	}
	return text.Span{Start: start, End: start + len(n.Value)}
}

// node returns the span of n as written. limit is where the next sibling starts, flow tells whether n
// stands inside brackets.
func (p *places) node(n *yaml.Node, limit int, flow bool) text.Span {
	start := p.offset(n.Line, n.Column)
	if start >= limit {
		return text.At(limit)
	}
	at := start // behind an anchor or a tag
	for at < limit && (p.src[at] == '&' || p.src[at] == '!') {
		end := at + strings.IndexAny(p.src[at:limit]+" ", " \t\r\n")
		at = min(limit, end+len(p.src[end:limit])-len(strings.TrimLeft(p.src[end:limit], " \t\r\n")))
	}
	end := limit
	switch {
	case n.Kind == yaml.AliasNode:
		end = at + strings.IndexAny(p.src[at:limit]+" ", " \t\r\n,]}")
	case n.Kind != yaml.ScalarNode && n.Style&yaml.FlowStyle != 0:
		end = closeBracket(p.src[:limit], at)
	case n.Kind != yaml.ScalarNode:
		end = trimRight(p.src, at, limit)
	case n.Style&yaml.DoubleQuotedStyle != 0:
		end = closeQuote(p.src[:limit], at, '"')
	case n.Style&yaml.SingleQuotedStyle != 0:
		end = closeQuote(p.src[:limit], at, '\'')
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		end = blockEnd(p.src, at, limit)
	case n.Value == "": // nothing, or a tag alone
		end = trimRight(p.src, start, at)
	default:
		end = plainEnd(p.src, at, limit, flow)
	}
	return text.Span{Start: start, End: max(start, end)}
}

// Nodes calls visit for every scalar, list and mapping below a field's value, with the span of each. Keys of mappings are
// passed with their value; list items have a nil key.
func (f *FrontMatter) Nodes(src string, field *Field, visit func(key, value *yaml.Node, at text.Span)) {
	f.below(src, field, visit, maxDepth)
}

// Entries is Nodes for what stands right below the value.
func (f *FrontMatter) Entries(src string, field *Field, visit func(key, value *yaml.Node, at text.Span)) {
	f.below(src, field, visit, 1)
}

func (f *FrontMatter) below(src string, field *Field, visit func(key, value *yaml.Node, at text.Span), depth int) {
	node, within := field.Node(src), f.Block
	if node == nil {
		return
	}
	if field.node == nil {
		within = field.Extent // the parser's lines count from there
	}
	newPlaces(src, within).walk(resolve(node), field.Extent.End, visit, depth)
}

// Repeated calls visit for every key that stands twice in one mapping below a field's value.
func (f *FrontMatter) Repeated(src string, field *Field, visit func(key string, first, again text.Span)) {
	if field.Kind() != yaml.MappingNode && field.Kind() != yaml.SequenceNode || field.Texts(src) {
		return
	}
	within := f.Block
	if field.node == nil {
		within = field.Extent // the parser's lines count from there
	}
	if node := field.Node(src); node != nil {
		newPlaces(src, within).repeated(resolve(node), visit, maxDepth)
	}
}

func (p *places) repeated(n *yaml.Node, visit func(key string, first, again text.Span), depth int) {
	if depth == 0 {
		return
	}
	seen := map[string]*yaml.Node{}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && c.Kind == yaml.ScalarNode {
			if first := seen[c.Value]; first != nil {
				visit(c.Value, p.word(first), p.word(c))
			} else {
				seen[c.Value] = c
			}
		}
		p.repeated(c, visit, depth-1)
	}
}

// word returns the span of a key that stands on one line.
func (p *places) word(n *yaml.Node) text.Span {
	start := p.offset(n.Line, n.Column)
	return p.key(n, max(start, lineEnd(p.src, start)))
}

const maxDepth = 64

func (p *places) walk(n *yaml.Node, limit int, visit func(key, value *yaml.Node, at text.Span), depth int) {
	flow := n.Style&yaml.FlowStyle != 0
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	for i := 0; i+step <= len(n.Content) && depth > 0; i += step {
		next := limit
		if i+step < len(n.Content) {
			following := n.Content[i+step]
			next = p.offset(following.Line, following.Column)
		}
		var key *yaml.Node
		if step == 2 {
			key = n.Content[i]
		}
		value := n.Content[i+step-1]
		visit(key, value, p.node(value, next, flow))
		if value.Kind != yaml.AliasNode {
			p.walk(value, next, visit, depth-1)
		}
	}
}

// closeQuote returns the offset behind the quote that closes the one at start, or the end of src.
func closeQuote(src string, start int, quote byte) int {
	for i := start + 1; i < len(src); i++ {
		switch {
		case src[i] == '\\' && quote == '"':
			i++
		case src[i] == quote && quote == '\'' && i+1 < len(src) && src[i+1] == quote:
			i++
		case src[i] == quote:
			return i + 1
		}
	}
	return len(src)
}

// closeBracket returns the offset behind the bracket that closes the one at start, or the end of src.
func closeBracket(src string, start int) int {
	depth := 0
	for i := start; i < len(src); i++ {
		switch src[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth <= 0 {
				return i + 1
			}
		case '"', '\'':
			if strings.IndexByte(" \t\r\n,[{:", src[max(i-1, 0)]) >= 0 {
				i = closeQuote(src, i, src[i]) - 1
			}
		}
	}
	return len(src)
}

// plainEnd returns where a plain scalar that starts at start ends.
func plainEnd(src string, start, limit int, flow bool) int {
	end := start
	for off := start; off < limit; off = nextLine(src, off) {
		stop := min(lineEnd(src, off), limit)
		line := src[off:stop]
		if off > start && strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			break
		}
		cut := commentStart(line)
		if flow {
			if i := strings.IndexAny(line, ",]}"); i >= 0 && (cut < 0 || i < cut) {
				cut = i
			}
		}
		if cut >= 0 {
			return trimRight(src, start, off+cut)
		}
		if trimmed := trimRight(src, off, stop); trimmed > off {
			end = trimmed
		}
	}
	return end
}

// commentStart returns the offset of the blank before the first " #" of a line, or -1.
func commentStart(line string) int {
	for i := 0; i+1 < len(line); i++ {
		if (line[i] == ' ' || line[i] == '\t') && line[i+1] == '#' {
			return i
		}
	}
	return -1
}

// blockEnd returns where a block scalar ends: behind its last line that is indented.
func blockEnd(src string, start, limit int) int {
	end := trimRight(src, start, min(lineEnd(src, start), limit))
	for off := nextLine(src, start); off < limit; off = nextLine(src, off) {
		line := src[off:min(lineEnd(src, off), limit)]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if line[0] != ' ' && line[0] != '\t' {
			break
		}
		end = trimRight(src, off, off+len(line))
	}
	return end
}

// trimRight moves end back over white space, not before start.
func trimRight(src string, start, end int) int {
	return start + len(strings.TrimRight(src[start:max(start, end)], " \t\r\n"))
}

// loadError returns the typed error of the YAML parser.
func loadError(err error) *yaml.LoadError {
	var le *yaml.LoadError
	if errors.As(err, &le) {
		return le
	}
	return &yaml.LoadError{Message: err.Error()}
}
