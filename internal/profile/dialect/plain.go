package dialect

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/plainyaml"
)

// plain is a block that every parser of YAML reads alike, all of its values texts, read at most once for all dialects.
// Most front matter is so, and a parser would take most of the time of playing a client.
type plain struct {
	looked  bool
	fields  Map            // as the first language that was asked for prints them; nil when the block is not plain
	printed [languages]Map // languages differ in the texts of lists and mappings
}

// read returns the fields of a block as a language prints them; false when it is not plain.
func (p *plain) read(front string, l language) (Map, bool) {
	if !p.looked {
		p.looked = true
		plainyaml.Read(strings.TrimPrefix(front, "\n"), func(entries []plainyaml.Entry) { p.fields = plainMap(entries) })
	}
	if p.fields == nil {
		return nil, false
	}
	if p.printed[l] == nil {
		fields := p.fields
		if slices.ContainsFunc(p.printed[:], func(m Map) bool { return m != nil }) {
			fields = slices.Clone(fields) // they have the texts of another language
		}
		l.print(fields)
		p.printed[l] = fields
	}
	return p.printed[l], true
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
	case len(e.Below) > 0:
		return Value{Kind: Mapping, Map: plainMap(e.Below)}
	case e.Quote != 0:
		return text(e.Text)
	}
	return Value{Kind: String, Text: e.Text, Raw: e.Text}
}

// print gives lists and mappings their text.
func (l language) print(m Map) {
	for i := range m {
		if m[i].Value.Kind != String {
			m[i].Value.Text = l.text(m[i].Value)
		}
	}
}
