package dialect

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// schema is a YAML dialect: a grammar, what it refuses beyond the grammar,
// and what its scalars mean.
type schema struct {
	grammar grammar
	// plain gives kind and text of a plain scalar.
	plain func(s string) (Kind, string)
	// tagged gives kind and text of a scalar with an explicit tag in short
	// form, as "!!int"; false refuses the tag. nil ignores tags.
	tagged func(tag, s string, plain bool) (Value, bool)
	prints language
	// accept looks at the characters before the text is parsed, if some are
	// unusual; admit looks at each node after.
	accept func(text string) *Error
	admit  func(*yaml.Node) *Error
	// layout looks at where things stand in the text.
	layout func(*tree) *Error
	// keyText gives the text of a key where keys can only be texts.
	keyText func(Value) string
	dup     string // DupError, DupLast or DupFirst
	merge   bool   // `<<` merges
	// mergeAny merges what can be merged and leaves other values of `<<` alone.
	mergeAny bool
	// cycles allows a value that contains itself.
	cycles bool
	// several allows more documents, of which the first counts.
	several bool
	// typed passes over values that Options.Known has no field for.
	typed bool
	// looseTop also passes over such keys when they occur twice.
	looseTop bool
}

// maxValues bounds what aliases may unfold to; beyond it the block is refused.
const maxValues = 10_000

func (d *schema) read(s *Source, opt Options) (Map, error) {
	if m, ok := s.plain.read(s.front, d.prints); ok {
		return m, nil
	}
	if d.accept != nil && s.parser().odd {
		if err := d.accept(s.front); err != nil {
			return nil, err
		}
	}
	t := s.parse(d.grammar)
	if d.several && t.err != nil {
		t = firstDocument(t)
	}
	if t.err != nil {
		return nil, t.err
	}
	if t.several && !d.several {
		return nil, refuse(0, "more than one document")
	}
	if t.root == nil {
		return Map{}, nil
	}
	if d.layout != nil {
		if err := d.layout(t); err != nil {
			return nil, err
		}
	}
	r := reading{schema: d, dup: d.dup, known: opt.Known, hidden: t.hidden}
	if opt.DupKeys != "" {
		r.dup = opt.DupKeys
	}
	return r.document(t.root)
}

// reading is one walk of a schema over a tree.
type reading struct {
	*schema
	dup    string
	known  []string
	hidden bool         // scalars hold stand-ins
	seen   int          // values so far
	top    string       // the top-level key whose value is being read
	within []*yaml.Node // the anchored nodes being read
}

func (r *reading) document(root *yaml.Node) (Map, error) {
	v, err := r.value(root, 0)
	switch {
	case err != nil:
		return nil, err
	case v.Kind == Null:
		return Map{}, nil
	case v.Kind != Mapping:
		return nil, &Error{Line: root.Line, Reason: "not a mapping but a " + v.Kind.String(), Cause: ErrNotMapping}
	}
	return v.Map, nil
}

func (r *reading) value(n *yaml.Node, depth int) (Value, *Error) {
	if r.seen++; r.seen > maxValues {
		return Value{}, refuse(n.Line, "aliases unfold to too many values")
	}
	if r.admit != nil {
		if err := r.admit(n); err != nil {
			return Value{}, err
		}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.alias(n, depth)
	case yaml.MappingNode:
		return r.nested(n, depth, r.mapping)
	case yaml.SequenceNode:
		return r.nested(n, depth, r.list)
	}
	return r.scalar(n)
}

// alias reads the node behind an alias. Of a value that contains itself nothing
// is shown inside, where it is allowed at all.
func (r *reading) alias(n *yaml.Node, depth int) (Value, *Error) {
	for _, outer := range r.within {
		switch {
		case outer != n.Alias:
		case r.cycles && outer.Kind == yaml.MappingNode:
			return Value{Kind: Mapping, Text: r.prints.text(Value{Kind: Mapping})}, nil
		case r.cycles:
			return Value{Kind: List}, nil
		default:
			return Value{}, refuse(n.Line, "a value that contains itself")
		}
	}
	return r.value(n.Alias, depth)
}

func (r *reading) nested(n *yaml.Node, depth int, read func(*yaml.Node, int) (Value, *Error)) (Value, *Error) {
	if n.Anchor != "" {
		r.within = append(r.within, n)
		defer func() { r.within = r.within[:len(r.within)-1] }()
	}
	v, err := read(n, depth+1)
	if err == nil && depth > 0 {
		v.Text = r.prints.text(v)
	}
	if err == nil && r.tagged != nil && n.Style&yaml.TaggedStyle != 0 {
		if _, ok := r.tagged(n.Tag, "", false); !ok && n.Tag != "!!map" && n.Tag != "!!seq" {
			return v, refuse(n.Line, "unknown tag %s", n.Tag)
		}
	}
	return v, err
}

func (r *reading) list(n *yaml.Node, depth int) (Value, *Error) {
	items := make([]Value, 0, len(n.Content))
	for _, c := range n.Content {
		v, err := r.value(c, depth)
		if err != nil {
			return Value{}, err
		}
		items = append(items, v)
	}
	return Value{Kind: List, Items: items}, nil
}

func (r *reading) mapping(n *yaml.Node, depth int) (Value, *Error) {
	m := make(Map, 0, len(n.Content)/2)
	var merged Map
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if depth == 1 {
			r.top = key.Value
		}
		v, err := r.value(value, depth)
		switch {
		case err == nil:
		case r.ignores(key.Value, depth):
			v, err = Value{Kind: Null}, nil
		default:
			return Value{}, err
		}
		if r.merge && (key.Tag == "!!merge" || r.mergeAny && key.Value == "<<") && !(r.mergeAny && v.Kind != Mapping && v.Kind != List) {
			if merged, err = r.mergeInto(merged, v, key.Line); err != nil {
				return Value{}, err
			}
			continue
		}
		if m, err = r.field(m, key, v, depth); err != nil {
			return Value{}, err
		}
	}
	for _, f := range merged {
		if m.index(f.Key, f.KeyKind) < 0 {
			m = append(m, f)
		}
	}
	return Value{Kind: Mapping, Map: m}, nil
}

// mergeInto adds the fields of a mapping, or of a list of mappings, that are
// not there yet (https://yaml.org/type/merge.html).
func (r *reading) mergeInto(m Map, v Value, line int) (Map, *Error) {
	from := v.Items
	if v.Kind == Mapping {
		from = []Value{v}
	}
	if v.Kind != Mapping && v.Kind != List {
		return nil, refuse(line, "only mappings can be merged with <<")
	}
	for _, item := range from {
		if item.Kind != Mapping && !r.mergeAny {
			return nil, refuse(line, "only mappings can be merged with <<")
		}
		for _, f := range item.Map {
			if m.index(f.Key, f.KeyKind) < 0 {
				m = append(m, f)
			}
		}
	}
	return m, nil
}

// field adds one key, minding duplicates.
func (r *reading) field(m Map, n *yaml.Node, v Value, depth int) (Map, *Error) {
	key, err := r.value(n, depth)
	if err != nil {
		return nil, err
	}
	if r.typed && (key.Kind == List || key.Kind == Mapping) {
		return nil, refuse(n.Line, "a %s cannot be a key", key.Kind)
	}
	if r.keyText != nil {
		key = text(r.keyText(key))
	}
	i := m.index(key.Text, key.Kind)
	switch {
	case i < 0:
		return append(m, Field{key.Text, key.Kind, v}), nil
	case r.dup == DupFirst:
		return m, nil
	case r.dup == DupLast || r.looseTop && r.ignores(key.Text, depth):
		m[i].Value = v
		return m, nil
	}
	return nil, refuse(n.Line, "duplicate key %q", key.Text)
}

// ignores reports whether a typed decoder has no field for a key: none of
// Known, or below a key of which Known names fields, none of those.
func (r *reading) ignores(key string, depth int) bool {
	if !r.typed || len(r.known) == 0 {
		return false
	}
	within := r.top + "."
	switch {
	case depth == 1:
		return !slices.Contains(r.known, key)
	case depth == 2 && slices.ContainsFunc(r.known, func(k string) bool { return strings.HasPrefix(k, within) }):
		return !slices.Contains(r.known, within+key)
	}
	return false
}

func (r *reading) scalar(n *yaml.Node) (Value, *Error) {
	s := n.Value
	if r.hidden {
		s = strings.Map(show, s)
	}
	isPlain := n.Style&^yaml.TaggedStyle == 0
	if r.tagged != nil && (n.Style&yaml.TaggedStyle != 0 || n.Tag == "!") {
		v, ok := r.tagged(n.Tag, s, isPlain)
		if !ok {
			return v, refuse(n.Line, "tag %s does not fit %q", n.Tag, s)
		}
		return v, nil
	}
	if !isPlain {
		return text(s), nil
	}
	kind, shown := r.plain(s)
	if kind == Missing {
		return Value{}, refuse(n.Line, "%q has no value in this dialect", s)
	}
	return Value{Kind: kind, Text: shown, Raw: s}, nil
}

// controls refuses text with a rune that is not in the allowed set.
func controls(allowed func(rune) bool) func(string) *Error {
	return func(text string) *Error {
		for i, c := range text {
			if c < 0x20 || c >= 0x7f {
				if !allowed(c) {
					return refuse(1+strings.Count(text[:i], "\n"), "the character U+%04X is not allowed", c)
				}
			}
		}
		return nil
	}
}
