package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/text"
)

// editor is a language client that keeps documents as an editor does.
type editor struct {
	protocol.UnimplementedClient
	protocol.Server // the server's methods
	t               testing.TB
	conn            jsonrpc2.Conn
	srv             *Server // nil when the server is a process
	enc             text.Encoding
	dir             string
	pull            bool
	published       chan *protocol.PublishDiagnosticsParams

	mu        sync.Mutex
	docs      map[uri.URI]*document
	shown     map[uri.URI][]protocol.Diagnostic // by push
	progress  []string
	refreshes int
	again     map[string]int // how often it was asked to ask for hints, lenses and tokens
	spelt     []string       // the URIs of published diagnostics as they were sent
	watchers  int
	logs      []string
	messages  []string
	answer    string // to questions; none when empty
	asked     []string
	said      func(token protocol.ProgressToken, message string) // called at each progress; may be nil
	heard     func(*protocol.ProgressParams)                     // the same, before anything else; may be nil
	created   int                                                // tokens of progress that the server has created
	settings  string
	pulled    chan struct{} // closed when the settings are asked for; may be nil
	traces    []string
	ended     *sync.Cond // broadcast at each progress, message, refresh and trace
}

// capabilitiesOf are those of an editor that can everything.
func capabilitiesOf(enc protocol.PositionEncodingKind, pull bool) protocol.ClientCapabilities {
	raw := `{
	"general": {"positionEncodings": ["` + string(enc) + `"]},
	"window": {"workDoneProgress": true},
	"workspace": {
		"applyEdit": true, "configuration": true, "workspaceFolders": true,
		"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]},
		"didChangeWatchedFiles": {"dynamicRegistration": true},
		"didChangeConfiguration": {"dynamicRegistration": true},
		"diagnostics": {"refreshSupport": true}},
	"textDocument": {
		"publishDiagnostics": {"relatedInformation": true, "dataSupport": true, "versionSupport": true},
		"hover": {"contentFormat": ["markdown", "plaintext"]},
		"completion": {"completionItem": {"snippetSupport": true, "documentationFormat": ["markdown"]}},
		"documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
		"codeAction": {"dataSupport": true, "resolveSupport": {"properties": ["edit"]},
			"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}}}
		` + map[bool]string{true: `, "diagnostic": {}`}[pull] + `}}`
	var c protocol.ClientCapabilities
	if err := protocol.Unmarshal([]byte(raw), &c); err != nil {
		panic(err)
	}
	return c
}

type editorOptions struct {
	enc   protocol.PositionEncodingKind
	pull  bool
	quiet time.Duration // an hour when 0: tests settle the server themselves
	setup func(*protocol.InitializeParams)
	log   io.Writer
}

// newEditor starts a server over pipes in this process, with a folder of the workspace.
func newEditor(t testing.TB, dir string, o editorOptions) *editor {
	t.Helper()
	if o.enc == "" {
		o.enc = protocol.PositionEncodingKindUTF16
	}
	if o.quiet == 0 {
		o.quiet = time.Hour
	}
	here, there := net.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	so := Options{Version: "test", Quiet: o.quiet, Poll: time.Hour}
	if o.log != nil {
		so.Log = testLog(o.log)
	}
	srv := newServer(ctx, so)
	done := make(chan error, 1)
	go func() { done <- srv.run(there, there) }()
	e := dial(t, here, dir, o)
	e.srv = srv
	t.Cleanup(func() {
		cancel()
		_ = here.Close()
		<-done
	})
	e.initialize(o)
	return e
}

// dial connects an editor to a server.
func dial(t testing.TB, stream io.ReadWriteCloser, dir string, o editorOptions) *editor {
	e := &editor{
		t: t, dir: dir, pull: o.pull, enc: encodings[o.enc], docs: map[uri.URI]*document{}, shown: map[uri.URI][]protocol.Diagnostic{},
		published: make(chan *protocol.PublishDiagnosticsParams, 100_000),
	}
	e.ended = sync.NewCond(&e.mu)
	// Not asynchronous, so that notifications keep their order.
	e.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(stream), jsonrpc2.WithCodec(codec{}))
	h := protocol.ClientHandler(e, jsonrpc2.MethodNotFoundHandler)
	e.conn.Go(context.Background(), func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if req.Method() == protocol.MethodTextDocumentPublishDiagnostics {
			e.noteSpelling(req.Params())
		}
		return h(ctx, req)
	})
	e.Server = protocol.ServerDispatcher(e.conn)
	return e
}

func (e *editor) initialize(o editorOptions) *protocol.InitializeResult {
	e.t.Helper()
	p := &protocol.InitializeParams{Capabilities: capabilitiesOf(o.enc, o.pull)}
	if e.dir != "" {
		p.WorkspaceFolders = protocol.NewNullable([]protocol.WorkspaceFolder{{URI: uri.File(e.dir), Name: "w"}})
	}
	if o.setup != nil {
		o.setup(p)
	}
	result, err := e.Initialize(e.ctx(), p)
	if err != nil {
		e.t.Fatal(err)
	}
	if err := e.Initialized(e.ctx(), &protocol.InitializedParams{}); err != nil {
		e.t.Fatal(err)
	}
	return result
}

func (e *editor) ctx() context.Context { return e.t.Context() }

// ---- what the server asks of the editor

func (e *editor) PublishDiagnostics(_ context.Context, p *protocol.PublishDiagnosticsParams) error {
	e.mu.Lock()
	e.shown[p.URI] = p.Diagnostics
	e.mu.Unlock()
	e.published <- p
	return nil
}

// noteSpelling keeps a URI as it was sent: what the protocol package decodes is spelt its own way.
func (e *editor) noteSpelling(params []byte) {
	var p struct {
		URI string `json:"uri"`
	}
	if json.Unmarshal(params, &p) == nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.spelt = append(e.spelt, p.URI)
	}
}

func (e *editor) Configuration(context.Context, *protocol.ConfigurationParams) ([]protocol.LSPAny, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pulled != nil {
		close(e.pulled)
		e.pulled = nil
	}
	if e.settings == "" {
		return []protocol.LSPAny{protocol.LSPAny("null")}, nil
	}
	return []protocol.LSPAny{protocol.LSPAny(e.settings)}, nil
}

func (e *editor) RegisterCapability(_ context.Context, p *protocol.RegistrationParams) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.watchers += len(p.Registrations)
	return nil
}

func (e *editor) WorkDoneProgressCreate(context.Context, *protocol.WorkDoneProgressCreateParams) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.created++
	return nil
}

func (e *editor) Progress(_ context.Context, p *protocol.ProgressParams) error {
	var v struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.heard != nil {
		e.heard(p)
	}
	if json.Unmarshal(p.Value, &v) != nil || v.Kind == "" {
		return nil // a piece of an answer
	}
	e.progress = append(e.progress, v.Kind)
	if e.said != nil {
		e.said(p.Token, v.Message)
	}
	e.ended.Broadcast()
	return nil
}

func (e *editor) DiagnosticRefresh(context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refreshes++
	e.ended.Broadcast()
	return nil
}

func (e *editor) askAgain(what string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.again == nil {
		e.again = map[string]int{}
	}
	e.again[what]++
	e.ended.Broadcast()
	return nil
}

func (e *editor) InlayHintRefresh(context.Context) error      { return e.askAgain("hints") }
func (e *editor) CodeLensRefresh(context.Context) error       { return e.askAgain("lenses") }
func (e *editor) SemanticTokensRefresh(context.Context) error { return e.askAgain("tokens") }

func (e *editor) LogMessage(_ context.Context, p *protocol.LogMessageParams) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.logs = append(e.logs, p.Message)
	return nil
}

func (e *editor) ShowMessage(_ context.Context, p *protocol.ShowMessageParams) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.messages = append(e.messages, p.Message)
	e.ended.Broadcast()
	return nil
}

// message waits for a message to the user and returns it.
func (e *editor) message() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.messages) == 0 {
		e.ended.Wait()
	}
	m := e.messages[0]
	e.messages = e.messages[1:]
	return m
}

func (e *editor) ShowMessageRequest(_ context.Context, p *protocol.ShowMessageRequestParams) (*protocol.MessageActionItem, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked = append(e.asked, p.Message)
	if e.answer == "" {
		return nil, nil
	}
	return &protocol.MessageActionItem{Title: e.answer}, nil
}

func (e *editor) LogTrace(_ context.Context, p *protocol.LogTraceParams) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.traces = append(e.traces, p.Message)
	e.ended.Broadcast()
	return nil
}

func (e *editor) ApplyEdit(_ context.Context, p *protocol.ApplyWorkspaceEditParams) (*protocol.ApplyWorkspaceEditResult, error) {
	if err := e.apply(&p.Edit, false); err != nil {
		return &protocol.ApplyWorkspaceEditResult{Applied: false, FailureReason: new(err.Error())}, nil
	}
	return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
}

// ---- what the user does

func (e *editor) uri(file string) uri.URI {
	if strings.HasPrefix(file, "untitled:") {
		return uri.URI(file)
	}
	return uri.File(filepath.Join(e.dir, filepath.FromSlash(file)))
}

func (e *editor) read(file string) string {
	e.t.Helper()
	raw, err := os.ReadFile(filepath.Join(e.dir, filepath.FromSlash(file)))
	if err != nil {
		e.t.Fatal(err)
	}
	return string(raw)
}

func (e *editor) open(file string) *document { return e.openURI(e.uri(file), e.read(file)) }

func (e *editor) openURI(u uri.URI, src string) *document {
	e.t.Helper()
	return e.openAs(u, "skill", src)
}

// openAs opens a document under the id that its language has in the editor.
func (e *editor) openAs(u uri.URI, language protocol.LanguageKind, src string) *document {
	e.t.Helper()
	d := &document{raw: u, version: 1, text: src, lines: text.NewLineIndex(src)}
	e.mu.Lock()
	e.docs[u] = d
	e.mu.Unlock()
	item := protocol.TextDocumentItem{URI: u, LanguageID: language, Version: 1, Text: src}
	if err := e.conn.Notify(e.ctx(), protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{TextDocument: item}); err != nil {
		e.t.Fatal(err)
	}
	return d
}

// replace edits a part of a document.
func (e *editor) replace(u uri.URI, at text.Span, with string) *document {
	e.t.Helper()
	e.mu.Lock()
	d := e.docs[u]
	e.mu.Unlock()
	change := &protocol.TextDocumentContentChangePartial{Range: mapper{d.lines, e.enc}.rangeOf(at), Text: with}
	return e.change(u, d.text[:at.Start]+with+d.text[at.End:], change)
}

func (e *editor) setText(u uri.URI, src string) *document {
	e.t.Helper()
	return e.change(u, src, &protocol.TextDocumentContentChangeWholeDocument{Text: src})
}

func (e *editor) change(u uri.URI, src string, changes ...protocol.TextDocumentContentChangeEvent) *document {
	e.t.Helper()
	e.mu.Lock()
	next := e.docs[u].with(e.docs[u].version+1, src)
	e.docs[u] = next
	e.mu.Unlock()
	p := &protocol.DidChangeTextDocumentParams{ContentChanges: changes}
	p.TextDocument.URI, p.TextDocument.Version = u, next.version
	if err := e.DidChange(e.ctx(), p); err != nil {
		e.t.Fatal(err)
	}
	return next
}

func (e *editor) close(u uri.URI) {
	e.t.Helper()
	e.mu.Lock()
	delete(e.docs, u)
	e.mu.Unlock()
	p := &protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: u}}
	if err := e.DidClose(e.ctx(), p); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) watched(u uri.URI, kind protocol.FileChangeType) {
	e.t.Helper()
	p := &protocol.DidChangeWatchedFilesParams{Changes: []protocol.FileEvent{{URI: u, Type: kind}}}
	if err := e.DidChangeWatchedFiles(e.ctx(), p); err != nil {
		e.t.Fatal(err)
	}
}

// sync returns when the server has taken in all notifications sent so far.
func (e *editor) sync() {
	e.t.Helper()
	var out any
	if _, err := e.conn.Call(e.ctx(), "test/sync", nil, &out); err == nil || !isMethodNotFound(err) {
		e.t.Fatalf("an unknown request was answered with %v", err)
	}
}

func isMethodNotFound(err error) bool {
	var e *jsonrpc2.Error
	return errors.As(err, &e) && e.Code == jsonrpc2.MethodNotFound
}

// settle returns when the server has also told what depends on other files.
func (e *editor) settle() {
	e.t.Helper()
	e.sync()
	e.srv.settle(e.ctx())
	e.sync()
}

// waitFor returns the diagnostics of a version of a document, or of its next publication when version is 0.
func (e *editor) waitFor(u uri.URI, version int32) []protocol.Diagnostic {
	e.t.Helper()
	timeout := time.After(2 * time.Minute)
	for {
		select {
		case p := <-e.published:
			if v, _ := p.Version.Get(); p.URI == canonical(u) && (version == 0 || v == version) {
				return p.Diagnostics
			}
		case <-timeout:
			e.t.Fatalf("no diagnostics of version %d of %s", version, u)
		}
	}
}

// diagnostics returns what the editor shows for a document.
func (e *editor) diagnostics(u uri.URI) []protocol.Diagnostic {
	e.t.Helper()
	if !e.pull {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.shown[u]
	}
	r, err := e.Diagnostic(e.ctx(), &protocol.DocumentDiagnosticParams{TextDocument: protocol.TextDocumentIdentifier{URI: u}})
	if err != nil {
		e.t.Fatal(err)
	}
	return r.(*protocol.RelatedFullDocumentDiagnosticReport).Items
}

// apply does an edit of the workspace: to open documents in the editor, to other files on disk. quiet keeps the
// server from being told.
func (e *editor) apply(edit *protocol.WorkspaceEdit, quiet bool) error {
	for u, edits := range edit.Changes {
		if err := e.applyText(u, edits, quiet); err != nil {
			return err
		}
	}
	for _, c := range edit.DocumentChanges {
		if err := e.applyChange(c, quiet); err != nil {
			return err
		}
	}
	return nil
}

func (e *editor) applyChange(c protocol.DocumentChange, quiet bool) error {
	switch c := c.(type) {
	case *protocol.CreateFile:
		name := pathOf(c.URI)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		return f.Close()
	case *protocol.RenameFile:
		return os.Rename(pathOf(c.OldURI), pathOf(c.NewURI))
	case *protocol.TextDocumentEdit:
		if v := c.TextDocument.Version; v != nil && *v != e.docs[c.TextDocument.URI].version {
			return fmt.Errorf("an edit of version %d of %s, which has %d", *v, c.TextDocument.URI, e.docs[c.TextDocument.URI].version)
		}
		var edits []protocol.TextEdit
		for _, x := range c.Edits {
			edits = append(edits, *x.(*protocol.TextEdit))
		}
		return e.applyText(c.TextDocument.URI, edits, quiet)
	}
	return fmt.Errorf("unknown change %T", c)
}

func (e *editor) applyText(u uri.URI, edits []protocol.TextEdit, quiet bool) error {
	src, d := "", e.docs[u]
	if d != nil {
		src = d.text
	} else {
		raw, err := os.ReadFile(pathOf(u))
		if err != nil {
			return err
		}
		src = string(raw)
	}
	m := mapper{text.NewLineIndex(src), e.enc}
	var spans []text.Edit
	for _, x := range edits {
		spans = append(spans, text.Edit{Span: m.span(x.Range), New: x.NewText})
	}
	after, err := text.Apply(src, spans)
	if err != nil {
		return err
	}
	switch {
	case d == nil:
		return os.WriteFile(pathOf(u), []byte(after), 0o644)
	case quiet:
		e.docs[u] = d.with(d.version, after)
	default:
		e.setText(u, after)
	}
	return nil
}

// newFolder writes files, by their paths with slashes, into a new folder.
func newFolder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	writeFiles(t, dir, files)
	return dir
}

func writeFiles(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// rules lists the rules of diagnostics, for short comparisons.
func rulesOf(all []protocol.Diagnostic) string {
	var out []string
	for _, d := range all {
		out = append(out, string(d.Code.(protocol.String)))
	}
	return strings.Join(out, " ")
}
