package jsonrepair

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// memberGuide is what a schema says of the members of an object. Nil says nothing.
type memberGuide struct {
	properties []catalog.Member
	patterns   []catalog.Member
	additional *catalog.Node
	required   []string
}

// members is the guide of an object that is read, nil for a schema that is not about objects.
func (p *parser) members(want *catalog.Node) *memberGuide {
	if want = p.resolve(want); want == nil || !describes(want, "object") {
		return nil
	}
	return newMemberGuide(want)
}

func newMemberGuide(schema *catalog.Node) *memberGuide {
	m := &memberGuide{
		properties: distinct(schema.Get("properties")), patterns: distinct(schema.Get("patternProperties")),
		additional: schema.Get("additionalProperties"),
	}
	for _, r := range schema.Get("required").List() {
		m.required = append(m.required, r.Text())
	}
	return m
}

// distinct are the members of an object, each key once.
func distinct(n *catalog.Node) []catalog.Member {
	var out []catalog.Member
	seen := map[string]bool{}
	for _, m := range n.Entries() {
		if !seen[m.Key] {
			out = append(out, *n.Member(m.Key))
		}
		seen[m.Key] = true
	}
	return out
}

func (m *memberGuide) property(key string) *catalog.Member {
	for i := range m.properties {
		if m.properties[i].Key == key {
			return &m.properties[i]
		}
	}
	return nil
}

// schemas are those of a member, and whether it is left out.
func (m *memberGuide) schemas(key string) (want *catalog.Node, more []*catalog.Node, drop bool) {
	if m == nil {
		return nil, nil, false
	}
	if p := m.property(key); p != nil {
		return p.Value, nil, false
	}
	for _, p := range m.patterns {
		if matches(p.Key, key) {
			more = append(more, p.Value)
		}
	}
	if more != nil {
		return more[0], more[1:], false
	}
	if allowed, isBool := m.additional.Bool(); isBool && !allowed {
		return nil, nil, true
	}
	if m.additional.Is(catalog.Object) {
		return m.additional, nil, false
	}
	return nil, nil, false
}

// matches looks for a pattern in a key, as far as the library reads patterns: words, and the two ends.
func matches(pattern, key string) bool {
	word, first := strings.CutPrefix(pattern, "^")
	word, last := strings.CutSuffix(word, "$")
	switch {
	case strings.ContainsAny(word, `.^$*+?{}[]|()\`):
		return false
	case first && last:
		return key == word
	case first:
		return strings.HasPrefix(key, word)
	case last:
		return strings.HasSuffix(key, word)
	}
	return strings.Contains(key, word)
}

// lacks reports whether an object has not all that is required.
func (m *memberGuide) lacks(o *value) bool {
	for _, key := range m.required {
		if !o.has(key) {
			return true
		}
	}
	return false
}

// complete adds the defaults of members that are not there.
func (m *memberGuide) complete(o *value) error {
	if m == nil {
		return nil
	}
	if m.lacks(o) {
		return errUnfit
	}
	for _, p := range m.properties {
		if d := p.Value.Get("default"); d != nil && !o.has(p.Key) {
			o.set(p.Key, valueOf(d))
		}
	}
	return nil
}

// itemGuide is what a schema says of the items of a list. Nil says nothing.
type itemGuide struct{ items, additional *catalog.Node }

// items is the guide of a list that is read, nil for a schema that is not about lists.
func (p *parser) items(want *catalog.Node) *itemGuide {
	if want = p.resolve(want); want == nil || !describes(want, "array") {
		return nil
	}
	return newItemGuide(want)
}

func newItemGuide(schema *catalog.Node) *itemGuide {
	return &itemGuide{schema.Get("items"), schema.Get("additionalItems")}
}

// reading is at for a list that is being read, where true and false make no difference.
func (g *itemGuide) reading(n int) (want *catalog.Node, drop bool) {
	if g == nil || g.items.Is(catalog.Bool) {
		return nil, false
	}
	return g.at(n)
}

// at is the schema of an item, and whether it is left out.
func (g *itemGuide) at(n int) (want *catalog.Node, drop bool) {
	if !g.items.Is(catalog.Array) {
		return g.items, false
	}
	if n < len(g.items.Items) {
		return g.items.Items[n], false
	}
	if allowed, isBool := g.additional.Bool(); isBool && !allowed {
		return nil, true
	}
	if g.additional.Is(catalog.Object) {
		return g.additional, false
	}
	return nil, false
}
