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

// manyTools is a server of n tools that nothing is wrong with.
func manyTools(tb testing.TB, n int) *lint.Offers {
	tb.Helper()
	var b strings.Builder
	b.WriteString(`{"tools": [`)
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"name": "tool_%d", "description": "Does thing %d.", "annotations": {}, "inputSchema": {"type": "object", "properties": {`, i, i)
		for j := range 6 {
			fmt.Fprintf(&b, `"p%d": {"type": "string", "description": "Parameter %d", "default": "x"},`, j, j)
		}
		b.WriteString(`"last": {"type": "array", "items": {"type": "integer", "minimum": 0}}}, "required": ["last"]}}`)
	}
	b.WriteString("]}")
	server, err := catalog.ReadList("many", []byte(b.String()))
	if err != nil {
		tb.Fatal(err)
	}
	doc := skills.NewDocument("many.json", filepath.FromSlash("/w/many.json"), b.String())
	return &lint.Offers{Servers: []lint.Offer{{Name: "many", Doc: doc, Server: server}}}
}

func BenchmarkTools2000(b *testing.B) {
	engine, set := allRules(b)
	o := manyTools(b, 2000)
	b.ResetTimer()
	for b.Loop() {
		engine.Catalog(o, view{}, set)
	}
}

// TestManyTools holds that a large set of good tools brings the findings about its size and no others.
func TestManyTools(t *testing.T) {
	engine, set := allRules(t)
	var got []string
	for _, f := range engine.Catalog(manyTools(t, 300), view{}, set) {
		got = append(got, f.Rule.Name)
	}
	slices.Sort(got)
	if want := []string{"mcp-server/tokens", "mcp-server/too-many-tools", "mcp-tool/lost-keywords"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// FuzzTools looks at any answer of a server, with all rules: none may panic, and every finding lies inside the text.
func FuzzTools(f *testing.F) {
	for _, rule := range mcpToolRules() {
		if _, list, ok := strings.Cut(rule.Page.Bad, "-- docs.tools.json --\n"); ok {
			f.Add(list)
		}
	}
	f.Add(`[null, 1, {"name": 1}, {"name": "a", "inputSchema": {"properties": {"a": null, "b": [1]}, "required": [1], "items": [], "anyOf": {}}, "_meta": 1}]`)
	f.Add(`[{"name": "a", "inputSchema": {"type": ["object"], "enum": [[{}]], "default": {"$ref": "#"}, "$ref": "#", "properties": {"": {"$ref": "#/properties/"}}}}]`)
	reg := Registry()
	engine := lint.NewEngine(reg)
	resolver, err := lint.NewResolver(reg, lint.Flags{Select: []string{"all"}})
	if err != nil {
		f.Fatal(err)
	}
	set := resolver.Resolve(&lint.Config{}, ".")
	f.Fuzz(func(t *testing.T, src string) {
		server, err := catalog.ReadList("fuzz", []byte(src))
		if err != nil {
			return
		}
		doc := skills.NewDocument("fuzz.json", filepath.FromSlash("/w/fuzz.json"), src)
		for _, x := range engine.Catalog(&lint.Offers{Servers: []lint.Offer{{Name: "fuzz", Doc: doc, Server: server}}}, view{}, set) {
			if x.Span.Start < 0 || x.Span.Start > x.Span.End || x.Span.End > len(src) {
				t.Fatalf("%s lies at %v of %d bytes", x.Rule.Name, x.Span, len(src))
			}
		}
	})
}

// TestDepth nests schemas deeper than strict mode takes, and deeper than anybody checks.
func TestDepth(t *testing.T) {
	for levels, want := range map[int][]string{
		10: nil,
		11: {"depth info docs/look_up /inputSchema" + strings.Repeat("/properties/a", 11)},
		70: {"depth error docs/look_up /inputSchema"},
	} {
		schema := strings.Repeat(`{"type": "object", "properties": {"a": `, levels) + `{"type": "string"}` + strings.Repeat("}}", levels)
		got := toolFindings(t, "mcp-tool/depth", map[string]string{"docs": answer(`{"name": "look_up", "inputSchema": ` + schema + `}`)})
		if !slices.Equal(got, want) {
			t.Errorf("%d levels: found %q, want %q", levels, got, want)
		}
	}
}

// TestEveryLossIsTold holds that a tool which a client leaves out, alone or with its whole server, has a finding that names
// the client.
func TestEveryLossIsTold(t *testing.T) {
	schemas := map[string]string{
		"shape":            `{"type": "string"}`,
		"property-boolean": `{"type": "object", "properties": {"a": true}}`,
		"property-kind":    `{"type": "object", "properties": {"a": "string"}}`,
		"property-key":     `{"type": "object", "properties": {"$a": {"type": "string"}}}`,
		"root-combinator":  `{"type": "object", "anyOf": [{"properties": {}}]}`,
		"tuple":            `{"type": "object", "properties": {"a": {"type": "array", "items": [{"type": "string"}]}}}`,
		"invalid":          `{"type": "object", "properties": {"a": {"type": "string", "minLength": -1}}}`,
		"unknown-type":     `{"type": "object", "properties": {"a": {"type": "text"}}}`,
	}
	reg := lint.NewRegistry(mcpToolRules())
	for _, c := range toolClients() {
		for _, trait := range slices.Concat(c.Schema.ServerLost, c.Schema.ToolLost) {
			server, err := catalog.ReadList("docs", []byte(answer(`{"name": "look_up", "description": "Looks up a word in the manual.", "inputSchema": `+schemas[trait]+`}`)))
			if err != nil {
				t.Fatal(err)
			}
			if shown := c.ShowTools([]*catalog.Server{server}); shown[0].Listed {
				t.Errorf("%s lists the tool with the trait %s", c.ID(), trait)
			}
			resolver, err := lint.NewResolver(reg, lint.Flags{Clients: []string{c.ID()}})
			if err != nil {
				t.Fatal(err)
			}
			findings := lint.NewEngine(reg).Catalog(&lint.Offers{Servers: []lint.Offer{{Name: "docs", Server: server}}}, view{}, resolver.Resolve(&lint.Config{}, "."))
			if !slices.ContainsFunc(findings, func(f lint.Finding) bool { return f.Severity >= lint.Warning && slices.Contains(f.Clients, c.ID()) }) {
				t.Errorf("%s leaves out a tool for the trait %s, and nothing says so: %q", c.ID(), trait, names(findings))
			}
		}
	}
}
