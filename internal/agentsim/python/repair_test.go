package python_test

import (
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim/python"
	"github.com/skill-ls/skill-ls/internal/catalog"
)

// TestRepair has what json_repair is known to make of the forms that models send; want is as json.dumps writes it. A text
// without an object or list has no value.
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
	} {
		got, sure := python.Repair(broken)
		shown := ""
		if got != nil {
			shown = python.Dumps(got)
		}
		if shown != want || !sure {
			t.Errorf("%s\ngot  %s (sure: %v)\nwant %s", broken, shown, sure, want)
		}
	}
}

// TestRepairGuesses has what the library guesses at: something comes of it, and nobody is told that it is certain.
func TestRepairGuesses(t *testing.T) {
	for _, broken := range []string{
		`{"a": "she said "no" to it"}`, `{"a": "x", "b": "y" z"}`, `{"a": ""x""}`, `{'a': 'it's'}`, `{"a" 1}`, `{"a": None, "b": 1}`,
		`{"a": bare words, "b": 1}`, `{"a": 1,234}`, `{"a": 1/2}`, `{"a": 007}`, `{"a": 1} {"b": 2}`, `{"a": 1}, "b": 2}`, `[{"a": 1, "a": 2}`,
		`{"a": "\/",}`, `{"a": "x\ud83d",}`, `{"a": "x\\"}`, `{"a": [1, 2}, "b": 3}`, `call({"a": 1`, `# {"a": 1`, `["", 1,`, `{"a:b": 1`, `{"a": 1,, "b": 2}`,
		"{\"a\": 1, // one: two\n\"b\": 2}", `{"a": "` + "```" + `",}`, `{_id: 1}`, `{"a"}`, `[...]`, strings.Repeat("[", 600),
	} {
		if got, sure := python.Repair(broken); sure {
			t.Errorf("%s is certain to become %v", broken, got.Raw())
		}
	}
}

// FuzzRepair: what comes out is JSON, and valid objects come out as they are.
func FuzzRepair(f *testing.F) {
	f.Add(`{"a": [1, {"b": 'c', d: tru`)
	f.Add("x # y\n{\"a\": \"\\u00e9\\x41\\\" \", /* c */ \"b\": -1.5e3, }}")
	f.Add(`{"a": "b", "c": [true, null, {"d": 1.5}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		got, sure := python.Repair(s)
		if got != nil && !got.Is(catalog.Object) && !got.Is(catalog.Array) {
			t.Fatalf("%q became %s", s, got.Raw())
		}
		if n, err := catalog.Parse(s); sure && err == nil && n.Is(catalog.Object) && python.Dumps(got) != python.Dumps(n) {
			t.Fatalf("%s became %s", s, got.Raw())
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
