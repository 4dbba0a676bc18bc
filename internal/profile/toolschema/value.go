package toolschema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// value is a JSON value that can be changed and keeps the order of keys. A scalar is its text.
type value struct {
	kind    catalog.Kind
	raw     string
	members []member
	items   []*value
}

type member struct {
	key   string
	value *value
}

// valueOf copies a node.
func valueOf(n *catalog.Node) *value {
	v := &value{kind: n.Kind}
	switch n.Kind {
	case catalog.Object:
		at := make(map[string]int, len(n.Members))
		for _, m := range n.Members {
			i, twice := at[m.Key]
			if twice {
				v.members[i].value = valueOf(m.Value) // of repeated keys the last counts
				continue
			}
			at[m.Key] = len(v.members)
			v.members = append(v.members, member{m.Key, valueOf(m.Value)})
		}
	case catalog.Array:
		for _, item := range n.Items {
			v.items = append(v.items, valueOf(item))
		}
	default:
		v.raw = n.Raw()
	}
	return v
}

// parse returns the value of a text that is known to be JSON.
func parse(src string) (*value, error) {
	n, err := catalog.Parse(src)
	if err != nil {
		return nil, err
	}
	return valueOf(n), nil
}

func object(members ...member) *value { return &value{kind: catalog.Object, members: members} }
func array(items ...*value) *value    { return &value{kind: catalog.Array, items: items} }
func literal(raw string) *value       { return &value{kind: catalog.Bool, raw: raw} }

func text(s string) *value { return &value{kind: catalog.String, raw: string(quote(s))} }

func quote(s string) []byte {
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
		return []byte(`"` + s + `"`)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be encoded
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func (v *value) is(k catalog.Kind) bool { return v != nil && v.kind == k }

func (v *value) index(key string) int {
	if v == nil {
		return -1
	}
	return slices.IndexFunc(v.members, func(m member) bool { return m.key == key })
}

func (v *value) get(key string) *value {
	if i := v.index(key); i >= 0 {
		return v.members[i].value
	}
	return nil
}

// str returns the value of a string.
func (v *value) str() string {
	var s string
	if v.is(catalog.String) {
		_ = json.Unmarshal([]byte(v.raw), &s) // it was valid
	}
	return s
}

func (v *value) set(key string, to *value) {
	if i := v.index(key); i >= 0 {
		v.members[i].value = to
		return
	}
	v.members = append(v.members, member{key, to})
}

// take removes a key and returns its value.
func (v *value) take(key string) *value {
	i := v.index(key)
	if i < 0 {
		return nil
	}
	taken := v.members[i].value
	v.members = slices.Delete(v.members, i, i+1)
	return taken
}

// sorted returns a copy whose keys stand in alphabetical order.
func (v *value) sorted() *value {
	out := &value{kind: v.kind, raw: v.raw}
	for _, m := range v.members {
		out.members = append(out.members, member{m.key, m.value.sorted()})
	}
	slices.SortStableFunc(out.members, func(a, b member) int { return strings.Compare(a.key, b.key) })
	for _, item := range v.items {
		out.items = append(out.items, item.sorted())
	}
	return out
}

func (v *value) String() string {
	if v == nil {
		return ""
	}
	var b bytes.Buffer
	v.write(&b)
	return b.String()
}

func (v *value) write(b *bytes.Buffer) {
	switch v.kind {
	case catalog.Object:
		b.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(quote(m.key))
			b.WriteByte(':')
			m.value.write(b)
		}
		b.WriteByte('}')
	case catalog.Array:
		b.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	default:
		b.WriteString(v.raw)
	}
}
