package lsp

import (
	"context"
	"fmt"
	"sync"

	"go.lsp.dev/protocol"
)

// tokens are those of the progress that is under way, with what stops the work.
type tokens struct {
	mu     sync.Mutex
	next   int
	cancel map[string]context.CancelFunc
}

// progress shows the client that long work has begun, and returns what shows that it has ended. Neither waits
// for the client.
func (s *Server) progress(title string) func(message string) {
	if !s.can.progress {
		return func(string) {}
	}
	s.tokens.mu.Lock()
	s.tokens.next++
	token := protocol.String(fmt.Sprintf("skill-ls-%d", s.tokens.next))
	s.tokens.mu.Unlock()
	end := make(chan string, 1)
	go s.contain("show progress", func() {
		ctx, cancel := context.WithTimeout(s.ctx, patience)
		err := s.client.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: token})
		cancel()
		if err != nil {
			return
		}
		s.report(token, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: title})
		select {
		case message := <-end:
			s.report(token, &protocol.WorkDoneProgressEnd{Kind: "end", Message: &message})
		case <-s.ctx.Done():
		}
	})
	return func(message string) { end <- message }
}

func (s *Server) report(token protocol.ProgressToken, value any) {
	raw, err := protocol.Marshal(value)
	if err == nil {
		err = s.client.Progress(s.ctx, &protocol.ProgressParams{Token: token, Value: raw})
	}
	if err != nil && s.ctx.Err() == nil {
		s.log.Debug("progress cannot be shown", "err", err)
	}
}
