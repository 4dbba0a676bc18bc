package plainyaml

import (
	"testing"

	"go.yaml.in/yaml/v4"
)

func TestRead(t *testing.T) {
	for block, plain := range map[string]bool{
		"name: demo\ndescription: Renames photos, e.g. a:b or a#b.\n": true,
		"a: 'b'\nc: \"1.2\"\nd:\n  - x\n  - y z\ne:\n  f: g\n":        true,
		"a: é\nb: 日本 🚀\n":                                             true,
		"a: b":                                                        true, // no line break at the end

		"":                     false,
		"a:\n":                 false,
		"a: b\na: c\n":         false, // parsers differ on which counts
		"a:\n  b: c\n  b: d\n": false,
		"a: yes\n":             false,
		"a: Null\n":            false,
		"no: a\n":              false,
		"a: 12\n":              false,
		"a: b: c\n":            false,
		"a: b #c\n":            false,
		"a: b:\n":              false,
		"a: \"b\\n\"\n":        false,
		"a: b\\ud83d\n":        false,
		"a: 'it''s'\n":         false,
		"a: [b]\n":             false,
		"a: b\n\nc: d\n":       false,
		"a: b\r\n":             false,
		"a: b\u00a0\n":         false,
		"a: b\u2028c\n":        false,
		"a: b\xff\n":           false,
		"a:\n  - b\n  c: d\n":  false,
		"a: b\n  c: d\n":       false,
		"a:\n    b: c\n":       false,
		"a: b ---\n":           false,
		"\"a\": b\n":           false,
	} {
		if got := Read(block, func([]Entry) {}); got != plain {
			t.Errorf("Read(%q): plain is %t, want %t", block, got, plain)
		}
	}
}

// FuzzTree holds the tree that is built without a parser against the parser's.
func FuzzTree(f *testing.F) {
	f.Add("name: demo\ndescription: Renames photos, e.g. a:b or a#b. Use when x - y.\n")
	f.Add("name: x\nmetadata:\n  a: b\n  c: \"1.2\"\nlist:\n  - x y\n  - 'z'\nlicense: MIT")
	f.Add("a-b: Null\nc_d: http://x.y/z?a=b&c=[1]{2} \"q\" 'r' *s* !t | u > v % w @ x `y`\n")
	f.Add("name: résumé\ndescription: “Übersetzt” — 文档 🚀 ok\ntags:\n  - \"é\"\n  - 日本\n")
	f.Fuzz(func(t *testing.T, block string) {
		root := Tree(block)
		if root == nil {
			return
		}
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(block), &doc); err != nil {
			t.Fatalf("%q: %v", block, err)
		}
		same(t, block, root, doc.Content[0])
	})
}

func same(t *testing.T, block string, a, b *yaml.Node) {
	t.Helper()
	if a.Kind != b.Kind || a.Value != b.Value || a.Style != b.Style || a.Line != b.Line || a.Column != b.Column ||
		a.ShortTag() != b.ShortTag() || len(a.Content) != len(b.Content) {
		t.Fatalf("%q: built %+v, parsed %+v", block, a, b)
	}
	for i := range a.Content {
		same(t, block, a.Content[i], b.Content[i])
	}
}
