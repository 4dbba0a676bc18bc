package catalog_test

import (
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// TestIsType has values of every type that JSON Schema names.
func TestIsType(t *testing.T) {
	for raw, types := range map[string]string{
		"1": "integer number", "1.0": "integer number", "-2e3": "integer number", "1.5": "number", "1e999": "integer number",
		`"1"`: "string", "true": "boolean", "[1]": "array", "{}": "object", "null": "null",
	} {
		n, err := catalog.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range strings.Fields("array boolean integer null number object string float") {
			if n.IsType(name) {
				got = append(got, name)
			}
		}
		if s := strings.Join(got, " "); s != types {
			t.Errorf("%s is of the types %s, want %s", raw, s, types)
		}
	}
}
