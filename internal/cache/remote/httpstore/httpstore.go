// Package httpstore is a server for tests that keeps in memory whatever is put to it, as a remote cache for Bazel does:
// nothing else is expected of one. https://bazel.build/remote/caching#http-caching
package httpstore

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"regexp"
	"sync"
)

// Server keeps blobs by path. It may be used by several goroutines at once.
type Server struct {
	mu    sync.Mutex
	blobs map[string][]byte
	asked map[string]int
}

// New returns a server that keeps nothing yet.
func New() *Server { return &Server{blobs: map[string][]byte{}, asked: map[string]int{}} }

var place = regexp.MustCompile(`^/(ac|cas)/([0-9a-f]{64})$`)

// ServeHTTP implements http.Handler. Like bazel-remote it refuses a blob that has not the hash it is put under.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := place.FindStringSubmatch(r.URL.Path)
	if at == nil {
		http.Error(w, "paths are /ac/HASH and /cas/HASH", http.StatusBadRequest)
		return
	}
	switch r.Method {
	case http.MethodGet:
		data, ok := s.Blob(r.URL.Path)
		s.count(r.Method)
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(data) // whoever asked has gone if it fails
	case http.MethodPut:
		data, err := io.ReadAll(r.Body)
		sum := sha256.Sum256(data)
		if err != nil || at[1] == "cas" && hex.EncodeToString(sum[:]) != at[2] {
			http.Error(w, "the blob has another hash", http.StatusBadRequest)
			return
		}
		s.Set(r.URL.Path, data)
		s.count(r.Method)
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (s *Server) count(method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[method]++
}

// Asked returns how many requests of a method there were.
func (s *Server) Asked(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[method]
}

// Blob returns what is kept at a path.
func (s *Server) Blob(path string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.blobs[path]
	return data, ok
}

// Set keeps a blob, whatever its hash.
func (s *Server) Set(path string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blobs[path] = data
}
