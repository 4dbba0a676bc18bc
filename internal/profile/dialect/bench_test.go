package dialect

import "testing"

const plainBlock = `name: pdf-forms
description: Fills and flattens PDF forms. Use when the user has a form to fill in or asks about form fields.
license: Apache-2.0
compatibility: Requires Python 3.11
allowed-tools: Read Bash(python3 *)
metadata:
  author: example
  version: "1.2"
argument-hint: "[file]"
disable-model-invocation: false
`

// eight are the parsers of eight clients in the first tiers.
var eight = []string{
	"bun-yaml", "serde-yaml-typed", "yaml12-core", "vscode-subset", "js-yaml4", "js-yaml3", "yaml11-libyaml", "go-yaml3-typed",
}

func BenchmarkEightClients(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		src := NewSource(plainBlock)
		for _, name := range eight {
			if _, err := src.Parse(name, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkTree(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewSource(plainBlock).parse(libyaml)
	}
}

func BenchmarkSplit(b *testing.B) {
	src := "---\n" + plainBlock + "---\n\n# PDF forms\n\nText.\n"
	f := Fence{BOM: "strip", Open: Mark{Match: "rtrim"}, Close: Mark{Match: "rtrim"}}
	b.ReportAllocs()
	for b.Loop() {
		if s, err := f.Split(src); err != nil || !s.Found {
			b.Fatal("no block")
		}
	}
}
