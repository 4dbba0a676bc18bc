package profile_test

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// TestToolSchemas holds what clients were seen to send of schemas that were written for this.
func TestToolSchemas(t *testing.T) {
	type sent struct {
		Schema      any
		Description string
	}
	var recorded struct {
		Clients map[string]string // versions
		Rows    []struct {
			Schema json.RawMessage
			Sent   map[string]sent // nothing for a client that sends schema and description as they are
		}
	}
	readJSON(t, filepath.Join("testdata", "toolschemas.json"), &recorded)
	for client, version := range recorded.Clients {
		p, err := profile.Find(client + "@" + version)
		must(t, err)
		for _, row := range recorded.Rows {
			n, err := catalog.Parse(`{"name": "t", "description": "D.", "inputSchema": ` + string(row.Schema) + `}`)
			must(t, err)
			shown := p.ShowTools([]*catalog.Server{{Name: "s", Tools: []catalog.Tool{{Node: n}}}})[0]
			want := row.Sent[client]
			if want.Schema == nil {
				must(t, json.Unmarshal(row.Schema, &want.Schema))
			}
			if want.Description == "" {
				want.Description = "D."
			}
			got := sent{Description: shown.Description}
			must(t, json.Unmarshal([]byte(shown.Schema()), &got.Schema))
			if properties, ok := got.Schema.(map[string]any)["properties"].(map[string]any); ok {
				delete(properties, "wait_for_previous") // Gemini CLI's own, whose text is not recorded
			}
			if !shown.Listed || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s\ngot  %v %v\nwant %v", p.ID(), row.Schema, shown.Listed, got, want)
			}
		}
	}
}
