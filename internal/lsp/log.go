package lsp

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"go.lsp.dev/protocol"
)

// contain runs work that has no request to answer. A panic in it is logged and ends no more than that.
func (s *Server) contain(what string, work func()) {
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("a task panicked", "what", what, "panic", v, "stack", string(debug.Stack()))
		}
	}()
	work()
}

// SetTrace turns the trace of messages on or off.
func (s *Server) SetTrace(_ context.Context, p *protocol.SetTraceParams) error {
	s.trace.Store(p.Value != protocol.TraceValueOff)
	if s.opt.Level != nil {
		level := slog.LevelInfo
		if p.Value == protocol.TraceValueVerbose {
			level = slog.LevelDebug
		}
		s.opt.Level.Set(level)
	}
	return nil
}

// traced begins the trace of a message and returns what ends it.
func (s *Server) traced(method string, call bool) func(error) {
	begun := time.Now()
	return func(err error) {
		s.log.Debug("handled", "method", method, "call", call, "took", time.Since(begun), "err", err)
		if !s.trace.Load() || method == protocol.MethodSetTrace {
			return
		}
		text := fmt.Sprintf("%s took %s", method, time.Since(begun).Round(time.Microsecond))
		if err != nil {
			text += ": " + err.Error()
		}
		s.background("take a trace", func(ctx context.Context) error {
			return s.client.LogTrace(ctx, &protocol.LogTraceParams{Message: text})
		})
	}
}

// clientLog is a slog.Handler that shows warnings and errors in the client's log, too.
type clientLog struct {
	slog.Handler
	server *Server
}

// Enabled implements slog.Handler.
func (h clientLog) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn || h.Handler.Enabled(ctx, l)
}

// Handle implements slog.Handler.
func (h clientLog) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn && h.server.phase.Load() == running {
		h.show(r)
	}
	if !h.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

func (h clientLog) show(r slog.Record) {
	kind := protocol.MessageTypeWarning
	if r.Level >= slog.LevelError {
		kind = protocol.MessageTypeError
	}
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key != "stack" {
			text += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		}
		return true
	})
	go func() { // the client may not be reading; nothing may wait for that
		_ = h.server.client.LogMessage(h.server.ctx, &protocol.LogMessageParams{Type: kind, Message: text})
	}()
}

// WithAttrs implements slog.Handler.
func (h clientLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return clientLog{h.Handler.WithAttrs(attrs), h.server}
}

// WithGroup implements slog.Handler.
func (h clientLog) WithGroup(name string) slog.Handler {
	return clientLog{h.Handler.WithGroup(name), h.server}
}
