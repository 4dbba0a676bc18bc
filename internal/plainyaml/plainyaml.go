// Package plainyaml reads blocks of YAML that take no parser: keys with a word or a text in quotes, or one level of
// such keys or list items below them. Every parser of YAML, whatever its version and quirks, reads such a block
// alike, so what is read once here holds for all of them; and most front matter is so.
package plainyaml

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Entry is one key with its value, or an item of a list.
type Entry struct {
	Key   string // "" for an item
	KeyAt Place
	Text  string // the value without its quotes; "" when there are entries below
	Quote byte   // ' or ", 0 for a plain value
	At    Place  // of the value, its quote included, or of the first entry below
	Below []Entry
	List  bool // what is below are items
}

// Kind is the kind of the node that a parser makes of the value.
func (e *Entry) Kind() yaml.Kind {
	switch {
	case e.List:
		return yaml.SequenceNode
	case len(e.Below) > 0:
		return yaml.MappingNode
	}
	return yaml.ScalarNode
}

// Tag is the short tag of that node.
func (e *Entry) Tag() string {
	switch e.Kind() {
	case yaml.SequenceNode:
		return "!!seq"
	case yaml.MappingNode:
		return "!!map"
	}
	return "!!str"
}

// Style is the style of that node.
func (e *Entry) Style() yaml.Style {
	switch e.Quote {
	case '"':
		return yaml.DoubleQuotedStyle
	case '\'':
		return yaml.SingleQuotedStyle
	}
	return 0
}

// Place is where something starts, counted from 1 as YAML parsers do, columns in code points.
type Place struct{ Line, Column int }

// Bounds that no parser comes near: keys of more than 1,024 characters are refused by some, and many values by others.
const (
	maxKey     = 100
	maxEntries = 100
)

// Read shows the entries of a block, in order, to use, which must not keep them. It is false, and use is not called, for
// a block that a parser must read, and for one without entries.
func Read(block string, use func([]Entry)) bool {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.entries, r.line, r.open = r.entries[:0], 0, false
	for line := range strings.Lines(block) {
		r.line++
		if !r.read(strings.TrimSuffix(line, "\n")) {
			return false
		}
	}
	if len(r.entries) == 0 || r.waits() {
		return false
	}
	use(r.entries)
	return true
}

// readers keep the memory that reading takes.
var readers = sync.Pool{New: func() any { return &reader{entries: make([]Entry, 0, maxEntries)} }}

type reader struct {
	entries []Entry
	line    int
	open    bool // the last entry has no value on its own line
}

// waits reports whether the last key still has no value at all.
func (r *reader) waits() bool { return r.open && len(r.entries[len(r.entries)-1].Below) == 0 }

func (r *reader) read(line string) bool {
	if below, ok := strings.CutPrefix(line, "  "); ok {
		return r.open && r.below(&r.entries[len(r.entries)-1], below)
	}
	key, rest, ok := strings.Cut(line, ":")
	if !ok || !plainKey(key) || r.waits() || !room(r.entries, key) {
		return false
	}
	e := Entry{Key: key, KeyAt: Place{r.line, 1}, At: Place{r.line, len(key) + 3}}
	r.open = rest == ""
	if !r.open && !e.scalar(rest) {
		return false
	}
	r.entries = appendEntry(r.entries, e)
	return true
}

// appendEntry appends an entry. What another block had below the entry in the same place gives its memory.
func appendEntry(entries []Entry, e Entry) []Entry {
	if n := len(entries); n < cap(entries) {
		e.Below = entries[: n+1 : n+1][n].Below[:0]
	}
	return append(entries, e)
}

// below adds a line to the entries below a key, whose form the first of them decides.
func (r *reader) below(outer *Entry, line string) bool {
	const column = 3
	key, rest, ok := strings.Cut(line, ":")
	item, isItem := strings.CutPrefix(line, "-")
	if isItem {
		key, rest, ok = "", item, true
	}
	if len(outer.Below) == 0 {
		outer.List, outer.At = isItem, Place{r.line, column}
	}
	if !ok || isItem != outer.List || !isItem && !plainKey(key) || !room(outer.Below, key) {
		return false
	}
	e := Entry{Key: key, KeyAt: outer.KeyAt, At: Place{r.line, column + len(line) - len(rest) + 1}}
	if !isItem {
		e.KeyAt = Place{r.line, column}
	}
	outer.Below = appendEntry(outer.Below, e)
	return outer.Below[len(outer.Below)-1].scalar(rest)
}

// room reports whether one more entry may follow: parsers differ on what two equal keys mean.
func room(entries []Entry, key string) bool {
	return len(entries) < maxEntries &&
		(key == "" || !slices.ContainsFunc(entries, func(e Entry) bool { return e.Key == key }))
}

// scalar reads a value behind its key and one blank.
func (e *Entry) scalar(rest string) bool {
	s, ok := strings.CutPrefix(rest, " ")
	if !ok || s == "" || !printable(s) {
		return false
	}
	quote := s[0]
	if quote != '"' && quote != '\'' {
		e.Text = s
		return plainText(s)
	}
	if len(s) < len(`"x"`) || s[len(s)-1] != quote {
		return false
	}
	e.Text, e.Quote = s[1:len(s)-1], quote
	return strings.IndexByte(e.Text, quote) < 0
}

// plainText accepts words that start with a letter and hold nothing that could end them or begin something else.
func plainText(s string) bool {
	last := s[len(s)-1]
	return (letter(s[0]) || s[0] >= utf8.RuneSelf) && !reserved(s) && last != ' ' && last != ':' &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.Contains(s, "---")
}

func plainKey(s string) bool {
	return s != "" && len(s) <= maxKey && letter(s[0]) && !reserved(s) && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-_") == ""
}

// printable accepts what every parser takes for text and none for white space, a line break or the start of an escape.
func printable(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ' || c == '\\' || c == 0x7f:
			return false
		case c >= utf8.RuneSelf:
			return printableRunes(s[i:])
		}
	}
	return true
}

func printableRunes(s string) bool {
	for _, c := range s {
		if c < ' ' || c == '\\' || c >= 0x7f && !wide(c) {
			return false
		}
	}
	return true
}

// wide reports whether a character beyond ASCII is in the ranges of letters, marks and signs of every version of YAML:
// no control, no space that a language may trim, no byte order mark, no private use, nothing undefined.
func wide(c rune) bool {
	switch {
	case c < 0xa1, c == 0xad, c == 0x1680, c == 0x180e, c >= 0x2000 && c < 0x2010, c >= 0x2028 && c < 0x2030, c >= 0x205f && c < 0x2070, c == 0x3000:
		return false
	case c < 0xd800, c >= 0xf900 && c < 0xfdd0, c >= 0xfe00 && c < 0xfeff, c >= 0xff00 && c < 0xfff0:
		return true
	}
	return c >= 0x1f000 && c < 0x1fb00 || c >= 0x20000 && c < 0x2fffe
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// reserved reports whether some YAML reads the word, in any letter case, as another type than text.
func reserved(s string) bool {
	if len(s) > len("infinity") || strings.IndexByte("tTfFyYnNoOiI", s[0]) < 0 {
		return false
	}
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null", "none", "nan", "inf", "infinity":
		return true
	}
	return false
}

// Tree returns a block as a parser would: its top node, a mapping. It is nil for a block that a parser must read.
func Tree(block string) *yaml.Node {
	var root *yaml.Node
	Read(block, func(entries []Entry) { root = tree(entries) })
	return root
}

func tree(entries []Entry) *yaml.Node {
	b := builder{nodes: make([]yaml.Node, 0, count(entries)-len(entries)), pointers: make([]*yaml.Node, 0, count(entries))}
	keys := make([]yaml.Node, len(entries)) // apart, as whoever keeps the values seldom keeps these
	content := make([]*yaml.Node, 0, 2*len(entries))
	for i := range entries {
		e := &entries[i]
		keys[i] = key(e)
		content = append(content, &keys[i], b.value(e))
	}
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: 1, Column: 1, Content: content}
}

// count returns how many nodes entries take: one for each key and for each value.
func count(entries []Entry) int {
	n := 0
	for i := range entries {
		n += 1 + count(entries[i].Below)
		if entries[i].Key != "" {
			n++
		}
	}
	return n
}

// builder hands out nodes of one block from one piece of memory.
type builder struct {
	nodes    []yaml.Node
	pointers []*yaml.Node
}

func (b *builder) add(n yaml.Node) *yaml.Node {
	b.nodes = append(b.nodes, n)
	return &b.nodes[len(b.nodes)-1]
}

func (b *builder) value(e *Entry) *yaml.Node {
	n := yaml.Node{Kind: e.Kind(), Tag: e.Tag(), Style: e.Style(), Value: e.Text, Line: e.At.Line, Column: e.At.Column}
	if len(e.Below) == 0 {
		return b.add(n)
	}
	from := len(b.pointers)
	b.pointers = b.pointers[:from+count(e.Below)]
	n.Content = b.pointers[from:from]
	for i := range e.Below {
		inner := &e.Below[i]
		if !e.List {
			n.Content = append(n.Content, b.add(key(inner)))
		}
		n.Content = append(n.Content, b.value(inner))
	}
	return b.add(n)
}

func key(e *Entry) yaml.Node {
	return yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: e.Key, Line: e.KeyAt.Line, Column: e.KeyAt.Column}
}
