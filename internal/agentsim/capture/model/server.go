package model

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server is a model that listens.
type Server struct {
	listener net.Listener
	http     http.Server
	script   []Answer

	mu       sync.Mutex
	requests []*Request
	next     int // the step of the script that is given to the next request with tools
	refused  []string
	faults   []string
}

// Start listens on an address of this machine, such as 127.0.0.1:0 for a port that is free, and refuses any other. The
// model answers each request that offers tools with the next answer of the script, and any other, and those
// after the last, with "ok". Handlers are served besides, by the path they are named by.
func Start(address string, script []Answer, handlers map[string]http.Handler) (*Server, error) {
	if err := loopbackOnly(address); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for the client: %w", err)
	}
	s := &Server{listener: l, script: script}
	mux := http.NewServeMux()
	for path, h := range handlers {
		mux.Handle(path, h)
	}
	mux.HandleFunc("/", s.answer)
	s.http.Handler = s.fence(mux)
	s.http.ReadHeaderTimeout = 10 * time.Second
	go func() { _ = s.http.Serve(l) }() // ends with Close
	return s, nil
}

// loopbackOnly refuses an address that others than this machine could reach. Names are not looked up.
func loopbackOnly(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%s is no address; write one as 127.0.0.1:0", address)
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.IsLoopback() {
		return fmt.Errorf("%s is not an address of this machine alone; use 127.0.0.1 or [::1]", address)
	}
	return nil
}

// URL is where the model is reached, without a slash at its end.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Close stops the server and whatever it is answering.
func (s *Server) Close() error { return s.http.Close() }

// Requests returns what was asked of the model so far, in the order of arrival.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Refused returns the hosts that the client wanted to reach through the server, which it did not let it.
func (s *Server) Refused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.refused)
}

// Faults returns what could not be read of the client's requests.
func (s *Server) Faults() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.faults)
}

// Played returns how many answers of the script were given.
func (s *Server) Played() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next
}

// fence refuses to be a proxy for other hosts: the client is told to use the server as one, so that it reaches nothing
// else.
func (s *Server) fence(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := s.foreign(r); host != "" {
			s.mu.Lock()
			if !slices.Contains(s.refused, host) {
				s.refused = append(s.refused, host)
			}
			s.mu.Unlock()
			http.Error(w, "only the model is reached from here", http.StatusForbidden)
			return
		}
		if r.Method == http.MethodConnect {
			s.tunnel(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// tunnel leads a client that takes the server for a proxy even on the way to the server itself back to it.
func (s *Server) tunnel(w http.ResponseWriter) {
	conn, buf, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer conn.Close()
	self, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		return // it is being closed
	}
	defer self.Close()
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(self, buf)
		_ = self.Close()
	}()
	_, _ = io.Copy(conn, self)
}

// foreign returns the host that a proxy is asked for, when it is another.
func (s *Server) foreign(r *http.Request) string {
	if r.Method != http.MethodConnect && !r.URL.IsAbs() || r.Host == s.listener.Addr().String() {
		return ""
	}
	return r.Host
}

// answer is given to everything that asks for the model.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimSuffix(r.URL.Path, "/")
	i := slices.IndexFunc(protocols, func(p protocol) bool { return p.takes(path) })
	if r.Method != http.MethodPost || i < 0 {
		writeOther(&writer{w: w}, path)
		return
	}
	p := protocols[i]
	req, err := read(p, path, r)
	if err != nil {
		s.mu.Lock()
		s.faults = append(s.faults, err.Error())
		s.mu.Unlock()
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.write(&writer{w: w}, req, s.record(req))
}

// mostBytes bounds a request.
const mostBytes = 64 << 20

func read(p protocol, path string, r *http.Request) (*Request, error) {
	body := io.Reader(http.MaxBytesReader(nil, r.Body, mostBytes))
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		var err error
		if body, err = gzip.NewReader(body); err != nil {
			return nil, fmt.Errorf("unpack the request: %w", err)
		}
		body = io.LimitReader(body, mostBytes)
	default:
		return nil, fmt.Errorf("the request is packed as %q, which is not read here", encoding)
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	req, err := p.read(path, data)
	if err != nil {
		return nil, fmt.Errorf("read the request to %s as %s: %w", path, p.name, err)
	}
	req.Protocol, req.Path, req.Agent, req.Body = p.name, path, r.UserAgent(), json.RawMessage(data)
	return req, nil
}

// okay is what the model says when the script says nothing.
const okay = "ok"

// record keeps a request and returns its answer.
func (s *Server) record(r *Request) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	a := Answer{Text: okay}
	if len(r.Tools) > 0 && s.next < len(s.script) {
		a = s.script[s.next]
		s.next++
	}
	a.id = fmt.Sprintf("call_%d", len(s.requests))
	return a
}

// writeOther answers what clients ask besides: which models there are, how many tokens a text has, whether the server
// lives. Telemetry is thanked for and thrown away.
func writeOther(w *writer, path string) {
	last := path[strings.LastIndexByte(path, '/')+1:]
	switch {
	case strings.HasSuffix(last, ":countTokens"):
		w.json(object{"totalTokens": 1})
	case last == "count_tokens":
		w.json(object{"input_tokens": 1})
	case last == "models":
		w.json(object{"object": "list", "data": []any{object{"id": "loopback", "object": "model"}}, "models": []any{}})
	default:
		w.json(object{})
	}
}

// writer writes an answer, as one object or as events.
type writer struct {
	w       http.ResponseWriter
	started bool
}

func (w *writer) json(v any) {
	w.w.Header().Set("Content-Type", "application/json")
	_, _ = w.w.Write(mustJSON(v)) // a client that has gone
}

// event writes a named event, whose type stands in its data as well.
func (w *writer) event(name string, data object) {
	data["type"] = name
	w.raw("event: " + name + "\ndata: " + string(mustJSON(data)) + "\n\n")
}

func (w *writer) data(v any) { w.raw("data: " + string(mustJSON(v)) + "\n\n") }

func (w *writer) raw(text string) {
	if !w.started {
		w.w.Header().Set("Content-Type", "text/event-stream")
		w.started = true
	}
	_, _ = io.WriteString(w.w, text) // a client that has gone
}
