package python_test

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim/python"
	"github.com/skill-ls/skill-ls/internal/catalog"
)

func parse(t *testing.T, src string) *catalog.Node {
	t.Helper()
	n, err := catalog.Parse(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return n
}

// eachLine reads a file of JSON lines.
func eachLine(t *testing.T, name string, least int, visit func(line string, c *catalog.Node)) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for ; lines.Scan(); n++ {
		visit(lines.Text(), parse(t, lines.Text()))
	}
	if n < least {
		t.Errorf("%s: only %d lines were compared", name, n)
	}
}

// TestMessages compares with what jsonschema 4.26 said of drawn schemas and values, in one line and in full; each line of
// the file is one.
func TestMessages(t *testing.T) {
	eachLine(t, "jsonschema-4.26.jsonl", 150, func(line string, c *catalog.Node) {
		got, err := python.Validate(c.Get("value"), c.Get("schema"))
		if err != nil || got == nil || got.Message != c.Get("message").Text() || got.String() != c.Get("text").Text() {
			t.Errorf("%s\ngot %v, %v", line, got, err)
		}
	})
}

// TestDrafts compares with what jsonschema 4.26 said of drawn schemas of all drafts, of which many are wrong themselves or
// refer to nothing: the kind of its answer, and the text of its exception.
func TestDrafts(t *testing.T) {
	eachLine(t, "jsonschema-4.26-drafts.jsonl", 380, func(line string, c *catalog.Node) {
		got, err := python.Validate(c.Get("value"), c.Get("schema"))
		kind, text := "ok", ""
		switch raised, isRaised := errors.AsType[*python.Raised](err); {
		case isRaised:
			kind = map[error]string{python.ErrSchema: "schema", python.ErrReference: "ref", python.ErrFailed: "raised"}[raised.Kind]
			text = raised.Text
		case err != nil:
			kind = err.Error()
		case got != nil:
			kind, text = "invalid", got.String()
		}
		if kind != c.Get("kind").Text() || text != c.Get("text").Text() {
			t.Errorf("%s\ngot %s: %s", line, kind, text)
		}
	})
}

// TestPatterns compares with what Python 3.11 makes of drawn patterns: whether it takes them, and which texts of the first
// line they find something in.
func TestPatterns(t *testing.T) {
	var texts *catalog.Node
	eachLine(t, "re-3.11.jsonl", 380, func(line string, c *catalog.Node) {
		if texts == nil {
			texts = c.Get("texts")
			return
		}
		schema := python.Node(map[string]any{"pattern": c.Get("pattern").Text()})
		valid, _ := c.Get("valid").Bool()
		if got := python.CheckSchema(schema) == nil; got != valid {
			t.Errorf("%s: taken: %v", line, got)
		}
		for _, s := range texts.List() {
			want := slices.ContainsFunc(c.Get("finds").List(), func(n *catalog.Node) bool { return n.Text() == s.Text() })
			if got, err := python.Fits(s, schema); valid && err == nil && got != want {
				t.Errorf("%s finds something in %s: %v", line, s.Raw(), got)
			}
		}
	})
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		schema, value, message string
		err                    error
	}{
		{`{"type": "object"}`, `{}`, "", nil},
		{`{"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}`, `{"a": 1, "b": 2}`, "2 is not of type 'string'", nil},
		{`{"properties": {"a": {"$ref": "#/$defs/w"}}, "$defs": {"w": {"enum": ["x"]}}}`, `{"a": "y"}`, "'y' is not one of ['x']", nil},
		{`{"$ref": "#word", "$defs": {"w": {"$anchor": "word", "const": null}}}`, `{}`, "None was expected", nil},
		// Faults of the schema end the reply, but a reference only once it is followed.
		{`{"type": "objekt"}`, `{}`, "", python.ErrSchema},
		{`{"properties": {"a": {"pattern": "^\\p{L}+$"}}}`, `{}`, "", python.ErrSchema},
		{`{"properties": {"a": {"$ref": "#/$defs/w"}}}`, `{}`, "", nil},
		{`{"properties": {"a": {"$ref": "#/$defs/w"}}}`, `{"a": 1}`, "", python.ErrReference},
		{`{"properties": {"a": {"$ref": "https://example.com/w.json"}}}`, `{"a": 1}`, "", python.ErrUnknown},
		{`{"properties": {"a": {"$ref": "w.json"}}}`, `{"a": 1}`, "", python.ErrReference},
		{`{"properties": {"a": {"$ref": "http://json-schema.org/draft-07/schema#"}}}`, `{"a": {"type": 1}}`, "1 is not valid under any of the given schemas", nil},
		{`{"properties": {"a": {"pattern": "a(?=b)"}}}`, `{"a": "c"}`, "'c' does not match 'a(?=b)'", nil},
		{`{"properties": {"a": {"pattern": "^\\w+$"}}}`, `{"a": "größe\n"}`, "", nil},
		{`{"properties": {"a": {"pattern": "a++b"}}}`, `{"a": "c"}`, "", python.ErrUnknown},
		{`{"properties": {"a": {"pattern": "\\N{DASH}"}}}`, `{"a": "c"}`, "", python.ErrUnknown},
		{`{"unevaluatedProperties": false}`, `{"a": "c"}`, "Unevaluated properties are not allowed ('a' was unexpected)", nil},
		{`{"$schema": "http://json-schema.org/draft-03/schema#"}`, `{}`, "", python.ErrUnknown},
		{`{"$schema": 7}`, `{}`, "", python.ErrFailed},
		{`{"$ref": "#"}`, `{}`, "", python.ErrUnknown},
		// Before 2019-09 nothing beside a reference counts, and items may be a list.
		{`{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/w", "required": ["a"], "definitions": {"w": {"type": "object"}}}`, `{}`, "", nil},
		{`{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "null"}]}`, `[1]`, "1 is not of type 'null'", nil},
		{`{"$schema": "http://json-schema.org/draft-07/schema#", "contains": {"type": "null"}}`, `[1]`, "None of [1] are valid under the given schema", nil},
	} {
		got, err := python.Validate(parse(t, c.value), parse(t, c.schema))
		if !errors.Is(err, c.err) {
			t.Errorf("%s: the error is %v, want %v", c.schema, err, c.err)
		}
		if message := ""; got != nil && got.Message != c.message || got == nil && message != c.message {
			t.Errorf("%s of %s: got %+v, want %q", c.value, c.schema, got, c.message)
		}
	}
}

// Of several faulty members one comes first, and nobody knows which: Python has their names in a set.
func TestDrawnSchemaError(t *testing.T) {
	for schema, sure := range map[string]bool{
		`{"properties": {"a": {"type": "strin"}, "b": {"type": "string"}}}`:       true,
		`{"properties": {"a": {"type": "strin"}, "b": {"type": "numbr"}}}`:        false,
		`{"properties": {"a": {"type": "strin"}, "b": {"type": 5}}, "enum": "x"}`: false,
		`{"required": "a", "enum": "x"}`:                                          true,
	} {
		raised, ok := errors.AsType[*python.Raised](python.CheckSchema(parse(t, schema)))
		if !ok || raised.Sure != sure {
			t.Errorf("%s: %+v", schema, raised)
		}
	}
}

func TestPointer(t *testing.T) {
	got, err := python.Validate(parse(t, `{"a/b": [0, "x"]}`), parse(t, `{"properties": {"a/b": {"items": {"anyOf": [{"type": "integer"}, {"properties": {}, "type": "null"}]}}}}`))
	if err != nil || got == nil || got.Pointer != "/a~1b/1" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestValues(t *testing.T) {
	n := parse(t, `{"a": [1, -0, 1.0, 1E5, 1e16, 0.00001, true, null, "it's \"x\"\n\u00e9\u2028"], "b": {}, "c": [], "a ": {"k": 1, "k": 2}}`)
	if got, want := python.Repr(n), `{'a': [1, 0, 1.0, 100000.0, 1e+16, 1e-05, True, None, 'it\'s "x"\né\u2028'], 'b': {}, 'c': [], 'a ': {'k': 2}}`; got != want {
		t.Errorf("repr:\ngot  %s\nwant %s", got, want)
	}
	if got, want := python.Dumps(n), `{"a": [1, 0, 1.0, 100000.0, 1e+16, 1e-05, true, null, "it's \"x\"\né`+"\u2028"+`"], "b": {}, "c": [], "a ": {"k": 2}}`; got != want {
		t.Errorf("dumps:\ngot  %s\nwant %s", got, want)
	}
	if got, want := python.Indented(parse(t, `{"a":[1,{"b":"\u0001\t"}],"c":{},"d":[]}`)), "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"\\u0001\\t\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}"; got != want {
		t.Errorf("indented:\ngot  %s\nwant %s", got, want)
	}
}

// FuzzValidate gives any schema and value: nothing may panic or run without an end.
func FuzzValidate(f *testing.F) {
	f.Add(`{"type": "object", "anyOf": [{"$ref": "#"}], "items": [1], "pattern": 3}`, `{"a": [1e999]}`)
	f.Add(`{"properties": [], "required": {"a": 1}, "enum": 5, "minimum": "x", "multipleOf": 0}`, `{}`)
	f.Fuzz(func(t *testing.T, schema, value string) {
		s, err := catalog.Parse(schema)
		v, err2 := catalog.Parse(value)
		if err != nil || err2 != nil {
			t.Skip("no JSON")
		}
		got, err := python.Validate(v, s)
		if got != nil && (err != nil || got.Message == "" || got.String() == "") {
			t.Errorf("%s of %s: %v and %v", value, schema, got, err)
		}
	})
}

// TestLoadsError has messages of Python 3.11.
func TestLoadsError(t *testing.T) {
	for s, want := range map[string]string{
		`{"a": [1, NaN, -Infinity, "x"]}`: "",
		``:                                "Expecting value: line 1 column 1 (char 0)",
		`hello`:                           "Expecting value: line 1 column 1 (char 0)",
		`{"a": 1`:                         "Expecting ',' delimiter: line 1 column 8 (char 7)",
		`{"a": "b`:                        "Unterminated string starting at: line 1 column 7 (char 6)",
		`{'a': 1}`:                        "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
		`{"a" 1}`:                         "Expecting ':' delimiter: line 1 column 6 (char 5)",
		"{\n \"größe\": tru":              "Expecting value: line 2 column 11 (char 12)",
		`{"a": 1} x`:                      "Extra data: line 1 column 10 (char 9)",
		"{\"a\": \"b\nc\"}":               "Invalid control character at: line 1 column 9 (char 8)",
		`{"a": "\q"}`:                     `Invalid \escape: line 1 column 8 (char 7)`,
		`{"a": "\u12"}`:                   `Invalid \uXXXX escape: line 1 column 9 (char 8)`,
		`[01]`:                            "Expecting ',' delimiter: line 1 column 3 (char 2)",
		`{"a": 1,}`:                       "Expecting property name enclosed in double quotes: line 1 column 9 (char 8)",
		"\ufeff{}":                        "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)",
	} {
		if got := python.LoadsError(s); got != want {
			t.Errorf("%s: got %q, want %q", s, got, want)
		}
	}
}
