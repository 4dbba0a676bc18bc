package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// ErrNoShutdown is the result of a session that ended without the shutdown request; the protocol wants the
// process to fail then.
var ErrNoShutdown = errors.New("the session ended without shutdown")

// Serve speaks the protocol on in and out until the client exits or the connection breaks. It returns nil
// after shutdown and exit, ErrNoShutdown after exit alone, and what broke the connection otherwise. in may
// still be read from after Serve has returned.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	s := newServer(ctx, o)
	err := s.run(in, out)
	cancel()
	s.stop()
	return err
}

// stop waits until the MCP servers that were started have ended, which the end of the session has them do: the process
// must not leave them behind.
func (s *Server) stop() {
	ended := make(chan struct{})
	go func() {
		s.started.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(patience):
		s.log.Warn("an MCP server that was started has not ended")
	}
}

func (s *Server) run(in io.ReadCloser, out io.WriteCloser) error {
	conn := jsonrpc2.NewConn(jsonrpc2.NewStream(pipe{in, out}), jsonrpc2.WithCodec(codec{}))
	s.client = protocol.ClientDispatcher(conn)
	h := s.custom(protocol.ServerHandler(s, jsonrpc2.MethodNotFoundHandler))
	conn.Go(s.ctx, s.guard(protocol.CancelHandler(s.ordered(s.lifecycle(s.progressive(h))))))
	go s.schedule()
	select {
	case <-conn.Done():
		if err := conn.Err(); err != nil {
			return fmt.Errorf("the connection broke: %w", err)
		}
	case <-s.exit:
		// conn.Close waits for the reader, which nothing wakes while it blocks on a pipe.
	case <-s.ctx.Done():
	}
	if s.phase.Load() != shutDown {
		return ErrNoShutdown
	}
	return nil
}

// pipe joins the two directions of a connection.
type pipe struct {
	io.ReadCloser
	io.WriteCloser
}

func (p pipe) Close() error { return errors.Join(p.WriteCloser.Close(), p.ReadCloser.Close()) }

// codec encodes messages as the protocol package wants them. Its own NewServer has one too, but hands on
// notifications concurrently, so that edits overtake each other.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) {
	switch m := v.(type) {
	case nil:
		return []byte("null"), nil
	case jsonrpc2.RawMessage:
		if m == nil {
			return []byte("null"), nil
		}
		return m, nil
	}
	return protocol.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = bytes.Clone(data)
		return nil
	}
	// What is decoded into a list of unions shares its strings with data, which jsonrpc2 reads the next message into.
	return protocol.Unmarshal(bytes.Clone(data), v)
}

type stateKey struct{}

type rawKey struct{}

// ordered is the rule of concurrency. Notifications run one after the other, so that edits are applied in the
// order they were made. A request keeps the state it arrived at, and runs beside whatever comes next.
//
// Every request must go through Async, and a notification may only use a detached context: jsonrpc2 reuses
// that of an inline message, and a context derived from it would be left without a parent.
func (s *Server) ordered(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if !req.IsCall() {
			ctx = jsonrpc2.DetachContext(ctx)
			if req.Method() == protocol.MethodTextDocumentDidOpen {
				ctx = context.WithValue(ctx, rawKey{}, rawURI(req.Params()))
			}
			return next(ctx, req)
		}
		ctx = context.WithValue(ctx, stateKey{}, s.state())
		jsonrpc2.Async(ctx)
		return next(ctx, req)
	}
}

// rawURI returns the URI of a document as the client spells it. The protocol package decodes another spelling
// of it, under which clients would not know their document again.
func rawURI(params []byte) uri.URI {
	var p struct {
		TextDocument struct {
			URI string `json:"uri"`
		} `json:"textDocument"`
	}
	if json.Unmarshal(params, &p) != nil {
		return ""
	}
	return uri.URI(p.TextDocument.URI)
}

// guard keeps one bad message from ending the session: jsonrpc2 gives up the connection when a handler panics
// or the one of a notification fails.
func (s *Server) guard(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
		method, call := strings.Clone(req.Method()), req.IsCall()
		done := s.traced(method, call)
		defer func() {
			if v := recover(); v != nil {
				s.log.Error("a handler panicked", "method", method, "panic", v, "stack", string(debug.Stack()))
				result, err = nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "internal error in %s; please report it with the log", method)
			}
			if errors.Is(err, context.Canceled) {
				err = protocol.ErrRequestCancelled
			}
			done(err)
			if !call && err != nil {
				if !errors.Is(err, jsonrpc2.ErrMethodNotFound) {
					s.log.Warn("a notification was ignored", "method", method, "err", err)
				}
				err = nil
			}
		}()
		return next(ctx, req)
	}
}

// Codes of the protocol that its package does not name.
const (
	notInitialized jsonrpc2.Code = -32002
	requestFailed  jsonrpc2.Code = -32803 // the request was right and could not be done
)

// The phases of a session.
const (
	fresh int32 = iota
	running
	shutDown
)

// lifecycle refuses what the protocol forbids before initialize and after shutdown.
func (s *Server) lifecycle(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		method, phase := req.Method(), s.phase.Load()
		switch {
		case method == protocol.MethodExit:
		case method == protocol.MethodInitialize && phase != fresh:
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "initialize was called twice")
		case method == protocol.MethodInitialize:
		case phase == fresh && req.IsCall():
			return nil, jsonrpc2.Errorf(notInitialized, "%s came before initialize", method)
		case phase == fresh:
			return nil, nil
		case phase == shutDown:
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s came after shutdown", method)
		}
		return next(ctx, req)
	}
}

// custom answers the methods that the protocol does not know. The protocol package would answer one without
// parameters with a parse error.
func (s *Server) custom(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		switch method := req.Method(); {
		case method == methodClients:
			return answer(ctx, req.Params(), s.clients)
		case method == methodSimulate:
			return answer(ctx, req.Params(), s.simulate)
		case method == methodRoute:
			return answer(ctx, req.Params(), s.route)
		case method == methodServers:
			return answer(ctx, req.Params(), s.servers)
		case method == methodProbe:
			return answer(ctx, req.Params(), s.probe)
		case method == methodReplay:
			return answer(ctx, req.Params(), s.replay)
		case len(req.Params()) == 0 && !standard(method):
			return nil, jsonrpc2.ErrMethodNotFound
		}
		return next(ctx, req)
	}
}

// standard reports whether a method is of a kind that the protocol defines.
func standard(method string) bool {
	kind, _, deep := strings.Cut(method, "/")
	return !deep || slices.Contains([]string{"textDocument", "workspace", "window", "completionItem", "codeAction"}, kind)
}

// Request answers requests that nobody knows.
func (s *Server) Request(context.Context, string, any) (any, error) {
	return nil, jsonrpc2.ErrMethodNotFound
}

// answer decodes the parameters of a custom request and encodes its result.
func answer[P, R any](ctx context.Context, raw []byte, f func(context.Context, *P) (R, error)) (any, error) {
	params, err := decoded[P](raw)
	if err != nil {
		return nil, err
	}
	result, err := f(ctx, params)
	if err != nil {
		return nil, err
	}
	out, err := json.Marshal(result)
	return jsonrpc2.RawMessage(out), err
}

// decoded reads the parameters of a custom request. None are empty ones; one that there is none of is refused, since
// what it asks for would not be done.
func decoded[P any](raw []byte) (*P, error) {
	params := new(P)
	if len(raw) == 0 {
		return params, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(params); err != nil {
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	}
	return params, nil
}
