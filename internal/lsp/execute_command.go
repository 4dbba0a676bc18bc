package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The commands, each with the URI of a document as its argument.
const (
	commandCreateFile = "skill.createMissingFile" // creates a file that a skill refers to and that is missing
	commandClients    = "skill.clients"           // shows which clients list a skill
)

// ExecuteCommand runs one of the server's commands.
func (s *Server) ExecuteCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	run := map[string]func(context.Context, uri.URI) (protocol.LSPAny, error){
		commandCreateFile: s.createMissing,
		commandClients:    s.showClients,
	}[p.Command]
	if run == nil {
		return nil, fmt.Errorf("%w: no command is called %q", jsonrpc2.ErrInvalidParams, p.Command)
	}
	if len(p.Arguments) != 1 {
		return nil, fmt.Errorf("%w: %s takes the URI of a document", jsonrpc2.ErrInvalidParams, p.Command)
	}
	var u string
	if err := json.Unmarshal(p.Arguments[0], &u); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", jsonrpc2.ErrInvalidParams, p.Command, err)
	}
	return run(ctx, canonical(uri.URI(u)))
}

// showClients shows in a message what the clients make of a skill, and returns it.
func (s *Server) showClients(ctx context.Context, u uri.URI) (protocol.LSPAny, error) {
	at, ok := s.at(ctx).find(u)
	if !ok || at.live.SkillOf(at.file) == nil {
		return nil, fmt.Errorf("%w: %s is no skill, nor part of one", jsonrpc2.ErrInvalidParams, u)
	}
	result := &clientsResult{Version: 1, Clients: []clientResult{}}
	s.addPlayed(s.at(ctx), result, at.live.SkillOf(at.file), at, nil)
	var listed, other []string
	for _, c := range result.Clients {
		if c.Skills[0].Listed {
			listed = append(listed, c.Name)
		} else {
			other = append(other, c.Skills[0].Reason)
		}
	}
	message := "Listed by " + strings.Join(listed, ", ")
	if len(listed) == 0 {
		message = "Listed by no client"
	}
	s.background("show a message", func(ctx context.Context) error {
		return s.client.ShowMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: strings.Join(append([]string{message}, other...), ". ")})
	})
	return json.Marshal(result)
}

// createMissing has the client create a file in one of its folders.
func (s *Server) createMissing(ctx context.Context, u uri.URI) (protocol.LSPAny, error) {
	st := s.at(ctx)
	abs := pathOf(u)
	i := st.folderOf("", abs)
	switch {
	case abs == "" || i < 0:
		return nil, fmt.Errorf("%w: %s lies in no folder of the workspace", jsonrpc2.ErrInvalidParams, u)
	case exists(abs):
		return nil, fmt.Errorf("%w: %s is there already", jsonrpc2.ErrInvalidParams, u)
	}
	b := s.builder(st)
	b.create(abs, "")
	edit, ok := b.build()
	if !ok || !s.can.applyEdit {
		return nil, jsonrpc2.Errorf(requestFailed, "the editor cannot create files")
	}
	result, err := s.client.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{Label: new("Create " + abs), Edit: *edit})
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", abs, err)
	}
	if !result.Applied {
		return nil, jsonrpc2.Errorf(requestFailed, "the editor did not create %s", abs)
	}
	return nil, nil
}
