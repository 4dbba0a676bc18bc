package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/text"
)

// triggers are the characters after which the client asks by itself.
var triggers = []string{"(", "/", "#", "`", "$", ":", "\""}

// Completion offers what may stand at a place.
func (s *Server) Completion(ctx context.Context, p *protocol.CompletionParams) (protocol.CompletionResult, error) {
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return list, nil
	}
	off := pg.offset(p.Position)
	list.Items = append(list.Items, pg.completions(off)...)
	return list, ctx.Err()
}

func (p *page) completions(off int) []protocol.CompletionItem {
	line := p.lines.Line(p.lines.OffsetLine(off))
	before := p.text()[line.Start:off]
	if file, k, ok := p.keyedAt(off); ok {
		return p.keyedItems(file, k)
	}
	switch {
	case strings.Contains(before, "skilllint-disable") || strings.Contains(before, "skilllint-enable"):
		return p.ruleItems(off)
	case p.main && p.inFront(off):
		return p.frontItems(before, off)
	}
	return p.bodyItems(before, off)
}

// item returns an item that replaces a part of the text around the cursor.
func (p *page) item(label, detail string, kind protocol.CompletionItemKind, at text.Span) protocol.CompletionItem {
	it := protocol.CompletionItem{Label: label, Kind: kind, TextEdit: &protocol.TextEdit{Range: p.rangeOf(at), NewText: label}}
	if detail != "" {
		it.Detail = protocol.NewOptional(detail)
	}
	return it
}

// insert has an item insert other text than its label, with places to fill in where the client can.
func (p *page) insert(it *protocol.CompletionItem, snippet string) {
	edit := it.TextEdit.(*protocol.TextEdit)
	edit.NewText = snippet
	if p.can.snippets && strings.Contains(snippet, "$") {
		it.InsertTextFormat = protocol.InsertTextFormatSnippet
		return
	}
	edit.NewText = strings.NewReplacer("$0", "", "$1", "").Replace(snippet)
}

func (p *page) ruleItems(off int) []protocol.CompletionItem {
	at := tokenAt(p.text(), off, isRuleByte)
	var out []protocol.CompletionItem
	for _, r := range p.reg.Rules() {
		it := p.item(r.Name, r.Page.What, protocol.CompletionItemKindConstant, at)
		out = append(out, it)
	}
	return out
}

// tokenAt returns the run of bytes around an offset that belong together.
func tokenAt(src string, off int, belongs func(byte) bool) text.Span {
	at := text.At(off)
	for at.Start > 0 && belongs(src[at.Start-1]) {
		at.Start--
	}
	for at.End < len(src) && belongs(src[at.End]) {
		at.End++
	}
	return at
}

func isRuleByte(c byte) bool { return isNameByte(c) || c == '/' }

// judges are the clients that the page's skill is judged by.
func (p *page) judges() []*profile.Profile {
	if p.skill == nil {
		return nil
	}
	out, _ := lint.Judges(p.skill, p.live().Settings(p.skill.Doc.Path))
	return out
}

// labels names clients for people.
func labels(clients []*profile.Profile) string {
	var out []string
	for _, c := range clients {
		out = append(out, c.Label)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}
