package lsp

import (
	"context"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// WillRenameFiles keeps links right while the user moves files and folders. A skill that is called as its folder
// takes over the folder's new name.
func (s *Server) WillRenameFiles(ctx context.Context, p *protocol.RenameFilesParams) (*protocol.WorkspaceEdit, error) {
	st := s.at(ctx)
	edit := &protocol.WorkspaceEdit{}
	for i := range st.folders {
		part, err := s.relinked(ctx, st, st.folders[i], p.Files)
		if err != nil {
			return nil, err
		}
		if part != nil {
			edit.DocumentChanges = append(edit.DocumentChanges, part.DocumentChanges...)
			if edit.Changes == nil {
				edit.Changes = part.Changes
			}
		}
	}
	return edit, nil
}

// relinked returns what changes in one folder of the workspace.
func (s *Server) relinked(ctx context.Context, st *state, f *folder, files []protocol.FileRename) (*protocol.WorkspaceEdit, error) {
	if f.live == nil {
		return nil, nil
	}
	m := newMoves(&page{converter: s.converter(st, place{live: f.live})})
	for _, r := range files {
		from, to := pathOf(canonical(uri.URI(r.OldURI))), pathOf(canonical(uri.URI(r.NewURI)))
		if from == "" || to == "" || !within(f.root, from) {
			continue
		}
		m.move(from, to)
		name := filepath.Base(to)
		for _, skill := range f.live.Skills() {
			if filepath.Dir(skill.Doc.Abs) == from && skill.Layout == skills.InFolder && skill.Name() == skill.Folder && skillName.MatchString(name) {
				m.renameMentions(skill, name)
			}
		}
	}
	if len(m.paths) == 0 {
		return nil, nil
	}
	err := m.run(ctx)
	edit, _ := m.build()
	return edit, err
}

// DidRenameFiles looks at the folders anew. Open documents are closed and opened by the editor.
func (s *Server) DidRenameFiles(_ context.Context, p *protocol.RenameFilesParams) error {
	s.change(func(st *state) {
		for _, r := range p.Files {
			from, to := canonical(uri.URI(r.OldURI)), canonical(uri.URI(r.NewURI))
			if pathOf(from) == "" || pathOf(to) == "" {
				continue
			}
			s.deleted(st, from, pathOf(from))
			s.created(st, to, pathOf(to))
			st.touch(from)
		}
	})
	return nil
}
