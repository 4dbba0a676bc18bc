package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// CodeLens offers what can be asked about a skill, above its name, and about MCP servers, above their entries.
func (s *Server) CodeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok || !on(pg.st.settings.CodeLens) {
		return []protocol.CodeLens{}, nil
	}
	raw, err := json.Marshal(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if f := pg.live().ConfigOf(pg.p.file); f != nil {
		return pg.probeLenses(f, raw), nil
	}
	if !pg.main {
		return []protocol.CodeLens{}, nil
	}
	at := text.At(pg.front.Open.Span.Start)
	if f := pg.front.Field("name"); f != nil {
		at = f.Key
	}
	simulate := protocol.Command{Title: "Simulate", Command: commandSimulate, Arguments: []protocol.LSPAny{raw}}
	return []protocol.CodeLens{{Range: pg.rangeOf(at), Data: raw}, {Range: pg.rangeOf(at), Command: simulate}}, nil
}

// probeLenses offer to probe the servers of a configuration, where anything may be started.
func (p *page) probeLenses(f *mcpconfig.File, uri json.RawMessage) []protocol.CodeLens {
	out := []protocol.CodeLens{}
	if p.can.untrusted || !on(p.st.settings.Trusted) {
		return out
	}
	for _, e := range mcpprobe.Configured([]*mcpconfig.File{f}) {
		title := "Probe"
		if o := offerOf(p.live(), e); o != nil && o.Server != nil {
			title = fmt.Sprintf("Probe: %s known", report.Plural(len(o.Server.Tools), "tool"))
		}
		argument, err := json.Marshal(map[string]any{"textDocument": map[string]any{"uri": uri}, "servers": []string{e.Name}})
		if err != nil {
			panic(err) // it holds nothing that has no JSON
		}
		out = append(out, protocol.CodeLens{
			Range: p.rangeOf(e.Key), Command: protocol.Command{Title: title, Command: commandProbe, Arguments: []protocol.LSPAny{argument}},
		})
	}
	return out
}

// offerOf returns what is known of a server of a configuration, nil for nothing.
func offerOf(live *workspace.Live, e *mcpconfig.Server) *lint.Offer {
	for _, o := range live.Offers() {
		for i := range o.Servers {
			if o.Servers[i].Entry == e {
				return &o.Servers[i]
			}
		}
	}
	return nil
}

// CodeLensResolve counts the clients that list the skill. Other lenses are whole as they are.
func (s *Server) CodeLensResolve(ctx context.Context, l *protocol.CodeLens) (*protocol.CodeLens, error) {
	if l.Command.Command != "" {
		return l, nil
	}
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
