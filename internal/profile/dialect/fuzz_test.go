package dialect

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// blocks are inputs that reach every branch of the readers.
var blocks = []string{
	"", "a: b\n", "name: x\ndescription: a: b\n", "- a\n- b: c\n", "{a: [b, {c: d}], e}\n", "a: &x [*x]\n", "<<: {a: b}\n",
	"a: |2-\n    b\n   c\n\nd: >+\n  e\n", "a: 'b\n\n  c'\nd: \"e\\\n  f\\u00e9\\ud83d\\ude00\"\n", "a:\n\tb: c\n", "a: \"b\" c: d\n",
	"? a\n: b\n", "%YAML 1.2\n---\na: b\n...\n", "a: !!int 5\nb: !x y\n", "2024-01-15: .inf\n", "\ufeffa: b\u2028c\u0085\x00\n", "a: [\n", "a: {\n",
	"description:\n  - a\n\n\ntags:\n  b: c\n", "a: \"x\"#y\nb: 12:30:45\n", "key: *\n", "\ra: b\r\nc\r", ": \n:\n", "a: \"\\x\\u\\U0\n",
}

// FuzzDialects: whatever the block, each dialect ends, does not panic, says
// why it refuses, and gives no key twice.
func FuzzDialects(f *testing.F) {
	for _, b := range blocks {
		f.Add(b)
	}
	f.Add("a: >\n  b\n  c\nd: [e, 1]")
	f.Add("a: |\nb: c")
	f.Fuzz(func(t *testing.T, block string) {
		if len(block) > 4096 {
			return // time grows with aliases and mends, not with bugs
		}
		src := NewSource(block)
		for _, name := range Names() {
			m, err := src.Parse(name, Options{})
			if err != nil && (m != nil || strings.TrimSpace(err.Error()) == "") {
				t.Errorf("%s: %v with error %q", name, m, err)
			}
			checkValue(t, name, Value{Kind: Mapping, Map: m})
		}
		for _, name := range Fallbacks() {
			m, _ := src.Fallback(name, "yaml12-core", Options{})
			checkValue(t, name, Value{Kind: Mapping, Map: m})
		}
		if !utf8.ValidString(block) {
			return // what a Fence cuts is decoded
		}
		longer := block + "\n"
		around, ok := src.Around(longer)
		if !ok {
			t.Fatalf("%q is not around %q", longer, block)
		}
		for _, name := range Names() {
			got, err := around.Parse(name, Options{})
			want, wantErr := NewSource(longer).Parse(name, Options{})
			if !reflect.DeepEqual(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%s: %q behind %q is %+v, %v; by itself %+v, %v", name, longer, block, got, err, want, wantErr)
			}
		}
	})
}

func checkValue(t *testing.T, name string, v Value) {
	if v.Kind == Missing || v.Kind != List && v.Items != nil || v.Kind != Mapping && v.Map != nil {
		t.Errorf("%s: a value of kind %v: %+v", name, v.Kind, v)
	}
	for _, item := range v.Items {
		checkValue(t, name, item)
	}
	for i, f := range v.Map {
		if v.Map.index(f.Key, f.KeyKind) != i {
			t.Errorf("%s: the key %q occurs twice", name, f.Key)
		}
		checkValue(t, name, f.Value)
	}
}

var fences = []Fence{
	{},
	grayMatter,
	{BOM: "strip", Newlines: anyEnd, Leading: "blank-lines", Open: trim, Close: trim, Braces: true},
	{Encoding: "detect", Leading: "whitespace", Open: longer, Close: longer, KeepNewline: true},
	{Leading: "any-text", Open: inside, Close: inside},
	{Open: rtrim, Close: inside, Empty: "reject"},
	{Open: prefixed, Close: Mark{Match: "trim-prefix", NeedsNewline: true}, Unclosed: "rest"},
}

// FuzzSplit: front and body are what the client decoded, in order and without
// overlap, and without a block the body is all of it.
func FuzzSplit(f *testing.F) {
	for _, b := range blocks {
		f.Add([]byte("---\n" + b + "---\nBody\n"))
	}
	for _, s := range []string{"----\r\na\r\n---x", "\n\n ---\n---", "{\n}\n", "---json\n{}\n---", "\xff\xfe-\x00", "+++\na = 1\n+++\n", "---", "--- ---"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, fence := range fences {
			s, err := fence.Split(string(src))
			if err != nil {
				t.Fatalf("%+v: %v", fence, err)
			}
			if start, end, ok := PlainBlock(string(src)); ok && utf8.Valid(src) {
				if plain, ok := fence.CutPlain(string(src), start, end); ok && plain != s {
					t.Errorf("%+v: %q is cut as %+v, as a plain block as %+v", fence, src, s, plain)
				}
			}
			if !utf8.ValidString(s.Front) || !utf8.ValidString(s.Body) {
				t.Errorf("%+v: %+v is not decoded", fence, s)
			}
			whole := s.Body
			if s.Found {
				whole = seenBy(t, fence, src)
			} else if whole != seenBy(t, fence, src) || s.Reason == "" {
				t.Errorf("%+v: no block in %q, but %+v is left", fence, src, s)
			}
			at := strings.LastIndex(whole, s.Body)
			if at < 0 || !strings.HasSuffix(whole, s.Body) || !strings.Contains(whole[:at], s.Front) {
				t.Errorf("%+v: %+v is no cut of %q", fence, s, whole)
			}
		}
	})
}

// seenBy is the decoded text.
func seenBy(t *testing.T, f Fence, src []byte) string {
	if f.BOM == "strip" {
		src = bytes.TrimPrefix(src, []byte(byteOrderMark))
	}
	text, err := f.decode(string(src))
	if err != nil {
		t.Fatal(err)
	}
	return decoded(Fence{Newlines: f.Newlines}, text)
}

// FuzzPlain holds what all dialects share of a block that takes no parser against what each makes of it by itself.
func FuzzPlain(f *testing.F) {
	f.Add("name: demo\ndescription: Renames photos, e.g. a:b or a#b. Use when x - y.\n")
	f.Add("name: 12\nmetadata:\n  a: b\n  c: \"1.2\"\nlist:\n  - x y\n  - 'z'\nlicense: MIT")
	f.Add("a-b: Null\nc_d: http://x.y/z?a=b&c=[1]{2} \"q\" 'r' *s* !t | u > v % w @ x `y`\n")
	f.Add("name: résumé\ndescription: “Übersetzt” — 文档 🚀 ok\ntags:\n  - \"é\"\n  - 日本\n")
	f.Add("a: b\nlist:\n  - x: y\n  - z\n")
	f.Fuzz(func(t *testing.T, front string) {
		source := NewSource(front)
		if _, ok := source.plain.read(front, inScript); !ok {
			return
		}
		block := strings.Trim(front, "\n")
		for name, read := range dialects {
			switch name {
			case "line-kv-letta", "line-kv-spring", "line-kv-qwen", "regex-kv-af":
				continue // these do not read YAML
			}
			for _, front := range []string{front, block, block + "\n", "\n" + block, "\n" + block + "\n"} {
				again, ok := source.Around(front)
				if !ok {
					t.Fatalf("%q is not around %q", front, source.front)
				}
				got, err := read(again, Options{})
				want, wantErr := read(unplain(front), Options{})
				if err != nil || wantErr != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%s reads %q as\n%+v, %v; by itself as\n%+v, %v", name, front, got, err, want, wantErr)
				}
			}
		}
	})
}

// unplain returns a source that counts as not plain.
func unplain(front string) *Source {
	s := NewSource(front)
	s.plain.looked = true
	return s
}
