package lsp

import (
	"slices"

	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/workspace"
)

// change replaces the state by what edit makes of a copy of it. The diagnostics of the documents that edit touches
// are worked out at once; work on what depends on other files begins anew after a pause.
func (s *Server) change(edit func(st *state)) {
	s.write.Lock()
	defer s.write.Unlock()
	st := s.state().next()
	edit(st)
	s.current.Store(st)
	s.mu.Lock()
	s.cancel()
	s.pending.slow = true
	if s.pending.docs == nil {
		s.pending.docs = map[uri.URI]bool{}
	}
	for _, u := range st.touched {
		s.pending.docs[u] = true
	}
	s.mu.Unlock()
	s.poke()
}

// touch asks for the diagnostics of a document at once.
func (st *state) touch(u uri.URI) { st.touched = append(st.touched, u) }

// lay puts a version of an open document over the disk and lets its workspace follow.
func (s *Server) lay(st *state, u uri.URI, d *document) {
	if d.unsaved() {
		d.abs = unsavedPath(d)
		if before := st.docs[u]; before != nil && before.abs != d.abs {
			st.fs = st.fs.Without(before.abs)
			st.drop(u)
		}
	}
	st.docs[u] = d
	st.touch(u)
	if d.abs == "" || d.gone {
		return
	}
	st.fs = st.fs.With(map[string]string{d.abs: d.text})
	i := st.folderOf(u, d.abs)
	if i < 0 {
		if !concerns(st.fs, d) {
			return
		}
		st.folders = append(st.folders, looseFolder(st.fs, u, d))
		i = len(st.folders) - 1
	}
	st.setFolder(i, func(f *folder) { s.follow(st, f, u, d) })
}

// follow lets a folder know a new text of one of its documents. One that the folder must be loaded anew for is
// looked at alone until then.
func (s *Server) follow(st *state, f *folder, u uri.URI, d *document) {
	if f.live != nil && !f.gone(d.abs) {
		if file := f.live.Shown(d.abs); f.live.Follows(file) {
			if next, _, ok := f.live.With(st.fs, d.skillDocument(file)); ok {
				f.live = next
				delete(f.quick, u)
				return
			}
		}
	}
	f.stale = st.seq
	if f.quick == nil {
		f.quick = map[uri.URI]*workspace.Live{}
	}
	if f.quick[u] = s.loadAlone(st, f.root, d); f.quick[u] == nil {
		delete(f.quick, u)
	}
}

// drop takes the surroundings of a document out of a state.
func (st *state) drop(u uri.URI) {
	st.folders = slices.DeleteFunc(st.folders, func(f *folder) bool { return f.loose == u })
}
