package rules

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// serverFindings returns what is found of a server with these tools, in a configuration whose entry has these keys
// too, as "rule level at text".
func serverFindings(t *testing.T, place, keys, tools string, clients []string, set func(*lint.Offer)) []string {
	t.Helper()
	src := `{"mcpServers": {"docs": {"command": "docs-mcp"` + keys + `}}}`
	f := mcpconfig.Parse(skills.NewDocument(place, "/w/"+place, src), mcpconfig.Place{})
	server, err := catalog.ReadList("docs", []byte(`{"tools": [`+tools+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	offer := lint.Offer{Name: "docs", Entry: f.Servers[0], Server: server}
	if set != nil {
		set(&offer)
	}
	reg := lint.NewRegistry(mcpToolRules())
	resolver, err := lint.NewResolver(reg, lint.Flags{Clients: clients})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	offers := &lint.Offers{Config: f, Servers: []lint.Offer{offer}}
	for _, x := range lint.NewEngine(reg).Catalog(offers, view{}, resolver.Resolve(&lint.Config{}, ".")) {
		out = append(out, fmt.Sprintf("%s %s at %s", strings.TrimPrefix(strings.TrimPrefix(x.Rule.Name, "mcp-"), "server/"), x.Severity, x.Span.In(src)))
	}
	return out
}

var oneTool = toolExample("search_manual", goodSchema)

func problem(kind string, level lint.Severity, failed bool) func(*lint.Offer) {
	return func(o *lint.Offer) {
		o.Problems = []lint.Problem{{Kind: kind, Severity: level, Message: "is odd"}}
		if failed {
			o.Server = nil
		}
	}
}

func TestServers(t *testing.T) {
	many := strings.Repeat(oneTool+",", 89) + oneTool
	for i := range 90 {
		many = strings.Replace(many, `"search_manual"`, fmt.Sprintf(`"search_%d"`, i), 1)
	}
	for name, c := range map[string]struct {
		place, keys, tools string
		clients            []string
		set                func(*lint.Offer)
		want               []string
	}{
		"nothing wrong":         {".mcp.json", "", oneTool, nil, nil, nil},
		"failed":                {".mcp.json", "", oneTool, nil, problem("no-answer", lint.Error, true), []string{`no-tools error at "docs"`}},
		"no such program":       {".mcp.json", "", oneTool, nil, problem("cannot-start", lint.Error, true), []string{`no-tools error at "docs-mcp"`}},
		"a login":               {".mcp.json", "", oneTool, nil, problem("sign-in", lint.Info, true), []string{`not-probed info at "docs"`}},
		"nobody agreed":         {".mcp.json", "", oneTool, nil, problem("no-consent", lint.Info, true), []string{`not-probed info at "docs"`}},
		"noise":                 {".mcp.json", "", oneTool, nil, problem("stdout-noise", lint.Warning, false), []string{`protocol warning at "docs"`}},
		"a tool of no shape":    {".mcp.json", "", oneTool, nil, problem("malformed-tool", lint.Error, false), nil},
		"unknown version":       {".mcp.json", "", oneTool, nil, problem("unknown-version", lint.Error, false), []string{`protocol error at "docs"`}},
		"off that is not":       {".cursor/mcp.json", `, "disabledTools": ["search_manul", "search_*"]`, oneTool, nil, nil, []string{`tool-lists warning at "search_manul"`}},
		"80 for Cursor":         {".cursor/mcp.json", "", many, nil, nil, []string{`too-many-tools warning at "docs"`}},
		"128 for the others":    {".mcp.json", "", many, nil, nil, nil},
		"more than 128":         {".mcp.json", "", many + "," + strings.ReplaceAll(many, "search_", "find_"), nil, nil, []string{`too-many-tools info at "docs"`}},
		"cut by Copilot":        {".mcp.json", "", toolExample(strings.Repeat("search_", 9)+"x", goodSchema), nil, nil, []string{`mcp-tool/name-length warning at "docs"`}},
		"cut by others":         {".mcp.json", "", toolExample(strings.Repeat("search_", 9)+"x", goodSchema), []string{"claude-code"}, nil, []string{`mcp-tool/name-length info at "docs"`}},
		"no type for Codex":     {".mcp.json", "", toolExample("a_b", `{"properties": {}}`), []string{"codex"}, nil, []string{`mcp-tool/shape error at "docs"`}},
		"header over stdio":     {".mcp.json", "", toolExample("a_b", `{"type": "object", "properties": {"a": {"type": "number", "description": "A", "x-mcp-header": "A"}}}`), nil, nil, []string{`mcp-tool/shape warning at "docs"`}},
		"old array, Claude":     {".mcp.json", "", toolExample("a_b", `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"type": "array", "description": "A", "items": [{"type": "string"}]}}}`), []string{"claude-code"}, nil, []string{`mcp-tool/dialect hint at "docs"`, `mcp-tool/invalid-schema warning at "docs"`}},
		"old array, AgentScope": {".mcp.json", "", toolExample("a_b", `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"type": "array", "description": "A", "items": [{"type": "string"}]}}}`), []string{"agentscope-2"}, nil, []string{`mcp-tool/dialect hint at "docs"`, `mcp-tool/invalid-schema info at "docs"`}},
	} {
		t.Run(name, func(t *testing.T) {
			got := serverFindings(t, c.place, c.keys, c.tools, c.clients, c.set)
			for i := range got {
				got[i] = strings.Replace(got[i], "tool/", "mcp-tool/", 1)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// TestRecordedServers holds that nothing is found wrong with servers in use. They are written in draft 7 of JSON Schema,
// as a hint says.
func TestRecordedServers(t *testing.T) {
	files := recordedServers(t)
	for name, data := range files {
		list := string(data)
		server, err := catalog.ReadList(name, []byte(list))
		if err != nil {
			t.Fatal(err)
		}
		var tools []string
		for _, tool := range server.Tools {
			tools = append(tools, tool.Raw())
		}
		for _, f := range serverFindings(t, ".mcp.json", "", strings.Join(tools, ","), nil, nil) {
			if f != `tool/task-only info at "docs"` && f != `tool/dialect hint at "docs"` {
				t.Errorf("%s: found %s", name, f)
			}
		}
	}
}

// TestRecordedFindings holds all that any rule says of servers in use, hints and what is judged for other APIs and clients
// included: a person has read each of these findings and found it right. Their texts are not ours to keep.
func TestRecordedFindings(t *testing.T) {
	var archive strings.Builder
	for name, data := range recordedServers(t) {
		fmt.Fprintf(&archive, "-- %s.tools.json --\n%s\n", name, data)
	}
	tools, count := map[string][]string{}, map[string]int{}
	for _, f := range lintTree(t, tree(t, archive.String()), []string{"all"}, apiRules...) {
		key := fmt.Sprintf("%s %s %s", f.Server, f.Rule.Name, f.Severity)
		count[key]++
		if !slices.Contains(tools[key], f.Tool) {
			tools[key] = append(tools[key], f.Tool)
		}
	}
	var got strings.Builder
	for _, key := range slices.Sorted(maps.Keys(tools)) {
		slices.Sort(tools[key])
		fmt.Fprintf(&got, "%s %d: %s\n", key, count[key], strings.Join(tools[key], " "))
	}
	want, err := os.ReadFile(filepath.Join("testdata", "mcp", "servers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("found\n%swant\n%s", got.String(), want)
	}
}
