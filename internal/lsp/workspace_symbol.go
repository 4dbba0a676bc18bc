package lsp

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// maxSymbols is how many skills one answer lists: more nobody reads.
const maxSymbols = 200

// Symbols lists the skills of all folders whose name holds the letters of a query in their order. Those whose
// name begins with it come first.
func (s *Server) Symbols(ctx context.Context, p *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	st := s.at(ctx)
	var first, rest protocol.WorkspaceSymbolSlice
	query := strings.ToLower(p.Query)
	for _, f := range st.folders {
		if f.live == nil {
			continue
		}
		c := s.converter(st, place{live: f.live})
		for _, skill := range f.live.Skills() {
			name := strings.ToLower(skill.Name())
			switch {
			case strings.HasPrefix(name, query) && len(first) < maxSymbols:
				first = append(first, c.skillSymbol(skill))
			case holds(name, query) && len(rest) < maxSymbols:
				rest = append(rest, c.skillSymbol(skill))
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	out := append(first, rest...)
	return out[:min(len(out), maxSymbols)], nil
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
	out := protocol.WorkspaceSymbol{Location: &protocol.Location{URI: c.uri(skill.Doc.Path), Range: c.mapper(skill.Doc.Path).rangeOf(at)}}
	out.Name, out.Kind, out.ContainerName = skill.Name(), protocol.SymbolKindModule, new(skill.Dir)
	return out
}
