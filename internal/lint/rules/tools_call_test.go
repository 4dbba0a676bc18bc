package rules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/racetest"
)

const (
	callTools = `-- files.tools.json --
{"tools": [
  {"name": "read_text", "description": "Reads a file.", "annotations": {}, "inputSchema": {"type": "object", "properties": {
    "path": {"type": "string", "description": "Path"}, "head": {"type": "integer", "description": "Lines"},
    "mode": {"type": "string", "enum": ["raw", "plain"], "description": "How"}}, "required": ["path"], "additionalProperties": false}},
  {"name": "move_file", "description": "Moves a file.", "annotations": {}, "inputSchema": {"type": "object", "properties": {
    "from": {"type": "string", "description": "From"}, "to": {"type": "string", "description": "To"}}, "required": ["from", "to"]}},
  {"name": "search", "description": "Searches in files.", "annotations": {}, "inputSchema": {"type": "object", "properties": {}}}
]}
-- graph.tools.json --
{"tools": [{"name": "open_nodes", "description": "Opens nodes.", "annotations": {}, "inputSchema": {"type": "object", "properties": {
  "names": {"type": "array", "items": {"type": "string"}, "description": "Names"}}, "required": ["names"]}}]}
`
	callSkill = "-- .claude/skills/demo/SKILL.md --\n---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n"
)

// callFindings lints a skill with the tools of two servers and returns what the rules about calls find: the rule and
// the text it lies on.
func callFindings(t *testing.T, front, body string) []string {
	t.Helper()
	dir := tree(t, callTools+callSkill+front+"---\n\n# Steps\n\n"+body+"\n")
	src, err := os.ReadFile(filepath.Join(dir, ".claude", "skills", "demo", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range lintTree(t, dir, []string{"claude-code"}) {
		if slices.ContainsFunc(toolCallRules(), func(r *lint.Rule) bool { return r.Name == f.Rule.Name }) {
			out = append(out, strings.TrimPrefix(f.Rule.Name, "tools/")+" "+f.Span.In(string(src)))
		}
	}
	return out
}

func TestCalls(t *testing.T) {
	for body, want := range map[string][]string{
		"Call mcp__files__read_txt now.":                                                                       {"unknown-tool read_txt"},
		"Call `mcp__fles__search`.":                                                                            {"unknown-server fles"},
		"Call mcp__files__open_nodes.":                                                                         {"unknown-tool open_nodes"},
		"Use `files:read_txt` for that.":                                                                       {"unknown-tool read_txt"},
		"Use `files__read_txt`, `files/read_txt` and `files.read_txt`.":                                        {"unknown-tool read_txt", "unknown-tool read_txt", "unknown-tool read_txt"},
		"Use `mcp_files_read_txt`, `mcp--files--read_txt`, `files-open_node`":                                  {"unknown-tool read_txt", "unknown-tool read_txt"},
		"```json\n{\"tool\": \"files_read_txt\"}\n```":                                                         {"unknown-tool read_txt"},
		"Use the `erase_all` tool of the files server.":                                                        {"unknown-tool erase_all"},
		"Use the files server's `erase_all` tool.":                                                             {"unknown-tool erase_all"},
		"Use the `move_file` tool of the `graph` MCP server.":                                                  {"unknown-tool move_file"},
		"`mcp__files__read_text(path=\"a\", lines=3)`":                                                         {"arguments lines"},
		"`mcp__files__read_text(path=\"a\", head=\"x\")`":                                                      {"arguments \"x\""},
		"`mcp__files__read_text(path='a', mode='fancy')`":                                                      {"arguments 'fancy'"},
		"`mcp__files__move_file(from: \"a\")`":                                                                 {"arguments mcp__files__move_file"},
		"`mcp__files__move_file({\"from\": \"a\", \"target\": \"b\"})`":                                        {"arguments mcp__files__move_file", "arguments \"target\""},
		"`mcp_graph_open_nodes(names=\"a\")`":                                                                  {"arguments \"a\""},
		"`files_read_text(lines=1, ...)`":                                                                      {"arguments lines"},
		"Mind mcp__files__search.\n\n```json\n{\"name\": \"read_text\", \"arguments\": {\"head\": true}}\n```": {"arguments \"read_text\"", "arguments true"},
		"```yaml\n- tool: mcp__files__read_text\n  args:\n    path: a\n    head: \"ten\"\n    lines: 3\n```":   {"arguments \"ten\"", "arguments lines"},
	} {
		got := callFindings(t, "", body)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", body, got, want)
		}
	}
}

// TestCallsQuiet holds what looks like a tool, or like a wrong call, and is none.
func TestCallsQuiet(t *testing.T) {
	for _, body := range []string{
		"Call read_txt(lines=3) and move_file(x), functions of the script.",
		"`read_text(lines=3)` is a function of ours.", // the skill never speaks of the server
		"Names are written as mcp__server__tool or mcp__SERVER__TOOL.",
		"Call mcp__other__search or `other:read_text`.",
		"All of mcp__files__* and mcp__files.",
		"Write `files:limit`, files:read_txt and graph: open.",
		"Write `files/read.txt`, `files_to_read`, `files/reads/x`, `files__limit` and `graph.opened`.",
		"The files server is quick. A `tool` of the graph.",
		"`mcp__files__read_text(path)`, `mcp__files__read_text()`, `mcp__files__read_text(...)`.",
		"`mcp__files__read_text(path=\"<path>\", head=N, mode=\"{mode}\")`",
		"`mcp__files__move_file(from=\"a\", ...)`",
		"`mcp__files__move_file(from=a, to=b)`",
		"```json\n{\"name\": \"read_text\", \"arguments\": {\"lines\": 3}}\n```",
		"```yaml\nname: mcp__files__search\n```",
		"```yaml\ntool: mcp__files__read_text\nargs: {path: <path>, mode: plain}\n```",
		"See https://docs.example/files/read_text and files.read_text.",
	} {
		if got := callFindings(t, "", body); len(got) > 0 {
			t.Errorf("%s: found %q", body, got)
		}
	}
}

func TestAllowedAgainstTools(t *testing.T) {
	for front, want := range map[string][]string{
		"allowed-tools: mcp__files__search\n":                       {"not-allowed mcp__files__read_text"},
		"allowed-tools: mcp__files__search mcp__files__read_text\n": nil,
		"allowed-tools: mcp__files__search mcp__files__read_*\n":    nil,
		"allowed-tools: mcp__files\n":                               nil,
		"allowed-tools: Read mcp__graph__open_nodes\n":              {"unused mcp__graph__open_nodes"},
		"allowed-tools: mcp__files\n\n":                             nil,
		"allowed-tools: mcp__files__serch mcp__files__read_text\n":  {"unknown-tool serch"},
		"disallowed-tools: mcp__files__move_fle, Write\n":           {"unknown-tool move_fle"},
		"disallowed-tools: [mcp__files__move_file, mcp__fles__x]\n": {"unknown-server fles"},
		"disallowed-tools: mcp__files__move_file mcp__graph__*\n":   nil,
		"allowedTools:\n  - mcp__files__serch\n":                    {"unknown-tool serch"},
		"":                                                          nil,
	} {
		if got := callFindings(t, front, "Call mcp__files__read_text, then mcp__files__search."); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", front, got, want)
		}
	}
}

// TestHooksAgainstTools reads the matchers of a skill's own hooks, which are regular expressions.
func TestHooksAgainstTools(t *testing.T) {
	for matcher, want := range map[string][]string{
		"mcp__files__read_text":              nil,
		"mcp__files__.*":                     nil,
		"mcp__files__read_.*|mcp__graph__.*": nil,
		"mcp__.*":                            nil,
		"mcp__(files|graph)__read_.*":        nil,
		"Edit|Write":                         nil,
		"Edit|mcp__files__read_txt":          {"unknown-tool read_txt"},
		"\"Edit|mcp__files__read_txt\"":      {"unknown-tool read_txt"},
		"mcp__files__delete_.*":              {"unknown-tool delete_.*"},
		"mcp__fles__.*":                      {"unknown-server fles"},
		"mcp__other__.*":                     nil,
	} {
		front := "hooks:\n  PreToolUse:\n    - matcher: " + matcher + "\n      hooks:\n        - {type: command, command: scripts/check.sh}\n"
		if got := callFindings(t, front, "Call mcp__files__search."); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", matcher, got, want)
		}
	}
	if got := callFindings(t, "allowed-tools: mcp__files__search\nhooks:\n  PreToolUse:\n    - {matcher: mcp__files__read_text, hooks: []}\n  Stop:\n    - {matcher: mcp__files__x, hooks: []}\n", "Call mcp__files__search."); len(got) > 0 {
		t.Errorf("a hook calls nothing, and one at another event has nothing to do with tools: found %q", got)
	}
}

// TestCallsOnCorpus looks for false alarms: published skills do not speak of the three servers whose tools are
// recorded.
func TestCallsOnCorpus(t *testing.T) {
	racetest.Skip(t)
	for _, f := range lintCorpus(t, toolCallRules()) {
		t.Errorf("%s:%d: %s: %s", f.File, f.line, f.Rule.Name, f.Message)
	}
}

// recordedServers returns what three servers in use answered, by name, and skips where that is not at hand.
func recordedServers(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range []string{"everything", "filesystem", "memory"} {
		data, err := os.ReadFile(sharedFolder(t, "servers/raw/raw-"+name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = data
	}
	return out
}
