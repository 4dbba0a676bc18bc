package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
)

// TestDiagnosticsSayAll holds what a diagnostic carries beside its message.
func TestDiagnosticsSayAll(t *testing.T) {
	skill := "---\nname: twin\ndescription: Use for: all.\n---\n\n<!-- skilllint-disable-next-line link/missing -->\n# Steps\n\nSort.\n"
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": skill, "skills/aa/SKILL.md": strings.Replace(skill, "for: all", "for all", 1)})
	e := newEditor(t, dir, editorOptions{setup: func(p *protocol.InitializeParams) {
		p.InitializationOptions = protocol.LSPAny(`{"rules": {"workspace/duplicate-name": "warning", "workspace/unused-suppression": "warning"}}`)
	}})
	e.open("skills/alpha/SKILL.md")
	e.settle()
	by := map[string]protocol.Diagnostic{}
	for _, d := range e.diagnostics(e.uri("skills/alpha/SKILL.md")) {
		by[string(d.Code.(protocol.String))] = d
		if source, _ := d.Source.Get(); source != "skilllint" || !strings.HasPrefix(string(d.CodeDescription.Href), docsRoot) {
			t.Errorf("%v is of %q and described at %q", d.Code, source, d.CodeDescription.Href)
		}
	}
	var data struct {
		Fixes []struct {
			Title string          `json:"title"`
			Safe  bool            `json:"safe"`
			Edit  json.RawMessage `json:"edit"`
		} `json:"fixes"`
	}
	if err := json.Unmarshal(by["yaml/unquoted-colon"].Data, &data); err != nil || len(data.Fixes) == 0 || data.Fixes[0].Title == "" || !strings.Contains(string(data.Fixes[0].Edit), "SKILL.md") {
		t.Errorf("the fixes are %+v, %v", data.Fixes, err)
	}
	if raw, err := protocol.Marshal(by[lint.UnusedSuppression]); err != nil || !strings.Contains(string(raw), `"tags":[1]`) {
		t.Errorf("a comment without effect is %s, %v", raw, err)
	}
	related := by["workspace/duplicate-name"].RelatedInformation
	if len(related) != 1 || related[0].Location.URI != e.uri("skills/aa/SKILL.md") {
		t.Errorf("the other skill of the name is told as %v", related)
	}
}

// TestSwitches has what editors show in the text turned off and on again by settings, pushed and pulled.
func TestSwitches(t *testing.T) {
	e := newEditor(t, newFolder(t, map[string]string{".git/HEAD": "", draftFile: draftSkill}), editorOptions{})
	d := e.open(draftFile)
	shown := func() string {
		e.settle()
		id := protocol.TextDocumentIdentifier{URI: d.raw}
		hints, err := e.InlayHint(e.ctx(), &protocol.InlayHintParams{TextDocument: id, Range: mapper{d.lines, e.enc}.rangeOf(textSpan(0, len(d.text)))})
		e.must(err)
		lenses, err := e.CodeLens(e.ctx(), &protocol.CodeLensParams{TextDocument: id})
		e.must(err)
		tokens, err := e.SemanticTokensFull(e.ctx(), &protocol.SemanticTokensParams{TextDocument: id})
		e.must(err)
		return fmt.Sprint(len(hints) > 0, len(lenses) > 0, len(tokens.Data) > 0)
	}
	if got := shown(); got != "true true true" {
		t.Errorf("without settings there are %s", got)
	}
	for settings, want := range map[string]string{
		`{"inlayHints": false}`:                        "false true true",
		`{"codeLens": false, "semanticTokens": false}`: "true false false",
		`{"inlayHints": true}`:                         "true true true",
	} {
		e.mu.Lock()
		e.settings = settings
		e.mu.Unlock()
		told := e.told()
		e.must(e.DidChangeConfiguration(e.ctx(), &protocol.DidChangeConfigurationParams{})) // the server asks for them
		<-told
		for deadline := time.Now().Add(30 * time.Second); shown() != want; { // the answer is on its way
			if time.Now().After(deadline) {
				t.Fatalf("%s: there are %s", settings, shown())
			}
		}
	}
}

// told returns a channel that is closed when the server has asked for the settings.
func (e *editor) told() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pulled = make(chan struct{})
	return e.pulled
}

// TestSettingsArePushed is for clients that do not answer workspace/configuration.
func TestSettingsArePushed(t *testing.T) {
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill})
	e := newEditor(t, dir, editorOptions{setup: func(p *protocol.InitializeParams) { p.Capabilities.Workspace.Configuration = new(false) }})
	e.open("skills/alpha/SKILL.md")
	e.must(e.DidChangeConfiguration(e.ctx(), &protocol.DidChangeConfigurationParams{Settings: protocol.LSPAny(`{"skilllint": {"rules": {"yaml": "off"}}}`)}))
	e.settle()
	if got := rulesOf(e.diagnostics(e.uri("skills/alpha/SKILL.md"))); strings.Contains(got, "yaml/") {
		t.Errorf("rules that are off find %s", got)
	}
}

// TestEditorsOwnCompletion has keys left out that VS Code completes by itself, and snippets for those that take them.
func TestEditorsOwnCompletion(t *testing.T) {
	dir := newFolder(t, map[string]string{".git/HEAD": "", draftFile: strings.Replace(draftSkill, "allowed-tools", "x\nallowed-tools", 1)})
	for _, c := range []struct {
		client           string
		snippets         bool
		license, snippet bool
	}{{"Visual Studio Code", true, false, true}, {"Neovim", false, true, false}} {
		e := newEditor(t, dir, editorOptions{setup: func(p *protocol.InitializeParams) {
			p.ClientInfo.Name = c.client
			p.Capabilities.TextDocument.Completion.CompletionItem.SnippetSupport = new(c.snippets)
		}})
		e.open(draftFile)
		at := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(draftFile)}, Position: protocol.Position{Line: 3}}
		r, err := e.Completion(e.ctx(), &protocol.CompletionParams{TextDocumentPositionParams: at})
		e.must(err)
		license, snippet := false, false
		for _, it := range r.(*protocol.CompletionList).Items {
			license = license || it.Label == "license"
			snippet = snippet || it.InsertTextFormat == protocol.InsertTextFormatSnippet
			if text := it.TextEdit.(*protocol.TextEdit).NewText; !c.snippets && strings.Contains(text, "$0") {
				t.Errorf("%s gets %q", c.client, text)
			}
		}
		if license != c.license || snippet != c.snippet {
			t.Errorf("%s: license %v, snippets %v", c.client, license, snippet)
		}
	}
}

// TestWatchers has the server ask for the changes of all kinds of files that it reads.
func TestWatchers(t *testing.T) {
	globs := map[string]bool{}
	for _, w := range watchers() {
		globs[w.GlobPattern] = true
	}
	for _, file := range []string{"*.md", ".skilllint.{yaml,yml,json}", "mcp-tools.lock.json", ".mcp.json", ".claude-plugin/plugin.json", "gemini-extension.json", "evals/**", "agents/*.yaml"} {
		if !globs["**/"+file] {
			t.Errorf("%s is not watched", file)
		}
	}
}

// TestTrace has each message traced while the client wants that, and no longer.
func TestTrace(t *testing.T) {
	e := newEditor(t, newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill}), editorOptions{})
	e.must(e.SetTrace(e.ctx(), &protocol.SetTraceParams{Value: protocol.TraceValueVerbose}))
	e.sync()
	e.mu.Lock()
	for len(e.traces) == 0 {
		e.ended.Wait()
	}
	first := e.traces[0]
	e.mu.Unlock()
	if !strings.HasPrefix(first, "test/sync took ") {
		t.Errorf("the trace is %q", first)
	}
	e.must(e.SetTrace(e.ctx(), &protocol.SetTraceParams{Value: protocol.TraceValueOff}))
	if e.sync(); e.srv.trace.Load() {
		t.Error("the trace goes on")
	}
}

// midProbe is the real program in the middle of a probe: of a server that never answers.
type midProbe struct {
	*process
	t   *testing.T
	in  *bufio.Reader
	pid int // of the server
}

func (p *midProbe) send(format string, args ...any) {
	if _, err := io.WriteString(p.process.in, frame(fmt.Sprintf(format, args...))); err != nil {
		p.t.Fatal(err)
	}
}

func startMidProbe(t *testing.T) *midProbe {
	t.Helper()
	program(t) // before the test has another home folder, in which Go would find nothing built
	started, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer started.Close()
	dir, _ := withServer(t)
	l := mcpprobe.Launch{Name: "mute", Config: filepath.Join(dir, ".mcp.json"), Command: os.Args[0], Args: []string{asMuteServer, started.Addr().String()}, Cwd: dir}
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"mute": map[string]any{"command": l.Command, "args": l.Args}}})
	if err != nil {
		t.Fatal(err)
	}
	writeFiles(t, dir, map[string]string{".mcp.json": string(config)})
	known, err := consents()
	if err != nil {
		t.Fatal(err)
	}
	if err := known.Grant(l, time.Now()); err != nil {
		t.Fatal(err)
	}
	p := &midProbe{process: startProcess(t), t: t}
	p.in = bufio.NewReader(p.out)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":%q,"capabilities":{}}}`, fileURI(dir))
	for readFrame(t, p.in)["id"] != 1.0 { // what comes before that answer is of a server without folders
	}
	p.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	p.send(`{"jsonrpc":"2.0","id":"ask","method":"skill/probe","params":{"probeTimeout":"10m"}}`)
	if err := started.(*net.TCPListener).SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	server, err := started.Accept()
	if err != nil {
		t.Fatalf("the server was not started: %v", err)
	}
	t.Cleanup(func() { _ = server.Close() })
	if _, err := fmt.Fscan(server, &p.pid); err != nil {
		t.Fatal(err)
	}
	return p
}

// muteServer is an MCP server that never answers. It says its process id to whoever listens at an address, and ends with the
// connection at the latest.
func muteServer(address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(conn, os.Getpid())
	_, _ = io.Copy(io.Discard, conn)
}

// TestCancelRequest cancels a request in the middle of its work: it is answered at once, as cancelled, and the server
// that it started is gone.
func TestCancelRequest(t *testing.T) {
	p := startMidProbe(t)
	p.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"ask"}}`)
	for {
		if m := readFrame(t, p.in); m["id"] == "ask" {
			if code := m["error"].(map[string]any)["code"]; code != -32800.0 {
				t.Errorf("the answer is %v", m)
			}
			break
		}
	}
	if alive(p.pid) {
		t.Error("the server goes on")
	}
}

// TestExitStopsServers ends the session in the middle of a probe.
func TestExitStopsServers(t *testing.T) {
	p := startMidProbe(t)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
	p.send(`{"jsonrpc":"2.0","method":"exit"}`)
	go func() { _, _ = io.Copy(io.Discard, p.in) }()
	if got := p.status(t); got != 0 {
		t.Errorf("the exit status is %d, the log\n%s", got, p.log)
	}
	if alive(p.pid) {
		t.Error("the server goes on without the program")
	}
}

// readFrame reads one message.
func readFrame(t *testing.T, in *bufio.Reader) map[string]any {
	t.Helper()
	header, err := textproto.NewReader(in).ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil {
		t.Fatal(err)
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(in, body); err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLooseSettingsAreCompleted opens a user's own settings, in which no server stands yet and which lie in no folder of
// the workspace.
func TestLooseSettingsAreCompleted(t *testing.T) {
	home := newFolder(t, map[string]string{".codex/config.toml": "model = \"x\"\n\n"})
	e := newEditor(t, newFolder(t, map[string]string{".git/HEAD": ""}), editorOptions{})
	u := uri.File(filepath.Join(home, ".codex", "config.toml"))
	e.openURI(u, "model = \"x\"\n\n")
	at := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: u}, Position: protocol.Position{Line: 1}}
	result, err := e.Completion(e.ctx(), &protocol.CompletionParams{TextDocumentPositionParams: at})
	e.must(err)
	items := result.(*protocol.CompletionList).Items
	if len(items) != 1 || items[0].TextEdit.(*protocol.TextEdit).NewText != "[mcp_servers.$0]" || items[0].InsertTextFormat != protocol.InsertTextFormatSnippet {
		t.Errorf("offered is %+v", items)
	}
}

// TestLinksLeadToLines has links lead to a heading where the client says that it is one of those that know such links.
func TestLinksLeadToLines(t *testing.T) {
	dir := newFolder(t, map[string]string{".git/HEAD": "", draftFile: draftSkill + "\n[two](more.md#two)\n", ".claude/skills/draft/more.md": "# One\n\n# Two\n"})
	for name, want := range map[string]string{"Visual Studio Code - Insiders": "more.md#L3", "Neovim": "more.md"} {
		e := newEditor(t, dir, editorOptions{setup: func(p *protocol.InitializeParams) { p.ClientInfo.Name = name }})
		e.open(draftFile)
		e.sync()
		links, err := e.DocumentLink(e.ctx(), &protocol.DocumentLinkParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(draftFile)}})
		e.must(err)
		if len(links) != 1 || !strings.HasSuffix(string(*links[0].Target), want) {
			t.Errorf("%s: the links are %+v", name, links)
		}
	}
}
