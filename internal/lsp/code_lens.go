package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/text"
)

// CodeLens offers what can be asked about a skill, above its name.
func (s *Server) CodeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok || !pg.main || !on(pg.st.settings.CodeLens) {
		return []protocol.CodeLens{}, nil
	}
	raw, err := json.Marshal(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	at := text.At(pg.front.Open.Span.Start)
	if f := pg.front.Field("name"); f != nil {
		at = f.Key
	}
	return []protocol.CodeLens{{Range: pg.rangeOf(at), Data: raw}}, nil
}

// CodeLensResolve counts the clients that list the skill.
func (s *Server) CodeLensResolve(ctx context.Context, l *protocol.CodeLens) (*protocol.CodeLens, error) {
	var u uri.URI
	if err := json.Unmarshal(l.Data, &u); err != nil {
		return nil, fmt.Errorf("the lens carries no data of this server: %w", err)
	}
	pg, ok := s.page(ctx, u)
	if !ok || !pg.main {
		return nil, protocol.ErrContentModified
	}
	plays := pg.live().Plays(pg.skill, nil)
	listed := 0
	for _, p := range plays {
		if p.Outcome.Listed {
			listed++
		}
	}
	l.Command = protocol.Command{
		Title: fmt.Sprintf("Which clients: listed by %d of %d", listed, len(plays)), Command: commandClients, Arguments: []protocol.LSPAny{l.Data},
	}
	return l, nil
}
