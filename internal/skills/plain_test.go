package skills

import (
	"reflect"
	"testing"

	"github.com/skill-ls/skill-ls/internal/plainyaml"
	"github.com/skill-ls/skill-ls/internal/text"
)

// FuzzPlainFields holds the fields that are read without a parser against those of the parser.
func FuzzPlainFields(f *testing.F) {
	f.Add("name: demo\ndescription: Renames photos, e.g. a:b or a#b. Use when x - y.\n")
	f.Add("name: x\nmetadata:\n  a: b\n  c: \"1.2\"\nlist:\n  - x y\n  - 'z'\nlicense: MIT")
	f.Add("name: résumé\ntags:\n  - \"é\"\n  - 日本\nb: 'ü: x'\n")
	f.Fuzz(func(t *testing.T, front string) {
		src := "---\n" + front + "---\nbody\n"
		span := text.Span{Start: len("---\n"), End: len("---\n") + len(front)}
		var plain []Field
		if !plainyaml.Read(front, func(entries []plainyaml.Entry) { plain = plainFields(src, span, entries) }) {
			return
		}
		root, err := unmarshal(front)
		if err != nil {
			t.Fatalf("%q: %v", front, err)
		}
		parsed := newPlaces(src, span).fields(root)
		if !reflect.DeepEqual(plain, parsed) {
			t.Fatalf("%q:\nread   %+v\nparsed %+v", front, plain, parsed)
		}
	})
}
