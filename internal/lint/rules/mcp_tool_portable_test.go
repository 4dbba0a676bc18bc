package rules

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// toolFindings lints saved answers, by server, and returns what some rules find as "rule level server/tool pointer".
func toolFindings(t *testing.T, rules string, answers map[string]string) []string {
	t.Helper()
	var offers lint.Offers
	for _, name := range []string{"docs", "wiki"} {
		src, ok := answers[name]
		if !ok {
			continue
		}
		server, err := catalog.ReadList(name, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		doc := skills.NewDocument(name+".json", filepath.FromSlash("/w/"+name+".json"), src)
		offers.Servers = append(offers.Servers, lint.Offer{Name: name, Doc: doc, Server: server})
	}
	reg := lint.NewRegistry(mcpToolRules())
	resolver, err := lint.NewResolver(reg, lint.Flags{Clients: []string{"claude-code"}, Select: strings.Fields(rules)})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, x := range lint.NewEngine(reg).Catalog(&offers, view{}, resolver.Resolve(&lint.Config{}, ".")) {
		name := x.Rule.Name[strings.IndexByte(x.Rule.Name, '/')+1:]
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s/%s %s", name, x.Severity, x.Server, x.Tool, x.Pointer)))
	}
	return out
}

func answer(tools ...string) string { return `{"tools": [` + strings.Join(tools, ", ") + `]}` }

// TestSchemasElsewhere looks at what other clients and APIs make of a schema, and at what is right and looks like it.
func TestSchemasElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		rules, schema string
		want          []string
	}{
		"required twice":             {"mcp-tool/shape mcp-tool/invalid-schema", `{"type": "object", "properties": {"a": {"description": "A"}}, "required": ["a", "a"]}`, []string{"invalid-schema error docs/look_up /inputSchema/required"}},
		"required is no list":        {"mcp-tool/shape mcp-tool/invalid-schema", `{"type": "object", "properties": {}, "required": true}`, []string{"shape error docs/look_up /inputSchema/required"}},
		"root reference":             {"mcp-tool/root-reference mcp-tool/local-reference", `{"type": "object", "$ref": "#/$defs/a", "$defs": {"a": {}}}`, []string{"root-reference info docs/look_up /inputSchema/$ref"}},
		"reference inside":           {"mcp-tool/root-reference mcp-tool/local-reference", `{"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}, "b": {"$ref": "#/$defs/a"}}, "$defs": {"a": {}}}`, []string{"local-reference hint docs/look_up /inputSchema/properties/a/$ref"}},
		"a map":                      {"mcp-tool/no-properties", `{"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}}}`, nil},
		"an object of any kind":      {"mcp-tool/no-properties", `{"type": "object", "properties": {"a": {"type": "object"}}}`, []string{"no-properties hint docs/look_up /inputSchema/properties/a"}},
		"parameter called id":        {"mcp-tool/old-keyword", `{"type": "object", "properties": {"id": {"type": "string"}, "dependencies": {"type": "array", "items": {}}}}`, nil},
		"draft 7 says so":            {"mcp-tool/old-keyword", `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {}, "dependencies": {"a": ["b"]}}`, nil},
		"draft 7 without a word":     {"mcp-tool/old-keyword", `{"type": "object", "properties": {}, "dependencies": {"a": ["b"]}, "definitions": {}}`, []string{"old-keyword info docs/look_up /inputSchema/dependencies"}},
		"look-ahead":                 {"mcp-tool/pattern", `{"type": "object", "properties": {"a": {"type": "string", "pattern": "^(?!-)[a-z]+$"}}}`, []string{"pattern info docs/look_up /inputSchema/properties/a/pattern"}},
		"no expression":              {"mcp-tool/pattern", `{"type": "object", "properties": {"a": {"type": "string", "pattern": "[a-z"}}}`, []string{"pattern warning docs/look_up /inputSchema/properties/a/pattern"}},
		"expressions of names":       {"mcp-tool/pattern", `{"type": "object", "patternProperties": {"^(": {}, "^x-": {}}}`, []string{"pattern warning docs/look_up /inputSchema/patternProperties/^("}},
		"good expressions":           {"mcp-tool/pattern", `{"type": "object", "properties": {"a": {"pattern": "^\\d{4}-\\d{2}$"}, "b": {"pattern": "\\p{Lu}+"}, "pattern": {"type": "string"}}}`, nil},
		"header in items":            {"mcp-tool/shape", `{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}}}`, []string{"shape warning docs/look_up /inputSchema/properties/a/items/x-mcp-header"}},
		"header in a property":       {"mcp-tool/shape", `{"type": "object", "properties": {"properties": {"type": "object", "properties": {"items": {"type": "string", "x-mcp-header": "A"}}}}}`, nil},
		"array or nothing":           {"mcp-tool/array-items", `{"type": "object", "properties": {"a": {"type": ["array", "null"]}, "b": {"type": ["string", "null"]}, "c": {"type": ["array", "null"], "items": {}}}}`, []string{"array-items info docs/look_up /inputSchema/properties/a"}},
		"strict":                     {"mcp-tool/openai-strict", `{"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "required": ["a"], "additionalProperties": false}`, nil},
		"not strict, three of four":  {"mcp-tool/openai-strict", `{"type": "object", "properties": {"a": {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}, "minProperties": 1}}}`, []string{"openai-strict hint docs/look_up /inputSchema"}},
		"root of branches":           {"mcp-tool/openai-strict", `{"type": "object", "anyOf": [{"properties": {}}], "additionalProperties": false}`, []string{"openai-strict hint docs/look_up /inputSchema/anyOf"}},
		"the form of Gemini":         {"mcp-tool/gemini-api", `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"type": "string", "enum": ["x"], "nullable": true}, "b": {"type": "integer", "format": "int64"}, "const": {"type": "string", "format": "date-time"}}}`, nil},
		"numbers to choose from":     {"mcp-tool/gemini-api", `{"type": "object", "properties": {"a": {"type": "integer", "enum": [1, 2]}}}`, []string{"gemini-api hint docs/look_up /inputSchema/properties/a/enum"}},
		"a fraction among integers":  {"mcp-tool/enum", `{"type": "object", "properties": {"a": {"type": "integer", "enum": [1.0, 1.5]}}}`, []string{"enum warning docs/look_up /inputSchema/properties/a/enum/1"}},
		"an empty text":              {"mcp-tool/gemini-api", `{"type": "object", "properties": {"a": {"type": "string", "enum": ["", "x"]}}}`, []string{"gemini-api hint docs/look_up /inputSchema/properties/a/enum"}},
		"a list of types":            {"mcp-tool/gemini-api", `{"type": "object", "properties": {"a": {"type": ["string", "null"]}}}`, []string{"gemini-api hint docs/look_up /inputSchema/properties/a/type"}},
		"deeper than anybody checks": {"mcp-tool/openai-strict mcp-tool/gemini-api", strings.Repeat(`{"not": `, 80) + "{}" + strings.Repeat("}", 80), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := toolFindings(t, c.rules, map[string]string{"docs": answer(fmt.Sprintf(`{"name": "look_up", "description": "Looks up a word in the manual.", "inputSchema": %s}`, c.schema))})
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// TestTextsAndLists looks at texts and at the set of tools as a whole.
func TestTextsAndLists(t *testing.T) {
	described := func(name, description string) string {
		return fmt.Sprintf(`{"name": %q, "description": %q, "inputSchema": {"type": "object", "properties": {}}}`, name, description)
	}
	wiki := answer(described("list_pages", "Lists the pages of a wiki."), described("read-only", "Reads a page of a wiki."), described("search", "Searches all pages of a wiki."))
	bare := func(description string) map[string]string {
		return map[string]string{"docs": answer(described("look_up", description)), "wiki": wiki}
	}
	expensive := func(prefix string, n int) string {
		var tools []string
		for i := range n {
			tools = append(tools, described(fmt.Sprint(prefix, i), strings.Repeat("Tells of the pages. ", 100)))
		}
		return answer(tools...)
	}
	for name, c := range map[string]struct {
		rules   string
		answers map[string]string
		want    []string
	}{
		"another's tool":        {"mcp-tool/other-server", bare("Call list_pages first, then look up the word."), []string{"other-server warning docs/look_up /description"}},
		"its full name":         {"mcp-tool/other-server", bare("Better than mcp__wiki__search for words."), []string{"other-server warning docs/look_up /description"}},
		"in quotes":             {"mcp-tool/other-server", bare("Like `read-only`, for words."), []string{"other-server warning docs/look_up /description"}},
		"the word beside it":    {"mcp-tool/other-server", bare("Like the read-only tool, for words."), []string{"other-server warning docs/look_up /description"}},
		"a plain word":          {"mcp-tool/other-server", bare("A read-only search for words in the list of pages."), nil},
		"its own":               {"mcp-tool/other-server", map[string]string{"docs": answer(described("list_pages", "Lists."), described("look_up", "See list_pages.")), "wiki": wiki}, nil},
		"its own, full":         {"mcp-tool/other-server", bare("Known as mcp__docs__search to some."), nil},
		"alone":                 {"mcp-tool/other-server", map[string]string{"docs": answer(described("look_up", "Call list_pages first."))}, nil},
		"instructions":          {"mcp-tool/other-server", map[string]string{"docs": `{"initialize": {"protocolVersion": "2025-11-25", "instructions": "Never use list_pages."}, "tools": []}`, "wiki": wiki}, []string{"other-server warning docs/"}},
		"repeats the name":      {"mcp-tool/description-short", map[string]string{"docs": answer(described("look_up", "Look-up."))}, []string{"description-short hint docs/look_up /description"}},
		"short":                 {"mcp-tool/description-short", map[string]string{"docs": answer(described("look_up", "Finds a word"))}, []string{"description-short hint docs/look_up /description"}},
		"short in few letters":  {"mcp-tool/description-short", map[string]string{"docs": answer(described("look_up", "手册の単語を検索して、そのページの番号を返します。"))}, nil},
		"a name clients have":   {"mcp-server/same-tool", map[string]string{"docs": answer(described("read_file", "Reads.")), "wiki": answer(described("read_file", "Reads."))}, []string{"same-tool warning wiki/read_file /name"}},
		"a name of theirs":      {"mcp-server/same-tool", map[string]string{"docs": answer(described("read_page", "Reads.")), "wiki": answer(described("read_page", "Reads."))}, []string{"same-tool info wiki/read_page /name"}},
		"icons":                 {"mcp-tool/icons mcp-tool/shape", map[string]string{"docs": answer(`{"name": "a", "icons": [{"src": "HTTPS://x.example/i.png"}, {"src": "data:image/png;base64,AA=="}, {"src": "http://x.example/i.png"}], "inputSchema": {"type": "object"}}`)}, []string{"icons warning docs/a /icons/2/src"}},
		"result of old server":  {"mcp-tool/output-schema", map[string]string{"docs": `{"initialize": {"protocolVersion": "2025-03-26"}, "tools": [{"name": "a", "outputSchema": {"type": "object"}, "inputSchema": {"type": "object"}}]}`}, []string{"output-schema hint docs/a /outputSchema"}},
		"result of newer":       {"mcp-tool/output-schema", map[string]string{"docs": `{"initialize": {"protocolVersion": "2025-06-18"}, "tools": [{"name": "a", "outputSchema": {"type": "object"}, "inputSchema": {"type": "object"}}]}`}, nil},
		"declared, none":        {"mcp-server/empty", map[string]string{"docs": `{"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}, "tools": []}`}, []string{"empty warning docs/"}},
		"only prompts":          {"mcp-server/empty", map[string]string{"docs": `{"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"prompts": {}}}, "tools": []}`}, nil},
		"costly together":       {"mcp-server", map[string]string{"docs": expensive("a", 18), "wiki": expensive("b", 24)}, []string{"tokens info wiki/", "total-tokens info wiki/"}},
		"costly alone":          {"mcp-server", map[string]string{"docs": expensive("a", 50)}, []string{"tokens info docs/"}},
		"costly, but in bounds": {"mcp-server", map[string]string{"docs": expensive("a", 15), "wiki": expensive("b", 15)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := toolFindings(t, c.rules, c.answers); !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}
