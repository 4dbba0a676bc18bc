package dialect

import "strings"

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
type Value struct {
	Kind  Kind
	Text  string  // what the client's language prints for it: "42", "True" in Python, "true" in JavaScript; for strings the string itself
	Raw   string  // the scalar as written; only for unquoted scalars on one line
	Items []Value // the elements of a List
	Map   Map     // the fields of a Mapping
}

// Field is one key of a mapping.
type Field struct {
	Key   string
	Value Value
}

// Map is a mapping in the order of the file. Keys occur once.
type Map []Field

// Get returns the value of key, or a Value of kind Missing.
func (m Map) Get(key string) Value {
	for _, f := range m {
		if f.Key == key {
			return f.Value
		}
	}
	return Value{}
}

// GetFold is Get for keys that differ only in letter case.
func (m Map) GetFold(key string) Value {
	for _, f := range m {
		if strings.EqualFold(f.Key, key) {
			return f.Value
		}
	}
	return Value{}
}

// set replaces the value of key or appends the field.
func (m Map) set(key string, v Value) Map {
	for i := range m {
		if m[i].Key == key {
			m[i].Value = v
			return m
		}
	}
	return append(m, Field{key, v})
}
