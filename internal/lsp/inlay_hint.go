package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/text"
)

// InlayHint shows how long the description and each section are, and which clients do not list the skill.
func (s *Server) InlayHint(ctx context.Context, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	out := []protocol.InlayHint{}
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok || !on(pg.st.settings.InlayHints) {
		return out, nil
	}
	within := pg.span(p.Range)
	add := func(off int, label, tooltip string) {
		if touches(within, text.At(off)) {
			out = append(out, protocol.InlayHint{
				Position: pg.position(off), Label: protocol.String(label), Tooltip: protocol.String(tooltip), PaddingLeft: new(true),
			})
		}
	}
	if f := pg.front.Field("description"); pg.main && f != nil && f.Text != "" {
		add(pg.lineEnd(f.Value), fmt.Sprintf("≈ %d tokens", estimate(f.Text)), "What each listing of the skill costs in a prompt, about: one token for every four bytes.")
	}
	if f := pg.front.Field("name"); pg.main && f != nil {
		if who, why := pg.unlisted(); who != "" {
			add(f.Value.End, "not listed by "+who, why)
		}
	}
	for i, h := range pg.body.Headings {
		add(h.Span.End, fmt.Sprintf("≈ %d tokens", estimate(pg.section(i).In(pg.text()))), "The length of the section, about: one token for every four bytes.")
	}
	return out, ctx.Err()
}

// lineEnd returns where a hint about a value goes: the end of the line that it starts on.
func (p *page) lineEnd(at text.Span) int { return p.lines.Line(p.lines.OffsetLine(at.Start)).End }

// unlisted names the judging clients that do not list the skill, and says why.
func (p *page) unlisted() (who, why string) {
	var names, reasons []string
	for _, play := range p.live().Plays(p.skill, nil) {
		if !play.Outcome.Listed && play.Outcome.Reason != "" {
			names, reasons = append(names, play.Profile.Label), append(reasons, play.Outcome.Reason)
		}
	}
	return strings.Join(names, ", "), strings.Join(reasons, "\n")
}
