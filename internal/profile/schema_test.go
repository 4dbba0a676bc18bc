package profile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/profile"
)

func profileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "..", "schemas", "profile.schema.json"))
	must(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
	must(t, err)
	c := jsonschema.NewCompiler()
	must(t, c.AddResource("profile.schema.json", doc))
	s, err := c.Compile("profile.schema.json")
	must(t, err)
	return s
}

// TestSchema validates every client file.
func TestSchema(t *testing.T) {
	schema := profileSchema(t)
	files, err := filepath.Glob(filepath.Join("clients", "*.yaml"))
	must(t, err)
	files = append(files, filepath.Join("testdata", "newcomer.yaml"))
	for _, file := range files {
		src, err := os.ReadFile(file)
		must(t, err)
		if err := schema.Validate(asJSON(t, src)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		versions, err := profile.Load(src)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if want := filepath.Base(file); versions[0].Name+".yaml" != want {
			t.Errorf("%s holds the client %s", want, versions[0].Name)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	schema := profileSchema(t)
	src, err := os.ReadFile(filepath.Join("testdata", "newcomer.yaml"))
	must(t, err)
	for _, bad := range []string{"surprise: 1\n", "kind: robot\n", "evidence: {level: rumour, date: \"2026-01-01\"}\n"} {
		doc := asJSON(t, src).(map[string]any)
		for k, v := range asJSON(t, []byte(bad)).(map[string]any) {
			doc[k] = v
		}
		if schema.Validate(doc) == nil {
			t.Errorf("accepted with %s", bad)
		}
	}
}

func asJSON(t *testing.T, src []byte) any {
	t.Helper()
	var v any
	must(t, yaml.Unmarshal(src, &v))
	b, err := json.Marshal(v)
	must(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	must(t, err)
	return doc
}

// TestNewClient plays a client that is nothing but a file.
func TestNewClient(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "newcomer.yaml"))
	must(t, err)
	versions, err := profile.Load(src)
	must(t, err)
	w := workspace(map[string]string{
		".newcomer/skills/one/SKILL.md": skill("name: one", "description: First <one>."),
		".newcomer/skills/two/SKILL.md": skill("name: two", "description: A description far too long."),
		".newcomer/skills/odd/SKILL.md": skill("name: even", "description: Other name."),
	})
	newest, older := versions[0].Play(w), versions[1].Play(w)
	if want := "<one|First &lt;one&gt;.>\n<two|A description fa…>"; newest.Listing != want {
		t.Errorf("newest: got %q, want %q", newest.Listing, want)
	}
	if want := "<odd|Other name.>\n<one|First &lt;one&gt;.>\n<two|A description fa…>"; older.Listing != want {
		t.Errorf("older: got %q, want %q", older.Listing, want)
	}
	odd := newest.Skills[2]
	if got := fmt.Sprint(odd.Status, odd.Stage, odd.Check); got != "droppedcheckname-folder" {
		t.Errorf("odd: got %s: %s", got, odd.Reason)
	}
}
