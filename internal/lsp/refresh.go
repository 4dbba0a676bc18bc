package lsp

import "context"

// refresh sends the client a request that it does something again. Nobody waits for its answer.
func (s *Server) refresh(what string, send func(context.Context) error) {
	s.background("ask for new "+what, send)
}

// refreshShown has the client ask again for what it shows beside the text of open documents.
func (s *Server) refreshShown() {
	if len(s.state().docs) == 0 {
		return
	}
	if s.can.refreshHints {
		s.refresh("inlay hints", s.client.InlayHintRefresh)
	}
	if s.can.refreshLenses {
		s.refresh("code lenses", s.client.CodeLensRefresh)
	}
	if s.can.refreshTokens {
		s.refresh("semantic tokens", s.client.SemanticTokensRefresh)
	}
}

// background sends a request to the client in a goroutine of its own, and gives up waiting for the answer after
// a while: a client that never answers must not stop anything.
func (s *Server) background(what string, send func(context.Context) error) {
	go s.contain(what, func() {
		ctx, cancel := context.WithTimeout(s.ctx, patience)
		defer cancel()
		if err := send(ctx); err != nil && s.ctx.Err() == nil {
			s.log.Warn("the client did not do what it was asked", "what", what, "err", err)
		}
	})
}
