package lsp

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"go.lsp.dev/uri"

	"github.com/skill-ls/skill-ls/internal/workspace"
)

// pending is what waits to be worked out.
type pending struct {
	docs map[uri.URI]bool // documents whose diagnostics are due at once
	slow bool             // what depends on other files is due after a pause
	now  bool             // the same, without the pause
}

// poke wakes the scheduler. However often it is called before the scheduler wakes, once is enough.
func (s *Server) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// schedule works out what is pending, until the session ends: the diagnostics of edited documents at once, the
// rest in a goroutine of its own when nothing has changed for a while.
func (s *Server) schedule() {
	pause := time.NewTimer(time.Hour)
	pause.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.wake:
			p := s.takePending()
			s.publishTouched(p.docs)
			switch {
			case p.now:
				pause.Reset(0)
			case p.slow:
				pause.Reset(s.opt.Quiet)
			}
		case <-pause.C:
			ctx, cancel := context.WithCancel(s.ctx)
			s.mu.Lock()
			s.cancel = cancel
			s.mu.Unlock()
			go func() {
				defer cancel()
				s.contain("work on the workspace", func() { s.settle(ctx) })
			}()
		}
	}
}

func (s *Server) takePending() pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pending
	s.pending = pending{}
	return p
}

// hurry has what depends on other files worked out without a pause.
func (s *Server) hurry() {
	s.mu.Lock()
	s.pending.now = true
	s.mu.Unlock()
	s.poke()
}

// settle loads what is stale, works out what depends on other files, and tells the client. It gives up when
// ctx ends: another run will follow.
func (s *Server) settle(ctx context.Context) {
	s.settling.Lock()
	defer s.settling.Unlock()
	if ctx.Err() != nil {
		return
	}
	for i := range s.state().folders {
		s.reload(i)
	}
	for i := range s.state().folders {
		s.settleFolder(ctx, i)
	}
	if ctx.Err() == nil {
		s.publishAll(ctx)
		if s.reshow {
			s.reshow = false
			s.refreshShown()
		}
		s.settled.Do(func() {
			close(s.settledOnce)
			debug.FreeOSMemory() // looking at everything takes twice what is kept, and editors keep servers running
		})
		s.mu.Lock()
		close(s.paused)
		s.paused = make(chan struct{})
		s.mu.Unlock()
	}
}

// awaitPause waits until what depends on other files is worked out, which it is when the user pauses; not for ever.
func (s *Server) awaitPause(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		s.mu.Lock()
		paused := s.paused
		s.mu.Unlock()
		if s.state().settled() {
			return
		}
		select {
		case <-paused:
		case <-ctx.Done():
			return
		}
	}
}

// loaded returns the newest state, once its folders are loaded.
func (s *Server) loaded() *state {
	s.settling.Lock()
	defer s.settling.Unlock()
	for i := range s.state().folders {
		s.reload(i)
	}
	return s.state()
}

// reload loads a folder anew if it is stale. Edits made in the meantime are laid over it, so that they need not
// end the work.
func (s *Server) reload(i int) {
	st := s.state()
	if i >= len(st.folders) || st.folders[i].live != nil && st.folders[i].stale == 0 {
		return
	}
	f := st.folders[i]
	task := s.progress(s.ctx, "Looking for skills in "+f.root, nil)
	live, err := s.loadFolder(s.ctx, st, f)
	task.end()
	if s.ctx.Err() != nil {
		return
	}
	if err != nil {
		s.log.Warn("a folder cannot be loaded", "folder", f.root, "err", err)
	}
	s.install(st, f, live)
	s.reshow = true
}

// install puts what was loaded from an earlier state into the current one.
func (s *Server) install(from *state, of *folder, live *workspace.Live) {
	s.write.Lock()
	defer s.write.Unlock()
	st := s.state().next()
	i := st.indexOf(of)
	if i < 0 {
		return // closed in the meantime
	}
	st.setFolder(i, func(f *folder) {
		f.live = live
		if f.stale <= from.seq {
			f.stale, f.quick, f.removed = 0, nil, nil
		}
		if live == nil {
			f.quick = nil
			return
		}
		for u, d := range st.docs {
			if from.docs[u] != d && !d.gone && d.abs != "" && st.folderOf(u, d.abs) == i {
				s.follow(st, f, u, d)
			}
		}
		for u, d := range from.docs {
			if st.docs[u] == nil && within(f.root, d.abs) {
				f.stale = st.seq
			}
		}
	})
	s.current.Store(st)
	if st.folders[i].stale != 0 {
		s.mu.Lock()
		s.pending.slow = true
		s.mu.Unlock()
		s.poke()
	}
}

// indexOf returns where a folder of an earlier state is in this one, or -1.
func (st *state) indexOf(of *folder) int {
	for i, f := range st.folders {
		if f.root == of.root && f.loose == of.loose {
			return i
		}
	}
	return -1
}

// settleLive works out what depends on other files. The first time, when every skill is looked at, that is shown.
func (s *Server) settleLive(ctx context.Context, f *folder) (*workspace.Live, error) {
	if f.checked || f.loose != "" {
		return f.live.Settle(ctx, 1) // the user may go on at any time, and needs the other processors then
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer s.progress(ctx, "Checking the skills in "+f.root, cancel).end()
	return f.live.Settle(ctx, 0)
}

// settleFolder works out what depends on other files in a folder, unless an edit comes in between.
func (s *Server) settleFolder(ctx context.Context, i int) {
	st := s.state()
	if i >= len(st.folders) || st.folders[i].live == nil || st.folders[i].live.Settled() {
		return
	}
	of := st.folders[i]
	live, err := s.settleLive(ctx, of)
	if ctx.Err() != nil {
		return
	}
	if errors.Is(err, context.Canceled) {
		return // by the user
	}
	if err != nil {
		s.log.Error("the workspace cannot be checked", "folder", of.root, "err", err)
		return
	}
	s.write.Lock()
	defer s.write.Unlock()
	now := s.state().next()
	if i = now.indexOf(of); i < 0 || now.folders[i].live != of.live {
		return
	}
	s.reshow = s.reshow || !of.checked
	now.setFolder(i, func(f *folder) { f.live, f.checked = live, true })
	s.current.Store(now)
}
