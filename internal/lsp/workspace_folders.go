package lsp

import (
	"context"
	"slices"

	"go.lsp.dev/protocol"
)

// DidChangeWorkspaceFolders opens and closes folders. Documents that are open find their new place.
func (s *Server) DidChangeWorkspaceFolders(_ context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	s.change(func(st *state) {
		for _, f := range p.Event.Removed {
			root := pathOf(canonical(f.URI))
			st.folders = slices.DeleteFunc(st.folders, func(f *folder) bool { return f.loose == "" && f.root == root })
		}
		for _, f := range p.Event.Added {
			st.addFolder(f.URI)
		}
		for u, d := range st.docs {
			st.drop(u)
			s.lay(st, u, d)
		}
	})
	s.hurry()
	return nil
}
