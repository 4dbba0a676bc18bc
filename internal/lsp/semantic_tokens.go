package lsp

import (
	"context"
	"regexp"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// tokenTypes are what is coloured, by the names that every theme knows.
var tokenTypes = []string{"property", "variable", "function", "string"}

// Indices into tokenTypes.
const (
	keyToken uint32 = iota
	variableToken
	toolToken
	pathToken
)

type token struct {
	at   text.Span
	kind uint32
}

// SemanticTokensFull colours a whole document.
func (s *Server) SemanticTokensFull(ctx context.Context, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok || !on(pg.st.settings.SemanticTokens) {
		return &protocol.SemanticTokens{Data: []uint32{}}, nil
	}
	return pg.encodeTokens(text.Span{Start: 0, End: len(pg.text())}), ctx.Err()
}

// SemanticTokensRange colours a part of a document.
func (s *Server) SemanticTokensRange(ctx context.Context, p *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok || !on(pg.st.settings.SemanticTokens) {
		return &protocol.SemanticTokens{Data: []uint32{}}, nil
	}
	return pg.encodeTokens(pg.span(p.Range)), ctx.Err()
}

// tokens returns what is coloured, in the order of the text, none overlapping another.
func (p *page) tokens() []token {
	var out []token
	if p.main {
		for i := range p.front.Fields {
			f := &p.front.Fields[i]
			out = append(out, token{f.Key, keyToken})
			if f.Name == "allowed-tools" || f.Name == "disallowed-tools" {
				out = append(out, p.toolTokens(f)...)
			}
		}
	}
	for _, r := range p.references() {
		if _, there := p.target(r); there {
			out = append(out, token{r.Span, pathToken})
		}
	}
	out = append(out, p.variableTokens()...)
	out = append(out, p.mentionTokens()...)
	slices.SortStableFunc(out, func(a, b token) int { return a.at.Start - b.at.Start })
	end := 0
	return slices.DeleteFunc(out, func(t token) bool {
		overlaps := t.at.Start < end || t.at.Empty()
		if !overlaps {
			end = t.at.End
		}
		return overlaps
	})
}

var toolPattern = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_-]*(\([^)]*\))?`)

// toolTokens marks the names of the tools in a value, without what they are limited to.
func (p *page) toolTokens(f *skills.Field) []token {
	var out []token
	for _, at := range toolPattern.FindAllStringSubmatchIndex(f.Value.In(p.text()), -1) {
		end := at[1]
		if at[2] >= 0 {
			end = at[2]
		}
		out = append(out, token{text.Span{Start: f.Value.Start + at[0], End: f.Value.Start + end}, toolToken})
	}
	return out
}

// mentionTokens marks the tools of MCP servers that the text names.
func (p *page) mentionTokens() []token {
	var out []token
	for _, m := range p.toolMentions() {
		if m.Span.Start >= p.body.Span.Start && m.Tool.Node != nil {
			out = append(out, token{m.Span, toolToken})
		}
	}
	return out
}

var variablePattern = regexp.MustCompile(`\$ARGUMENTS(\[\d+\])?|\$\{[A-Za-z_][A-Za-z0-9_]*\}|\$\d`)

// variables are those that judging clients fill in, with the clients; [N] and $N stand for numbers.
func (p *page) variables() map[string][]*profile.Profile {
	out := map[string][]*profile.Profile{}
	for _, c := range p.judges() {
		for name := range c.Activation.Vars {
			out[name] = append(out[name], c)
		}
		for _, form := range c.Activation.Args.Placeholders {
			out[form] = append(out[form], c)
		}
	}
	return out
}

// variableTokens marks the variables that one of the judging clients fills in.
func (p *page) variableTokens() []token {
	known := p.variables()
	var out []token
	body := p.body.Span
	for _, at := range variablePattern.FindAllStringSubmatchIndex(body.In(p.text()), -1) {
		t := text.Span{Start: body.Start + at[0], End: body.Start + at[1]}
		form := t.In(p.text())
		switch {
		case at[2] >= 0:
			form = "$ARGUMENTS[N]"
		case len(form) == 2:
			form = "$N"
		}
		if known[form] != nil {
			out = append(out, token{t, variableToken})
		}
	}
	return out
}

// encodeTokens writes the tokens in a part of the text as the protocol wants: five numbers each, places relative
// to the token before, none over the end of a line.
func (p *page) encodeTokens(within text.Span) *protocol.SemanticTokens {
	data := []uint32{}
	var last protocol.Position
	for _, t := range p.tokens() {
		line := p.lines.Line(p.lines.OffsetLine(t.at.Start))
		t.at.End = min(t.at.End, line.End)
		if !within.Overlaps(t.at) {
			continue
		}
		start, end := p.position(t.at.Start), p.position(t.at.End)
		column := start.Character
		if start.Line == last.Line {
			column -= last.Character
		}
		data = append(data, start.Line-last.Line, column, end.Character-start.Character, t.kind, 0)
		last = start
	}
	return &protocol.SemanticTokens{Data: data}
}
