package lsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/text"
)

func TestKeyPaths(t *testing.T) {
	for _, c := range []struct{ src, want string }{ // "|" is the cursor
		{`{|}`, ` key "" []`},
		{`|`, ` value "" []`},
		{`{"na|"}`, ` key "\"na\"" []`},
		{`{"a": 1, "na|`, ` key "\"na" [a]`},
		{`{"a": 1, | "b": 2}`, ` key "" [a b]`},
		{`{"a": {"b": [{"c": "x|"}]}}`, `a.b.*.c value "\"x\"" []`},
		{`{"a": {"b": [{"c": 1, |}], "d": 2}}`, `a.b.* key "" [c]`},
		{`{"a": |}`, `a value "" []`},
		{`{"a": tr|ue, "b": 1}`, `a value "true" []`},
		{"{// \"x\": {\n \"a\": /* { */ |1}", `a value "1" []`},
		{`{"a": [1, |]}`, `a.* value "" []`},
		{`}}]|`, ` value "" []`},
		{`{"q\"{": |`, `q\"{ value "" []`},
	} {
		off := strings.IndexByte(c.src, '|')
		src := strings.Replace(c.src, "|", "", 1)
		if got := shownPath(jsonAt(src, off), src); got != c.want {
			t.Errorf("%s: %s, want %s", c.src, got, c.want)
		}
	}
	for _, c := range []struct{ src, want string }{
		{"|", ` key "" []`},
		{"ru|", ` key "ru" []`},
		{"rules:\n  name/fo|", `rules key "name/fo" []`},
		{"rules:\n  name/folder: war|", `rules.name/folder value "war" []`},
		{"rules:\n  name/folder:\n    lev|", `rules.name/folder key "lev" []`},
		{"clients:\n  - co|", `clients.* key "co" []`},
		{"clients:\n- co|", `clients.* key "co" []`},
		{"clients: [pi, |]", `clients value "" []`},
		{"overrides:\n  - files: [a]\n    ru|", `overrides.* key "ru" [files]`},
		{"overrides:\n  - fi|", `overrides.* key "fi" []`},
		{"overrides:\n- files: [a]\n  rules:\n    name: |", `overrides.*.rules.name value "" []`},
		{"a:\n  b: 1\n# c:\n\n  d|", `a key "d" [b]`},
		{"a:\n  b: 1\nd|", ` key "d" [a]`},
	} {
		off := strings.IndexByte(c.src, '|')
		src := strings.Replace(c.src, "|", "", 1)
		if got := shownPath(yamlAt(src, text.NewLineIndex(src), off), src); got != c.want {
			t.Errorf("%q: %s, want %s", c.src, got, c.want)
		}
	}
	for _, c := range []struct{ src, want string }{
		{"|", ` key "" []`},
		{"mod|", ` key "mod" []`},
		{"[mcp|", ` key "mcp" []`},
		{"[a.b|]\nc = 1", `a key "b" []`},
		{"[a.\"x.y\".b|]", `a.x.y key "b" []`},
		{"a = 1\n|\nb = 2\n[c]\nd = 1", ` key "" [a b]`},
		{"[a]\nb = 1\nc| = 2", `a key "c" [b]`},
		{"[a]\nb = |", `a.b value "" []`},
		{"[a]\nb = \"x|y\" # c", `a.b value "\"xy\"" []`},
		{"[a]\nb = \"x|", `a.b value "\"x" []`},
		{"[a]\nb.c.d| = 1", `a.b.c key "d" []`},
		{"[a]\nb = [\n  \"x\",\n  |\n]\nc = 1", `a.b.* value "" []`},
		{"[a]\nb = [\n  \"x\",\n]\n|", `a key "" [b]`},
		{"[a]\nb = {c = 1, d|}", `a.b key "d" []`},
		{"[a]\nb = {c = tr|}", `a.b.c value "tr" []`},
		{"[[a.b]]\nc = |", `a.b.*.c value "" []`},
		{"# a = [\n|", ` key "" []`},
		{"a = \"[\"\nb|", ` key "b" [a]`},
		{"[a]|", ` value "" []`},
	} {
		off := strings.IndexByte(c.src, '|')
		src := strings.Replace(c.src, "|", "", 1)
		if got := shownPath(tomlAt(src, text.NewLineIndex(src), off), src); got != c.want {
			t.Errorf("%q: %s, want %s", c.src, got, c.want)
		}
	}
}

func shownPath(k keyPath, src string) string {
	return fmt.Sprintf("%s %s %q %v", k.dotted(), map[bool]string{true: "key", false: "value"}[k.key], k.at.In(src), k.have)
}

func FuzzKeyPaths(f *testing.F) {
	f.Add(`{"a": {"b": [{"c": "x"}]}}`, 20)
	f.Add("overrides:\n- files: [a]\n  rules:\n", 30)
	f.Add("[a.'b']\nc = [{d = \"e\"}, # f\n]\n[[g]]\nh.i = 1\n", 25)
	f.Fuzz(func(t *testing.T, src string, off int) {
		off = min(max(off, 0), len(src))
		for _, k := range []keyPath{jsonAt(src, off), yamlAt(src, text.NewLineIndex(src), off), tomlAt(src, text.NewLineIndex(src), off)} {
			if k.at.Start > off || k.at.End < off || k.at.End > len(src) {
				t.Errorf("%q at %d: the word is %v", src, off, k.at)
			}
		}
	})
}
