package lsp

import (
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

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
