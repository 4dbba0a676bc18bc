package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// streamed notes what is reported on one token, its kinds or the pieces of an answer, until the answer comes.
type streamed struct {
	kinds, titles []string
	pieces        []json.RawMessage
}

// listen notes what is reported on a token.
func (e *editor) listen(token protocol.ProgressToken) *streamed {
	out := &streamed{}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = func(p *protocol.ProgressParams) {
		var v struct{ Kind, Title, Message string }
		switch {
		case p.Token != token:
		case json.Unmarshal(p.Value, &v) == nil && v.Kind != "":
			out.kinds, out.titles = append(out.kinds, v.Kind), append(out.titles, v.Title+v.Message)
		default:
			out.pieces = append(out.pieces, json.RawMessage(slices.Clone(p.Value)))
		}
	}
	return out
}

// call sends a request and returns its raw answer.
func (e *editor) call(method, params string) (string, error) {
	var raw jsonrpc2.RawMessage
	_, err := e.conn.Call(e.ctx(), method, jsonrpc2.RawMessage(params), &raw)
	return string(raw), err
}

// TestProgressOnTheClientsToken has what takes a while shown on the token that the client gives, from its begin to its
// end, and no other one created for it.
func TestProgressOnTheClientsToken(t *testing.T) {
	dir, _ := withServer(t)
	e := newEditor(t, dir, editorOptions{pull: true, setup: func(p *protocol.InitializeParams) { p.Capabilities.Window = nil }})
	e.answer = answerOnce
	e.open(draftFile)
	e.settle()
	skill := fmt.Sprintf(`"textDocument": {"uri": %q}, "position": {"line": 1, "character": 7}`, e.uri(draftFile))
	for _, c := range []struct{ method, params, says string }{
		{protocol.MethodWorkspaceDiagnostic, `"previousResultIds": []`, "files"},
		{protocol.MethodTextDocumentReferences, skill + `, "context": {"includeDeclaration": true}`, "references"},
		{protocol.MethodTextDocumentRename, skill + `, "newName": "other"`, "Renaming"},
		{protocol.MethodWorkspaceExecuteCommand, `"command": "skill.simulate", "arguments": [{}]`, "Playing Claude Code"},
		{methodClients, ``, "Playing"},
		{methodSimulate, ``, "Playing Claude Code"},
		{methodRoute, `"queries": ["photos"]`, "Playing Claude Code"},
		{methodProbe, ``, "docs: done"},
		{methodServers, ``, "servers"},
		{methodReplay, fmt.Sprintf(`"recordings": [%q]`, e.uri(".mcp.json")), "recordings"},
	} {
		for token, key := range map[string]protocol.ProgressToken{`"mine"`: protocol.String("mine"), `7`: protocol.Integer(7)} {
			got := e.listen(key)
			more := strings.TrimSuffix(", "+c.params, ", ")
			if _, err := e.call(c.method, `{"workDoneToken": `+token+more+`}`); err != nil {
				t.Fatalf("%s: %v", c.method, err)
			}
			n := len(got.kinds)
			if n < 2 || got.kinds[0] != "begin" || got.kinds[n-1] != "end" || !strings.Contains(strings.Join(got.titles, "\n"), c.says) {
				t.Errorf("%s with the token %s: %q, %q, want %q said", c.method, token, got.kinds, got.titles, c.says)
			}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.created > 0 {
		t.Errorf("%d tokens were created in a client that cannot", e.created)
	}
}

// TestCancelOnTheClientsToken has the user stop a request where the client shows it.
func TestCancelOnTheClientsToken(t *testing.T) {
	e := newImpatientEditor(t)
	got := e.listen(protocol.String("mine"))
	_, err := e.call(methodProbe, `{"workDoneToken": "mine", "probeTimeout": "10m"}`)
	if failure := new(jsonrpc2.Error); !errors.As(err, &failure) || failure.Code != jsonrpc2.Code(protocol.LSPErrorCodesRequestCancelled) {
		t.Errorf("the answer is %v", err)
	}
	if n := len(got.kinds); n == 0 || got.kinds[n-1] != "end" {
		t.Errorf("it was shown as %q", got.kinds)
	}
}

// TestPartialResults has long answers come in pieces to a client that wants that, the answer itself empty then.
func TestPartialResults(t *testing.T) {
	const links = 2*partSize + 1
	e := newEditor(t, newFolder(t, map[string]string{
		".git/HEAD": "", draftFile: draftSkill + "\n[end](more.md)\n",
		".claude/skills/draft/more.md": "# More\n\n" + strings.Repeat("[up](SKILL.md)\n", links),
	}), editorOptions{pull: true})
	e.open(draftFile)
	e.settle()
	place := fmt.Sprintf(`"textDocument": {"uri": %q}, "position": {"line": 6, "character": 0}, "context": {"includeDeclaration": false}`, e.uri(draftFile))
	for _, c := range []struct {
		method, params, empty string
		pieces                int
	}{
		{protocol.MethodTextDocumentReferences, strings.Replace(place, `"line": 6`, `"line": 7`, 1), "[]", 3},
		{protocol.MethodWorkspaceDiagnostic, `"previousResultIds": []`, `{"items":[]}`, 1},
	} {
		whole, err := e.call(c.method, "{"+c.params+"}")
		e.must(err)
		got := e.listen(protocol.String("part"))
		rest, err := e.call(c.method, `{"partialResultToken": "part", `+c.params+"}")
		e.must(err)
		if rest != c.empty || len(got.pieces) != c.pieces {
			t.Errorf("%s: %d pieces and the answer %s", c.method, len(got.pieces), rest)
		}
		if joined := e.join(got.pieces); joined != e.join([]json.RawMessage{json.RawMessage(whole)}) {
			t.Errorf("%s: the pieces hold\n%s\nthe whole is\n%s", c.method, joined, whole)
		}
	}
}

// join lists the entries of pieces, which are lists or objects with a list of items.
func (e *editor) join(pieces []json.RawMessage) string {
	var out []string
	for _, raw := range pieces {
		var list []json.RawMessage
		var object struct{ Items []json.RawMessage }
		if json.Unmarshal(raw, &list) != nil {
			e.must(json.Unmarshal(raw, &object))
			list = object.Items
		}
		for _, x := range list {
			out = append(out, string(x))
		}
	}
	return strings.Join(out, "\n")
}
