package lsp

import "go.lsp.dev/protocol"

// kindFixAll is the kind of the action that applies all safe fixes of a file.
const kindFixAll protocol.CodeActionKind = "source.fixAll.skilllint"

// capabilities is what the server can. What is not there is not told.
func (s *Server) capabilities(enc protocol.PositionEncodingKind) protocol.ServerCapabilities {
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
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: []string{commandCreateFile}},
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{Supported: new(true), ChangeNotifications: protocol.Boolean(true)},
		},
	}
	if s.can.pull {
		c.DiagnosticProvider = &protocol.DiagnosticOptions{InterFileDependencies: true, WorkspaceDiagnostics: true}
	}
	return c
}
