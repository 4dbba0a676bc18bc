package toolschema

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// traits are what a client may lose a tool, or its whole server, for: each says where a tool has it.
var traits = map[string]func(t catalog.Tool) (pointer, reason string, has bool){
	"shape":            shape,
	"property-boolean": propertyKind(catalog.Bool),
	"property-kind":    propertyKind(catalog.Array, catalog.String, catalog.Number, catalog.Null),
	"property-key":     propertyKey,
	"root-combinator":  rootCombinator,
	"tuple":            tuple,
	"invalid":          invalid,
	"unknown-type":     unknownType,
}

// shape is what the MCP schema wants of every tool. Clients check it with the schema of their SDK.
func shape(t catalog.Tool) (string, string, bool) {
	for _, d := range t.Defects("") {
		if !strings.Contains(d.Pointer, "x-mcp-header") {
			return d.Pointer, d.Reason, true
		}
	}
	return "", "", false
}

func propertyKind(kinds ...catalog.Kind) func(catalog.Tool) (string, string, bool) {
	return func(t catalog.Tool) (string, string, bool) {
		properties := t.InputSchema().Get("properties")
		if properties == nil {
			return "", "", false
		}
		for _, m := range properties.Members {
			for _, k := range kinds {
				if m.Value.Is(k) {
					return catalog.Join("/inputSchema/properties", m.Key), fmt.Sprintf("the schema of parameter %q is %s", m.Key, k), true
				}
			}
		}
		return "", "", false
	}
}

var anthropicKey = lazyregexp.New(`^[a-zA-Z0-9_.-]{1,64}$`)

func propertyKey(t catalog.Tool) (pointer, reason string, has bool) {
	walk(t, func(at string, n *catalog.Node) {
		properties := n.Get("properties")
		if has || properties == nil {
			return
		}
		for _, m := range properties.Members {
			if !has && !anthropicKey.MatchString(m.Key) {
				pointer, has = catalog.Join(at, "properties", m.Key), true
				reason = fmt.Sprintf("the parameter name %q has characters, or a length, that the API does not take", m.Key)
			}
		}
	})
	return pointer, reason, has
}

func walk(t catalog.Tool, visit func(at string, n *catalog.Node)) {
	catalog.WalkSchema(t.InputSchema(), func(at string, n *catalog.Node) { visit("/inputSchema"+at, n) })
}

func rootCombinator(t catalog.Tool) (string, string, bool) {
	for _, key := range combinators {
		if t.InputSchema().Get(key) != nil {
			return "/inputSchema/" + key, "the schema has a top-level " + key, true
		}
	}
	return "", "", false
}

func tuple(t catalog.Tool) (pointer, reason string, has bool) {
	walk(t, func(at string, n *catalog.Node) {
		if !has && n.Get("items").Is(catalog.Array) {
			pointer, reason, has = at+"/items", "items is a list of schemas", true
		}
	})
	return pointer, reason, has
}

func unknownType(t catalog.Tool) (pointer, reason string, has bool) {
	walk(t, func(at string, n *catalog.Node) {
		switch typ := n.Get("type").Text(); typ {
		case "", "object", "array", "string", "number", "integer", "boolean", "null":
		default:
			if !has {
				pointer, reason, has = at+"/type", fmt.Sprintf("%q is no type", typ), true
			}
		}
	})
	return pointer, reason, has
}

func invalid(t catalog.Tool) (string, string, bool) {
	for _, d := range catalog.FaultsIn2020(t.InputSchema()) {
		return "/inputSchema" + d.Pointer, "the schema is not valid in JSON Schema 2020-12: " + d.Reason, true
	}
	return "", "", false
}
