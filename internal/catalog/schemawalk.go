package catalog

import (
	"strconv"
	"strings"
)

// keywords by what stands in them: one schema, a list of schemas, or schemas by name.
var (
	oneSchema = set("additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
		"propertyNames", "then", "unevaluatedItems", "unevaluatedProperties")
	schemaList = set("allOf", "anyOf", "items", "oneOf", "prefixItems")
	schemaMap  = set("$defs", "definitions", "dependentSchemas", "patternProperties", "properties")
)

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// WalkSchema calls visit for a schema and all schemas inside it, with the pointer from the outermost. What only looks
// like a schema, such as the value of enum, default or examples, is passed over.
func WalkSchema(schema *Node, visit func(pointer string, schema *Node)) {
	walkSchema("", schema, visit, 0)
}

func walkSchema(pointer string, schema *Node, visit func(string, *Node), depth int) {
	if schema == nil || depth > maxSchemaDepth {
		return
	}
	visit(pointer, schema)
	for _, m := range schema.Members {
		at := Join(pointer, m.Key)
		switch {
		case oneSchema[m.Key] && !m.Value.Is(Array):
			walkSchema(at, m.Value, visit, depth+1)
		case schemaList[m.Key]:
			for i, item := range m.Value.Items {
				walkSchema(Join(at, strconv.Itoa(i)), item, visit, depth+1)
			}
		case schemaMap[m.Key]:
			for _, sub := range m.Value.Members {
				walkSchema(Join(at, sub.Key), sub.Value, visit, depth+1)
			}
		}
	}
}

// Ref is a reference in a schema.
type Ref struct {
	Pointer string // of the $ref or $dynamicRef
	Target  string // as it is written
	Remote  bool   // it leads out of the schema
	Missing bool   // it leads nowhere in the schema
}

// Refs returns the references in a schema.
func Refs(schema *Node) []Ref {
	var out []Ref
	names := anchors(schema)
	WalkSchema(schema, func(pointer string, n *Node) {
		for _, key := range []string{"$ref", "$dynamicRef"} {
			if target := n.Get(key); target.Is(String) {
				r := Ref{Pointer: Join(pointer, key), Target: target.Text()}
				r.Remote, r.Missing = lookup(schema, names, r.Target)
				out = append(out, r)
			}
		}
	})
	return out
}

// anchors returns the names and addresses that parts of a schema have.
func anchors(schema *Node) map[string]bool {
	out := map[string]bool{}
	WalkSchema(schema, func(_ string, n *Node) {
		for _, key := range []string{"$id", "id"} {
			if id := n.Get(key).Text(); id != "" {
				out[strings.TrimSuffix(id, "#")] = true
			}
		}
		for _, key := range []string{"$anchor", "$dynamicAnchor"} {
			if name := n.Get(key).Text(); name != "" {
				out["#"+name] = true
			}
		}
	})
	return out
}

func lookup(schema *Node, anchors map[string]bool, target string) (remote, missing bool) {
	document, part, _ := strings.Cut(target, "#")
	switch {
	case document != "" && !anchors[document] && !anchors[target]:
		return !drafted(document), false
	case document != "" || part == "":
		return false, false
	case strings.HasPrefix(part, "/"):
		return false, schema.At(unpercent(part)) == nil
	}
	return false, !anchors["#"+part]
}

// drafted reports whether an address is that of a dialect, which validators know.
func drafted(address string) bool { return drafts[address] != nil }

// unpercent undoes the escapes of URLs that people write in pointers.
var unpercent = strings.NewReplacer("%25", "%", "%20", " ", "%3C", "<", "%3E", ">", "%5B", "[", "%5D", "]", "%24", "$").Replace

// Recursive reports whether a local reference leads back to a schema that holds it.
func (r Ref) Recursive() bool {
	target := strings.TrimPrefix(r.Target, "#")
	return strings.HasPrefix(r.Target, "#") && (target == "" || strings.HasPrefix(r.Pointer, target+"/"))
}
