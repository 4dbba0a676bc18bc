package mcpconfig

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/text"
)

// parseYAML reads YAML. Of a file that is broken, the part above the fault is read.
func parseYAML(f *File) {
	src := f.Doc.Text
	if deep := tooDeep(src); deep >= 0 {
		f.fault(SyntaxFault, text.Span{Start: deep, End: deep + 1}, "brackets nest too deep")
		return
	}
	root, size := readAbove(f)
	if root != nil {
		f.Root = (&yamlReader{src: src[:size], lines: f.Doc.Lines()}).node(root, size, 0)
	}
}

// readAbove returns the top node of the longest part of the file that is valid, and the length of that part. The
// first fault is noted.
func readAbove(f *File) (*yaml.Node, int) {
	size := len(f.Doc.Text)
	for round := 0; round < maxMends; round++ {
		var doc yaml.Node
		err := yaml.Unmarshal([]byte(strings.TrimPrefix(f.Doc.Text[:size], bom)), &doc)
		if err == nil {
			if len(doc.Content) == 0 {
				return nil, 0
			}
			return doc.Content[0], size
		}
		at, message := yamlError(f, err)
		if round == 0 {
			f.fault(SyntaxFault, at, message)
		}
		size = min(at.Start, strings.LastIndexByte(f.Doc.Text[:max(size-1, 0)], '\n')+1)
	}
	return nil, 0
}

// yamlError returns the line that an error of the parser names, and what it says.
func yamlError(f *File, err error) (text.Span, string) {
	var le *yaml.LoadError
	if errors.As(err, &le) {
		return f.Doc.Lines().Line(max(le.Mark.Line-1, 0)), le.Message
	}
	return text.At(0), err.Error()
}

// yamlReader turns the nodes of the YAML parser, which say where they start, into nodes with spans.
type yamlReader struct {
	src   string
	lines *text.LineIndex
}

func (r *yamlReader) node(y *yaml.Node, limit, depth int) *Node {
	n := &Node{Span: r.span(y, limit), Text: y.Value}
	if y.Kind == yaml.AliasNode && y.Alias != nil && depth < maxDepth {
		at := n.Span
		n = r.node(y.Alias, limit, maxDepth) // an alias is not followed into further ones
		n.Span, n.inner = at, text.Span{}
		return n
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind, n.Text = Object, ""
		for i := 0; i+1 < len(y.Content) && depth < maxDepth; i += 2 {
			next := r.startOf(y.Content, i+2, limit)
			key := r.node(y.Content[i], next, maxDepth)
			n.Members = append(n.Members, &Member{Name: key.Text, Key: key.Span, Value: r.node(y.Content[i+1], next, depth+1)})
		}
	case yaml.SequenceNode:
		n.Kind, n.Text = Array, ""
		for i := 0; i < len(y.Content) && depth < maxDepth; i++ {
			n.Items = append(n.Items, r.node(y.Content[i], r.startOf(y.Content, i+1, limit), depth+1))
		}
	default:
		n.Kind = scalarKind(y)
		n.inner = unquoted(r.src, n.Span)
	}
	return n
}

func scalarKind(y *yaml.Node) Kind {
	switch y.ShortTag() {
	case "!!null":
		return Null
	case "!!bool":
		return Bool
	case "!!int", "!!float":
		return Number
	}
	return String
}

// startOf returns where the node at an index starts, or limit behind the last one.
func (r *yamlReader) startOf(nodes []*yaml.Node, i, limit int) int {
	if i >= len(nodes) {
		return limit
	}
	return min(r.offset(nodes[i]), limit)
}

func (r *yamlReader) offset(y *yaml.Node) int {
	return r.lines.PositionOffset(text.Position{Line: y.Line - 1, Column: y.Column - 1}, text.UTF32)
}

// span returns where a node stands: a plain text to the end of its words, a quoted one to its closing quote
// and anything else to the next node.
func (r *yamlReader) span(y *yaml.Node, limit int) text.Span {
	start := min(r.offset(y), limit)
	rest := r.src[start:limit]
	switch {
	case y.Kind != yaml.ScalarNode:
	case y.Style == 0 && strings.HasPrefix(rest, y.Value):
		return text.Span{Start: start, End: start + len(y.Value)}
	case y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && rest != "":
		if end := closing(rest); end > 0 {
			return text.Span{Start: start, End: start + end}
		}
	}
	return text.Span{Start: start, End: start + len(strings.TrimRight(rest, " \t\r\n"))}
}

// closing returns the length of the quoted text that s starts with, or 0.
func closing(s string) int {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote == '"':
			i++
		case s[i] == quote && quote == '\'' && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return 0
}
