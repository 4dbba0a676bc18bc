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
	cancel map[protocol.ProgressToken]context.CancelFunc
}

// task is long work that the client shows. The zero value stands for work that it does not.
type task struct {
	says chan string
	end  func()
}

// say shows what the work is at. What comes faster than the client takes it is left out, the newest never. Only one
// goroutine at a time may call it.
func (t task) say(message string) {
	select {
	case <-t.says:
	default:
	}
	select {
	case t.says <- message:
	default:
	}
}

// progress shows the client that long work has begun, until its end is called. cancel stops the work when the user
// wants that; nil when it cannot be stopped. Nothing waits for the client.
func (s *Server) progress(title string, cancel context.CancelFunc) task {
	if !s.can.progress {
		return task{end: func() {}}
	}
	token := s.tokens.add(cancel)
	end := make(chan struct{})
	t := task{says: make(chan string, 1), end: func() {
		s.tokens.remove(token)
		close(end)
	}}
	go s.contain("show progress", func() {
		ctx, stop := context.WithTimeout(s.ctx, patience)
		err := s.client.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: token})
		stop()
		if err != nil {
			return
		}
		s.report(token, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: title, Cancellable: new(cancel != nil)})
		s.relay(token, t.says, end)
	})
	return t
}

// relay tells the client what a task says, until it ends.
func (s *Server) relay(token protocol.ProgressToken, says <-chan string, end <-chan struct{}) {
	for {
		select {
		case message := <-says:
			s.report(token, &protocol.WorkDoneProgressReport{Kind: "report", Message: new(message)})
		case <-end:
			s.report(token, &protocol.WorkDoneProgressEnd{Kind: "end"})
			return
		case <-s.ctx.Done():
			return
		}
	}
}

func (t *tokens) add(cancel context.CancelFunc) protocol.ProgressToken {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	token := protocol.String(fmt.Sprintf("skill-ls-%d", t.next))
	if t.cancel == nil {
		t.cancel = map[protocol.ProgressToken]context.CancelFunc{}
	}
	t.cancel[token] = cancel
	return token
}

func (t *tokens) remove(token protocol.ProgressToken) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.cancel, token)
}

// WorkDoneProgressCancel stops work that is shown, until something else changes.
func (s *Server) WorkDoneProgressCancel(_ context.Context, p *protocol.WorkDoneProgressCancelParams) error {
	s.tokens.mu.Lock()
	cancel := s.tokens.cancel[p.Token]
	s.tokens.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return nil
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
