package jsonrepair

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile/dialect"
	"github.com/skill-ls/skill-ls/internal/text"
)

// kind is the class of a value in Python.
type kind int

const (
	aNull kind = iota
	aBool
	anInt
	aFloat
	aText
	aList
	anObject
)

// value is a value while it is put together.
type value struct {
	kind    kind
	yes     bool    // aBool
	digits  string  // anInt, as Python writes it
	float   float64 // aFloat
	text    []rune  // aText; halves of characters stand by themselves
	items   []*value
	keys    []string // anObject: as spelled writes them
	members map[string]*value
}

// missing is the value of a key without one. It is an empty text unless a schema says otherwise.
var missing = textOf(nil)

func textOf(s []rune) *value { return &value{kind: aText, text: s} }

func listOf(items []*value) *value { return &value{kind: aList, items: items} }

func newObject() *value { return &value{kind: anObject, members: map[string]*value{}} }

func boolOf(yes bool) *value { return &value{kind: aBool, yes: yes} }

func intOf(digits string) *value { return &value{kind: anInt, digits: digits} }

// spelled is a text as a key of a map: halves of characters are told apart.
func spelled(s []rune) string {
	var b strings.Builder
	for _, r := range s {
		if utf16.IsSurrogate(r) {
			b.WriteString("\xff" + strconv.FormatInt(int64(r), 16))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unspelled is the text that spelled wrote.
func unspelled(s string) []rune {
	parts := strings.Split(s, "\xff")
	out := []rune(parts[0])
	for _, part := range parts[1:] {
		half, _ := strconv.ParseInt(part[:4], 16, 32)
		out = append(append(out, rune(half)), []rune(part[4:])...)
	}
	return out
}

// set adds a member, or changes it where it stands.
func (v *value) set(key string, m *value) {
	if _, known := v.members[key]; !known {
		v.keys = append(v.keys, key)
	}
	v.members[key] = m
}

func (v *value) has(key string) bool {
	_, known := v.members[key]
	return known
}

// last is the value of the last key, nil when there is none or it is empty.
func (v *value) last() *value {
	if len(v.keys) == 0 || v.keys[len(v.keys)-1] == "" {
		return nil
	}
	return v.members[v.keys[len(v.keys)-1]]
}

// empty reports whether a value is a container or text with nothing in it.
func (v *value) empty() bool {
	return v.kind >= aText && len(v.text) == 0 && len(v.items) == 0 && len(v.keys) == 0
}

// truthy is bool(v).
func (v *value) truthy() bool {
	switch v.kind {
	case aNull:
		return false
	case aBool:
		return v.yes
	case anInt:
		return v.digits != "0"
	case aFloat:
		return v.float != 0
	}
	return !v.empty()
}

// is reports whether a value is that text.
func (v *value) is(s string) bool { return v.kind == aText && string(v.text) == s }

// sameShape reports whether two values have the same class, keys and length, and so what is in them.
func sameShape(a, b *value) bool {
	if a.kind != b.kind || len(a.items) != len(b.items) || len(a.keys) != len(b.keys) {
		return false
	}
	for i := range a.items {
		if !sameShape(a.items[i], b.items[i]) {
			return false
		}
	}
	return !slices.ContainsFunc(a.keys, func(key string) bool {
		return !b.has(key) || !sameShape(a.members[key], b.members[key])
	})
}

// equal is == of Python, for which a number may be a boolean.
func equal(a, b *value) bool {
	x, y := a.number(), b.number()
	switch {
	case x != nil && y != nil:
		return x.Cmp(y) == 0
	case a.kind != b.kind || len(a.items) != len(b.items) || len(a.keys) != len(b.keys):
		return false
	case a.kind == aFloat: // infinite, or no number, which is not even itself
		return a.float == b.float
	}
	for i := range a.items {
		if !equal(a.items[i], b.items[i]) {
			return false
		}
	}
	return slices.Equal(a.text, b.text) && !slices.ContainsFunc(a.keys, func(key string) bool {
		return !b.has(key) || !equal(a.members[key], b.members[key])
	})
}

// number is the value of a finite number or boolean, nil for others.
func (v *value) number() *big.Rat {
	switch {
	case v.kind == aBool && v.yes:
		return big.NewRat(1, 1)
	case v.kind == aBool:
		return new(big.Rat)
	case v.kind == aFloat:
		return new(big.Rat).SetFloat64(v.float)
	case v.kind == anInt:
		r, _ := new(big.Rat).SetString(v.digits)
		return r
	}
	return nil
}

// valueOf is what json.loads makes of a value.
func valueOf(n *catalog.Node) *value {
	switch n.Kind {
	case catalog.Bool:
		yes, _ := n.Bool()
		return boolOf(yes)
	case catalog.Number:
		if digits, ok := whole(n.Raw()); ok {
			return intOf(digits)
		}
		f, _ := float(n.Raw())
		return &value{kind: aFloat, float: f}
	case catalog.String:
		return textOf([]rune(n.Text()))
	case catalog.Array:
		out := listOf(nil)
		for _, item := range n.Items {
			out.items = append(out.items, valueOf(item))
		}
		return out
	case catalog.Object:
		out := newObject()
		for _, m := range n.Members {
			out.set(m.Key, valueOf(m.Value))
		}
		return out
	}
	return &value{}
}

// copied is copy.deepcopy.
func (v *value) copied() *value {
	out := *v
	out.items = nil
	for _, item := range v.items {
		out.items = append(out.items, item.copied())
	}
	if v.kind == anObject {
		out.keys, out.members = slices.Clone(v.keys), map[string]*value{}
		for key, m := range v.members {
			out.members[key] = m.copied()
		}
	}
	return &out
}

// node is what json.loads makes of the value that json.dumps writes. It is not sure where there is no JSON for it: half of
// a character, and what is no finite number.
func (v *value) node() (n *catalog.Node, sure bool) {
	w := writer{sure: true}
	w.value(v)
	n, err := catalog.Parse(w.String())
	if err != nil { // too deep
		return nil, false
	}
	return n, w.sure
}

// writer writes values as JSON.
type writer struct {
	strings.Builder
	sure bool
}

func (w *writer) value(v *value) {
	switch v.kind {
	case aNull:
		w.WriteString("null")
	case aBool:
		w.WriteString(strconv.FormatBool(v.yes))
	case anInt:
		w.WriteString(v.digits)
	case aFloat:
		w.float(v.float)
	case aText:
		w.text(v.text)
	case aList:
		w.WriteByte('[')
		for i, item := range v.items {
			w.comma(i)
			w.value(item)
		}
		w.WriteByte(']')
	default:
		w.WriteByte('{')
		for i, key := range v.keys {
			w.comma(i)
			w.text(unspelled(key))
			w.WriteString(": ")
			w.value(v.members[key])
		}
		w.WriteByte('}')
	}
}

func (w *writer) comma(i int) {
	if i > 0 {
		w.WriteString(", ")
	}
}

func (w *writer) float(f float64) {
	switch {
	case math.IsNaN(f):
		w.sure = false
		w.WriteString("null")
	case math.IsInf(f, 0):
		w.sure = false
		w.WriteString(strings.TrimSuffix(dialect.PythonFloat(f), "inf") + "1e999")
	default:
		w.WriteString(dialect.PythonFloat(f))
	}
}

// text joins halves of characters, as their escapes are read.
func (w *writer) text(s []rune) {
	var out []rune
	for i := 0; i < len(s); i++ {
		r := s[i]
		if utf16.IsSurrogate(r) && i+1 < len(s) {
			if whole := utf16.DecodeRune(r, s[i+1]); whole != '\uFFFD' {
				r = whole
				i++
			}
		}
		w.sure = w.sure && !utf16.IsSurrogate(r)
		out = append(out, r)
	}
	w.WriteString(text.Quote(string(out)))
}
