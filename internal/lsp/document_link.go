package lsp

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// DocumentLink lists the files that a text refers to, the skills that it names and the entries of the servers whose
// tools it names, so that a click opens them. Addresses on the web are left to the editor.
func (s *Server) DocumentLink(ctx context.Context, p *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	out := []protocol.DocumentLink{}
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	add := func(at text.Span, to protocol.Location, tooltip string) {
		out = append(out, protocol.DocumentLink{Range: pg.rangeOf(at), Target: new(pg.linkTo(to)), Tooltip: &tooltip})
	}
	for _, d := range pg.declared() {
		if to, ok := pg.fileLocation(d.Abs); ok {
			add(d.Value.Span, to, pg.live().Shown(d.Abs))
		}
	}
	for _, r := range pg.references() {
		if to, ok := pg.destination(r); ok && !r.Span.Empty() {
			add(whole(r), to, pg.live().Shown(pathOf(canonical(to.URI))))
		}
	}
	if pg.speaks() {
		pg.skillMentions(func(skill *skills.Skill, at text.Span) { add(at, pg.skillLocation(skill), skill.Doc.Path) })
	}
	for _, m := range pg.toolMentions() {
		if to, ok := pg.entryLocation(m.Offer); ok {
			add(m.Span, to, "MCP server "+m.Offer.Name)
		}
	}
	return out, ctx.Err()
}

// linkTo returns a place as the target of a link: with its line, where the client knows such links.
func (p *page) linkTo(at protocol.Location) uri.URI {
	if !p.can.lineLinks || at.Range.Start.Line == 0 {
		return at.URI
	}
	return at.URI + uri.URI(fmt.Sprintf("#L%d", at.Range.Start.Line+1))
}
