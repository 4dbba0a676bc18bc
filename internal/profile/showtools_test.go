package profile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// seenTool is what a real client was seen to make of a tool.
type seenTool struct {
	Listed      bool    `json:"listed"`
	Name        string  `json:"name"`
	Description *string `json:"description"`
	Schema      any     `json:"input_schema"`
	Lost        *bool   `json:"whole_server_dropped"`
	Beside      string  `json:"asked_beside"`
}

// TestRecordedTools holds what the profiles make of the tools of one server against what clients were seen to send.
func TestRecordedTools(t *testing.T) {
	dir := os.Getenv("SKILLLINT_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	data, err := os.ReadFile(filepath.Join(dir, "oracle", "mcp", "server-tools.json"))
	if err != nil {
		t.Skip("no recordings of real clients beside the repository: ", err)
	}
	server, err := catalog.ReadList("nasty", data)
	must(t, err)
	files, err := filepath.Glob(filepath.Join(dir, "oracle", "mcp", "observed", "*.json"))
	must(t, err)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) { compareTools(t, file, server) })
	}
}

func compareTools(t *testing.T, file string, server *catalog.Server) {
	var seen struct {
		Client, Version string
		Tools           map[string]seenTool
	}
	data, err := os.ReadFile(file)
	must(t, err)
	must(t, json.Unmarshal(data, &seen))
	p, err := profile.Find(seen.Client)
	must(t, err)
	if p.Version != seen.Version {
		p, err = profile.Find(seen.Client + "@" + seen.Version)
		must(t, err)
	}
	together, beside := &catalog.Server{Name: server.Name}, 0
	for _, tool := range server.Tools {
		if s := seen.Tools[tool.Name()]; s.Beside == "" {
			together.Tools = append(together.Tools, tool)
		} else {
			compareBeside(t, p, server, tool, s)
			beside++
		}
	}
	shown := map[string]profile.ShownTool{}
	for _, s := range p.ShowTools([]*catalog.Server{together}) {
		if have, ok := shown[s.Tool.Name()]; !ok || !have.Listed {
			shown[s.Tool.Name()] = s
		}
	}
	for name, got := range shown {
		want, recorded := seen.Tools[name]
		if !recorded {
			t.Errorf("%s: nobody has recorded what becomes of it", name)
		}
		compareTool(t, name, got, want)
	}
	// Those that may take the whole server down were offered beside one plain tool, and the recordings have no name nor
	// schema of them.
	t.Logf("%d tools compared, of %d more only whether they and the server are listed", len(shown), beside)
	if len(shown)+beside != len(seen.Tools) {
		t.Errorf("%d tools were recorded", len(seen.Tools))
	}
}

// compareBeside looks at a tool that was offered beside one other tool only, for it may take others down.
func compareBeside(t *testing.T, p *profile.Profile, server *catalog.Server, tool catalog.Tool, want seenTool) {
	t.Helper()
	plain, _ := server.Tool("t01_plain")
	pair := p.ShowTools([]*catalog.Server{{Name: server.Name, Tools: []catalog.Tool{plain, tool}}})
	if pair[1].Listed != want.Listed {
		t.Errorf("%s: listed: %v, want %v", tool.Name(), pair[1].Listed, want.Listed)
	}
	if want.Lost != nil && pair[0].Listed == *want.Lost {
		t.Errorf("beside %s the whole server is lost: %v, want %v", tool.Name(), !pair[0].Listed, *want.Lost)
	}
}

func compareTool(t *testing.T, name string, got profile.ShownTool, want seenTool) {
	t.Helper()
	if got.Listed != want.Listed {
		t.Errorf("%s: listed: %v (%s), want %v", name, got.Listed, got.Reason, want.Listed)
	}
	if !got.Listed || !want.Listed {
		return
	}
	if got.Name.Name != want.Name {
		t.Errorf("%s: shown as %q, want %q", name, got.Name.Name, want.Name)
	}
	if want.Description != nil && got.Description != *want.Description {
		t.Errorf("%s: description %q, want %q", name, got.Description, *want.Description)
	}
	var schema any
	if err := json.Unmarshal([]byte(got.Schema()), &schema); err != nil || !reflect.DeepEqual(schema, want.Schema) {
		wanted, _ := json.Marshal(want.Schema)
		t.Errorf("%s: schema\n%s, want\n%s", name, got.Schema(), wanted)
	}
}
