package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Definition goes to what stands at a place: a file, a heading, a skill by its name, or the entry of an
// MCP server by the name of one of its tools.
func (s *Server) Definition(ctx context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	out := protocol.LocationSlice{}
	off := pg.offset(p.Position)
	if _, k, ok := pg.keyedAt(off); ok {
		if at, ok := pg.keyedLocation(k); ok {
			out = append(out, at)
		}
	} else if m, ok := pg.toolAt(off); ok {
		if at, ok := pg.entryLocation(m.Offer); ok {
			out = append(out, at)
		}
	} else if r, ok := pg.referenceAt(off); ok {
		if at, ok := pg.destination(r); ok {
			out = append(out, at)
		}
	} else if skill, _ := pg.mentionAt(off); skill != nil {
		out = append(out, pg.skillLocation(skill))
	}
	return out, nil
}

// destination returns where a reference leads: to the heading when it has a fragment, else to the start of the
// file. It is false when there is no such file, or it is a folder.
func (p *page) destination(r skills.Reference) (protocol.Location, bool) {
	abs, there := p.target(r)
	if !there {
		return protocol.Location{}, false
	}
	other, ok := p.other(abs)
	if !ok {
		return p.fileLocation(abs)
	}
	if r.Fragment != "" {
		if i := rules.Anchored(other.text(), other.body, r.Fragment); i >= 0 {
			return other.location(other.body.Headings[i].Text), true
		}
	}
	return other.location(text.Span{}), true
}

// fileLocation returns the start of a file; false for a folder and for what is not there.
func (p *page) fileLocation(abs string) (protocol.Location, bool) {
	info, err := p.live().FS().Stat(abs)
	return protocol.Location{URI: p.st.uriOf(abs)}, err == nil && !info.IsDir()
}

func (p *page) skillLocation(skill *skills.Skill) protocol.Location {
	at := text.Span{}
	if f := skill.Front.Field("name"); f != nil {
		at = f.Value
	}
	m := p.converter.mapper(skill.Doc.Path)
	return protocol.Location{URI: p.uri(skill.Doc.Path), Range: m.rangeOf(at)}
}
