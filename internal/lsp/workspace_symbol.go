package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// maxSymbols is how many symbols one answer lists: more nobody reads.
const maxSymbols = 200

// Symbols lists the skills and the MCP servers of all folders whose name holds the letters of a query in their order.
// Those whose name begins with it come first.
func (s *Server) Symbols(ctx context.Context, p *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	st := s.at(ctx)
	found := symbolSearch{query: strings.ToLower(p.Query)}
	for _, f := range st.folders {
		if f.live == nil {
			continue
		}
		c := s.converter(st, place{live: f.live})
		for _, skill := range f.live.Skills() {
			found.add(skill.Name(), func() protocol.WorkspaceSymbol { return c.skillSymbol(skill) })
		}
		for _, file := range f.live.Configs() {
			for _, server := range file.Servers {
				found.add(server.Name, func() protocol.WorkspaceSymbol {
					return c.namedSymbol(server.Name, protocol.SymbolKindInterface, file.Doc.Path, server.Key, file.Doc.Path)
				})
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	out := append(found.first, found.rest...)
	return out[:min(len(out), maxSymbols)], nil
}

// symbolSearch collects symbols that fit a query.
type symbolSearch struct {
	query       string // in lower case
	first, rest protocol.WorkspaceSymbolSlice
}

func (s *symbolSearch) add(name string, symbol func() protocol.WorkspaceSymbol) {
	switch name = strings.ToLower(name); {
	case strings.HasPrefix(name, s.query) && len(s.first) < maxSymbols:
		s.first = append(s.first, symbol())
	case holds(name, s.query) && len(s.rest) < maxSymbols:
		s.rest = append(s.rest, symbol())
	}
}

// holds reports whether the letters of a query stand in a name in their order.
func holds(name, query string) bool {
	for _, r := range query {
		i := strings.IndexRune(name, r)
		if i < 0 {
			return false
		}
		name = name[i+len(string(r)):]
	}
	return true
}

func (c converter) skillSymbol(skill *skills.Skill) protocol.WorkspaceSymbol {
	at := text.Span{}
	if f := skill.Front.Field("name"); f != nil {
		at = f.Value
	}
	return c.namedSymbol(skill.Name(), protocol.SymbolKindModule, skill.Doc.Path, at, skill.Dir)
}

// namedSymbol is what stands in a file under a name.
func (c converter) namedSymbol(name string, kind protocol.SymbolKind, file string, at text.Span, container string) protocol.WorkspaceSymbol {
	out := protocol.WorkspaceSymbol{Location: &protocol.Location{URI: c.uri(file), Range: c.mapper(file).rangeOf(at)}}
	out.Name, out.Kind, out.ContainerName = name, kind, &container
	return out
}
