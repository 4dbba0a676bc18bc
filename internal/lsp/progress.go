package lsp

import (
	"context"
	"fmt"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// tasks are the tokens of the progress that is under way, with what stops the work.
type tasks struct {
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

// taskKey finds the task of a request in its context.
type taskKey struct{}

// taskOf returns the task of a request: one that says nothing when the client does not show it.
func taskOf(ctx context.Context) task {
	t, _ := ctx.Value(taskKey{}).(task)
	return t
}

// progress shows the client that long work has begun, until its end is called. cancel stops the work when the user
// wants that; nil when it cannot be stopped. Work for a request that is shown itself is told of there. Nothing waits for
// the client.
func (s *Server) progress(ctx context.Context, title string, cancel context.CancelFunc) task {
	if t := taskOf(ctx); t.says != nil {
		t.say(title)
		return task{says: t.says, end: func() {}}
	}
	if !s.can.progress {
		return task{end: func() {}}
	}
	token := s.tasks.fresh()
	t, _ := s.show(token, title, cancel, func() error {
		ctx, stop := context.WithTimeout(s.ctx, patience)
		defer stop()
		return s.client.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: token})
	})
	return t
}

// titles are what is shown of requests that may take a while.
var titles = map[string]string{
	protocol.MethodWorkspaceDiagnostic:     "Checking the workspace",
	protocol.MethodWorkspaceExecuteCommand: "Running a command",
	protocol.MethodTextDocumentReferences:  "Looking for references",
	protocol.MethodTextDocumentRename:      "Renaming",
	methodClients:                          "Playing clients",
	methodSimulate:                         "Playing a client",
	methodRoute:                            "Ranking skills",
	methodProbe:                            "Probing MCP servers",
	methodReplay:                           "Replaying recordings",
	methodServers:                          "Listing MCP servers",
}

// progressive shows requests that may take a while on the token that the client gives with them. The token holds until
// the answer, which waits for what was said of it.
func (s *Server) progressive(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		title, long := titles[req.Method()]
		if !long {
			return next(ctx, req)
		}
		var p protocol.WorkDoneProgressParams
		if protocol.Unmarshal(req.Params(), &p) != nil || p.WorkDoneToken == nil {
			return next(ctx, req)
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		t, told := s.show(p.WorkDoneToken, title, cancel, func() error { return nil })
		defer func() {
			t.end()
			select {
			case <-told:
			case <-s.ctx.Done():
			}
		}()
		return next(context.WithValue(ctx, taskKey{}, t), req)
	}
}

// show shows work on a token, once ready has not failed. told is closed when nothing more is said.
func (s *Server) show(token protocol.ProgressToken, title string, cancel context.CancelFunc, ready func() error) (t task, told <-chan struct{}) {
	s.tasks.add(token, cancel)
	end, done := make(chan struct{}), make(chan struct{})
	t = task{says: make(chan string, 1), end: func() {
		s.tasks.remove(token)
		close(end)
	}}
	go s.contain("show progress", func() {
		defer close(done)
		if ready() != nil {
			return
		}
		s.report(token, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: title, Cancellable: new(cancel != nil)})
		s.relay(token, t.says, end)
	})
	return t, done
}

// relay tells the client what a task says, until it ends.
func (s *Server) relay(token protocol.ProgressToken, says <-chan string, end <-chan struct{}) {
	for {
		select {
		case message := <-says:
			s.report(token, &protocol.WorkDoneProgressReport{Kind: "report", Message: new(message)})
		case <-end:
			select {
			case message := <-says:
				s.report(token, &protocol.WorkDoneProgressReport{Kind: "report", Message: new(message)})
			default:
			}
			s.report(token, &protocol.WorkDoneProgressEnd{Kind: "end"})
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// fresh returns a token that was not used before.
func (t *tasks) fresh() protocol.ProgressToken {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	return protocol.String(fmt.Sprintf("skill-ls-%d", t.next))
}

func (t *tasks) add(token protocol.ProgressToken, cancel context.CancelFunc) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cancel == nil {
		t.cancel = map[protocol.ProgressToken]context.CancelFunc{}
	}
	t.cancel[token] = cancel
}

func (t *tasks) remove(token protocol.ProgressToken) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.cancel, token)
}

// WorkDoneProgressCancel stops work that is shown, until something else changes.
func (s *Server) WorkDoneProgressCancel(_ context.Context, p *protocol.WorkDoneProgressCancelParams) error {
	s.tasks.mu.Lock()
	cancel := s.tasks.cancel[p.Token]
	s.tasks.mu.Unlock()
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
