package toolschema

import (
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

func tool(t *testing.T, description, schema string) catalog.Tool {
	t.Helper()
	n, err := catalog.Parse(`{"name": "x", "description": ` + string(quote(description)) + `, "inputSchema": ` + schema + `}`)
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return catalog.Tool{Node: n}
}

func TestRewrite(t *testing.T) {
	for name, c := range map[string]struct {
		rules        Rules
		schema, want string
		changes      string
	}{
		"nothing":       {Rules{}, `{"type": "object",  "x": [1, 2]}`, `{"type": "object",  "x": [1, 2]}`, ""},
		"nothing to do": {Rules{Keep: []string{"type"}}, `{"type":  "object"}`, `{"type":  "object"}`, ""},
		"kept alone":    {Rules{Keep: []string{"type", "properties"}}, `{"type":"object","properties":{"a":{"type":"string","format":"uri"}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`, "format removed at /inputSchema/properties/a/format"},
		"root alone":    {Rules{RootKeep: []string{"type"}}, `{"type":"object","$defs":{"a":{}}}`, `{"type":"object"}`, "$defs removed at /inputSchema/$defs"},
		"said in words": {Rules{Describe: []string{"format", "minLength"}}, `{"properties":{"a":{"minLength":1,"description":"An a","format":"uri"}}}`, `{"properties":{"a":{"description":"An a\n\n{format: \"uri\", minLength: 1}"}}}`, "format moved into the description at /inputSchema/properties/a/format; minLength moved into the description at /inputSchema/properties/a/minLength"},
		"const":         {Rules{Const: true, Types: true}, `{"properties":{"a":{"const":"x"}},"type":"object"}`, `{"properties":{"a":{"enum":["x"],"type":"string"}},"type":"object"}`, "const made an enum at /inputSchema/properties/a/const; type string added at /inputSchema/properties/a"},
		"tuple":         {Rules{Tuple: true}, `{"properties":{"a":{"items":[{"type":"string"}]}}}`, `{"properties":{"a":{"items":{"anyOf":[{"type":"string"}]}}}}`, "list in items made anyOf at /inputSchema/properties/a/items"},
		"items":         {Rules{Items: "{}"}, `{"properties":{"a":{"type":"array"}}}`, `{"properties":{"a":{"type":"array","items":{}}}}`, "items {} added at /inputSchema/properties/a"},
		"nullable":      {Rules{Nullable: true}, `{"properties":{"a":{"type":["null","string"]}}}`, `{"properties":{"a":{"type":"string","nullable":true}}}`, "type with null made nullable at /inputSchema/properties/a/type"},
		"closed":        {Rules{Closed: true, Properties: "root", Required: true}, `{"type":"object"}`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`, "empty properties added at /inputSchema; empty required added at /inputSchema; additionalProperties set to false at /inputSchema"},
		"added":         {Rules{Add: map[string]string{"wait": `{"type":"boolean"}`}}, `{"type":"object"}`, `{"type":"object","properties":{"wait":{"type":"boolean"}}}`, "parameter wait of the client's own added at /inputSchema"},
		"merged":        {Rules{Combinators: "merge"}, `{"type":"object","oneOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{}}}]}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{}},"required":[],"additionalProperties":true}`, "top-level oneOf merged into one list of parameters at /inputSchema/oneOf"},
		"described": {
			Rules{Combinators: "describe"},
			`{"anyOf":[{"properties":{"a":{"type":"string"},"k":{"const":"x"}}},{"properties":{"k":{"const":"y"}}}],"allOf":[{"properties":{"c":{}},"required":["c"]}]}`,
			`{"properties":{"c":{},"a":{},"k":{"enum":["x","y"]}},"required":["c"],"description":"{anyOf: [{\"properties\":{\"a\":{\"type\":\"string\"},\"k\":{\"const\":\"x\"}}},{\"properties\":{\"k\":{\"const\":\"y\"}}}]}"}`,
			"top-level allOf merged into one list of parameters at /inputSchema/allOf; top-level anyOf moved into the description, parameters that not every branch has lose their schemas at /inputSchema/anyOf",
		},
		"booleans": {Rules{Booleans: map[string]string{"true": "{}", "false": `{"not":{}}`}}, `{"properties":{"a":true,"b":{"items":false}},"additionalProperties":true}`, `{"properties":{"a":{},"b":{"items":{"not":{}}}},"additionalProperties":true}`, "the schema {} in the place of a boolean at /inputSchema; the schema {\"not\":{}} in the place of a boolean at /inputSchema"},
		"bare":     {Rules{Bare: true}, `{"type":"object","properties":{"a":{"description":"An a"},"b":{"description":"A b","$ref":"#"}}}`, `{"type":"object","properties":{"a":{},"b":{"description":"A b","$ref":"#"}}}`, "keywords of a schema without a type removed at /inputSchema/properties/a"},
		"pruned": {
			Rules{Prune: true},
			`{"items":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/b~1c"},"b/c":{},"d":{"$ref":"#/$defs/d"}},"definitions":{"e":{}}}`,
			`{"items":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/b~1c"},"b/c":{}}}`,
			"definition without a reference removed at /inputSchema/$defs/d; definition without a reference removed at /inputSchema/definitions/e",
		},
		"merged, all of it": {
			Rules{Combinators: "merge"},
			`{"type":"object","$id":"x","oneOf":[{"$ref":"#/$defs/a"},{"properties":{"p":{"type":"number"}},"required":["p","q"]}],"allOf":[{"properties":{"q":{}},"required":["q"]}],"$defs":{"a":{"properties":{"p":{"type":"string"}},"required":["p"]}}}`,
			`{"type":"object","properties":{"p":{"anyOf":[{"type":"string"},{"type":"number"}]},"q":{}},"required":["q","p"],"$defs":{"a":{"properties":{"p":{"type":"string"}},"required":["p"]}},"additionalProperties":true}`,
			"$id removed at /inputSchema/$id; top-level oneOf merged into one list of parameters at /inputSchema/oneOf; top-level allOf merged into one list of parameters at /inputSchema/allOf",
		},
		"a value, no rules": {Rules{Closed: true}, `true`, `true`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.rules.Check(); err != nil {
				t.Fatal(err)
			}
			shown := c.rules.Rewrite(tool(t, "D.", c.schema))
			if got := shown.Schema(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			var changes []string
			for _, change := range shown.Changes {
				changes = append(changes, change.String())
			}
			if got := strings.Join(changes, "; "); got != c.changes {
				t.Errorf("changes %q, want %q", got, c.changes)
			}
		})
	}
}

func TestDescriptions(t *testing.T) {
	r := Rules{Description: Description{Max: 5, Ellipsis: "…", Visible: true}}
	for in, want := range map[string]string{"12345": "12345", "123456": "12345…", "a\u200bb\U000E0041\nc": "ab\nc", "😀😀😀": "😀😀\uFFFD…"} {
		if got := r.Rewrite(tool(t, in, `{}`)).Description; got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestLoses(t *testing.T) {
	r := Rules{ServerLost: []string{"shape", "property-kind"}, ToolLost: []string{"property-key", "invalid", "tuple", "unknown-type", "root-combinator"}}
	for schema, want := range map[string]string{
		`{"type":"object"}`:                         "",
		`{"type":"object","properties":{"a":true}}`: "",
		`{}`:                                  "shape /inputSchema",
		`{"type":"object","properties":null}`: "shape /inputSchema/properties",
		`{"type":"object","properties":{"required":["a"]}}`:            "property-kind /inputSchema/properties/required",
		`{"type":"object","properties":{"a":{"properties":{"$":{}}}}}`: "property-key /inputSchema/properties/a/properties/$",
		`{"type":"object","minProperties":"1"}`:                        "invalid /inputSchema/minProperties",
		`{"type":"object","allOf":[{}]}`:                               "root-combinator /inputSchema/allOf",
	} {
		got := ""
		if l := r.Loses(tool(t, "D.", schema)); l != nil {
			got = l.Trait + " " + l.Pointer
			if l.Reason == "" || l.Server != (l.Trait == "shape" || l.Trait == "property-kind") {
				t.Errorf("%s: %+v", schema, l)
			}
		}
		if got != want {
			t.Errorf("%s: lost for %q, want %q", schema, got, want)
		}
	}
}

// A client that merges choices checks what has become of them.
func TestLosesMerged(t *testing.T) {
	r := Rules{ToolLost: []string{"invalid"}, Combinators: "merge"}
	for schema, lost := range map[string]bool{
		`{"type":"object","anyOf":[]}`:                                       false,
		`{"type":"object","minProperties":"1","anyOf":[{"required":["a"]}]}`: false,
		`{"type":"object","anyOf":[{"properties":{"a":{"minLength":"1"}}}]}`: true,
		`{"type":"object","properties":{"a":{"anyOf":[]}}}`:                  true,
	} {
		if got := r.Loses(tool(t, "D.", schema)) != nil; got != lost {
			t.Errorf("%s: lost %t", schema, got)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, r := range []Rules{{ToolLost: []string{"charm"}}, {Items: "{"}, {Booleans: map[string]string{"true": "["}}, {Add: map[string]string{"a": "x"}}} {
		if r.Check() == nil {
			t.Errorf("%+v is accepted", r)
		}
	}
}
