package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// recordings are those that the importer is tested with.
const recordings = "../../internal/agentsim/recording/testdata"

const docsTools = `{"tools": [
 {"name": "search_manual", "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}},
 {"name": "convert", "inputSchema": {"type": "object", "properties": {"unit": {"enum": ["celsius"]}}, "required": ["unit"]}}
]}`

// TestReplaySchemas holds that what replay prints and writes follows its schemas, as do the examples in them.
func TestReplaySchemas(t *testing.T) {
	report, calls := schema(t, "replay.schema.json"), schema(t, "calls.schema.json")
	for _, name := range []string{"replay.schema.json", "calls.schema.json"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "schemas", name))
		if err != nil {
			t.Fatal(err)
		}
		var s struct{ Examples []json.RawMessage }
		if err := json.Unmarshal(data, &s); err != nil || len(s.Examples) == 0 {
			t.Fatalf("%s: no example (%v)", name, err)
		}
		for _, e := range s.Examples {
			follows(t, schema(t, name), e)
		}
	}
	dir := t.TempDir()
	tools, export := filepath.Join(dir, "docs.json"), filepath.Join(dir, "calls.jsonl")
	if err := os.WriteFile(tools, []byte(docsTools), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, all := range []string{"--all", "--all=false"} {
		var out, errOut bytes.Buffer
		args := []string{"replay", "--no-config", "--workspace", dir, "--tools", "docs=" + tools, "--export", export, "--format", "json", "--fail-on", "never", all, recordings}
		if status := run(args, strings.NewReader(""), &out, &errOut); status != 0 {
			t.Fatalf("status %d: %s", status, errOut.String())
		}
		follows(t, report, out.Bytes())
		lines, err := os.ReadFile(export)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(lines) {
			follows(t, calls, line)
		}
		var got struct {
			Recordings []any
			Calls      []any
			Summary    struct{ Calls int }
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if written := bytes.Count(lines, []byte("\n")); len(got.Recordings) < 10 || got.Summary.Calls != written || all == "--all" && len(got.Calls) != written {
			t.Errorf("%d recordings, %d calls, %d listed, %d written", len(got.Recordings), got.Summary.Calls, len(got.Calls), written)
		}
	}
}

func follows(t *testing.T, s *jsonschema.Schema, data []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(value); err != nil {
		t.Errorf("%v in\n%s", err, data)
	}
}
