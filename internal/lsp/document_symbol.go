package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// DocumentSymbol outlines a text: the keys of its front matter and its sections.
func (s *Server) DocumentSymbol(ctx context.Context, p *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return protocol.DocumentSymbolSlice{}, nil
	}
	all := protocol.DocumentSymbolSlice{}
	if front, ok := pg.frontSymbol(); ok {
		all = append(all, front)
	}
	sections, _ := pg.sectionSymbols(0, 0)
	all = append(all, sections...)
	if s.can.symbolTree {
		return all, nil
	}
	return pg.flat(all, ""), nil
}

func (p *page) frontSymbol() (protocol.DocumentSymbol, bool) {
	if len(p.front.Fields) == 0 {
		return protocol.DocumentSymbol{}, false
	}
	at := text.Span{Start: p.front.Open.Span.Start, End: p.front.Close.Span.End}
	out := p.symbol("front matter", protocol.SymbolKindNamespace, at, p.front.Open.Span)
	for _, f := range p.front.Fields {
		if f.Name == "" {
			continue
		}
		end := max(f.Value.End, f.Key.End)
		field := p.symbol(f.Name, protocol.SymbolKindProperty, text.Span{Start: f.Key.Start, End: end}, f.Key)
		if value := short(f.Text); value != "" {
			field.Detail = &value
		}
		out.Children = append(out.Children, field)
	}
	return out, true
}

func (p *page) symbol(name string, kind protocol.SymbolKind, at, selection text.Span) protocol.DocumentSymbol {
	return protocol.DocumentSymbol{Name: name, Kind: kind, Range: p.rangeOf(at), SelectionRange: p.rangeOf(selection)}
}

// sectionSymbols returns the sections from heading i on that are deeper than a level, and the index of the first
// heading that is not.
func (p *page) sectionSymbols(i, above int) ([]protocol.DocumentSymbol, int) {
	var out []protocol.DocumentSymbol
	for i < len(p.body.Headings) && p.body.Headings[i].Level > above {
		h := p.body.Headings[i]
		s := p.symbol(title(p.text(), h), protocol.SymbolKindString, p.section(i), h.Span)
		s.Children, i = p.sectionSymbols(i+1, h.Level)
		out = append(out, s)
	}
	return out, i
}

// title returns the text of a heading; the protocol allows no empty name.
func title(src string, h skills.Heading) string {
	if t := h.Text.In(src); t != "" {
		return t
	}
	return "(no text)"
}

// flat lists a tree of symbols for clients that know no trees.
func (p *page) flat(all []protocol.DocumentSymbol, container string) protocol.SymbolInformationSlice {
	out := protocol.SymbolInformationSlice{}
	for _, s := range all {
		info := protocol.SymbolInformation{Location: protocol.Location{URI: p.location(text.Span{}).URI, Range: s.Range}}
		info.Name, info.Kind = s.Name, s.Kind
		if container != "" {
			info.ContainerName = &container
		}
		out = append(append(out, info), p.flat(s.Children, s.Name)...)
	}
	return out
}

// short cuts a text to what fits beside a name.
func short(s string) string {
	const most = 60
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}
