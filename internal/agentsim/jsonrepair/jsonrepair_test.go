package jsonrepair_test

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim/jsonrepair"
	"github.com/skill-ls/skill-ls/internal/agentsim/python"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/racetest"
)

// shown writes a value as json.dumps does; a value that is not there is "".
func shown(n *catalog.Node) string {
	if n == nil {
		return ""
	}
	return python.Dumps(n)
}

func parse(t *testing.T, src string) *catalog.Node {
	t.Helper()
	n, err := catalog.Parse(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return n
}

// TestDrawn compares with what json_repair made of JSON that was drawn and broken at random, and of characters in any order;
// some with a schema. Each line of the file is one; where there is no value, it raised an exception or found none.
func TestDrawn(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "json_repair-0.59.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for ; lines.Scan(); n++ {
		c := parse(t, lines.Text())
		got, sure := jsonrepair.Repair(c.Get("text").Text())
		if schema := c.Get("schema"); schema != nil {
			got, sure = jsonrepair.RepairFor(c.Get("text").Text(), schema)
		}
		if want := shown(c.Get("value")); shown(got) != want || !sure {
			t.Errorf("%s\ngot  %s (sure: %v)\nwant %s", lines.Text(), shown(got), sure, want)
		}
	}
	if n < 800 {
		t.Errorf("only %d texts were compared", n)
	}
}

// TestRepair has the forms that models send. A text without an object or list has no value.
func TestRepair(t *testing.T) {
	for broken, want := range map[string]string{
		// Texts that end too early, as streams do.
		`{`:                                   `{}`,
		`{"a": 1`:                             `{"a": 1}`,
		`{"a": "one two`:                      `{"a": "one two"}`,
		`{"a": "one two }`:                    `{"a": "one two "}`,
		`{"a": "ends with blanks  `:           `{"a": "ends with blanks  "}`,
		`{"a": "half an escape\`:              `{"a": "half an escape"}`,
		`{"a": "a line\n`:                     `{"a": "a line\n"}`,
		`{"a": "x", "b`:                       `{"a": "x"}`,
		`{"a": "x", "b}`:                      `{"a": "x"}`,
		`{"a": "x", "b"`:                      `{"a": "x"}`,
		`{"a": "x", "b":`:                     `{"a": "x", "b": ""}`,
		`{"a": ""`:                            `{"a": ""}`,
		`{"a": [1, 2`:                         `{"a": [1, 2]}`,
		`{"a": {"b": [{"c": "d`:               `{"a": {"b": [{"c": "d"}]}}`,
		`{"a": tru`:                           `{"a": "tru"}`,
		`{"a": "x, y: z`:                      `{"a": "x, y: z"}`,
		`[1, 2, "three`:                       `[1, 2, "three"]`,
		`[[1, 2`:                              `[[1, 2]]`,
		`{"a": [1, 2}`:                        `{"a": [1, 2]}`,
		`{"a": [{"b": 1]}`:                    `{"a": [{"b": 1}]}`,
		`{"text": "one} two", "n": 3`:         `{"text": "one} two", "n": 3}`,
		`{"a": "caf\u00e9", "b": "C:\\dir", `: `{"a": "café", "b": "C:\\dir"}`,
		// Commas too many, too few or in place of a value.
		`{"a": 1,}`:                 `{"a": 1}`,
		`[1, 2, ]`:                  `[1, 2]`,
		`[1,, 2]`:                   `[1, 2]`,
		`{"a": 1 "b": 2}`:           `{"a": 1, "b": 2}`,
		"{\"a\": \"x\"\n \"b\": 2}": `{"a": "x", "b": 2}`,
		`["a" "b"]`:                 `["a", "b"]`,
		`{"a": , "b": 2}`:           `{"a": "", "b": 2}`,
		`{"a": }`:                   `{"a": ""}`,
		// Quotes.
		`{'a': 'b', 'c': 'it is "so"'}`: `{"a": "b", "c": "it is \"so\""}`,
		`{a: 1, b_c: [true]}`:           `{"a": 1, "b_c": [true]}`,
		`{'a': "it's"}`:                 `{"a": "it's"}`,
		`{"a": 'x\'y'}`:                 `{"a": "x'y"}`,
		"{\"a\": \"two\nlines\"}":       `{"a": "two\nlines"}`,
		`{"a": "tab	here",}`:            `{"a": "tab\there"}`,
		// Words of other languages.
		`{"a": True, "b": FALSE, "c": Null}`: `{"a": true, "b": false, "c": null}`,
		`{"a": None}`:                        `{"a": "None"}`,
		// Comments.
		"{\"a\": 1, // the first\n \"b\": 2}":      `{"a": 1, "b": 2}`,
		"{ # begin\n\"a\": 1 /* one */, \"b\": 2}": `{"a": 1, "b": 2}`,
		"[1, // one\n 2]":                          `[1, 2]`,
		// Words and fences around.
		"Here it is:\n```json\n{\"a\": 1}\n```\nDone.": `{"a": 1}`,
		"```\n{\"a\": 'x'}\n```":                       `{"a": "x"}`,
		`{"a": 1}}}`:                                   `{"a": 1}`,
		`nothing`:                                      ``,
		``:                                             ``,
		`True`:                                         ``,
		`{"n": 1.50, "m": -2e3, "k": 12345678901234567890,}`: `{"n": 1.5, "m": -2000.0, "k": 12345678901234567890}`,
		// Quotes that should have been escaped.
		`{"a": "she said "no" to it"}`: `{"a": "she said \"no\" to it"}`,
		`{"a": "x", "b": "y" z"}`:      `{"a": "x", "b": "y\" z\""}`,
		`{'a': 'it's'}`:                `{"a": "it's'"}`,
		`{"a": ""x""}`:                 `{"a": "x"}`,
		// Bare words, numbers that are none, and what stands behind a value.
		`{"a": bare words, "b": 1}`: `{"a": "bare words, ", "b": 1}`,
		`{"a": 1,234}`:              `{"a": "1,234"}`,
		`{"a": 1/2, "b": 007}`:      `{"a": "1/2", "b": 7}`,
		`{"a": 1} {"b": 2}`:         `[{"a": 1}, {"b": 2}]`,
		`{"a": 1} {"a": 2}`:         `{"a": 2}`,
		`{"a": 1}, "b": 2}`:         `{"a": 1, "b": 2}`,
		`[{"a": 1, "a": 2}`:         `[{"a": 2}]`,
		`[{"a": 1 "a": 2}`:          `[{"a": 1}, {"a": 2}]`,
		`{"a": [1, 2}, "b": 3}`:     `{"a": [1, 2], "b": 3}`,
		`{"a": (1, 2), "b": (3)}`:   `{"a": [1, 2], "b": 3}`,
		`{"a", "b"}`:                `["a", "b"]`,
		`{\"a\": 1}`:                `{"a": 1}`,
		`{"a": "\ud83d\ude00"`:      `{"a": "😀"}`,
	} {
		got, sure := jsonrepair.Repair(broken)
		if shown(got) != want || !sure {
			t.Errorf("%s\ngot  %s (sure: %v)\nwant %s", broken, shown(got), sure, want)
		}
	}
}

// TestRepairFor has what a schema changes.
func TestRepairFor(t *testing.T) {
	const schema = `{"type": "object", "properties": {
		"n": {"type": "integer"}, "f": {"type": "number"}, "s": {"type": "string", "default": "d"}, "yes": {"type": "boolean"},
		"list": {"type": "array", "items": {"$ref": "#/$defs/word"}}, "one": {"enum": ["x", 1]}, "any": {"anyOf": [{"type": "null"}, {"type": "integer"}]}},
		"required": ["n"], "additionalProperties": false, "$defs": {"word": {"type": "string"}}}`
	for broken, want := range map[string]string{
		`{"n": "42"`: `{"n": 42, "s": "d"}`,
		`{"n": 4.0, "f": "1e3", "yes": "on", "s": 5`: `{"n": 4, "f": 1000.0, "s": "5", "yes": true}`,
		`{"n": , "yes":`:                 ``,
		`{"n": , "yes": }`:               `{"n": 0, "s": "d", "yes": false}`,
		`{"n": 1, "list": 7, "other": 3`: `{"n": 1, "s": "d", "list": ["7"]}`,
		`{"n": 1, "any": "3", "one": x}`: `{"n": 1, "s": "d", "one": "x", "any": 3}`,
		`{"n": 1, "one": "y"`:            ``,
		`{"s": "x"`:                      ``,
		`{"n": "four"`:                   ``,
		`[{"n": 1}]`:                     ``,
		`"{\"n\": 1}"`:                   `{"n": 1, "s": "d"}`,
		`# {"n": 1`:                      ``,
	} {
		got, sure := jsonrepair.RepairFor(broken, parse(t, schema))
		if shown(got) != want || !sure {
			t.Errorf("%s\ngot  %s (sure: %v)\nwant %s", broken, shown(got), sure, want)
		}
	}
}

// TestUnsure has what cannot be told: half of a character, numbers without JSON, and what is too deep for Python or here.
func TestUnsure(t *testing.T) {
	for _, broken := range []string{`{"a": "x\ud83d",}`, `{"a": 1e999,}`, `{"a": NaN}`, strings.Repeat("[", 600), strings.Repeat(`{"a":`, 600)} {
		if got, sure := jsonrepair.Repair(broken); sure {
			t.Errorf("%s is certain to become %s", broken, shown(got))
		}
	}
	for broken, schema := range map[string]string{
		`{"a": "nan"`: `{"type": "object", "properties": {"a": {"type": "number"}}}`,
		`{"a": "x"`:   `{"type": "object", "properties": {"a": {"type": "string", "minLength": "x"}}}`,
		`{"b": 1`:     `{"type": "object", "properties": {"a": {"$ref": "#/properties/a"}, "b": {"$ref": "#/properties/a"}}}`,
	} {
		if got, sure := jsonrepair.RepairFor(broken, parse(t, schema)); sure {
			t.Errorf("%s is certain to become %s", broken, shown(got))
		}
	}
}

// TestLong: rules that look at all that follows come to an end, also where there is much of it.
func TestLong(t *testing.T) {
	racetest.Skip(t)
	for _, part := range []string{`"`, `{"a": "`, `["x" `, `"a": "b" c" `, `\"`, "/*", "# ", `"a": 1 `} {
		_, _ = jsonrepair.Repair(`{"k": [{` + strings.Repeat(part, 100_000))
	}
}

// FuzzRepair: any text and schema come to an end, and what comes out is JSON.
func FuzzRepair(f *testing.F) {
	f.Add(`{"a": [1, {"b": 'c', d: tru`, `{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}`)
	f.Add("x # y\n{\"a\": \"\\u00e9\\x41\\\" \", /* c */ \"b\": -1.5e3, }}", `{"$ref": "#"}`)
	f.Add(`{"a": "b", "c": [true, null, {"d": 1.5}]}`, `{"anyOf": [{"type": ["null", "integer"]}, {"$ref": "#/anyOf/1"}], "default": []}`)
	f.Fuzz(func(t *testing.T, s, schema string) {
		got, _ := jsonrepair.Repair(s)
		_ = parse(t, cmp.Or(shown(got), "null"))
		if n, err := catalog.Parse(schema); err == nil {
			got, _ = jsonrepair.RepairFor(s, n)
			_ = parse(t, cmp.Or(shown(got), "null"))
		}
	})
}
