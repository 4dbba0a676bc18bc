package lsp

import "go.lsp.dev/protocol"

// kindFixAll is the kind of the action that applies all safe fixes of a file.
const kindFixAll protocol.CodeActionKind = "source.fixAll.skilllint"

// capabilities is what the server can. What is not there is not told.
func (s *Server) capabilities(enc protocol.PositionEncodingKind) protocol.ServerCapabilities {
	shown := protocol.WorkDoneProgressOptions{WorkDoneProgress: new(true)}
	c := protocol.ServerCapabilities{
		PositionEncoding: enc,
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: new(true),
			Change:    new(protocol.TextDocumentSyncKindIncremental),
			Save:      &protocol.SaveOptions{},
		},
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{
				protocol.CodeActionKindQuickFix, protocol.CodeActionKindRefactorExtract, protocol.CodeActionKindRefactorRewrite, kindFixAll,
			},
			ResolveProvider: new(true),
		},
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{WorkDoneProgressOptions: shown, Commands: commandNames},
		CompletionProvider:     &protocol.CompletionOptions{TriggerCharacters: triggers},
		HoverProvider:          protocol.Boolean(true),
		DefinitionProvider:     protocol.Boolean(true),
		ReferencesProvider:     &protocol.ReferenceOptions{WorkDoneProgressOptions: shown},
		DocumentLinkProvider:   &protocol.DocumentLinkOptions{},

		DocumentSymbolProvider:     protocol.Boolean(true),
		WorkspaceSymbolProvider:    protocol.Boolean(true),
		FoldingRangeProvider:       protocol.Boolean(true),
		SelectionRangeProvider:     protocol.Boolean(true),
		DocumentHighlightProvider:  protocol.Boolean(true),
		RenameProvider:             &protocol.RenameOptions{WorkDoneProgressOptions: shown, PrepareProvider: new(true)},
		DocumentFormattingProvider: protocol.Boolean(true),
		InlayHintProvider:          protocol.Boolean(true),
		CodeLensProvider:           &protocol.CodeLensOptions{ResolveProvider: new(true)},
		SemanticTokensProvider: &protocol.SemanticTokensOptions{
			Legend: protocol.SemanticTokensLegend{TokenTypes: tokenTypes, TokenModifiers: []string{}},
			Full:   protocol.Boolean(true), Range: protocol.Boolean(true),
		},
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{Supported: new(true), ChangeNotifications: protocol.Boolean(true)},
			FileOperations:   &protocol.FileOperationOptions{WillRename: anyFile, DidRename: anyFile},
		},
	}
	if s.can.pull {
		c.DiagnosticProvider = &protocol.DiagnosticOptions{WorkDoneProgressOptions: shown, InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
	return c
}

// anyFile is every file and folder on disk: what skills refer to may have any name.
var anyFile = protocol.FileOperationRegistrationOptions{Filters: []protocol.FileOperationFilter{{Scheme: new("file"), Pattern: protocol.FileOperationPattern{Glob: "**/*"}}}}
