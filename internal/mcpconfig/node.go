package mcpconfig

import "github.com/skill-ls/skill-ls/internal/text"

// Kind is the kind of a value, in the words of JSON; TOML and YAML have more, which count as the nearest.
type Kind uint8

const (
	Null   Kind = iota
	Object      // a JSON object, a TOML table, a YAML mapping
	Array
	String
	Number
	Bool
)

var kindNouns = [...]string{"null", "an object", "a list", "a text", "a number", "true or false"}

// String returns the kind as a noun with its article.
func (k Kind) String() string { return kindNouns[k] }

// Node is one value of a configuration file.
type Node struct {
	Kind    Kind
	Span    text.Span // the value as written, quotes included
	Text    string    // of a scalar: the value; that of a number, boolean or null as written
	Members []*Member // of an object, in the order of the file, duplicates included
	Items   []*Node   // of an array

	inner text.Span // of a text: what stands between its quotes
}

// Member is one key of an object with its value.
type Member struct {
	Name  string
	Key   text.Span // as written, quotes included
	Value *Node
}

// Extent covers the key and its value.
func (m *Member) Extent() text.Span {
	return text.Span{Start: m.Key.Start, End: max(m.Key.End, m.Value.Span.End)}
}

// Member returns the last member of that name, as JSON readers do, or nil. It may be called on nil.
func (n *Node) Member(name string) *Member {
	if n == nil || n.Kind != Object {
		return nil
	}
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Name == name {
			return n.Members[i]
		}
	}
	return nil
}

// Get returns the value at a path of keys, or nil. It may be called on nil.
func (n *Node) Get(path ...string) *Node {
	for _, name := range path {
		m := n.Member(name)
		if m == nil {
			return nil
		}
		n = m.Value
	}
	return n
}

// Is reports whether the node exists and is of that kind.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// Part returns where the bytes from start to end of Text stand in the file: exactly for a text that is
// written without escapes, else the whole value.
func (n *Node) Part(start, end int) text.Span {
	if n.Kind != String || n.inner.Len() != len(n.Text) {
		return n.Span
	}
	return text.Span{Start: n.inner.Start + start, End: n.inner.Start + end}
}

// Verbatim reports whether the value's characters stand in the file as they are, so that a part of them can
// be replaced.
func (n *Node) Verbatim() bool { return n.Kind == String && n.inner.Len() == len(n.Text) }

// each calls visit for the node and everything below it.
func (n *Node) each(visit func(*Node)) {
	visit(n)
	for _, m := range n.Members {
		m.Value.each(visit)
	}
	for _, item := range n.Items {
		item.each(visit)
	}
}
