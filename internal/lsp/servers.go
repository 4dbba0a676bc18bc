package lsp

import (
	"context"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	count "github.com/skill-ls/skill-ls/internal/tokens"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// methodServers asks which MCP servers are configured and what is known of them. It starts nothing.
const methodServers = "skill/servers"

// serversParams are the parameters of skill/servers. There are none: all folders are meant.
type serversParams struct{ progressTokens }

// serversResult has the form of schemas/servers.schema.json. Files are URIs.
type serversResult struct {
	Version int            `json:"version"`
	Servers []serverResult `json:"servers"`
}

type serverResult struct {
	Server  string           `json:"server"`
	File    string           `json:"file"`
	Line    int              `json:"line"` // of its entry, from 1
	Launch  string           `json:"launch"`
	Consent bool             `json:"consent"`
	Tools   []serverToolCost `json:"tools"` // null when nothing is known of them
}

// serverToolCost is what a tool costs as its server describes it.
type serverToolCost struct {
	Name   string `json:"name"`
	Tokens int    `json:"tokens"`
}

func (s *Server) servers(ctx context.Context, _ *serversParams) (*serversResult, error) {
	st := s.at(ctx)
	known, err := consents()
	if err != nil {
		return nil, err
	}
	out := &serversResult{Version: 1, Servers: []serverResult{}}
	for _, f := range st.folders {
		if f.live == nil {
			continue
		}
		for _, e := range mcpprobe.Configured(f.live.Configs()) {
			out.Servers = append(out.Servers, serverOf(st, e, known, toolsOf(f.live, e)))
		}
	}
	return out, ctx.Err()
}

func serverOf(st *state, e *mcpconfig.Server, known *mcpprobe.Consents, tools []serverToolCost) serverResult {
	l := mcpprobe.LaunchOf(e)
	return serverResult{
		Server: e.Name, File: string(st.uriOf(e.File.Doc.Abs)), Line: e.File.Doc.Lines().OffsetLine(e.Key.Start) + 1,
		Launch: l.Describe(), Consent: known.Has(l), Tools: tools,
	}
}

// toolsOf returns the tools that are known of a server, nil when none are.
func toolsOf(live *workspace.Live, e *mcpconfig.Server) []serverToolCost {
	o := offerOf(live, e)
	if o == nil || o.Server == nil {
		return nil
	}
	out := []serverToolCost{}
	for _, t := range o.Server.Tools {
		out = append(out, serverToolCost{t.Name(), toolCost(t)})
	}
	return out
}

// toolCost estimates the tokens of what a model reads of a tool.
func toolCost(t catalog.Tool) int {
	return count.Estimate(t.Name() + t.Description() + t.InputSchema().Raw())
}
