package dialect

import (
	"slices"
	"strings"
)

// Kind is the type a client's parser gives a value.
type Kind uint8

// The kinds of value. Missing is the zero Kind: the key is not there at all.
// Date occurs only in dialects that know dates; elsewhere a date is a String.
const (
	Missing Kind = iota
	String
	Int
	Float
	Bool
	Null
	Date
	List
	Mapping
)

var kindNames = [...]string{"missing", "string", "int", "float", "bool", "null", "date", "list", "map"}

// String names the kind as profiles do: "string", "int", "map" and so on.
func (k Kind) String() string { return kindNames[k] }

// Value is one front matter value as a client holds it.
//
// Text is what the client's language prints for the value: "42", "True" in
// Python, "true" in JavaScript, "['a', 'b']" for a list in Python, "a,b" in
// JavaScript; for strings it is the string itself.
type Value struct {
	Kind  Kind
	Text  string
	Raw   string  // the scalar as written; empty unless it is a plain (unquoted) one
	Items []Value // the elements of a List
	Map   Map     // the fields of a Mapping
}

// Field is one key of a mapping. KeyKind is String except where the client
// reads the key as another type, as PyYAML does with `on:`.
type Field struct {
	Key     string
	KeyKind Kind
	Value   Value
}

// Map is a mapping in the order of the file. Keys occur once.
type Map []Field

// Get returns the value of key, or a Value of kind Missing.
func (m Map) Get(key string) Value {
	for i := range m {
		if m[i].Key == key {
			return m[i].Value
		}
	}
	return Value{}
}

// index returns the position of key, or -1.
func (m Map) index(key string, kind Kind) int {
	for i := range m {
		if m[i].Key == key && m[i].KeyKind == kind {
			return i
		}
	}
	return -1
}

// set replaces the value of a string key or appends the field; a mapping takes
// no more than maxValues.
func (m Map) set(key string, v Value) Map {
	if i := m.index(key, String); i >= 0 {
		m[i].Value = v
		return m
	}
	if len(m) == maxValues {
		return m
	}
	return append(m, Field{key, String, v})
}

// lowerKeys folds the letter case of the keys; the last of equals wins.
func (m Map) lowerKeys() Map {
	if !slices.ContainsFunc(m, func(f Field) bool { return strings.ToLower(f.Key) != f.Key }) {
		return m
	}
	out := make(Map, 0, len(m))
	for _, f := range m {
		out = out.set(strings.ToLower(f.Key), f.Value)
	}
	return out
}

// text returns a Value of kind String.
func text(s string) Value { return Value{Kind: String, Text: s} }

// language is the one a client is written in, which decides on the text of a list or mapping.
type language uint8

const (
	inPython language = iota
	inScript
	languages // how many there are
)

func (l language) text(v Value) string {
	if l == inPython {
		return pythonRepr(v)
	}
	return scriptText(v)
}
