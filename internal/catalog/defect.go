package catalog

import (
	"fmt"
	"strings"
)

// Defect is a place where a tool is not what the MCP schema wants, whatever client reads it.
type Defect struct {
	Pointer string // RFC 6901, into the tool
	Reason  string
}

// stateless is the first revision without handshake, which also frees the root of outputSchema from being an
// object: https://modelcontextprotocol.io/specification/2026-07-28
const stateless = "2026-07-28"

// Defects lists where the tool's shape breaks the MCP schema of that revision ("" when it is not known). SDKs reject
// such a tool, and some of them the whole list with it. Whether the schemas are good JSON Schema is another question.
func (t Tool) Defects(revision string) []Defect {
	if !t.Is(Object) {
		return []Defect{{"", fmt.Sprintf("the tool is %s, not an object", kindOf(t.Node))}}
	}
	var d defects
	d.name(t)
	d.kind(t.Node, "/description", String)
	d.kind(t.Node, "/title", String)
	d.inputSchema(t)
	d.outputSchema(t, revision)
	d.annotations(t)
	d.kind(t.Node, "/icons", Array)
	d.kind(t.Node, "/_meta", Object)
	if strings.Contains(t.InputSchema().Raw(), `"x-mcp-header"`) {
		d.headers("/inputSchema", t.InputSchema(), map[string]bool{})
		d.hiddenHeaders(t.InputSchema())
	}
	return d
}

type defects []Defect

func (d *defects) add(pointer, format string, args ...any) {
	*d = append(*d, Defect{pointer, fmt.Sprintf(format, args...)})
}

// kind wants a value, where there is one, to be of a type. It reports whether the value is there and is.
func (d *defects) kind(t *Node, pointer string, want Kind) bool {
	n := t.At(pointer)
	if n != nil && n.Kind != want {
		d.add(pointer, "%s is %s, not %s", dotted(pointer), kindOf(n), want)
	}
	return n.Is(want)
}

// dotted turns a pointer into what people write.
func dotted(pointer string) string {
	return strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}

func kindOf(n *Node) string {
	if n == nil {
		return "missing"
	}
	return n.Kind.String()
}

func (d *defects) name(t Tool) {
	switch n := t.Get("name"); {
	case n == nil:
		d.add("", "the tool has no name")
	case !n.Is(String):
		d.add("/name", "name is %s, not a string", n.Kind)
	case n.Text() == "":
		d.add("/name", "name is empty")
	}
}

func (d *defects) inputSchema(t Tool) {
	if t.InputSchema() == nil {
		d.add("", "inputSchema is missing")
		return
	}
	d.schema(t, "/inputSchema", true)
}

// outputSchema wants an object at the root up to revision 2025-11-25: the TypeScript SDK drops the whole list
// without it.
func (d *defects) outputSchema(t Tool, revision string) {
	if n := t.OutputSchema(); n != nil && !(revision >= stateless && n.Is(Bool)) {
		d.schema(t, "/outputSchema", revision < stateless)
	}
}

// schema checks what MCP itself says about a schema.
func (d *defects) schema(t Tool, pointer string, rootObject bool) {
	if !d.kind(t.Node, pointer, Object) {
		return
	}
	n, name := t.At(pointer), dotted(pointer)
	switch typ := n.Get("type"); {
	case !rootObject || typ.Text() == "object":
	case typ == nil:
		d.add(pointer, `%s has no type "object" at its root`, name)
	default:
		d.add(pointer+"/type", `%s has no type "object" at its root but %s`, name, typ.Raw())
	}
	d.kind(t.Node, pointer+"/properties", Object)
	if !d.kind(t.Node, pointer+"/required", Array) {
		return
	}
	for i, item := range n.Get("required").Items {
		if !item.Is(String) {
			d.add(Join(pointer, "required", fmt.Sprint(i)), "%s.required holds %s, not a property name", name, item.Kind)
		}
	}
}

func (d *defects) annotations(t Tool) {
	if !d.kind(t.Node, "/annotations", Object) {
		return
	}
	d.kind(t.Node, "/annotations/title", String)
	for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		d.kind(t.Node, "/annotations/"+hint, Bool)
	}
}

// headers checks x-mcp-header, which names the HTTP header a client repeats an argument in. Clients have to drop a
// tool that breaks these rules (revision 2026-07-28, transports).
func (d *defects) headers(pointer string, schema *Node, seen map[string]bool) {
	if n := schema.Get("x-mcp-header"); n != nil {
		at, name := Join(pointer, "x-mcp-header"), n.Text()
		switch typ := schema.Get("type").Text(); {
		case !headerName(name):
			d.add(at, "x-mcp-header %s is no name of an HTTP header", n.Raw())
		case seen[strings.ToLower(name)]:
			d.add(at, "x-mcp-header %q is used twice in the tool", name)
		case typ != "string" && typ != "integer" && typ != "boolean":
			d.add(at, "x-mcp-header stands on a parameter that is no string, integer or boolean")
		}
		seen[strings.ToLower(name)] = true
	}
	properties := schema.Get("properties")
	if !properties.Is(Object) {
		return
	}
	for _, m := range properties.Members {
		d.headers(Join(pointer, "properties", m.Key), m.Value, seen)
	}
}

// hiddenHeaders finds x-mcp-header on what no chain of properties leads to: inside items, branches and definitions no
// client can tell which value is meant.
func (d *defects) hiddenHeaders(schema *Node) {
	WalkSchema(schema, func(at string, n *Node) {
		if n.Get("x-mcp-header") != nil && !throughProperties(at) {
			d.add(Join("/inputSchema"+at, "x-mcp-header"), "x-mcp-header stands where properties alone do not lead")
		}
	})
}

// throughProperties reports whether a pointer into a schema goes from property to property.
func throughProperties(pointer string) bool {
	steps := strings.Split(pointer, "/")[1:]
	for i := 0; i < len(steps); i += 2 {
		if steps[i] != "properties" {
			return false
		}
	}
	return true
}

// headerName reports whether s is a token: https://www.rfc-editor.org/rfc/rfc9110#name-tokens
func headerName(s string) bool {
	for _, r := range s {
		alphanumeric := r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !alphanumeric && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) {
			return false
		}
	}
	return s != ""
}
