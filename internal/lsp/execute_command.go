package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// commandCreateFile creates a file that a skill refers to and that is missing: arguments are its URI.
const commandCreateFile = "skill.createMissingFile"

// ExecuteCommand runs one of the server's commands.
func (s *Server) ExecuteCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	if p.Command != commandCreateFile {
		return nil, fmt.Errorf("%w: no command is called %q", jsonrpc2.ErrInvalidParams, p.Command)
	}
	if len(p.Arguments) != 1 {
		return nil, fmt.Errorf("%w: %s takes the URI of the file", jsonrpc2.ErrInvalidParams, p.Command)
	}
	var u string
	if err := json.Unmarshal(p.Arguments[0], &u); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", jsonrpc2.ErrInvalidParams, p.Command, err)
	}
	return nil, s.createMissing(ctx, canonical(uri.URI(u)))
}

// createMissing has the client create a file in one of its folders.
func (s *Server) createMissing(ctx context.Context, u uri.URI) error {
	st := s.at(ctx)
	abs := pathOf(u)
	i := st.folderOf("", abs)
	switch {
	case abs == "" || i < 0:
		return fmt.Errorf("%w: %s lies in no folder of the workspace", jsonrpc2.ErrInvalidParams, u)
	case exists(abs):
		return fmt.Errorf("%w: %s is there already", jsonrpc2.ErrInvalidParams, u)
	}
	b := s.builder(st)
	b.create(abs, "")
	edit, ok := b.build()
	if !ok || !s.can.applyEdit {
		return jsonrpc2.Errorf(requestFailed, "the editor cannot create files")
	}
	result, err := s.client.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{Label: new("Create " + abs), Edit: *edit})
	if err != nil {
		return fmt.Errorf("create %s: %w", abs, err)
	}
	if !result.Applied {
		return jsonrpc2.Errorf(requestFailed, "the editor did not create %s", abs)
	}
	return nil
}
