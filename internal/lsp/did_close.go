package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// DidClose gives a document back to the disk. What the rules find in the file there stays where the workspace
// is diagnosed; otherwise nothing is left.
func (s *Server) DidClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	u := canonical(p.TextDocument.URI)
	d := s.state().docs[u]
	if d == nil {
		return nil
	}
	s.change(func(st *state) {
		delete(st.docs, u)
		st.fs = st.fs.Without(d.abs)
		st.drop(u)
		if i := st.folderOf(u, d.abs); i >= 0 && d.abs != "" && !d.gone {
			st.setFolder(i, func(f *folder) {
				delete(f.quick, u)
				s.reread(st, f, d.abs)
			})
		}
		st.touch(u) // sent by the scheduler: a client that waits for this handler to read on would never read it
	})
	return nil
}
