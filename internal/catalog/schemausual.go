package catalog

import (
	"slices"
	"strings"
)

// types are those of JSON Schema, in every dialect.
var types = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// usual reports whether a schema uses nothing but frequent keywords with values that are right in every dialect from
// draft 6 on. That is so for nearly all tools, and takes a hundredth of the time that validation takes. A schema that
// is not usual may be valid.
func usual(n *Node) bool {
	if !n.Is(Object) {
		return false
	}
	return !slices.ContainsFunc(n.Members, func(m Member) bool { return !usualKeyword(m.Key, m.Value) })
}

func usualKeyword(key string, v *Node) bool {
	switch key {
	case "type":
		return slices.Contains(types, v.Text())
	case "title", "description", "format", "$comment":
		return v.Is(String)
	case "$schema":
		return v.Is(String) && drafts[strings.TrimSuffix(v.Text(), "#")] != nil
	case "default":
		return true
	case "enum":
		return isSet(v) && len(v.Items) > 0
	case "properties":
		return v.Is(Object) && !slices.ContainsFunc(v.Members, func(m Member) bool { return !usual(m.Value) })
	case "items":
		return usual(v)
	case "additionalProperties":
		return v.Is(Bool) || usual(v)
	case "required":
		return isSet(v) && !slices.ContainsFunc(v.Items, func(item *Node) bool { return !item.Is(String) })
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return v.Is(Number)
	case "minLength", "maxLength", "minItems", "maxItems":
		return v.Is(Number) && !strings.ContainsAny(v.Raw(), "-.eE")
	case "anyOf", "oneOf", "allOf":
		return v.Is(Array) && len(v.Items) > 0 && !slices.ContainsFunc(v.Items, func(item *Node) bool { return !usual(item) })
	}
	return false
}
