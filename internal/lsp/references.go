package lsp

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// References lists the places that refer to what stands at a place: to the file a link leads to, to the heading
// under the cursor, to the skill whose name it is, or to a tool or a server. Elsewhere in a file the file itself is meant.
func (s *Server) References(ctx context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return []protocol.Location{}, nil
	}
	out := pieces[protocol.Location]{s: s, token: p.PartialResultToken, as: func(list []protocol.Location) any { return list }}
	err := pg.findReferences(ctx, pg.offset(p.Position), p.Context.IncludeDeclaration, out.add)
	return out.rest(), err
}

// findReferences adds the places that refer to what stands at an offset, and that place itself where it is wanted.
func (p *page) findReferences(ctx context.Context, off int, declaration bool, add func(protocol.Location)) error {
	if aim := p.toolAim(off); aim.server != "" {
		return p.toolReferences(ctx, aim, declaration, add)
	}
	if skill, _ := p.mentionAt(off); skill != nil {
		if declaration {
			add(p.skillLocation(skill))
		}
		return p.everyPage(ctx, holding(skill.Name()), func(other *page) {
			for _, at := range mentions(other.text(), skill.Name()) {
				add(other.location(at))
			}
		})
	}
	abs, heading := p.aim(off)
	if declaration && heading != nil {
		add(p.location(heading.Text))
	}
	return p.referring(ctx, abs, func(other *page, r skills.Reference) {
		if heading == nil || r.Fragment != "" && matches(p, r.Fragment, *heading) {
			add(other.location(whole(r)))
		}
	})
}

// aim returns the file that the user means at an offset, and the heading in this file, if one is meant.
func (p *page) aim(off int) (abs string, heading *skills.Heading) {
	if r, ok := p.referenceAt(off); ok {
		if abs, ok := p.target(r); ok {
			return abs, nil
		}
	}
	abs = p.live().Abs(p.p.file)
	for i, h := range p.body.Headings {
		if touches(h.Span, text.At(off)) {
			return abs, &p.body.Headings[i]
		}
	}
	return abs, nil
}

func matches(p *page, fragment string, h skills.Heading) bool {
	i := rules.Anchored(p.text(), p.body, fragment)
	return i >= 0 && p.body.Headings[i] == h
}

// referring calls use with each place of the workspace that refers to a file.
func (p *page) referring(ctx context.Context, abs string, use func(*page, skills.Reference)) error {
	return p.everyPage(ctx, naming(abs), func(other *page) {
		for _, r := range other.references() {
			if to, there := other.target(r); there && to == abs {
				use(other, r)
			}
		}
	})
}

// everything wants every text.
func everything(*page) bool { return true }

// holding wants the texts that hold a word.
func holding(word string) func(*page) bool {
	return func(unread *page) bool { return strings.Contains(unread.text(), word) }
}

// naming wants the texts that may refer to a file: the file itself, in which links need not name it, those that hold its
// name, and those in which a link may write it in another way.
func naming(abs string) func(*page) bool {
	name := filepath.Base(abs)
	return func(unread *page) bool {
		return unread.doc.Abs == abs || strings.Contains(unread.text(), name) || strings.ContainsAny(unread.text(), `%\&`)
	}
}

// everyPage calls use with each text of the workspace that may refer to something and is wanted: the SKILL.md of every
// skill and the Markdown files in its folder.
func (p *page) everyPage(ctx context.Context, wanted func(unread *page) bool, use func(*page)) error {
	for _, skill := range p.live().Skills() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if other, ok := p.otherOf(skill.Doc.Abs, wanted); ok {
			use(other)
		}
		for _, f := range skill.Files {
			abs := filepath.Join(filepath.Dir(skill.Doc.Abs), filepath.FromSlash(f.Path))
			if path.Ext(f.Path) != ".md" || abs == skill.Doc.Abs || p.live().SkillOf(p.live().Shown(abs)) != skill {
				continue
			}
			if other, ok := p.otherOf(abs, wanted); ok {
				use(other)
			}
		}
	}
	return nil
}
