package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"go.lsp.dev/protocol"
	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Formatting puts front matter in order: keys in the order of the Agent Skills text, one blank behind colons, none
// at the ends of lines, folded texts filled, and quotes where a value needs them. No value changes, and comments
// stay with the key below them. The body is left as it is.
func (s *Server) Formatting(ctx context.Context, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	out := []protocol.TextEdit{}
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok || !pg.main || pg.front.Format != skills.YAML || !pg.front.Closed() {
		return out, nil
	}
	before := pg.front.Block.In(pg.text())
	after := pg.formatted()
	for _, e := range udiff.Strings(before, after) {
		at := text.Span{Start: e.Start, End: e.End}.Shift(pg.front.Block.Start)
		out = append(out, protocol.TextEdit{Range: pg.rangeOf(at), NewText: e.New})
	}
	return out, ctx.Err()
}

// formatted returns the text between the fences in order, or as it is where that would change a value.
func (p *page) formatted() string {
	before := p.front.Block.In(p.text())
	if len(p.front.Errors) > 0 {
		return p.mended()
	}
	if p.front.Shape != skills.Mapping || strings.HasPrefix(strings.TrimSpace(before), "{") {
		return before
	}
	nl := eol(p.text())
	var b strings.Builder
	for _, c := range p.inOrder(p.chunks()) {
		b.WriteString(strings.ReplaceAll(c.tidy(), "\n", nl))
	}
	if after := b.String(); sameValues(before, after) {
		return after
	}
	return before
}

// mended returns a block that is no valid YAML with the certain repairs of the rules applied.
func (p *page) mended() string {
	block := p.front.Block
	plan := lint.PlanFixes(own(p.findings(p.st, p.p), p.p.file), false, func(string) bool { return false })
	var edits []text.Edit
	for _, e := range plan.Edits[p.p.file] {
		if block.Covers(e.Span) {
			edits = append(edits, text.Edit{Span: e.Shift(-block.Start), New: e.New})
		}
	}
	after, err := text.Apply(block.In(p.text()), edits)
	if err != nil {
		p.log.Error("repairs cannot be applied", "file", p.p.file, "err", err)
	}
	return after
}

// chunk is a key with its value and the comments above it.
type chunk struct {
	field *skills.Field
	lead  string // comments and blank lines
	text  string // with "\n" at the end of each line
	value int    // where the value starts in text
}

// chunks cuts the block between its keys.
func (p *page) chunks() []chunk {
	var out []chunk
	at := p.front.Block.Start
	for i := range p.front.Fields {
		f := &p.front.Fields[i]
		end := p.front.Block.End
		if i+1 < len(p.front.Fields) {
			end = p.leadStart(p.front.Fields[i+1].Key.Start, max(f.Value.End, f.Key.End))
		}
		body := p.text()[f.Key.Start:end]
		out = append(out, chunk{field: f, lead: lines(p.text()[at:f.Key.Start]), text: lines(body), value: f.Value.Start - f.Key.Start})
		at = end
	}
	return out
}

// lines returns a text with "\n" as its line break, and one at its end.
func lines(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

// leadStart returns where the comments begin that stand right above a key, behind the value before.
func (p *page) leadStart(key, value int) int {
	line := p.lines.OffsetLine(key)
	for line > 0 {
		above := p.lines.Line(line - 1)
		if above.Start < value || !strings.HasPrefix(above.In(p.text()), "#") {
			break
		}
		line--
	}
	return p.lines.Line(line).Start
}

// inOrder sorts chunks: the keys of the Agent Skills text first. A block with anchors stays, for they must stand
// before what uses them.
func (p *page) inOrder(all []chunk) []chunk {
	if slices.ContainsFunc(all, func(c chunk) bool { return hasAnchor(c.field.Node(p.text())) }) {
		return all
	}
	order := []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
	rank := func(c chunk) int {
		if i := slices.Index(order, c.field.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b chunk) int { return rank(a) - rank(b) })
	return out
}

func hasAnchor(n *yaml.Node) bool {
	return n != nil && (n.Anchor != "" || n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAnchor))
}

// width is how many characters a line of a folded text has at most.
const width = 100

// tidy returns a chunk in order. Texts of several lines in quotes or after "|" are left alone: there blanks may
// count.
func (c chunk) tidy() string {
	style := yaml.Style(0)
	if c.field.Scalar() {
		style = c.field.Style()
	}
	head, rest, _ := strings.Cut(c.text, "\n")
	if key := c.field.Key.Len(); key < c.value && c.value <= len(head) {
		head = head[:key] + ": " + head[c.value:]
	}
	head = strings.TrimRight(head, " \t")
	switch {
	case style&yaml.FoldedStyle != 0:
		rest = refill(rest)
	case style&(yaml.LiteralStyle|yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0:
		rest = trimLines(rest)
	}
	return trimLines(c.lead) + head + "\n" + rest
}

// trimLines takes the blanks from the ends of lines.
func trimLines(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimRight(line, " \t\n"))
		b.WriteByte('\n')
	}
	return b.String()
}

// refill breaks the paragraphs of a folded text anew. One with lines that are indented further is left alone.
func refill(s string) string {
	var b strings.Builder
	var words []string
	indent := ""
	flush := func() {
		column := 0
		for _, w := range words {
			n := len([]rune(w))
			switch {
			case column == 0:
				b.WriteString(indent)
				column = len(indent) + n
			case column+1+n > width:
				b.WriteString("\n" + indent)
				column = len(indent) + n
			default:
				b.WriteByte(' ')
				column += 1 + n
			}
			b.WriteString(w)
		}
		if len(words) > 0 {
			b.WriteByte('\n')
		}
		words = nil
	}
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \t\n")
		lead := line[:len(line)-len(strings.TrimLeft(line, " "))]
		switch {
		case line == "":
			flush()
			b.WriteByte('\n')
		case indent == "" && lead != "":
			indent = lead
			words = append(words, strings.Fields(line)...)
		case lead != indent || strings.HasPrefix(line[len(lead):], "#") && lead == "":
			return s
		default:
			words = append(words, strings.Fields(line)...)
		}
	}
	flush()
	return b.String()
}

// sameValues reports whether two blocks hold the same keys with the same values.
func sameValues(a, b string) bool {
	var x, y map[string]any
	if yaml.Unmarshal([]byte(a), &x) != nil || yaml.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	first, err := yaml.Marshal(x)
	if err != nil {
		return false
	}
	second, err := yaml.Marshal(y)
	return err == nil && string(first) == string(second)
}
