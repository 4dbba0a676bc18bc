package catalog

import (
	"slices"
	"strings"
	"testing"
)

func parsed(t *testing.T, src string) *Node {
	t.Helper()
	n, err := Parse(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return n
}

func pointers(defects []Defect) string {
	var out []string
	for _, d := range defects {
		out = append(out, d.Pointer)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestSchemaFaults(t *testing.T) {
	const draft7 = `"$schema": "http://json-schema.org/draft-07/schema#", `
	for src, want := range map[string]string{
		`{"type": "object"}`: "",
		`{"type": "object", "properties": {"a": true, "b": {}}}`:                   "",
		`{"properties": {"a": {"type": "str"}}}`:                                   "/properties/a/type",
		`{"properties": {"a": {"exclusiveMinimum": true}}}`:                        "/properties/a/exclusiveMinimum",
		`{"properties": {"required": ["a"]}}`:                                      "/properties/required",
		`{"properties": {"a": {"items": [{"type": "string"}]}}}`:                   "/properties/a/items",
		`{` + draft7 + `"properties": {"a": {"items": [{"type": "string"}]}}}`:     "",
		`{` + draft7 + `"properties": {"a": {"minLength": -1}, "b": {"enum": 1}}}`: "/properties/a/minLength /properties/b/enum",
		`{"$schema": "https://schemas.example/x", "type": 1}`:                      "", // of an unknown dialect nothing is said
		`{"required": ["a", "a"]}`:                                                 "/required",
		`{"minItems": 1.5}`:                                                        "/minItems",
		`{"anyOf": []}`:                                                            "/anyOf",
	} {
		if got := pointers(SchemaFaults(parsed(t, src))); got != want {
			t.Errorf("%s: faults at %q, want %q", src, got, want)
		}
	}
}

// TestUsual holds that what is taken for good without the validator is good.
func TestUsual(t *testing.T) {
	values := []string{`{}`, `[]`, `["a"]`, `["a","a"]`, `[{"type":"string"}]`, `"string"`, `"x"`, `0`, `-1`, `1.5`, `1e3`, `true`, `null`, `{"type":"integer"}`, `{"a":{}}`, `{"a":1}`}
	keys := []string{
		"type", "title", "description", "format", "$comment", "default", "enum", "properties", "items", "additionalProperties", "required",
		"minimum", "exclusiveMaximum", "minLength", "maxItems", "anyOf", "allOf", "pattern", "unknown",
	}
	seen := 0
	for _, key := range keys {
		for _, v := range values {
			n := parsed(t, `{"`+key+`": `+v+`}`)
			if !usual(n) {
				continue
			}
			seen++
			value, err := decode(n)
			if err != nil {
				t.Fatal(err)
			}
			for address := range drafts {
				if !strings.Contains(address, "draft-04") && metaschema(address).Validate(value) != nil {
					t.Errorf("%s is taken for usual, and is not valid in %s", n.Raw(), address)
				}
			}
		}
	}
	if seen < len(keys) {
		t.Errorf("only %d schemas are usual", seen)
	}
}

func TestRefs(t *testing.T) {
	src := `{"$defs": {"A": {"$anchor": "here", "properties": {"a": {"$ref": "#/$defs/A"}}}, "a/b": {}}, "properties": {
		"ok": {"$ref": "#/$defs/A"}, "slash": {"$ref": "#/$defs/a~1b"}, "anchor": {"$ref": "#here"}, "self": {"$ref": "#"},
		"gone": {"$ref": "#/$defs/B"}, "far": {"$ref": "https://schemas.example/a.json"}, "file": {"$ref": "file:///etc/passwd"}, "no": {"const": {"$ref": "#/x"}}}}`
	var got []string
	for _, r := range Refs(parsed(t, src)) {
		state := "ok"
		switch {
		case r.Remote:
			state = "remote"
		case r.Missing:
			state = "missing"
		case r.Recursive():
			state = "recursive"
		}
		got = append(got, r.Target+"="+state)
	}
	slices.Sort(got)
	want := []string{"#/$defs/A=ok", "#/$defs/A=recursive", "#/$defs/B=missing", "#/$defs/a~1b=ok", "#=recursive", "#here=ok", "file:///etc/passwd=remote", "https://schemas.example/a.json=remote"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestNothingIsLoaded holds that a schema cannot make anybody read a file.
func TestNothingIsLoaded(t *testing.T) {
	for _, src := range []string{`{"$ref": "file:///etc/passwd"}`, `{"$schema": "file:///etc/passwd"}`, `{"$ref": "https://schemas.example/a.json"}`} {
		if _, err := CompileSchema(parsed(t, src), ""); err == nil || strings.Contains(err.Error(), "root:") {
			t.Errorf("%s: compiled, or the file was read: %v", src, err)
		}
	}
}

func TestValidate(t *testing.T) {
	root := parsed(t, `{"properties": {"a b": {"type": "integer", "maximum": 5}, "p": {"type": "string", "pattern": "^(?!x)"}}}`)
	s, err := CompileSchema(root, "/properties/a b")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Validate(parsed(t, "3"))) > 0 || len(s.Validate(parsed(t, "7"))) == 0 || len(s.Validate(parsed(t, `"3"`))) == 0 {
		t.Error("a part of a schema is not held to")
	}
	if s, err = CompileSchema(root, ""); err != nil || len(s.Validate(parsed(t, `{"p": "y"}`))) > 0 {
		t.Errorf("a pattern that Go does not know: %v", err)
	}
}

func TestSchemaBound(t *testing.T) {
	deep := strings.Repeat(`{"items":`, 100) + `{}` + strings.Repeat(`}`, 100)
	wide := `{"enum": [1` + strings.Repeat(",1", maxSchemaNodes) + `]}`
	for _, src := range []string{deep, wide} {
		n := parsed(t, src)
		if SchemaBound(n) == "" {
			t.Errorf("%.20s… is within bounds", src)
		}
		if _, err := CompileSchema(n, ""); err == nil {
			t.Errorf("%.20s… is compiled", src)
		}
	}
}
