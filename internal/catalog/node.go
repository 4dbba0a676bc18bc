package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skill-ls/skill-ls/internal/text"
)

// Kind is the type of a JSON value.
type Kind uint8

// The types of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// Node is one value of a JSON text. All methods may be called on nil, which stands for a value that is not there.
type Node struct {
	Kind    Kind
	Span    text.Span // in the text that was parsed
	Members []Member  // of an object, in order, repeated keys included
	Items   []*Node   // of an array
	src     string
}

// Member is one entry of an object.
type Member struct {
	Key     string
	KeySpan text.Span // with the quotes
	Value   *Node
}

// Parse reads one JSON value. The error, a *SyntaxError, says where it stands.
func Parse(src string) (*Node, error) { return parseText([]byte(src), src) }

// ParseBytes is Parse for bytes that the caller goes on to use for something else.
func ParseBytes(data []byte) (*Node, error) { return parseText(data, string(data)) }

// parseText reads src, of which data is a copy. jsontext checks it three times as fast as encoding/json, whose words for
// what is wrong are the known ones.
func parseText(data []byte, src string) (*Node, error) {
	if !jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		var whole json.RawMessage
		if err := json.Unmarshal(data, &whole); err != nil {
			return nil, syntaxError(src, err)
		}
	}
	s := scanner{src: src}
	return s.value(), nil
}

// Raw returns the text of the value, byte for byte.
func (n *Node) Raw() string {
	if n == nil {
		return ""
	}
	return n.Span.In(n.src)
}

// Source returns the whole text that spans refer to.
func (n *Node) Source() string {
	if n == nil {
		return ""
	}
	return n.src
}

// Is reports whether n is there and of that type.
func (n *Node) Is(k Kind) bool { return n != nil && n.Kind == k }

// IsType reports whether n is of the type that JSON Schema calls by a name: an integer is a number without a fraction, 1.0
// too. It is false for a name that JSON Schema does not know.
// https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.1
func (n *Node) IsType(name string) bool {
	switch name {
	case "integer":
		return n.Is(Number) && (!strings.ContainsAny(n.Raw(), ".eE") || isWhole(n.Raw()))
	case "number":
		return n.Is(Number)
	case "string":
		return n.Is(String)
	case "boolean":
		return n.Is(Bool)
	case "array":
		return n.Is(Array)
	case "object":
		return n.Is(Object)
	case "null":
		return n.Is(Null)
	}
	return false
}

// IsTypeName reports whether JSON Schema calls a type so.
func IsTypeName(name string) bool { return slices.Contains(types, name) }

// isWhole reports whether a number, as a float has it, has no fraction; too large ones have none.
func isWhole(raw string) bool {
	f, _ := strconv.ParseFloat(raw, 64)
	return f == math.Trunc(f)
}

// Get returns the value of a key, nil when n is no object or has no such key. Of repeated keys the last counts, as
// in JavaScript, Python and Go.
func (n *Node) Get(key string) *Node {
	if m := n.Member(key); m != nil {
		return m.Value
	}
	return nil
}

// Member returns the entry of a key, nil when there is none.
func (n *Node) Member(key string) *Member {
	if n == nil {
		return nil
	}
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Key == key {
			return &n.Members[i]
		}
	}
	return nil
}

// Entries returns the entries of an object, none for another value.
func (n *Node) Entries() []Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// List returns the items of an array.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// Text returns a string's value, "" for anything else.
func (n *Node) Text() string {
	if !n.Is(String) {
		return ""
	}
	return unquote(n.Raw())
}

// Bool returns a boolean's value, and whether n is one.
func (n *Node) Bool() (value, ok bool) {
	return n.Is(Bool) && n.Raw() == "true", n.Is(Bool)
}

// At returns the value an RFC 6901 pointer names, nil when there is none. "" is n itself.
func (n *Node) At(pointer string) *Node {
	if pointer == "" {
		return n
	}
	if n == nil || pointer[0] != '/' {
		return nil
	}
	token, rest, more := strings.Cut(pointer[1:], "/")
	if more {
		rest = "/" + rest
	}
	if n.Kind != Array {
		return n.Get(unescape.Replace(token)).At(rest)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(n.Items) || strconv.Itoa(i) != token {
		return nil
	}
	return n.Items[i].At(rest)
}

// Locate returns the spans of the key and of the value that a pointer names. An array item and the root have an
// empty key span at the start of the value.
func (n *Node) Locate(pointer string) (key, value text.Span, ok bool) {
	v := n.At(pointer)
	if v == nil {
		return key, value, false
	}
	key = text.At(v.Span.Start)
	if i := strings.LastIndexByte(pointer, '/'); i >= 0 {
		if m := n.At(pointer[:i]).Member(unescape.Replace(pointer[i+1:])); m != nil {
			key = m.KeySpan
		}
	}
	return key, v.Span, true
}

// Walk calls visit for n and everything below it, parents first, with the pointer from n. Where visit returns
// false, Walk does not go deeper.
func (n *Node) Walk(visit func(pointer string, n *Node) bool) { n.walk("", visit) }

func (n *Node) walk(pointer string, visit func(string, *Node) bool) {
	if n == nil || !visit(pointer, n) {
		return
	}
	for _, m := range n.Members {
		m.Value.walk(Join(pointer, m.Key), visit)
	}
	for i, item := range n.Items {
		item.walk(Join(pointer, strconv.Itoa(i)), visit)
	}
}

var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// Join appends keys or indices to an RFC 6901 pointer.
func Join(pointer string, tokens ...string) string {
	for _, t := range tokens {
		pointer += "/" + escape.Replace(t)
	}
	return pointer
}

// SyntaxError says where and why a text could not be read.
type SyntaxError struct {
	Offset       int // bytes from 0
	Line, Column int // from 1; columns count characters
	Reason       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

func syntaxError(src string, err error) *SyntaxError {
	reason, offset := strings.TrimPrefix(err.Error(), "json: "), len(src)
	// encoding/json counts the byte it stumbled over; at the end of the text there is none.
	if s, ok := errors.AsType[*json.SyntaxError](err); ok && reason != "unexpected end of JSON input" {
		offset = max(int(s.Offset)-1, 0)
	}
	return errorAt(src, offset, reason)
}

func errorAt(src string, offset int, reason string) *SyntaxError {
	p := text.NewLineIndex(src).OffsetPosition(offset, text.UTF32)
	return &SyntaxError{Offset: offset, Line: p.Line + 1, Column: p.Column + 1, Reason: reason}
}
