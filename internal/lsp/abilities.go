package lsp

import (
	"slices"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/text"
)

// abilities is what the client can, worked out once from what it says.
type abilities struct {
	encoding           text.Encoding
	pull               bool // it asks for diagnostics
	refreshDiagnostics bool
	refreshHints       bool
	refreshLenses      bool
	refreshTokens      bool
	related            bool // related information in diagnostics
	diagnosticData     bool
	documentChanges    bool
	create, rename     bool // files, as part of an edit
	resolveEdit        bool // of code actions
	actionLiterals     bool
	snippets           bool
	markdown           bool // in hovers
	symbolTree         bool
	watch              bool // registers watchers of files when asked
	configuration      bool // answers workspace/configuration
	registerConfig     bool
	progress           bool
	applyEdit          bool
	completesKeys      bool // it completes and explains keys of a SKILL.md by itself, as VS Code does
	lineLinks          bool // a link may lead to a line: FILE#L5
	panels             bool // it shows what commands bring back by itself
	untrusted          bool // the user does not trust the workspace: nothing of it may be started
}

// is reads a capability, which is absent when the client cannot.
func is(b *bool) bool { return b != nil && *b }

// or returns p, or an empty value when the client left it out.
func or[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}

func newAbilities(c *protocol.ClientCapabilities, enc protocol.PositionEncodingKind) abilities {
	w, t := or(c.Workspace), or(c.TextDocument)
	edit, action, publish := or(w.WorkspaceEdit), or(t.CodeAction), or(t.PublishDiagnostics)
	a := abilities{
		encoding: encodings[enc],
		// One that asks, but cannot be told to ask again, would never see what other files change: Neovim 0.10.
		pull:               t.Diagnostic != nil && (is(or(w.Diagnostics).RefreshSupport) || t.PublishDiagnostics == nil),
		refreshDiagnostics: is(or(w.Diagnostics).RefreshSupport),
		refreshHints:       is(or(w.InlayHint).RefreshSupport),
		refreshLenses:      is(or(w.CodeLens).RefreshSupport),
		refreshTokens:      is(or(w.SemanticTokens).RefreshSupport),
		related:            is(publish.RelatedInformation) || is(or(t.Diagnostic).RelatedInformation),
		diagnosticData:     is(publish.DataSupport) || is(or(t.Diagnostic).DataSupport),
		documentChanges:    is(edit.DocumentChanges),
		create:             slices.Contains(edit.ResourceOperations, protocol.ResourceOperationKindCreate),
		rename:             slices.Contains(edit.ResourceOperations, protocol.ResourceOperationKindRename),
		resolveEdit:        is(action.DataSupport) && slices.Contains(action.ResolveSupport.Properties, "edit"),
		actionLiterals:     len(action.CodeActionLiteralSupport.CodeActionKind.ValueSet) > 0,
		snippets:           is(or(or(t.Completion).CompletionItem).SnippetSupport),
		markdown:           slices.Contains(or(t.Hover).ContentFormat, protocol.MarkupKindMarkdown),
		symbolTree:         is(or(t.DocumentSymbol).HierarchicalDocumentSymbolSupport),
		watch:              is(or(w.DidChangeWatchedFiles).DynamicRegistration),
		configuration:      is(w.Configuration),
		registerConfig:     is(or(w.DidChangeConfiguration).DynamicRegistration),
		progress:           is(or(c.Window).WorkDoneProgress),
		applyEdit:          is(w.ApplyEdit),
	}
	a.create, a.rename = a.create && a.documentChanges, a.rename && a.documentChanges
	return a
}
