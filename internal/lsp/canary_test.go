package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// TestNothingStarts opens a workspace whose configurations of every kind start a program that leaves a file behind, and
// asks everything there is to ask about it. Nothing may start but by skill/probe.
func TestNothingStarts(t *testing.T) {
	dir, mark := withServer(t)
	stdio := `"command": "sh", "args": ["-c", "touch ` + mark + `"]`
	writeFiles(t, dir, map[string]string{
		".mcp.json":                  `{"mcpServers": {"docs": {` + stdio + `}}}`,
		".vscode/mcp.json":           `{"servers": {"docs": {` + stdio + `}}}`,
		".gemini/settings.json":      `{"mcpServers": {"docs": {` + stdio + `}}}`,
		".codex/config.toml":         "[mcp_servers.docs]\ncommand = \"touch\"\nargs = [\"" + mark + "\"]\n",
		".skilllint.yaml":            "probe: all\n",
		".claude-plugin/plugin.json": `{"name": "demo", "mcpServers": {"docs": {` + stdio + `}}, "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "touch ` + mark + `"}]}]}}`,
		draftFile:                    strings.Replace(draftSkill, "Sort.", "!`touch "+mark+"`\n\nCall mcp__docs__search(", 1),
		".git/config":                "[core]\n\tfsmonitor = touch " + mark + "\n",
	})
	e := newEditor(t, dir, editorOptions{})
	e.settle()
	for _, file := range []string{".mcp.json", ".vscode/mcp.json", ".gemini/settings.json", ".codex/config.toml", ".skilllint.yaml", ".claude-plugin/plugin.json", draftFile} {
		d := e.open(file)
		e.settle()
		for off := range len(d.text) {
			at := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: d.raw}, Position: mapper{d.lines, e.enc}.position(off)}
			e.atPlace(at)
		}
		e.ofDocument(d)
		e.replace(d.raw, textSpan(len(d.text), len(d.text)), "\n")
	}
	e.settle()
	e.ask("clients", about(e, draftFile, ""))
	e.ask("simulate", about(e, draftFile, ""))
	e.ask("route", `{"queries": ["sort"]}`)
	if _, err := os.Stat(mark); err == nil {
		t.Fatal("a program was started")
	}
	if made, err := filepath.Glob(filepath.Join(dir, "mcp-tools.lock.json")); err != nil || len(made) > 0 {
		t.Errorf("a file was written: %v, %v", made, err)
	}
	e.answer = answerOnce // the canary sings
	e.ask("probe", `{"probeTimeout": "20s"}`)
	if _, err := os.Stat(mark); err != nil {
		t.Error("the programs would not have left a file behind")
	}
}

// atPlace asks everything about a place.
func (e *editor) atPlace(at protocol.TextDocumentPositionParams) {
	e.t.Helper()
	_, err := e.Hover(e.ctx(), &protocol.HoverParams{TextDocumentPositionParams: at})
	e.must(err)
	_, err = e.Completion(e.ctx(), &protocol.CompletionParams{TextDocumentPositionParams: at})
	e.must(err)
	_, err = e.Definition(e.ctx(), &protocol.DefinitionParams{TextDocumentPositionParams: at})
	e.must(err)
	_, err = e.References(e.ctx(), &protocol.ReferenceParams{TextDocumentPositionParams: at})
	e.must(err)
	_, err = e.DocumentHighlight(e.ctx(), &protocol.DocumentHighlightParams{TextDocumentPositionParams: at})
	e.must(err)
	_, err = e.CodeAction(e.ctx(), &protocol.CodeActionParams{TextDocument: at.TextDocument, Range: protocol.Range{Start: at.Position, End: at.Position}})
	e.must(err)
}

// ofDocument asks everything about a document as a whole.
func (e *editor) ofDocument(d *document) {
	e.t.Helper()
	id := protocol.TextDocumentIdentifier{URI: d.raw}
	_, err := e.DocumentSymbol(e.ctx(), &protocol.DocumentSymbolParams{TextDocument: id})
	e.must(err)
	_, err = e.DocumentLink(e.ctx(), &protocol.DocumentLinkParams{TextDocument: id})
	e.must(err)
	_, err = e.SemanticTokensFull(e.ctx(), &protocol.SemanticTokensParams{TextDocument: id})
	e.must(err)
	_, err = e.InlayHint(e.ctx(), &protocol.InlayHintParams{TextDocument: id, Range: mapper{d.lines, e.enc}.rangeOf(textSpan(0, len(d.text)))})
	e.must(err)
	lenses, err := e.CodeLens(e.ctx(), &protocol.CodeLensParams{TextDocument: id})
	e.must(err)
	for _, l := range lenses {
		_, err = e.CodeLensResolve(e.ctx(), &l)
		e.must(err)
	}
}

func (e *editor) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}
