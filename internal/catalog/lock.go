package catalog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// LockName is the usual name of a lock file.
const LockName = "mcp-tools.lock.json"

const lockVersion = 1

// lockFile is the form on disk, described by schemas/mcp-tools.lock.schema.json. encoding/json sorts the servers.
type lockFile struct {
	Version int                   `json:"version"`
	Servers map[string]lockServer `json:"servers"`
}

type lockServer struct {
	ProtocolVersion string            `json:"protocolVersion,omitempty"`
	ServerInfo      *Info             `json:"serverInfo,omitempty"`
	Instructions    string            `json:"instructions,omitempty"`
	Tools           []lockTool        `json:"tools"`
	Prompts         []json.RawMessage `json:"prompts,omitempty"`
	Resources       []json.RawMessage `json:"resources,omitempty"`
	Templates       []json.RawMessage `json:"resourceTemplates,omitempty"`
}

type lockTool struct {
	Name       string          `json:"name"`
	Hash       string          `json:"hash"`
	Definition json.RawMessage `json:"definition"`
}

// Encode returns the lock file of c. Servers and what they offer are sorted by name, and white space is set anew so
// that a change is readable in a review; nothing else about the definitions is touched. The same catalogue gives the
// same bytes.
func Encode(c *Catalog) ([]byte, error) {
	f := lockFile{Version: lockVersion, Servers: map[string]lockServer{}}
	for _, s := range c.Servers {
		if _, twice := f.Servers[s.Name]; twice {
			return nil, fmt.Errorf("encode lock: two servers are named %q", s.Name)
		}
		f.Servers[s.Name] = lockOf(s)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // it would rewrite the definitions
	e.SetIndent("", "  ")
	if err := e.Encode(f); err != nil {
		return nil, fmt.Errorf("encode lock: %w", err)
	}
	return b.Bytes(), nil
}

func lockOf(s *Server) lockServer {
	l := lockServer{
		ProtocolVersion: s.ProtocolVersion,
		Instructions:    s.Instructions,
		Tools:           []lockTool{},
		Prompts:         raws(s.Prompts),
		Resources:       raws(s.Resources),
		Templates:       raws(s.Templates),
	}
	if s.Info != (Info{}) {
		l.ServerInfo = &s.Info
	}
	for _, t := range sorted(s.Tools) {
		l.Tools = append(l.Tools, lockTool{t.Name(), t.Hash(), json.RawMessage(t.Raw())})
	}
	return l
}

type named interface {
	Name() string
	Hash() string
	Raw() string
}

// sorted orders by name, and by content what shares a name, so that the order of the server does not matter.
func sorted[T named](items []T) []T {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b T) int {
		if c := cmp.Compare(a.Name(), b.Name()); c != 0 {
			return c
		}
		return cmp.Compare(a.Hash(), b.Hash())
	})
	return items
}

func raws[T named](items []T) []json.RawMessage {
	var out []json.RawMessage
	for _, item := range sorted(items) {
		out = append(out, json.RawMessage(item.Raw()))
	}
	return out
}

// Decode reads a lock file. Spans of the result refer to the file. An error names the line and column, and wraps a
// *SyntaxError.
func Decode(data []byte) (*Catalog, error) {
	root, err := Parse(strings.TrimPrefix(string(data), byteOrderMark))
	if err != nil {
		return nil, fmt.Errorf("read lock: %w", err)
	}
	c, err := decodeLock(root)
	if err != nil {
		return nil, fmt.Errorf("read lock: %w", err)
	}
	return c, nil
}

func decodeLock(root *Node) (*Catalog, error) {
	version := root.Get("version")
	if version.Raw() != fmt.Sprint(lockVersion) {
		return nil, errorIn(root, version, fmt.Sprintf("version %d is expected; write the lock anew with --write-lock", lockVersion))
	}
	servers := root.Get("servers")
	if !servers.Is(Object) {
		return nil, errorIn(root, servers, `"servers" has to be an object`)
	}
	var all []*Server
	for _, m := range servers.Members {
		s, err := decodeServer(m)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return New(all...), nil
}

func decodeServer(m Member) (*Server, error) {
	n := m.Value
	if !n.Is(Object) {
		return nil, errorIn(n, n, fmt.Sprintf("server %q has to be an object", m.Key))
	}
	s := &Server{
		Name:            m.Key,
		ProtocolVersion: n.Get("protocolVersion").Text(),
		Instructions:    n.Get("instructions").Text(),
	}
	info := n.Get("serverInfo")
	s.Info = Info{Name: info.Get("name").Text(), Version: info.Get("version").Text()}
	for _, entry := range n.Get("tools").List() {
		definition, err := lockedTool(entry)
		if err != nil {
			return nil, err
		}
		s.Tools = append(s.Tools, Tool{definition})
	}
	s.AddPrompts(n.Get("prompts").List())
	s.AddResources(n.Get("resources").List())
	s.AddTemplates(n.Get("resourceTemplates").List())
	return s, nil
}

// lockedTool returns the definition of an entry whose hash fits it. Another hash means that one was edited without
// the other, and a lock that was edited by hand is no record of what the server said.
func lockedTool(entry *Node) (*Node, error) {
	definition := entry.Get("definition")
	if definition == nil {
		return nil, errorIn(entry, entry, `a tool has no "definition"`)
	}
	if hash := entry.Get("hash"); hash.Text() != definition.Hash() {
		reason := fmt.Sprintf("the hash of tool %q does not fit its definition; write the lock anew with --write-lock", entry.Get("name").Text())
		return nil, errorIn(entry, hash, reason)
	}
	return definition, nil
}

// errorIn places an error on n, or on the value that should hold it where n is missing.
func errorIn(parent, n *Node, reason string) error {
	if n == nil {
		n = parent
	}
	if n == nil {
		return errors.New(reason)
	}
	return errorAt(n.src, n.Span.Start, reason)
}
