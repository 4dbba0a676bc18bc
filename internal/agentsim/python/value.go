// Package python writes JSON values as Python does, and says in the words of its jsonschema what is wrong with them:
// an agent written in Python shows such texts to its model.
package python

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile/dialect"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Repr is repr() of what json.loads makes of a value.
func Repr(n *catalog.Node) string {
	var b strings.Builder
	writeRepr(&b, n)
	return b.String()
}

func writeRepr(b *strings.Builder, n *catalog.Node) {
	switch {
	case n == nil || n.Kind == catalog.Null:
		b.WriteString("None")
	case n.Kind == catalog.Bool:
		b.WriteString(strings.ToUpper(n.Raw()[:1]) + n.Raw()[1:])
	case n.Kind == catalog.Number:
		b.WriteString(number(n))
	case n.Kind == catalog.String:
		b.WriteString(dialect.PythonQuote(n.Text()))
	case n.Kind == catalog.Array:
		b.WriteByte('[')
		for i, item := range n.Items {
			comma(b, i)
			writeRepr(b, item)
		}
		b.WriteByte(']')
	default:
		b.WriteByte('{')
		for i, m := range entries(n) {
			comma(b, i)
			b.WriteString(dialect.PythonQuote(m.Key) + ": ")
			writeRepr(b, m.Value)
		}
		b.WriteByte('}')
	}
}

func comma(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteString(", ")
	}
}

// entries are the members of a dict: of a repeated key the last value stands in the first place.
func entries(n *catalog.Node) []catalog.Member {
	var out []catalog.Member
	at := map[string]int{}
	for _, m := range n.Members {
		if i, twice := at[m.Key]; twice {
			out[i].Value = m.Value
			continue
		}
		at[m.Key] = len(out)
		out = append(out, m)
	}
	return out
}

// isFloat reports whether json.loads makes a float of a number.
func isFloat(n *catalog.Node) bool {
	return n.Is(catalog.Number) && strings.ContainsAny(n.Raw(), ".eE")
}

// number is str() and repr() of a number.
func number(n *catalog.Node) string {
	if isFloat(n) {
		return dialect.PythonFloat(float(n))
	}
	if n.Raw() == "-0" {
		return "0"
	}
	return n.Raw()
}

func float(n *catalog.Node) float64 {
	f, _ := strconv.ParseFloat(n.Raw(), 64) // JSON; too large is infinite
	return f
}

// exact returns a number as Python compares it: a float as its binary value. It is nil for infinity.
func exact(n *catalog.Node) *big.Rat {
	if isFloat(n) {
		return new(big.Rat).SetFloat64(float(n))
	}
	r, _ := new(big.Rat).SetString(n.Raw())
	return r
}

// compare is -1, 0 or 1, as a is less than, equal to or more than b.
func compare(a, b *catalog.Node) int {
	x, y := exact(a), exact(b)
	if x == nil || y == nil {
		return big.NewFloat(float(a)).Cmp(big.NewFloat(float(b)))
	}
	return x.Cmp(y)
}

// Dumps is json.dumps(value, ensure_ascii=False) of what json.loads makes of a value.
func Dumps(n *catalog.Node) string {
	var b strings.Builder
	writeJSON(&b, n, "", "")
	return b.String()
}

// Indented is Dumps with an indent of two, as json.dumps(…, indent=2) and pydantic write it.
func Indented(n *catalog.Node) string {
	var b strings.Builder
	writeJSON(&b, n, "\n", "  ")
	return b.String()
}

// writeJSON writes a value on one line, or each of its parts on a line of its own when there is a line break.
func writeJSON(b *strings.Builder, n *catalog.Node, line, indent string) {
	inner, between := line, ", "
	if line != "" {
		inner, between = line+indent, ","+line+indent
	}
	switch {
	case n == nil:
		b.WriteString("null")
	case n.Kind == catalog.Number:
		b.WriteString(number(n))
	case n.Kind == catalog.String:
		b.WriteString(text.Quote(n.Text()))
	case n.Kind == catalog.Array && len(n.Items) == 0:
		b.WriteString("[]")
	case n.Kind == catalog.Array:
		b.WriteString("[" + inner)
		for i, item := range n.Items {
			if i > 0 {
				b.WriteString(between)
			}
			writeJSON(b, item, inner, indent)
		}
		b.WriteString(line + "]")
	case n.Kind == catalog.Object && len(n.Members) == 0:
		b.WriteString("{}")
	case n.Kind == catalog.Object:
		b.WriteString("{" + inner)
		for i, m := range entries(n) {
			if i > 0 {
				b.WriteString(between)
			}
			b.WriteString(text.Quote(m.Key) + ": ")
			writeJSON(b, m.Value, inner, indent)
		}
		b.WriteString(line + "}")
	default:
		b.WriteString(n.Raw())
	}
}

// Node returns the JSON of a Go value as a value. Values that have no JSON are a fault of the caller.
func Node(v any) *catalog.Node {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	n, err := catalog.Parse(b.String())
	if err != nil {
		panic(err)
	}
	return n
}

// TypeName is the name of the class that json.loads makes of a value.
func TypeName(n *catalog.Node) string {
	switch {
	case n == nil || n.Kind == catalog.Null:
		return "NoneType"
	case n.Kind == catalog.Bool:
		return "bool"
	case isFloat(n):
		return "float"
	}
	return map[catalog.Kind]string{catalog.Number: "int", catalog.String: "str", catalog.Array: "list", catalog.Object: "dict"}[n.Kind]
}
