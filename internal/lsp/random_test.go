package lsp

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/racetest"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

var edits = flag.Int("edits", 100, "how many random edits are made")

// randomFiles refer to each other, share a name and hold faults.
var randomFiles = map[string]string{
	".git/HEAD":                               "ref: refs/heads/main\n",
	".claude/skills/alpha/SKILL.md":           "---\nname: alpha\ndescription: Sorts photos. Use when photos are unsorted.\n---\n\n# Steps\n\nSee [more](references/more.md#two) and [beta](../beta/SKILL.md#steps).\n",
	".claude/skills/alpha/references/more.md": "# One\n\n## Two 😀\n\nBack to [top](../SKILL.md#steps), [none](none.md).\n",
	".claude/skills/beta/SKILL.md":            "---\nname: alpha\ndescription: Use for: all.\nversion: 1\n---\n\n# Steps\n\n[gone](gone.md)\n",
	".agents/skills/gamma/SKILL.md":           "---\nname: gamma\ndescription: >\n  Long text\n---\n<!-- skilllint-disable-next-line link/missing -- later -->\n[gone](gone.md)\n",
	".agents/skills/gamma/agents/openai.yaml": "interface:\n  display_name: Gamma\n  short_description: x\n",
	"skills/delta/SKILL.md":                   "---\r\nname: delta\r\n---\r\n# T\r\n",
	".skilllint.yaml":                         "rules:\n  name/folder: error\n",
	".mcp.json":                               "{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [1]}}}\n",

	".claude/skills/tools/SKILL.md":                "---\nname: tools\ndescription: Finds. Use when lost.\nallowed-tools: mcp__a__find\n---\n\nCall `mcp__a__find(wort=\"x\")`, then a:fnd_all.\n",
	".claude/skills/tools/evals/trigger-eval.json": "[{\"query\": \"find it\", \"skill\": \"tool\"}]\n",
	".claude/skills/tools/references/more.md":      "# More\n\n`find` of a, or mcp__a__find_all(word=\"x\").\n",
	".codex/config.toml":                           "[mcp_servers.b]\ncommand = \"x\"\nargs = [\n  \"y\",\n]\n",
	".claude-plugin/marketplace.json":              "{\"name\": \"m\", \"owner\": {\"name\": \"me\"}, \"plugins\": [{\"name\": \"p\", \"source\": \"./\", \"skills\": [\"./skills/none\"]}]}\n",
	".claude-plugin/plugin.json":                   "{\"name\": \"demo\", \"skills\": [\"./skil\"]}\n",
	"mcp-tools.lock.json":                          randomLock(),
}

// randomLock is a lock file with two tools of a server.
func randomLock() string {
	s, err := catalog.ReadList("a", []byte(`[{"name": "find", "description": "Finds.", "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}}}, {"name": "find_all"}]`))
	if err != nil {
		panic(err)
	}
	data, err := catalog.Encode(catalog.New(s))
	if err != nil {
		panic(err)
	}
	return string(data)
}

// snippets are what edits put in: pieces that begin and end things, and line breaks of all kinds.
var snippets = []string{
	"a", " ", "\n", ": ", "---\n", "# ", "`", "```\n", "[x](gone.md)", "<!-- skilllint-disable-line -->", "name: beta\n", "\"", "é", "😀", "\r\n", "\r",
	"](../beta/SKILL.md#steps)", "\t", "- ", "description: x\n", "}", ",", "", "",
}

// randomEdit picks a part of a text and what to put in its place. Both ends lie between characters.
func randomEdit(r *rand.Rand, src string) (text.Span, string) {
	x := text.NewLineIndex(src)
	place := func() int { return x.PositionOffset(x.OffsetPosition(r.IntN(len(src)+1), text.UTF32), text.UTF32) }
	at := text.Span{Start: place(), End: place()}
	if at.Start > at.End {
		at.Start, at.End = at.End, at.Start
	}
	if at.Len() > 20 {
		at.End = at.Start
	}
	return at, snippets[r.IntN(len(snippets))]
}

// typist opens all files of the random workspace and edits them.
type typist struct {
	*editor
	*rand.Rand
	files []string
}

func newTypist(t *testing.T, enc protocol.PositionEncodingKind, seed uint64) *typist {
	dir := newFolder(t, randomFiles)
	w := &typist{newEditor(t, dir, editorOptions{enc: enc, pull: true}), rand.New(rand.NewPCG(seed, 1)), nil}
	w.files = slices.DeleteFunc(slices.Sorted(maps.Keys(randomFiles)), func(f string) bool { return strings.HasPrefix(f, ".git/") })
	for _, f := range w.files {
		w.open(f)
	}
	w.settle()
	return w
}

// step makes one notification of up to three edits to one file.
func (w *typist) step() string {
	file := w.files[w.IntN(len(w.files))]
	u := w.uri(file)
	w.mu.Lock()
	src := w.docs[u].text
	w.mu.Unlock()
	if w.IntN(40) == 0 {
		w.setText(u, randomFiles[file])
		return file
	}
	var changes []protocol.TextDocumentContentChangeEvent
	for range 1 + w.IntN(3) {
		at, with := randomEdit(w.Rand, src)
		m := mapper{text.NewLineIndex(src), w.enc}
		changes = append(changes, &protocol.TextDocumentContentChangePartial{Range: m.rangeOf(at), Text: with})
		src = src[:at.Start] + with + src[at.End:]
	}
	w.change(u, src, changes...)
	return file
}

// compare holds the server's state against one that is made anew from the same documents.
func (w *typist) compare() error {
	st := w.srv.state()
	for u, d := range w.docs {
		if got := st.docs[canonical(u)]; got == nil || got.text != d.text || got.version != d.version {
			return fmt.Errorf("%s differs from what the editor shows:\n%q\nwant\n%q", u, got.text, d.text)
		}
	}
	anew, err := w.srv.loadFolder(context.Background(), st, st.folders[0])
	if err != nil {
		return err
	}
	if anew, err = anew.Settle(context.Background(), 0); err != nil {
		return err
	}
	if got, want := describe(st.folders[0].live), describe(anew); got != want {
		return fmt.Errorf("the server says\n%s\nmade anew it would say\n%s", got, want)
	}
	return nil
}

func describe(live *workspace.Live) string {
	var b strings.Builder
	for _, file := range live.Files() {
		findings, err := live.Findings(file)
		if err != nil {
			fmt.Fprintf(&b, "%v\n", err)
		}
		for _, f := range findings {
			fmt.Fprintf(&b, "%s %v %s %v %s %v %d\n", f.File, f.Span, f.Rule.Name, f.Severity, f.Message, f.Clients, len(f.Fixes))
		}
	}
	return b.String()
}

// TestRandomEdits wants the state that follows edits to equal one made anew, after each edit.
func TestRandomEdits(t *testing.T) {
	racetest.Skip(t) // one edit after another; the next test has them beside requests
	for _, enc := range []protocol.PositionEncodingKind{protocol.PositionEncodingKindUTF16, protocol.PositionEncodingKindUTF8, protocol.PositionEncodingKindUTF32} {
		t.Run(string(enc), func(t *testing.T) {
			w := newTypist(t, enc, 1)
			for i := range *edits {
				file := w.step()
				w.settle()
				if err := w.compare(); err != nil {
					t.Fatalf("edit %d, of %s: %v", i, file, err)
				}
			}
		})
	}
}

// TestRandomEditsAmongRequests edits while requests run, of which many are cancelled. Every request must be
// answered, and the state equal one made anew whenever that is looked at.
func TestRandomEditsAmongRequests(t *testing.T) {
	w := newTypist(t, protocol.PositionEncodingKindUTF16, 2)
	stop := make(chan struct{})
	var asking sync.WaitGroup
	for i := range 4 {
		asking.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 3))
			for {
				select {
				case <-stop:
					return
				default:
					w.ask(t, r)
				}
			}
		})
	}
	var failure error
	for i := 0; i < *edits && failure == nil; i++ {
		file := w.step()
		switch w.IntN(50) {
		case 0:
			w.settle()
			if err := w.compare(); err != nil {
				failure = fmt.Errorf("edit %d, of %s: %w", i, file, err)
			}
		case 1, 2, 3, 4, 5:
			w.srv.settle(t.Context())
		}
	}
	close(stop)
	asking.Wait()
	if failure != nil {
		t.Fatal(failure)
	}
	w.settle()
	if err := w.compare(); err != nil {
		t.Fatal(err)
	}
}

// ask sends a random request, and cancels it at a random time.
func (w *typist) ask(t *testing.T, r *rand.Rand) {
	ctx := t.Context()
	if r.IntN(2) == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(r.IntN(500))*time.Microsecond)
		defer cancel()
	}
	doc := protocol.TextDocumentIdentifier{URI: w.uri(w.files[r.IntN(len(w.files))])}
	at := protocol.TextDocumentPositionParams{TextDocument: doc, Position: protocol.Position{Line: uint32(r.IntN(9)), Character: uint32(r.IntN(40))}}
	all := protocol.Range{End: protocol.Position{Line: 1000}}
	requests := []struct {
		method string
		params any
	}{
		{protocol.MethodTextDocumentHover, &protocol.HoverParams{TextDocumentPositionParams: at}},
		{protocol.MethodTextDocumentCompletion, &protocol.CompletionParams{TextDocumentPositionParams: at}},
		{protocol.MethodTextDocumentDiagnostic, &protocol.DocumentDiagnosticParams{TextDocument: doc}},
		{protocol.MethodTextDocumentDefinition, &protocol.DefinitionParams{TextDocumentPositionParams: at}},
		{protocol.MethodTextDocumentReferences, &protocol.ReferenceParams{TextDocumentPositionParams: at}},
		{protocol.MethodTextDocumentDocumentSymbol, &protocol.DocumentSymbolParams{TextDocument: doc}},
		{protocol.MethodTextDocumentFormatting, &protocol.DocumentFormattingParams{TextDocument: doc}},
		{protocol.MethodTextDocumentInlayHint, &protocol.InlayHintParams{TextDocument: doc, Range: all}},
		{protocol.MethodTextDocumentSemanticTokensFull, &protocol.SemanticTokensParams{TextDocument: doc}},
		{protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{TextDocument: doc, Range: all}},
		{protocol.MethodTextDocumentFoldingRange, &protocol.FoldingRangeParams{TextDocument: doc}},
		{protocol.MethodTextDocumentSelectionRange, &protocol.SelectionRangeParams{TextDocument: doc, Positions: []protocol.Position{at.Position}}},
		{protocol.MethodTextDocumentDocumentHighlight, &protocol.DocumentHighlightParams{TextDocumentPositionParams: at}},
		{protocol.MethodTextDocumentPrepareRename, &protocol.PrepareRenameParams{TextDocumentPositionParams: at}},
		{protocol.MethodTextDocumentCodeLens, &protocol.CodeLensParams{TextDocument: doc}},
		{protocol.MethodTextDocumentDocumentLink, &protocol.DocumentLinkParams{TextDocument: doc}},
		{protocol.MethodTextDocumentRename, &protocol.RenameParams{TextDocumentPositionParams: at, NewName: "other"}},
		{protocol.MethodWorkspaceDiagnostic, &protocol.WorkspaceDiagnosticParams{PreviousResultIds: []protocol.PreviousResultId{}}},
		{methodClients, map[string]any{"workDoneToken": "x"}},
		{methodServers, map[string]any{}},
		{methodSimulate, &protocol.DocumentSymbolParams{TextDocument: doc}},
		{methodRoute, map[string]any{"queries": []string{"sort"}}},
		{protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: "a"}},
	}
	q := requests[r.IntN(len(requests))]
	err := protocol.Call(ctx, w.conn, q.method, q.params, nil)
	if refusal := new(jsonrpc2.Error); errors.As(err, &refusal) && refusal.Code == requestFailed {
		return // it says why there is nothing to do
	}
	if err != nil && ctx.Err() == nil {
		t.Errorf("%s: %v", q.method, err)
	}
}
