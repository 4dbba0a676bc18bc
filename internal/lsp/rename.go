package lsp

import (
	"context"
	"path"
	"path/filepath"
	"regexp"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// skillName is how a skill may be called. https://agentskills.io/specification#name-field
var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

const maxSkillName = 64

// PrepareRename says whether what stands at a place can be renamed: the name of a skill, or a file that is
// referred to.
func (s *Server) PrepareRename(ctx context.Context, p *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return nil, nil
	}
	off := pg.offset(p.Position)
	if skill, at := pg.mentionAt(off); skill != nil {
		return &protocol.PrepareRenamePlaceholder{Range: pg.rangeOf(at), Placeholder: skill.Name()}, nil
	}
	if r, ok := pg.referenceAt(off); ok && s.can.rename && touches(r.Span, text.At(off)) {
		if abs, there := pg.target(r); there && abs != pg.doc.Abs {
			return &protocol.PrepareRenamePlaceholder{Range: pg.rangeOf(r.Span), Placeholder: filepath.Base(abs)}, nil
		}
	}
	return nil, nil
}

// Rename renames a skill, with its folder and wherever it is mentioned, or a file, with the links to it.
func (s *Server) Rename(ctx context.Context, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	pg, ok := s.page(ctx, p.TextDocument.URI)
	if !ok {
		return nil, jsonrpc2.Errorf(requestFailed, "there is nothing to rename here")
	}
	off := pg.offset(p.Position)
	if skill, _ := pg.mentionAt(off); skill != nil {
		return pg.renameSkill(ctx, skill, p.NewName)
	}
	if r, ok := pg.referenceAt(off); ok {
		if abs, there := pg.target(r); there && abs != pg.doc.Abs {
			return pg.renameFile(ctx, abs, p.NewName)
		}
	}
	return nil, jsonrpc2.Errorf(requestFailed, "there is nothing to rename here")
}

func (p *page) renameSkill(ctx context.Context, skill *skills.Skill, to string) (*protocol.WorkspaceEdit, error) {
	if !skillName.MatchString(to) || len(to) > maxSkillName {
		return nil, jsonrpc2.Errorf(requestFailed, "%q is no name of a skill: use lower-case letters, digits and single hyphens, at most %d", to, maxSkillName)
	}
	m := newMoves(p)
	home := filepath.Dir(skill.Doc.Abs)
	folder := skill.Layout == skills.InFolder && skill.Folder == skill.Name() && p.can.rename
	if folder {
		target := filepath.Join(filepath.Dir(home), to)
		if _, err := p.live().FS().Stat(target); err == nil {
			return nil, jsonrpc2.Errorf(requestFailed, "there is a folder %s already", p.live().Shown(target))
		}
		m.move(home, target)
	}
	m.renameMentions(skill, to)
	if err := m.run(ctx); err != nil {
		return nil, err
	}
	if folder {
		m.rename(home, filepath.Join(filepath.Dir(home), to))
	}
	return m.result()
}

func (p *page) renameFile(ctx context.Context, abs, to string) (*protocol.WorkspaceEdit, error) {
	if to == "" || path.Base(filepath.ToSlash(to)) != to || to == "." || to == ".." {
		return nil, jsonrpc2.Errorf(requestFailed, "%q is no name of a file", to)
	}
	target := filepath.Join(filepath.Dir(abs), to)
	if _, err := p.live().FS().Stat(target); err == nil {
		return nil, jsonrpc2.Errorf(requestFailed, "there is a file %s already", p.live().Shown(target))
	}
	m := newMoves(p)
	m.move(abs, target)
	if err := m.run(ctx); err != nil {
		return nil, err
	}
	m.rename(abs, target)
	return m.result()
}
