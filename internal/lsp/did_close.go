package lsp

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
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
		st.touch(u)
	})
	s.clear(u, d)
	return nil
}

// clear takes the diagnostics of a document back at once, unless it is diagnosed without being open, too.
func (s *Server) clear(u uri.URI, d *document) {
	st := s.state()
	if _, ok := st.find(u); s.can.pull || ok && on(st.settings.Workspace) {
		return
	}
	s.publish.mu.Lock()
	defer s.publish.mu.Unlock()
	s.publish.last[u] = published{seq: st.seq, as: d.raw, id: resultID(nil), empty: true}
	s.publishOne(&protocol.PublishDiagnosticsParams{URI: d.raw, Diagnostics: []protocol.Diagnostic{}})
}
