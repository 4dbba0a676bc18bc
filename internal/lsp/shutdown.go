package lsp

import "context"

// Shutdown ends the work; only exit may follow.
func (s *Server) Shutdown(context.Context) error {
	s.phase.Store(shutDown)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel()
	return nil
}

// Exit ends the session.
func (s *Server) Exit(context.Context) error {
	s.once.Do(func() { close(s.exit) })
	return nil
}
