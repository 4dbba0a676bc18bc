package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/text"
)

func testLog(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

const colonSkill = "---\nname: alpha\ndescription: Use for: 😀 all.\n---\n\n# Steps\n\nSort.\n"

func TestPushFollowsEdits(t *testing.T) {
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill})
	e := newEditor(t, dir, editorOptions{})
	u := e.uri("skills/alpha/SKILL.md")
	e.open("skills/alpha/SKILL.md")
	first := e.waitFor(u, 1)
	if rulesOf(first) != "yaml/unquoted-colon" {
		t.Fatalf("the diagnostics are %s", rulesOf(first))
	}
	if at := first[0].Range.Start; at != (protocol.Position{Line: 2, Character: 20}) {
		t.Errorf("they start at %v", at)
	}
	at := strings.Index(colonSkill, ": 😀")
	v := e.replace(u, textSpan(at, at+1), " -").version
	if got := e.waitFor(u, v); len(got) != 0 {
		t.Errorf("after the fix there is %s", rulesOf(got))
	}
	e.settle()
}

func TestRawURIIsKept(t *testing.T) {
	for _, raw := range []uri.URI{"file:///c%3A/ws/skills/win-uri/SKILL.md", "file:///C:/ws/skills/win-uri/SKILL.md", "file:///tmp/no/skills/par%20%28ens%29/SKILL.md", "file:///tmp/no/skills/par%20(ens)/SKILL.md"} {
		e := newEditor(t, "", editorOptions{log: os.Stderr})
		e.openURI(raw, strings.Replace(colonSkill, "alpha", "win-uri", 1))
		if got := rulesOf(e.waitFor(raw, 1)); !strings.Contains(got, "yaml/unquoted-colon") {
			t.Errorf("%s has %q", raw, got)
		}
		e.mu.Lock()
		if e.spelt[0] != string(raw) {
			t.Errorf("diagnostics of %s are sent as %s", raw, e.spelt[0])
		}
		e.mu.Unlock()
	}
}

func textSpan(start, end int) text.Span { return text.Span{Start: start, End: end} }

func TestNeverPushAndPull(t *testing.T) {
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill})
	e := newEditor(t, dir, editorOptions{pull: true})
	u := e.uri("skills/alpha/SKILL.md")
	e.open("skills/alpha/SKILL.md")
	if got := rulesOf(e.diagnostics(u)); got != "yaml/unquoted-colon" {
		t.Errorf("pulled %q", got)
	}
	e.settle()
	if n := len(e.published); n != 0 {
		t.Errorf("%d documents were pushed to a client that pulls", n)
	}
}

func TestPullTellsWhatIsUnchanged(t *testing.T) {
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill, "skills/beta/SKILL.md": strings.Replace(colonSkill, "alpha", "beta", 1)})
	e := newEditor(t, dir, editorOptions{pull: true})
	u := e.uri("skills/alpha/SKILL.md")
	e.open("skills/alpha/SKILL.md")
	e.settle()
	report := func(before []protocol.PreviousResultId) []protocol.WorkspaceDocumentDiagnosticReport {
		r, err := e.DiagnosticWorkspace(e.ctx(), &protocol.WorkspaceDiagnosticParams{PreviousResultIds: before})
		if err != nil {
			t.Fatal(err)
		}
		return r.Items
	}
	var before []protocol.PreviousResultId
	for _, item := range report(nil) {
		full := item.(*protocol.WorkspaceFullDocumentDiagnosticReport)
		before = append(before, protocol.PreviousResultId{URI: full.URI, Value: *full.ResultID})
	}
	if len(before) != 2 {
		t.Fatalf("%d documents have diagnostics, want 2", len(before))
	}
	e.replace(u, textSpan(len(colonSkill), len(colonSkill)), "\n")
	e.replace(u, textSpan(0, 0), "\n")
	e.sync()
	e.settle()
	full := 0
	for _, item := range report(before) {
		if f, ok := item.(*protocol.WorkspaceFullDocumentDiagnosticReport); ok {
			full++
			if f.URI != u || f.Version == nil || *f.Version != 3 {
				t.Errorf("%s has new diagnostics, of version %v", f.URI, f.Version)
			}
		}
	}
	if full != 1 {
		t.Errorf("%d documents have new diagnostics, want the one that was edited", full)
	}
}

// TestPullAgainWaitsForAPause answers a client that asks again about all files when the user pauses, and other questions at
// once.
func TestPullAgainWaitsForAPause(t *testing.T) {
	e := newEditor(t, newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill}), editorOptions{pull: true})
	u := e.uri("skills/alpha/SKILL.md")
	e.open("skills/alpha/SKILL.md")
	e.settle()
	e.replace(u, textSpan(0, 0), "\n")
	e.sync()
	answered := make(chan error, 1)
	go func() {
		_, err := e.DiagnosticWorkspace(e.ctx(), &protocol.WorkspaceDiagnosticParams{PreviousResultIds: []protocol.PreviousResultId{{URI: u, Value: "before"}}})
		answered <- err
	}()
	if _, err := e.DiagnosticWorkspace(e.ctx(), &protocol.WorkspaceDiagnosticParams{}); err != nil { // the first time
		t.Fatal(err)
	}
	e.diagnostics(u)
	if len(answered) > 0 {
		t.Error("all files were looked at while the user was typing")
	}
	e.settle()
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

func TestRefreshWhenOtherFilesMatter(t *testing.T) {
	skill := func(name string) string {
		return "---\nname: " + name + "\ndescription: Sorts photos. Use when photos are unsorted.\n---\n\n# Steps\n\nSort.\n"
	}
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": skill("alpha"), "skills/beta/SKILL.md": skill("beta")})
	e := newEditor(t, dir, editorOptions{pull: true})
	e.open("skills/alpha/SKILL.md")
	e.open("skills/beta/SKILL.md")
	e.settle()
	alpha, beta := e.uri("skills/alpha/SKILL.md"), e.uri("skills/beta/SKILL.md")
	before := rulesOf(e.diagnostics(beta))
	e.diagnostics(alpha)
	e.setText(alpha, skill("beta"))
	e.diagnostics(alpha)
	e.settle()
	e.mu.Lock()
	for e.refreshes == 0 { // it comes when the server gets to it; the test's own time limit ends a wait in vain
		e.ended.Wait()
	}
	e.mu.Unlock()
	if after := rulesOf(e.diagnostics(beta)); after == before {
		t.Errorf("beta had %q and has %q", before, after)
	}
}

func TestCloseClearsWhatIsNotDiagnosed(t *testing.T) {
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill, "elsewhere/skills/beta/SKILL.md": colonSkill})
	e := newEditor(t, filepath.Join(dir, "skills"), editorOptions{})
	loose := fileURI(filepath.Join(dir, "elsewhere", "skills", "beta", "SKILL.md"))
	e.openURI(loose, colonSkill)
	if got := rulesOf(e.waitFor(loose, 1)); !strings.Contains(got, "yaml/unquoted-colon") {
		t.Fatalf("a file outside the workspace has %q", got)
	}
	e.close(loose)
	if got := e.waitFor(loose, 0); len(got) != 0 {
		t.Errorf("after it was closed it has %s", rulesOf(got))
	}
	inside := e.uri("alpha/SKILL.md")
	e.openURI(inside, "---\nname: alpha\n---\n")
	e.waitFor(inside, 1)
	e.close(inside)
	e.settle()
	if got := rulesOf(e.diagnostics(inside)); got != "yaml/unquoted-colon" {
		t.Errorf("a closed file of the workspace has %q, want what is on disk", got)
	}
	e.mu.Lock()
	e.settings = `{"workspace": false}`
	e.mu.Unlock()
	e.srv.takeSettings([]byte(e.settings))
	e.settle()
	if got := rulesOf(e.diagnostics(inside)); got != "" {
		t.Errorf("where only open files are diagnosed, a closed one has %q", got)
	}
}

func TestFoldersComeAndGo(t *testing.T) {
	dir := newFolder(t, map[string]string{"one/skills/alpha/SKILL.md": colonSkill, "two/skills/beta/SKILL.md": colonSkill})
	e := newEditor(t, filepath.Join(dir, "one"), editorOptions{})
	e.settle()
	two := fileURI(filepath.Join(dir, "two"))
	beta := fileURI(filepath.Join(dir, "two", "skills", "beta", "SKILL.md"))
	change := &protocol.DidChangeWorkspaceFoldersParams{}
	change.Event.Added = []protocol.WorkspaceFolder{{URI: two, Name: "two"}}
	if err := e.DidChangeWorkspaceFolders(e.ctx(), change); err != nil {
		t.Fatal(err)
	}
	e.settle()
	if got := rulesOf(e.diagnostics(beta)); !strings.Contains(got, "yaml/unquoted-colon") {
		t.Errorf("an added folder has %q", got)
	}
	change.Event.Added, change.Event.Removed = nil, change.Event.Added
	if err := e.DidChangeWorkspaceFolders(e.ctx(), change); err != nil {
		t.Fatal(err)
	}
	e.settle()
	if got := rulesOf(e.diagnostics(beta)); got != "" {
		t.Errorf("a removed folder has %q", got)
	}
	if got := rulesOf(e.diagnostics(e.uri("skills/alpha/SKILL.md"))); !strings.Contains(got, "yaml/unquoted-colon") {
		t.Errorf("the other folder has %q", got)
	}
}

func TestOneBadMessageEndsNothing(t *testing.T) {
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill})
	log := &logBuffer{}
	e := newEditor(t, dir, editorOptions{log: log})
	u := e.uri("skills/alpha/SKILL.md")
	e.open("skills/alpha/SKILL.md")
	e.waitFor(u, 1)
	for method, params := range map[string]string{
		"$/unknown":                       `{"a": 1}`,
		"textDocument/didChange":          `{"textDocument": 7}`,
		"textDocument/didOpen":            `{}`,
		"textDocument/didClose":           `{"textDocument": {"uri": "file:///not/open"}}`,
		"workspace/didChangeWatchedFiles": `{"changes": [{"uri": ":::", "type": 9}]}`,
	} {
		if err := e.conn.Notify(e.ctx(), method, jsonrpc2.RawMessage(params)); err != nil {
			t.Fatal(err)
		}
	}
	backwards := protocol.Range{Start: protocol.Position{Line: 2}, End: protocol.Position{Line: 1}}
	p := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangePartial{Range: backwards}}}
	p.TextDocument.URI, p.TextDocument.Version = u, 2
	if err := e.DidChange(e.ctx(), p); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"textDocument/hover", "skill/clients", "codeAction/resolve", "workspace/executeCommand"} {
		if _, err := e.conn.Call(e.ctx(), method, jsonrpc2.RawMessage(`{"textDocument": 7, "data": 7, "command": "none"}`), nil); err == nil {
			t.Errorf("%s took parameters that make no sense", method)
		}
	}
	if got := rulesOf(e.waitFor(u, e.replace(u, textSpan(0, 0), "").version)); got != "yaml/unquoted-colon" {
		t.Errorf("the session did not survive: %q", got)
	}
	if !strings.Contains(log.String(), "ends before it starts") {
		t.Errorf("the log does not tell of the backward range:\n%s", log)
	}
}

// TestPanicIsContained has a request and a rule panic.
func TestPanicIsContained(t *testing.T) {
	log := &logBuffer{}
	s := newServer(t.Context(), Options{Log: testLog(log)})
	s.client = protocol.UnimplementedClient{}
	s.phase.Store(running)
	h := s.guard(func(context.Context, *jsonrpc2.Request) (any, error) { panic("boom") })
	here, there := net.Pipe()
	conn := jsonrpc2.NewConn(jsonrpc2.NewStream(there), jsonrpc2.WithCodec(codec{}))
	conn.Go(t.Context(), h)
	client := jsonrpc2.NewConn(jsonrpc2.NewStream(here), jsonrpc2.WithCodec(codec{}))
	client.Go(t.Context(), jsonrpc2.MethodNotFoundHandler)
	for range 2 {
		if _, err := client.Call(t.Context(), "textDocument/hover", map[string]int{}, nil); err == nil || !strings.Contains(err.Error(), "internal error in textDocument/hover") {
			t.Errorf("the answer is %v", err)
		}
	}
	if !strings.Contains(log.String(), "boom") {
		t.Errorf("the log is\n%s", log)
	}
	_ = client.Close()
}

func TestBeforeInitialize(t *testing.T) {
	here, there := net.Pipe()
	s := newServer(t.Context(), Options{})
	done := make(chan error, 1)
	go func() { done <- s.run(there, there) }()
	e := dial(t, here, "", editorOptions{enc: protocol.PositionEncodingKindUTF16})
	_, err := e.conn.Call(e.ctx(), "textDocument/hover", map[string]int{}, nil)
	var wire *jsonrpc2.Error
	if !errors.As(err, &wire) || wire.Code != notInitialized {
		t.Errorf("a request before initialize was answered with %v", err)
	}
	e.initialize(editorOptions{enc: protocol.PositionEncodingKindUTF16})
	if _, err := e.Initialize(e.ctx(), &protocol.InitializeParams{}); err == nil {
		t.Error("initialize was taken twice")
	}
	if err := e.Shutdown(e.ctx()); err != nil {
		t.Fatal(err)
	}
	if err := e.Exit(e.ctx()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Errorf("the session ends with %v", err)
	}
}

func TestAdvertisesWhatIsThere(t *testing.T) {
	s := newServer(t.Context(), Options{})
	raw, err := protocol.Marshal(s.capabilities(protocol.PositionEncodingKindUTF16))
	if err != nil {
		t.Fatal(err)
	}
	var have map[string]any
	if err := json.Unmarshal(raw, &have); err != nil {
		t.Fatal(err)
	}
	if have["diagnosticProvider"] != nil {
		t.Error("pulls are offered to a client that does not pull")
	}
	for _, c := range []string{"signatureHelpProvider", "callHierarchyProvider", "colorProvider", "monikerProvider", "inlineValueProvider", "implementationProvider"} {
		if have[c] != nil {
			t.Errorf("%s is offered", c)
		}
	}
}

func TestSettings(t *testing.T) {
	reg := newServer(t.Context(), Options{}).reg
	for _, c := range []struct {
		raw, clients string
		fails        bool
	}{
		{`null`, "[]", false},
		{``, "[]", false},
		{`{"clients": ["codex", "nobody"]}`, "[codex]", true},
		{`{"skilllint": {"clients": ["all"]}}`, "[all]", false},
		{`{"rules": {"name/folder": "off", "no/rule": "off", "name": "loud"}}`, "[]", true},
		{`{"clients": 7}`, "[]", true},
		{`[`, "[]", true},
	} {
		s, err := parseSettings([]byte(c.raw), reg)
		if fmt.Sprint(s.Clients) != c.clients || (err != nil) != c.fails {
			t.Errorf("%s: %v, %v", c.raw, s.Clients, err)
		}
		for _, l := range s.flags().Levels {
			if l.Name != "name/folder" {
				t.Errorf("%s: a level for %s", c.raw, l.Name)
			}
		}
	}
}

// TestPolling has the server find a new file by itself, for a client that watches none.
func TestPolling(t *testing.T) {
	dir := newFolder(t, map[string]string{"skills/alpha/SKILL.md": colonSkill})
	ticks := make(chan time.Time)
	s := newServer(t.Context(), Options{Quiet: time.Hour})
	s.client = protocol.UnimplementedClient{}
	s.write.Lock()
	st := s.state().next()
	st.addFolder(fileURI(dir))
	s.current.Store(st)
	s.write.Unlock()
	s.settle(t.Context())
	later := time.Now().Add(time.Hour)
	for i, skill := range []string{"beta", "gamma", "delta"} { // the first comes before anything was looked at
		writeFiles(t, dir, map[string]string{"skills/" + skill + "/SKILL.md": colonSkill})
		if i == 0 {
			go s.poll(ticks)
		} else {
			ticks <- later
		}
		ticks <- later // the look is over
		s.settle(t.Context())
		if got := len(s.state().folders[0].live.Skills()); got != i+2 {
			t.Errorf("after %s there are %d skills, want %d", skill, got, i+2)
		}
	}
}

func TestParentIsWatched(t *testing.T) {
	if !alive(os.Getpid()) {
		t.Error("this process counts as gone")
	}
	cmd := exec.Command("go", "version")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if alive(cmd.Process.Pid) {
		t.Error("a process that has ended counts as alive")
	}
}
