package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/npmtest"
)

// liveServer is a server in use, with calls to record and a change of its schemas.
type liveServer struct {
	name  string
	calls []string // TOOL ARGUMENTS, with $DIR for the folder
	// edits are file, old text, new text: after them the server is another one.
	edits [][3]string
	want  []string // what is then found, as TOOL KIND
}

var liveServers = []liveServer{
	{
		"everything",
		[]string{
			`echo {"message": "hello"}`, `echo {}`, `get-sum {"a": 2, "b": 3}`, `get-structured-content {"location": "Chicago"}`, `get-resource-links {"count": 2}`,
			`get-annotated-message {"messageType": "error", "includeImage": true}`, `get-resource-reference {"resourceType": "Text", "resourceId": 1}`, `get-tiny-image {}`,
			`toggle-simulated-logging {}`,
		},
		[][3]string{
			{"tools/echo.js", `"echo"`, `"repeat-message"`},
			{"tools/get-sum.js", "a: z.number()", "first: z.number()"},
			{"tools/get-sum.js", "validatedArgs.a", "validatedArgs.first"},
			{"tools/get-structured-content.js", `"Chicago", `, ""},
			{"tools/get-structured-content.js", `case "Chicago"`, `case "Boston"`},
		},
		[]string{
			"echo renamed-tool", "echo renamed-tool", "get-structured-content different-result", "get-structured-content enum-value",
			"get-sum different-result", "get-sum missing-argument", "get-sum unknown-argument",
		},
	},
	{
		"filesystem",
		[]string{
			`read_text_file {"path": "$DIR/notes.txt", "head": 1}`, `list_directory {"path": "$DIR"}`, `directory_tree {"path": "$DIR"}`,
			`search_files {"path": "$DIR", "pattern": "*.txt"}`, `get_file_info {"path": "$DIR/notes.txt"}`, `list_allowed_directories {}`,
			`read_text_file {"path": "$DIR/none.txt"}`, `write_file {"path": "$DIR/written.txt", "content": "x"}`,
		},
		[][3]string{{"index.js", "head: z.number()", "first: z.number()"}, {"index.js", "args.head", "args.first"}},
		[]string{"read_text_file different-result", "read_text_file unknown-argument"},
	},
	{
		"memory",
		[]string{`read_graph {}`, `search_nodes {"query": "lens"}`, `open_nodes {"names": ["lens"]}`, `delete_entities {"entityNames": ["lens"]}`},
		[][3]string{{"index.js", "query: z.string()", "text: z.string()"}, {"index.js", "async ({ query })", "async ({ text: query })"}},
		[]string{"search_nodes different-result", "search_nodes missing-argument", "search_nodes unknown-argument"},
	},
}

// TestReplayLive records calls of three servers in use, makes them again, and makes them again on servers whose schemas
// were changed since the recording and the lock. Tools that are not read-only are never called.
func TestReplayLive(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not here")
	}
	modules := npmtest.Modules(t)
	for _, s := range liveServers {
		t.Run(s.name, func(t *testing.T) { s.test(t, modules) })
	}
}

func (s *liveServer) test(t *testing.T, modules string) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, filepath.Join(dir, "files", "notes.txt"), "first line\nsecond line\n")
	write(t, filepath.Join(dir, "memory.jsonl"), `{"type":"entity","name":"lens","entityType":"part","observations":["50 mm"]}`+"\n")
	s.configure(t, filepath.Join(modules, "@modelcontextprotocol", "server-"+s.name, "dist", "index.js"))
	s.record(t)
	var out, errOut bytes.Buffer
	if status := run([]string{"probe", "--yes", "--write-lock", "-q"}, strings.NewReader(""), &out, &errOut); status != 0 {
		t.Fatalf("status %d: %s%s", status, out.String(), errOut.String())
	}
	for _, recording := range []string{"mcp.jsonl", "claude.jsonl"} {
		got, status := s.replay(t, recording)
		if got.Summary.Live.Same != len(s.calls)-1 || got.Summary.Live.Skipped != 1 || len(got.findings()) > 0 || len(got.Changes) > 0 || status != 0 {
			t.Errorf("%s, nothing changed: status %d, %+v, %q, %v", recording, status, got.Summary.Live, got.findings(), got.Changes)
		}
	}
	if _, err := os.Stat(filepath.Join("files", "written.txt")); err == nil {
		t.Error("a tool that writes was called")
	}
	s.configure(t, s.changed(t, modules))
	for _, recording := range []string{"mcp.jsonl", "claude.jsonl"} {
		got, status := s.replay(t, recording)
		if !slices.Equal(got.findings(), s.want) || status != 1 {
			t.Errorf("%s, schemas changed: status %d, found %q, want %q", recording, status, got.findings(), s.want)
		}
		if len(got.Changes) == 0 {
			t.Errorf("%s: no change of the server is told", recording)
		}
	}
}

// launch is how the server is started in the working directory.
func (s *liveServer) launch(dir, program string) mcpprobe.Launch {
	l := mcpprobe.Launch{Name: s.name, Command: "node", Args: []string{program}, Cwd: dir}
	switch s.name {
	case "filesystem":
		l.Args = append(l.Args, filepath.Join(dir, "files"))
	case "memory":
		l.Env = map[string]string{"MEMORY_FILE_PATH": filepath.Join(dir, "memory.jsonl")}
	}
	return l
}

func (s *liveServer) configure(t *testing.T, program string) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	l := s.launch(dir, program)
	data, err := json.Marshal(map[string]any{"mcpServers": map[string]any{s.name: map[string]any{"command": l.Command, "args": l.Args, "env": l.Env}}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, ".mcp.json", string(data))
}

// changed returns the program of a server with other schemas.
func (s *liveServer) changed(t *testing.T, modules string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "dist"), os.DirFS(filepath.Join(modules, "@modelcontextprotocol", "server-"+s.name, "dist"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	write(t, filepath.Join(dir, "package.json"), `{"type": "module"}`)
	for _, e := range s.edits {
		file := filepath.Join(dir, "dist", filepath.FromSlash(e[0]))
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(data, []byte(e[1])) {
			t.Fatalf("%s does not hold %q", e[0], e[1])
		}
		write(t, file, strings.ReplaceAll(string(data), e[1], e[2]))
	}
	return filepath.Join(dir, "dist", "index.js")
}

// record calls the tools and writes down what was said, as messages of MCP and as a session of Claude Code. What is not
// read-only is written down as if it had been called.
func (s *liveServer) record(t *testing.T) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		MCPServers map[string]struct{ Args []string }
	}
	data, err := os.ReadFile(".mcp.json")
	if err == nil {
		err = json.Unmarshal(data, &config)
	}
	if err != nil {
		t.Fatal(err)
	}
	talk, result := mcpprobe.Open(context.Background(), s.launch(dir, config.MCPServers[s.name].Args[0]), mcpprobe.Options{Mode: mcpprobe.All})
	if talk == nil {
		t.Fatalf("no conversation: %+v", result)
	}
	defer talk.Close()
	r := &liveRecorder{server: s.name}
	r.list(talk.Server)
	for i, call := range s.calls {
		name, arguments, _ := strings.Cut(strings.ReplaceAll(call, "$DIR", filepath.ToSlash(filepath.Join(dir, "files"))), " ")
		answer := `{"content":[{"type":"text","text":"no"}],"isError":true}`
		if tool, ok := talk.Server.Tool(name); !ok {
			t.Fatalf("there is no tool %s", name)
		} else if readOnly, _ := tool.Annotation("readOnlyHint"); readOnly {
			answer = r.call(t, talk, name, arguments)
		}
		r.write(i, name, arguments, answer)
	}
	write(t, "mcp.jsonl", r.mcp.String())
	write(t, "claude.jsonl", r.claude.String())
}

type liveRecorder struct {
	server      string
	mcp, claude strings.Builder
}

func (r *liveRecorder) message(direction, format string, args ...any) {
	fmt.Fprintf(&r.mcp, `{"direction":%q,"server":%q,"message":{"jsonrpc":"2.0",%s}}`+"\n", direction, r.server, fmt.Sprintf(format, args...))
}

func (r *liveRecorder) list(s *catalog.Server) {
	var tools []string
	for _, tool := range s.Tools {
		tools = append(tools, tool.Raw())
	}
	r.message("out", `"id":"list","method":"tools/list"`)
	r.message("in", `"id":"list","result":{"tools":[%s]}`, strings.Join(tools, ","))
}

// call returns the result of a tool, also that of a refusal, as servers of other makers give it.
func (r *liveRecorder) call(t *testing.T, talk *mcpprobe.Conversation, name, arguments string) string {
	t.Helper()
	result, err := talk.Call(context.Background(), name, json.RawMessage(arguments))
	if refusal, ok := errors.AsType[*mcpprobe.Refusal](err); ok {
		text, _ := json.Marshal(refusal.Message) // a text can always be encoded
		return fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"isError":true}`, text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return result.Raw()
}

func (r *liveRecorder) write(i int, name, arguments, answer string) {
	r.message("out", `"id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}`, i, name, arguments)
	r.message("in", `"id":%d,"result":%s`, i, answer)
	var result struct {
		Content json.RawMessage
		IsError bool
	}
	_ = json.Unmarshal([]byte(answer), &result) // written here or read before
	fmt.Fprintf(&r.claude, `{"type":"assistant","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"mcp__%s__%s","input":%s}]}}`+"\n", i, r.server, name, arguments)
	fmt.Fprintf(&r.claude, `{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%t,"content":%s}]}}`+"\n", i, result.IsError, result.Content)
}

// liveReport is what is looked at of a report.
type liveReport struct {
	Calls []struct {
		Tool     string
		Findings []struct{ Kind, Severity, Message string }
		Live     any
	}
	Changes []any
	Summary struct {
		Live struct{ Same, Differs, Failed, Skipped int }
	}
}

// findings returns what was found, sorted.
func (r *liveReport) findings() []string {
	var out []string
	for _, c := range r.Calls {
		for _, f := range c.Findings {
			if f.Severity != "info" {
				out = append(out, c.Tool+" "+f.Kind)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (s *liveServer) replay(t *testing.T, recording string) (*liveReport, int) {
	t.Helper()
	var out, errOut bytes.Buffer
	status := run([]string{"replay", "--no-config", "--live", "--yes", "--format", "json", recording}, strings.NewReader(""), &out, &errOut)
	got := &liveReport{}
	if err := json.Unmarshal(out.Bytes(), got); err != nil {
		t.Fatalf("%v: status %d, %s%s", err, status, out.String(), errOut.String())
	}
	if testing.Verbose() {
		t.Logf("%s", out.String())
	}
	return got, status
}
