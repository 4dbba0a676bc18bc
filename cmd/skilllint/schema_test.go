package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/ask"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
)

func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "schemas", name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The schema takes a configuration when the program does. It does not know the names of rules and clients.
func TestConfigSchemaAgrees(t *testing.T) {
	s := schema(t, "skilllint.schema.json")
	for src, valid := range map[string]bool{
		"":                                    true,
		"# nothing yet\n":                     true,
		"rules: {yaml: error, all: off}":      true,
		"rules: {name/folder: {level: info}}": true,
		"rules: {description/too-long: {max: 900}}":           true,
		"clients: [pi, claude-code]\nexclude: ['**/old', x/]": true,
		"baseline: b.json\nprobe: trusted\n$schema: x":        true,
		"probe: off": true,
		"overrides: [{files: [a], rules: {yaml: hint}, clients: [pi]}]": true,
		"{\"rules\": {\"yaml/syntax\": \"warning\"}}":                   true,
		"rules: []":                                false,
		"rules: {yaml: fatal}":                     false,
		"rules: {yaml: {level: fatal}}":            false,
		"rules: {description/too-long: {max: -1}}": false,
		"rules: {description/too-long: {max: x}}":  false,
		"clients: pi":                              false,
		"exclude: {a: b}":                          false,
		"baseline: [x]":                            false,
		"probe: always":                            false,
		"unknown: 1":                               false,
		"overrides: [{rules: {}}]":                 false,
		"overrides: [{files: []}]":                 false,
		"overrides: [{files: [a], x: 1}]":          false,
		"- a list":                                 false,
	} {
		_, err := lint.ParseConfig("x", src, rules.Registry(), ask.KnownClient)
		agree(t, s, src, err, valid)
	}
}

// agree holds what the program says of a text in YAML, an error or nil, and what its schema says against what is right.
func agree(t *testing.T, s *jsonschema.Schema, src string, err error, valid bool) {
	t.Helper()
	if (err == nil) != valid {
		t.Errorf("%q: the program says %v, want valid %v", src, err, valid)
	}
	var value any
	if err := yaml.Unmarshal([]byte(src), &value); err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(value); (err == nil) != valid {
		t.Errorf("%q: the schema says %v, want valid %v", src, err, valid)
	}
}

func TestBaselineFollowsItsSchema(t *testing.T) {
	s := schema(t, "baseline.schema.json")
	t.Chdir(t.TempDir())
	var errOut bytes.Buffer
	in := strings.NewReader("---\nname: x\ndescription: a: b\n---\n")
	if status := run([]string{"--stdin", "--stdin-filename", "y/SKILL.md", "--write-baseline", "b.json"}, in, &errOut, &errOut); status != 0 {
		t.Fatalf("status %d: %s", status, errOut.String())
	}
	data, err := os.ReadFile("b.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(value); err != nil || !bytes.Contains(data, []byte("yaml/unquoted-colon")) {
		t.Errorf("%v in\n%s", err, data)
	}
}
