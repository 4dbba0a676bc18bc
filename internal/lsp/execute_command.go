package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The commands. The argument of each is the URI of a document, or the parameters of the request of that name.
const (
	commandCreateFile = "skill.createMissingFile" // creates a file that a skill refers to and that is missing
	commandClients    = "skill.clients"           // shows which clients list a skill
	commandSimulate   = "skill.simulate"
	commandRoute      = "skill.route"
	commandProbe      = "skill.probe"
	commandReplay     = "skill.replay"
)

var commandNames = []string{commandCreateFile, commandClients, commandSimulate, commandRoute, commandProbe, commandReplay}

// ExecuteCommand runs one of the server's commands.
func (s *Server) ExecuteCommand(ctx context.Context, p *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	run := map[string]func(context.Context, []byte) (protocol.LSPAny, error){
		commandCreateFile: onDocument(s.createMissing),
		commandClients:    shown(s, s.clients),
		commandSimulate:   shown(s, s.simulate),
		commandRoute:      shown(s, s.route),
		commandProbe:      shown(s, s.probe),
		commandReplay:     shown(s, s.replay),
	}[p.Command]
	switch {
	case run == nil:
		return nil, fmt.Errorf("%w: no command is called %q", jsonrpc2.ErrInvalidParams, p.Command)
	case len(p.Arguments) > 1:
		return nil, fmt.Errorf("%w: %s takes one argument", jsonrpc2.ErrInvalidParams, p.Command)
	}
	var argument []byte
	if len(p.Arguments) == 1 {
		argument = p.Arguments[0]
	}
	out, err := run(ctx, argument)
	if errors.Is(err, jsonrpc2.ErrInvalidParams) {
		err = fmt.Errorf("%s: %w", p.Command, err)
	}
	return out, err
}

// onDocument reads the argument of a command that takes the URI of a document.
func onDocument(run func(context.Context, uri.URI) (protocol.LSPAny, error)) func(context.Context, []byte) (protocol.LSPAny, error) {
	return func(ctx context.Context, argument []byte) (protocol.LSPAny, error) {
		var u string
		if err := json.Unmarshal(argument, &u); err != nil {
			return nil, fmt.Errorf("%w: the argument must be the URI of a document", jsonrpc2.ErrInvalidParams)
		}
		return run(ctx, canonical(uri.URI(u)))
	}
}

// shown makes a command of a request. Clients that do not show what it brings back get a sentence about it.
func shown[P any](s *Server, request func(context.Context, *P) (*reply, error)) func(context.Context, []byte) (protocol.LSPAny, error) {
	return func(ctx context.Context, argument []byte) (protocol.LSPAny, error) {
		var u string
		if json.Unmarshal(argument, &u) == nil {
			argument = fmt.Appendf(nil, `{"textDocument": {"uri": %s}}`, argument)
		}
		params, err := decoded[P](argument)
		if err != nil {
			return nil, err
		}
		result, err := request(ctx, params)
		if err != nil {
			return nil, err
		}
		if !s.can.panels {
			s.showMessage(result.summary)
		}
		return json.Marshal(result)
	}
}

func (s *Server) showMessage(message string) {
	s.background("show a message", func(ctx context.Context) error {
		return s.client.ShowMessage(ctx, &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: message})
	})
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
	case !st.reaches(abs):
		return nil, fmt.Errorf("%w: a symbolic link leads from %s out of the workspace", jsonrpc2.ErrInvalidParams, u)
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
