package mcpserve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/skill-ls/skill-ls/internal/lint/rules"
)

const goodSkill = "---\nname: map-tides\ndescription: Maps the tides of a harbour. Use it for plans of a day at sea.\n---\n\nRead the table.\n"

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// project returns a folder with one skill, and a folder beside it that nobody may ask about.
func project(t *testing.T) (inside, outside string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inside, outside = filepath.Join(dir, "in"), filepath.Join(dir, "out")
	write(t, filepath.Join(inside, ".git", "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(inside, ".agents", "skills", "map-tides", "SKILL.md"), goodSkill)
	write(t, filepath.Join(outside, "secret", "SKILL.md"), strings.ReplaceAll(goodSkill, "map-tides", "secret"))
	return inside, outside
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skipf("symbolic links cannot be made here: %v", err)
	}
}

// Nothing outside is read, by whatever way a path leads there; links that stay inside are followed.
func TestRoots(t *testing.T) {
	in, out := project(t)
	link(t, out, filepath.Join(in, "away"))
	link(t, filepath.Join("..", "out", "secret", "SKILL.md"), filepath.Join(in, "away.md"))
	link(t, filepath.Join(in, ".agents", "skills"), filepath.Join(in, "skills"))
	r, err := newRoots([]string{in})
	if err != nil {
		t.Fatal(err)
	}
	for name, there := range map[string]bool{
		"skills/map-tides/SKILL.md": true, ".agents/skills": true, ".": true,
		"away": false, "away/secret/SKILL.md": false, "away.md": false, "../out/secret/SKILL.md": false, "..": false, "skills/../../out": false,
		"missing": false, "../missing": false,
	} {
		abs := filepath.Join(in, filepath.FromSlash(name))
		_, statErr := r.Stat(abs)
		_, realErr := r.RealPath(abs)
		_, fileErr := r.ReadFile(abs)
		_, dirErr := r.ReadDir(abs)
		_, headErr := r.ReadHead(abs, 3)
		if (statErr == nil) != there || (realErr == nil) != there || (fileErr == nil || dirErr == nil) != there || !there && headErr == nil {
			t.Errorf("%s: stat %v, real path %v, file %v, folder %v, head %v", name, statErr, realErr, fileErr, dirErr, headErr)
		}
		if !there && !errors.Is(statErr, fs.ErrNotExist) {
			t.Errorf("%s: %v is not the error for what is not there", name, statErr)
		}
	}
	if _, err := newRoots([]string{filepath.Join(in, "away.md")}); err == nil {
		t.Error("a file is taken for a folder")
	}
}

// talk calls a server that answers about a folder, as a client does.
type talk struct {
	t    *testing.T
	in   io.Writer
	out  *bufio.Scanner
	last int
}

func start(t *testing.T, dirs ...string) *talk {
	t.Helper()
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(context.Background(), Options{Roots: dirs, Registry: rules.Registry()}, requests, answers, t.Output())
		answers.Close()
	}()
	t.Cleanup(func() {
		in.Close()
		if err := <-ended; err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	c := &talk{t: t, in: in, out: bufio.NewScanner(out)}
	c.out.Buffer(nil, 1<<20)
	c.ask("initialize", `{"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}`)
	fmt.Fprintln(in, `{"jsonrpc": "2.0", "method": "notifications/initialized"}`)
	return c
}

func (c *talk) ask(method, params string) json.RawMessage {
	c.t.Helper()
	c.last++
	fmt.Fprintf(c.in, `{"jsonrpc": "2.0", "id": %d, "method": %q, "params": %s}`+"\n", c.last, method, params)
	if !c.out.Scan() {
		c.t.Fatalf("%s: no answer: %v", method, c.out.Err())
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(c.out.Bytes(), &answer); err != nil || answer.Result == nil {
		c.t.Fatalf("%s: %s", method, c.out.Text())
	}
	return answer.Result
}

// call returns what a tool says, and whether that is an error.
func (c *talk) call(tool, arguments string) (string, bool) {
	c.t.Helper()
	var result struct {
		Content []struct{ Text string } `json:"content"`
		IsError bool                    `json:"isError"`
	}
	raw := c.ask("tools/call", fmt.Sprintf(`{"name": %q, "arguments": %s}`, tool, arguments))
	if err := json.Unmarshal(raw, &result); err != nil || len(result.Content) != 1 {
		c.t.Fatalf("%s: %s", tool, raw)
	}
	return result.Content[0].Text, result.IsError
}

func TestCalls(t *testing.T) {
	in, out := project(t)
	write(t, filepath.Join(in, ".agents", "skills", "sort-shells", "SKILL.md"), "---\nname: sort-shells\ndescription: Sorts shells: by kind. Use it after a walk on the beach.\n---\n\nSee [kinds](kinds.md).\n")
	write(t, filepath.Join(in, "evals.json"), `[{"query": "when is high tide in the harbour", "skill": "map-tides"}]`)
	c := start(t, in)
	for _, x := range []struct {
		tool, arguments string
		failed          bool
		says            string
	}{
		{"lint", `{}`, false, "error[yaml/unquoted-colon]"},
		{"lint", `{"paths": [".agents/skills/map-tides"]}`, false, "no findings in 1 skill"},
		{"lint", `{"clients": ["all"], "select": ["yaml", "link"], "limit": 1}`, false, "The worst 1 of"},
		{"lint", `{"paths": [".git"]}`, false, "No skill was found"},
		{"lint", `{"paths": ["../out"]}`, true, "lies outside the folders that may be asked about: " + in},
		{"lint", `{"paths": [` + fmt.Sprintf("%q", out) + `]}`, true, "lies outside"},
		{"lint", `{"paths": ["shells"]}`, true, "there is no file or folder shells in " + in},
		{"lint", `{"path": "."}`, true, `unknown field "path"`},
		{"lint", `{"paths": "."}`, true, "the argument paths cannot be a string: it must be a list of texts"},
		{"lint", `{"limit": "ten"}`, true, "the argument limit cannot be a string: it must be a whole number"},
		{"lint", `{"limit": 1000}`, true, "limit is 1000: it must lie between 1 and 200"},
		{"lint", `{"clients": ["codx"]}`, true, `did you mean "codex"?`},
		{"lint", `{"select": ["yaml/unquoted"]}`, true, `"yaml/unquoted"`},
		{"clients", `{"clients": ["codex", "copilot-cli"]}`, false, "does not load the skill"},
		{"clients", `{"skill": "map-tides", "clients": ["codex"]}`, false, "front matter of 2 lines"},
		{"clients", `{"skill": "map-tide"}`, true, `"map-tides"`},
		{"simulate", `{"client": "codex"}`, false, "map-tides: Maps the tides of a harbour."},
		{"simulate", `{"client": "codex", "activate": "map-tides"}`, false, "Read the table."},
		{"simulate", `{"client": "codex", "activate": "map-moons"}`, true, "map-moons"},
		{"simulate", `{"arguments": "x"}`, true, "arguments need activate"},
		{"route", `{"queries": ["high tide"], "client": "codex"}`, false, "1. "},
		{"route", `{"evals": "evals.json", "client": "codex"}`, false, "when is high tide in the harbour"},
		{"route", `{"evals": "../out/evals.json"}`, true, "lies outside"},
		{"route", `{}`, true, "nothing to rank for"},
		{"explain", `{"rule": "yaml/unquoted-colon"}`, false, "# yaml/unquoted-colon"},
		{"explain", `{"rule": "yaml"}`, true, "is a group"},
		{"explain", `{}`, false, "yaml/unquoted-colon"},
	} {
		text, failed := c.call(x.tool, x.arguments)
		if failed != x.failed || !strings.Contains(text, x.says) {
			t.Errorf("%s %s: failed %v with %q, want %v with %q", x.tool, x.arguments, failed, text, x.failed, x.says)
		}
	}
}

// Paths in calls are relative to the first root; without any, all roots are meant.
func TestSeveralRoots(t *testing.T) {
	in, out := project(t)
	c := start(t, in, out)
	if text, _ := c.call("lint", `{}`); !strings.Contains(text, "in 2 skills") {
		t.Errorf("lint of both says %q", text)
	}
	if text, failed := c.call("lint", fmt.Sprintf(`{"paths": [%q]}`, filepath.Join(out, "secret"))); failed || !strings.Contains(text, "in 1 skill") {
		t.Errorf("lint of the second says %q", text)
	}
}

// An answer has a bound, whatever the workspace has.
func TestAnswersAreBounded(t *testing.T) {
	in, _ := project(t)
	for i := range 300 {
		name := fmt.Sprintf("very-long-name-of-a-skill-number-%d", i)
		write(t, filepath.Join(in, ".agents", "skills", name, "SKILL.md"), strings.ReplaceAll(goodSkill, "map-tides", name)+strings.Repeat("[x](gone.md)\n", 3))
	}
	c := start(t, in)
	for tool, arguments := range map[string]string{
		"lint": `{"limit": 200}`, "clients": `{"clients": ["all"]}`, "simulate": `{"client": "codex"}`, "route": `{"client": "codex", "top": 20, "queries": ["` + strings.Repeat(`tides of a harbour", "`, 49) + `x"]}`,
	} {
		text, failed := c.call(tool, arguments)
		if failed || len(text) > mostText+500 {
			t.Errorf("%s: failed %v with %d bytes", tool, failed, len(text))
		}
		if tool != "route" && !strings.Contains(text, "left out") && !strings.Contains(text, "are shown") {
			t.Errorf("%s does not say that something is left out: %q", tool, text[max(0, len(text)-200):])
		}
	}
}

// A call that is cancelled, or runs into a fault of the program, ends with words for the model.
func TestCallsThatFail(t *testing.T) {
	in, _ := project(t)
	d, err := newDesk(Options{Roots: []string{in}, Registry: rules.Registry()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, answer := range map[string]func() (*mcp.CallToolResult, error){
		"The call was cancelled.":  func() (*mcp.CallToolResult, error) { return handle(d.lint)(ctx, mcp.CallToolRequest{}) },
		"This is a fault of skill": func() (*mcp.CallToolResult, error) { return handle(faulty)(ctx, mcp.CallToolRequest{}) },
	} {
		got, err := answer()
		if err != nil || !got.IsError || !strings.HasPrefix(got.Content[0].(mcp.TextContent).Text, name) {
			t.Errorf("got %+v and %v, want an error that begins with %q", got, err, name)
		}
	}
}

func faulty(context.Context, *explainParams) (string, error) { panic("index out of range") }

// Every definition is answered, and says what it may do.
func TestDefinitions(t *testing.T) {
	in, _ := project(t)
	d, err := newDesk(Options{Roots: []string{in}, Registry: rules.Registry()})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := d.tools()
	if err != nil || len(tools) != 5 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	for _, x := range tools {
		a := x.Tool.Annotations
		if x.Handler == nil || !*a.ReadOnlyHint || *a.DestructiveHint || !*a.IdempotentHint || *a.OpenWorldHint {
			t.Errorf("%s: handler %v, annotations %+v", x.Tool.Name, x.Handler != nil, a)
		}
	}
}

func TestBounded(t *testing.T) {
	long := strings.Repeat("a line\n", mostText)
	if got := bounded(long, "ask for less"); len(got) > mostText+100 || !strings.HasSuffix(got, "more lines left out; ask for less]\n") {
		t.Errorf("%d bytes that end with %q", len(got), got[len(got)-60:])
	}
	if got := bounded(strings.Repeat("ä", mostText), "x"); !strings.HasPrefix(got, "ää") || strings.Contains(got, "\ufffd") {
		t.Errorf("a single line ends with %q", got[len(got)-60:])
	}
}
