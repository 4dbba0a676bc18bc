package dialect

import (
	"slices"

	"github.com/skill-ls/skill-ls/internal/plainyaml"
)

// plain returns the fields of a block that every parser of YAML reads alike, all of them texts, read at most once for
// all dialects; false for any other block. Most front matter is so, and a parser would take most of the time of
// playing a client. What still differs is how a language prints lists and mappings.
func (s *Source) plain(l language) (Map, bool) {
	s.plainOnce.Do(func() {
		plainyaml.Read(s.front, func(entries []plainyaml.Entry) { s.plainMap = plainMap(entries) })
	})
	if s.plainMap == nil {
		return nil, false
	}
	s.printOnce[l].Do(func() { s.printed[l] = l.print(s.plainMap) })
	return s.printed[l], true
}

func plainMap(entries []plainyaml.Entry) Map {
	m := make(Map, len(entries))
	for i := range entries {
		m[i] = Field{entries[i].Key, String, plainValue(&entries[i])}
	}
	return m
}

func plainValue(e *plainyaml.Entry) Value {
	switch {
	case e.List:
		items := make([]Value, len(e.Below))
		for i := range e.Below {
			items[i] = plainValue(&e.Below[i])
		}
		return Value{Kind: List, Items: items}
	case e.Below != nil:
		return Value{Kind: Mapping, Map: plainMap(e.Below)}
	case e.Quote != 0:
		return text(e.Text)
	}
	return Value{Kind: String, Text: e.Text, Raw: e.Text}
}

// print returns fields in which lists and mappings have their text.
func (l language) print(m Map) Map {
	var out Map
	for i := range m {
		if m[i].Value.Kind == String {
			continue
		}
		if out == nil {
			out = slices.Clone(m)
		}
		out[i].Value.Text = l.text(m[i].Value)
	}
	if out == nil {
		return m
	}
	return out
}
