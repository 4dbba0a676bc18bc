package dialect

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// short names of the YAML dialects, in the order results are written.
var short = []struct{ short, name string }{
	{"py", "yaml11-pyyaml"},
	{"c", "yaml11-libyaml"},
	{"core", "yaml12-core"},
	{"bun", "bun-yaml"},
	{"js3", "js-yaml3"},
	{"js4", "js-yaml4"},
	{"json", "js-yaml-json"},
	{"go", "go-yaml3-typed"},
	{"serde", "serde-yaml-typed"},
	{"rust", "serde-yaml"},
	{"strict", "strictyaml"},
}

const all = "py c core bun js3 js4 json go serde rust strict"

// TestAcceptance lists the dialects that refuse a block. Taken from the real
// parsers but for serde_yaml and strictyaml, which share a base with others.
func TestAcceptance(t *testing.T) {
	tests := []struct{ name, block, refuse string }{
		{"plain", "a: b\n", ""},
		{"empty", "", ""},
		{"only a comment", "# c\n", ""},
		{"unquoted colon", "a: b: c\n", all},
		{"colon at the end", "a: b:\n", all},
		{"at sign", "a: @b\n", all},
		{"backtick", "a: `b`\n", all},
		{"percent", "a: %b\n", all},
		{"bold", "a: **b** c\n", all},
		{"two brackets", "a: [b] [c]\n", all},
		{"quote then text", "a: \"b\" c\n", all},
		{"quote then key", "a: \"b\" c: d\n", "py c core bun js4 json go serde rust strict"},
		{"open quote", "a: \"b\n", all},
		{"open bracket", "a: [b\n", all},
		{"duplicate key", "a: b\na: c\n", "core js3 js4 json go serde rust strict"},
		{"nested duplicate", "m:\n  a: b\n  a: c\n", "core js3 js4 json go serde rust strict"},
		{"list", "- a\n", all},
		{"text", "a:b\n", all},
		{"number", "42\n", all},
		{"two documents", "a: b\n---\nc: d\n", "py c core bun js3 js4 json serde rust strict"},
		{"document end", "a: b\n...\n", ""},
		{"start with comment", "--- # c\na: b\n", ""},
		{"flow root", "{a: b}\n", "strict"},
		{"flow list", "a: [b, c]\n", "strict"},
		{"flow list unindented", "a: [b,\nc]\n", "core bun strict"},
		{"bracket unindented", "a: [\n  b\n]\n", "strict"},
		{"quoted unindented", "a: \"b\nc\"\n", "core bun"},
		{"quoted indented", "a: \"b\n  c\"\n", ""},
		{"anchor", "a: &x b\nc: *x\n", "strict"},
		{"anchor twice", "a: &x b\nc: &x d\n", "py c strict"},
		{"anchor with a dot", "a: &x.y b\n", "py c go serde rust strict"},
		{"unknown alias", "a: *x\n", all},
		{"value within itself", "a: &x [*x]\n", "py c bun go serde rust strict"},
		{"unknown tag", "a: !x b\n", "py c js3 js4 json strict"},
		{"tag that does not fit", "a: !!int b\n", "py c js3 js4 json go rust strict"},
		{"bytes", "a: !!binary eA==\n", "strict"},
		{"comment at a header", "a: |# c\n  b\n", "py core bun js3 js4 json strict"},
		{"BOM first", "\ufeffa: b\nc: d\n", "serde rust"},
		{"BOM before a key", "a: b\n\ufeffc: d\n", "py c go serde rust"},
		{"backslash at the end", `a: "b\"`, "py c bun js3 js4 json go serde rust strict"},
		{"merge", "a: &x {p: q}\nb:\n  <<: *x\n", "strict"},
		{"merge of a text", "<<: x\n", "py c js3 js4 go"},
		{"tab after the colon", "a:\tb\n", "py strict"},
		{"tab within", "a: b\tc\n", "py strict"},
		{"tab at the end", "a: b\t\n", "py strict"},
		{"tab in quotes", "a: \"b\tc\"\n", ""},
		{"tab in a literal", "a: |\n  b\tc\n", ""},
		{"tab in a comment", "a: b # c\td\n", ""},
		{"tab alone", "a: b\n\t\nc: d\n", "py c go serde rust strict"},
		{"tab indentation", "a:\n\tb: c\n", "py c core bun js4 json go serde rust strict"},
		{"comment at a quote", "a: \"b\"# c\n", "core bun"},
		{"control character", "a: b\x01c\n", "py c js3 js4 json go serde rust strict"},
		{"control in a comment", "# \x01\na: b\n", "py c go serde rust strict"},
		{"NUL", "a: b\x00c\n", "py c bun js3 js4 json go serde rust strict"},
		{"DEL", "a: b\x7fc\n", "py c js3 js4 json go serde rust strict"},
		{"surrogate pair", `a: "\ud83d\ude00"` + "\n", "py c go serde rust strict"},
		{"slash escape", `a: "b\/c"` + "\n", "go"},
		{"unknown escape", `a: "\q"` + "\n", all},
		{"empty key", ": b\n", "py c js3 js4 json go serde rust strict"},
		{"explicit key", "? a\n: b\n", ""},
		{"list as key", "[a]: b\n", "py c go serde strict"},
		{"CRLF", "a: b\r\nc: d\r\n", ""},
		{"BOM within", "a: \ufeffb\n", ""},
		{"first key indented", " a: b\nc: d\n", "py c core bun js3 js4 json serde rust strict"},
		{"unindented second line", "a: b\nc\n", all},
		{"dash in the value", "a: - b\n", all},
	}
	for _, tt := range tests {
		var refused []string
		for _, d := range short {
			if _, err := Parse(d.name, tt.block, Options{}); err != nil {
				refused = append(refused, d.short)
			}
		}
		if got := strings.Join(refused, " "); got != tt.refuse {
			t.Errorf("%s: refused by %q, want %q", tt.name, got, tt.refuse)
		}
	}
}

// TestTexts: what a text comes out as where the parsers agree, and where not.
func TestTexts(t *testing.T) {
	tests := []struct{ name, block, want, except string }{
		{"comment", "d: a # b\n", "a", ""},
		{"hash within", "d: a#b\n", "a#b", ""},
		{"spaces", "d:   a   \n", "a", ""},
		{"folded plain", "d: a\n  b\n\n  c\n", "a b\nc", ""},
		{"folded quotes", "d: 'a\n  b\n\n  c'\n", "a b\nc", ""},
		{"doubled quote", "d: 'it''s'\n", "it's", ""},
		{"escapes", `d: "a\tb\u00e9\x41\U0001F600\e\0"` + "\n", "a\tbéA😀\x1b\x00", ""},
		{"escaped break", "d: \"a\\\n  b\"\n", "ab", ""},
		{"literal", "d: |\n  a\n    b\n\n  c\n", "a\n  b\n\nc\n", ""},
		{"literal stripped", "d: |-\n  a\n\n", "a", ""},
		{"literal kept", "d: |+\n  a\n\n", "a\n\n", ""},
		{"literal indented", "d: |2\n    a\n   b\n", "  a\n b\n", ""},
		{"folded", "d: >\n  a\n  b\n\n  c\n   d\n  e\n", "a b\nc\n d\ne\n", ""},
		{"folded stripped", "d: >-\n  a\n  b\n", "a b", ""},
		{"no last break", "d: >\n  a", "a", "core=a\n bun=a\n js3=a\n js4=a\n json=a\n"},
		{"trailing blanks", "d: \"a \n  b\"\n", "a b", "js3=a  b js4=a  b json=a  b"},
		{"CRLF in quotes", "d: \"a\r\n  b\"\r\n", "a b", "bun=a\nb"},
		{"CRLF in plain", "d: a\r\n  b\r\n", "a b", ""},
		{"CRLF in a literal", "d: |\r\n  a\r\n  b\r\n", "a\nb\n", ""},
		{"next line", "d: a\u0085  b\n", "a b", "core=a\u0085  b bun=a\u0085  b js3=a\u0085  b js4=a\u0085  b json=a\u0085  b"},
		{"line separator", "d: a\u2028  b\n", "a\u2028b", "core=a\u2028  b bun=a\u2028  b js3=a\u2028  b js4=a\u2028  b json=a\u2028  b"},
		{"lone CR", "d: a\r  b\n", "a b", "core=a\r  b"},
		{"no-break space", "d: a\u00a0b\n", "a\u00a0b", ""},
	}
	for _, tt := range tests {
		for _, d := range short {
			want := tt.want
			for rest := tt.except; rest != ""; {
				var name, text string
				name, rest, _ = strings.Cut(rest, "=")
				text, rest = cutExcept(rest)
				if name == d.short {
					want = text
				}
			}
			m, err := Parse(d.name, tt.block, Options{})
			if got := m.Get("d").Text; err != nil || got != want {
				t.Errorf("%s: %s: %q, %v, want %q", tt.name, d.short, got, err, want)
			}
		}
	}
}

// cutExcept takes the text before the next " name=".
func cutExcept(s string) (text, rest string) {
	next := strings.IndexByte(s, '=')
	if next < 0 {
		return s, ""
	}
	at := strings.LastIndexByte(s[:next], ' ')
	return s[:at], s[at+1:]
}

func TestMergeAndOrder(t *testing.T) {
	const block = "base: &b {p: 1, q: 2}\nz: 1\nm:\n  q: 3\n  <<: *b\na: 1\n"
	m, err := Parse("yaml11-pyyaml", block, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, f := range m {
		keys = append(keys, f.Key)
	}
	if want := []string{"base", "z", "m", "a"}; !slices.Equal(keys, want) {
		t.Errorf("keys in the order %v, want %v", keys, want)
	}
	merged := m.Get("m").Map
	if p, q := merged.Get("p").Text, merged.Get("q").Text; p != "1" || q != "3" {
		t.Errorf("merged p=%s q=%s, want 1 and 3", p, q)
	}
	m, err = Parse("yaml12-core", block, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := m.Get("m").Map.Get("<<"); v.Kind != Mapping {
		t.Errorf("YAML 1.2 merges: << is %v", v.Kind)
	}
}

func TestKeyKinds(t *testing.T) {
	const block = "on: a\n1: b\n~: c\nname: d\n"
	m, err := Parse("yaml11-libyaml", block, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, f := range m {
		got += fmt.Sprintf("%s=%v ", f.Key, f.KeyKind)
	}
	if want := "True=bool 1=int None=null name=string "; got != want {
		t.Errorf("Python keys %s, want %s", got, want)
	}
	m, err = Parse("js-yaml4", block, Options{})
	if err != nil || m.Get("on").Text != "a" || m.Get("null").Text != "c" {
		t.Errorf("JavaScript keys: %v, %v", m, err)
	}
}

func TestOptions(t *testing.T) {
	const dup = "Name: a\nname: b\nname: c\n"
	tests := []struct {
		opt        Options
		name, Name string
		refused    bool
	}{
		{Options{}, "", "", true},
		{Options{DupKeys: DupLast}, "c", "a", false},
		{Options{DupKeys: DupFirst}, "b", "a", false},
		{Options{DupKeys: DupLast, KeyCase: "fold"}, "c", "", false},
		{Options{Fallback: "qwen-lines"}, "c", "a", false},
		{Options{Fallback: "none"}, "", "", true},
	}
	for _, tt := range tests {
		m, err := Parse("yaml12-core", dup, tt.opt)
		if (err != nil) != tt.refused || m.Get("name").Text != tt.name || m.Get("Name").Text != tt.Name {
			t.Errorf("%+v: %v, %v", tt.opt, m, err)
		}
	}
}

// A typed decoder sees only the keys it has fields for.
func TestTypedDecoders(t *testing.T) {
	known := Options{Known: []string{"name", "metadata", "author", "author.name"}}
	tests := []struct {
		dialect, block string
		refused        bool
	}{
		{"serde-yaml-typed", "name: a\nname: b\n", true},
		{"serde-yaml-typed", "tags: a\ntags: b\n", false},
		{"go-yaml3-typed", "tags: a\ntags: b\n", true},
		{"serde-yaml-typed", "extra:\n  a: 1\n  a: 2\n", false},
		{"go-yaml3-typed", "extra:\n  a: 1\n  a: 2\n", false},
		{"go-yaml3-typed", "metadata:\n  a: 1\n  a: 2\n", true},
		{"serde-yaml-typed", "metadata:\n  a: 1\n  a: 2\n", true},
		{"serde-yaml-typed", "author:\n  a: 1\n  a: 2\n", false},
		{"serde-yaml-typed", "author:\n  name: 1\n  name: 2\n", true},
		{"serde-yaml-typed", "[a]: b\n", true},
	}
	for _, tt := range tests {
		if _, err := Parse(tt.dialect, tt.block, known); (err != nil) != tt.refused {
			t.Errorf("%s: %q: %v", tt.dialect, tt.block, err)
		}
	}
}

func TestErrors(t *testing.T) {
	_, err := Parse("no-such", "", Options{})
	if !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown dialect: %v", err)
	}
	_, err = Parse("yaml12-core", "a: b: c\n", Options{Fallback: "no-such"})
	if !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown fallback: %v", err)
	}
	_, err = Parse("js-yaml4", "name: x\na: b: c\n", Options{Fallback: "opencode-colon-block"})
	if err != nil {
		t.Errorf("the fallback is not used: %v", err)
	}
	var refused *Error
	_, err = Parse("js-yaml4", "name: x\na: [b] [c]\n", Options{Fallback: "opencode-colon-block"})
	if !errors.As(err, &refused) || refused.Line != 2 {
		t.Errorf("want the dialect's own error in line 2, got %v", err)
	}
	_, err = Parse("yaml12-core", "- a\n", Options{})
	if !errors.Is(err, ErrNotMapping) {
		t.Errorf("a list: %v", err)
	}
}

// Aliases that unfold without end are refused, not followed.
func TestAliasBomb(t *testing.T) {
	var block strings.Builder
	block.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&block, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	src := NewSource(block.String())
	for _, d := range short {
		if _, err := src.Parse(d.name, Options{}); err == nil {
			t.Errorf("%s unfolds everything", d.name)
		}
	}
}
