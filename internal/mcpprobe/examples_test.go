package mcpprobe

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// TestSchemaExamples has the program take the examples of the schemas.
func TestSchemaExamples(t *testing.T) {
	for name, read := range map[string]func(file string, raw []byte) error{
		"probe":          func(string, []byte) error { return nil }, // nobody reads it back
		"mcp-tools.lock": func(_ string, raw []byte) error { _, err := catalog.Decode(raw); return err },
		"consent":        func(file string, _ []byte) error { _, err := LoadConsents(file); return err },
	} {
		var schema struct{ Examples []json.RawMessage }
		readJSON(t, filepath.Join("..", "..", "schemas", name+".schema.json"), &schema)
		if len(schema.Examples) == 0 {
			t.Errorf("%s has no examples", name)
		}
		for _, example := range schema.Examples {
			file := filepath.Join(t.TempDir(), name+".json")
			if err := os.WriteFile(file, example, 0o600); err != nil {
				t.Fatal(err)
			}
			checkSchema(t, name+".schema.json", file)
			if err := read(file, example); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
