package lsp

import (
	"context"
	"os"
	"slices"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// DidChangeWatchedFiles follows what happens to files outside the editor.
func (s *Server) DidChangeWatchedFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	s.change(func(st *state) {
		for _, c := range p.Changes {
			u := canonical(c.URI)
			abs := pathOf(u)
			if abs == "" {
				continue
			}
			switch c.Type {
			case protocol.FileChangeTypeDeleted:
				s.deleted(st, u, abs)
			case protocol.FileChangeTypeCreated:
				s.created(st, u, abs)
			default:
				s.changed(st, u, abs)
			}
			st.touch(u)
		}
	})
	return nil
}

// deleted takes a file, or a folder with all that lies in it, out of the workspace. An open document counts
// as absent until it is edited again.
func (s *Server) deleted(st *state, u uri.URI, abs string) {
	for v, d := range st.docs {
		if d.abs != "" && within(abs, d.abs) && !exists(d.abs) {
			gone := *d
			gone.gone = true
			st.docs[v] = &gone
			st.fs = st.fs.Without(d.abs)
			st.touch(v)
		}
	}
	for i, f := range st.folders {
		if f.loose == u {
			st.setFolder(i, func(f *folder) { f.live, f.quick, f.removed = nil, nil, []string{abs} })
		} else if within(f.root, abs) || within(abs, f.root) {
			st.setFolder(i, func(f *folder) {
				f.stale = st.seq
				f.removed = append(slices.Clone(f.removed), abs)
				delete(f.quick, u)
			})
		}
	}
}

// exists reports whether a file is on disk. A program that writes a file anew may delete it first, and the news
// of that may come late.
func exists(abs string) bool {
	_, err := os.Stat(abs)
	return err == nil
}

// created adds a file.
func (s *Server) created(st *state, u uri.URI, abs string) {
	for i, f := range st.folders {
		if within(f.root, abs) {
			st.setFolder(i, func(f *folder) {
				f.stale = st.seq
				f.removed = slices.DeleteFunc(slices.Clone(f.removed), func(r string) bool { return r == abs })
			})
		}
	}
	if d := st.docs[u]; d != nil && d.gone {
		s.lay(st, u, d.with(d.version, d.text))
	}
}

// changed follows a new text of a file. That of an open document is the editor's.
func (s *Server) changed(st *state, u uri.URI, abs string) {
	if d := st.docs[u]; d != nil && !d.gone {
		return
	}
	if i := st.folderOf(u, abs); i >= 0 {
		st.setFolder(i, func(f *folder) { s.reread(st, f, abs) })
	}
}

// reread lets a folder know the text of a file on disk.
func (s *Server) reread(st *state, f *folder, abs string) {
	if f.live == nil {
		return
	}
	file := f.live.Shown(abs)
	raw, err := st.fs.ReadFile(abs)
	if err == nil && f.live.Follows(file) && len(raw) <= skills.MaxFileSize {
		if next, _, ok := f.live.With(st.fs, skills.NewDocument(file, abs, string(raw))); ok {
			f.live = next
			return
		}
	}
	f.stale = st.seq
	if err != nil {
		f.removed = append(slices.Clone(f.removed), abs)
	}
}

// pollFiles looks for changed files when the client does not tell of them.
func (s *Server) pollFiles() {
	ticker := time.NewTicker(s.opt.Poll)
	defer ticker.Stop()
	s.poll(ticker.C)
}

// poll looks for changed files now and at each tick. It takes care to be idle nearly all of the time, however large
// the workspace is.
func (s *Server) poll(ticks <-chan time.Time) {
	const share = 100 // of the time, one part is spent looking
	seen := map[string]uint64{}
	for {
		begun := time.Now()
		for _, f := range s.state().folders {
			s.lookAt(f, seen)
		}
		rest := begun.Add(share * time.Since(begun))
		for rested := false; !rested; {
			select {
			case <-s.ctx.Done():
				return
			case now := <-ticks:
				rested = !now.Before(rest)
			}
		}
	}
}

// lookAt has a folder loaded anew if its files differ from those seen before. What was loaded before the first look may
// be older than it.
func (s *Server) lookAt(f *folder, seen map[string]uint64) {
	st := s.state()
	o, err := s.options(st, f.root, []string{f.root})
	if err != nil {
		return
	}
	o.FS = skills.Disk{}
	stamp, err := (&workspace.Job{Options: o}).Stamp(s.ctx)
	before, known := seen[f.root]
	seen[f.root] = stamp
	if err != nil || known && before == stamp || !known && f.live == nil {
		return
	}
	s.change(func(st *state) {
		if i := st.indexOf(f); i >= 0 {
			st.setFolder(i, func(f *folder) { f.stale = st.seq })
		}
	})
}
