package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/text"
)

// action is something that can be done to a document. edit is worked out when the user chooses it, if the
// client can wait for that.
type action struct {
	title     string
	kind      protocol.CodeActionKind
	finding   *lint.Finding // that it settles; nil when it is not about one
	preferred bool
	edit      func() (*protocol.WorkspaceEdit, bool)
}

// CodeAction offers what can be done about the findings at a place, and about the place itself.
func (s *Server) CodeAction(ctx context.Context, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	st := s.at(ctx)
	at, ok := st.find(p.TextDocument.URI)
	if !ok || at.doc == nil || !s.can.actionLiterals {
		return []protocol.CommandOrCodeAction{}, nil
	}
	c := s.converter(st, at)
	span := c.mapper(at.file).span(p.Range)
	out := []protocol.CommandOrCodeAction{}
	for i, a := range c.actions(span) {
		if !wanted(a.kind, p.Context.Only) {
			continue
		}
		if made := c.codeAction(a, i, p); made != nil {
			out = append(out, made)
		}
	}
	return out, ctx.Err()
}

// wanted reports whether a kind is one of those asked for, or below one.
func wanted(kind protocol.CodeActionKind, only []protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return o == "" || kind == o || strings.HasPrefix(string(kind), string(o)+".")
	})
}

// actionData is what an action carries to be found again.
type actionData struct {
	URI     uri.URI        `json:"uri"`
	Version int32          `json:"version"`
	Range   protocol.Range `json:"range"`
	Index   int            `json:"index"`
	Title   string         `json:"title"`
}

func (c converter) codeAction(a action, index int, p *protocol.CodeActionParams) *protocol.CodeAction {
	made := &protocol.CodeAction{Title: a.title, Kind: &a.kind}
	if a.preferred {
		made.IsPreferred = new(true)
	}
	if a.finding != nil {
		made.Diagnostics = matching(p.Context.Diagnostics, c.diagnostic(*a.finding))
	}
	if c.can.resolveEdit {
		raw, err := json.Marshal(actionData{p.TextDocument.URI, c.p.doc.version, p.Range, index, a.title})
		if err != nil {
			panic(err) // it holds nothing that has no JSON
		}
		made.Data = raw
		return made
	}
	var ok bool
	if made.Edit, ok = a.edit(); !ok {
		return nil
	}
	return made
}

// matching returns those of a client's diagnostics that are the one given.
func matching(have []protocol.Diagnostic, want protocol.Diagnostic) []protocol.Diagnostic {
	var out []protocol.Diagnostic
	for _, d := range have {
		if d.Range == want.Range && d.Code == want.Code {
			out = append(out, d)
		}
	}
	return out
}

// CodeActionResolve works out the edit of an action that the user has chosen.
func (s *Server) CodeActionResolve(ctx context.Context, a *protocol.CodeAction) (*protocol.CodeAction, error) {
	var data actionData
	if err := json.Unmarshal(a.Data, &data); err != nil {
		return nil, fmt.Errorf("%w: the action carries no data of this server: %w", jsonrpc2.ErrInvalidParams, err)
	}
	st := s.at(ctx)
	at, ok := st.find(data.URI)
	if !ok || at.doc == nil || at.doc.version != data.Version {
		return nil, protocol.ErrContentModified
	}
	c := s.converter(st, at)
	all := c.actions(c.mapper(at.file).span(data.Range))
	if data.Index >= len(all) || data.Index < 0 || all[data.Index].title != data.Title {
		return nil, protocol.ErrContentModified
	}
	if a.Edit, ok = all[data.Index].edit(); !ok {
		return nil, jsonrpc2.Errorf(requestFailed, "%s: the editor cannot do that", a.Title)
	}
	return a, nil
}

// actions lists everything that can be done at a place, in a fixed order.
func (c converter) actions(at text.Span) []action {
	var out []action
	findings := c.findings(c.st, c.p)
	here := slices.DeleteFunc(slices.Clone(findings), func(f lint.Finding) bool { return !touches(f.Span, at) })
	for i := range here {
		out = append(out, c.fixes(&here[i])...)
	}
	for i := range here {
		out = append(out, c.suppressions(&here[i])...)
	}
	out = append(out, c.creations(at)...)
	out = append(out, c.rewrites(at)...)
	if slices.ContainsFunc(findings, func(f lint.Finding) bool {
		return slices.ContainsFunc(f.Fixes, func(x lint.Fix) bool { return x.Safe })
	}) {
		out = append(out, action{title: "Apply all safe fixes", kind: kindFixAll, edit: c.fixAll})
	}
	return out
}

// touches reports whether two places meet; one without length meets what it stands at the edge of.
func touches(a, b text.Span) bool { return a.Start <= b.End && b.Start <= a.End }

// fixes are the ways to settle a finding.
func (c converter) fixes(f *lint.Finding) []action {
	var out []action
	for i, fix := range f.Fixes {
		if len(fix.Renames) > 0 && !c.can.rename || len(fix.Creates) > 0 && !c.can.create {
			continue
		}
		out = append(out, action{
			title: sentence(fix.Title), kind: protocol.CodeActionKindQuickFix, finding: f, preferred: i == 0 && fix.Safe,
			edit: func() (*protocol.WorkspaceEdit, bool) { return c.edit(fix) },
		})
	}
	return out
}

// sentence begins a title with a capital letter, as editors show them.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
