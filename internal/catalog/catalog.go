// Package catalog holds what MCP servers offer, as data: tools, prompts, resources and resource templates, each as
// the JSON the server sent, with a byte span for every value in it.
//
// Nothing here starts or asks a server. A catalogue comes from a probe, from the lock file (mcp-tools.lock.json) or
// from a saved tools/list result. Rules read the JSON itself and never a typed form of it: a typed form loses what
// it has no field for, and one malformed tool would take the others with it.
package catalog

import (
	"cmp"
	"maps"
	"slices"
)

// Catalog is what a set of servers offers.
type Catalog struct {
	Servers []*Server
}

// New returns the catalogue of the given servers, sorted by name.
func New(servers ...*Server) *Catalog {
	c := &Catalog{Servers: slices.Clone(servers)}
	slices.SortStableFunc(c.Servers, func(a, b *Server) int { return cmp.Compare(a.Name, b.Name) })
	return c
}

// With returns the catalogue in which some servers are replaced or added.
func (c *Catalog) With(servers ...*Server) *Catalog {
	byName := map[string]*Server{}
	for _, s := range slices.Concat(c.Servers, servers) {
		byName[s.Name] = s
	}
	return New(slices.Collect(maps.Values(byName))...)
}

// Server returns the server of that name, or nil.
func (c *Catalog) Server(name string) *Server {
	if c == nil {
		return nil
	}
	i := slices.IndexFunc(c.Servers, func(s *Server) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return c.Servers[i]
}

// Server is what one server said about itself. Lists keep the order of the server, except that those read from a
// lock file are sorted by name.
type Server struct {
	Name            string // in the configuration, not what the server calls itself
	ProtocolVersion string // agreed on, such as 2025-11-25; "" when not known
	Info            Info
	Instructions    string
	Handshake       *Node // result of initialize or server/discover; nil when it was not kept

	Tools     []Tool
	Prompts   []Prompt
	Resources []Resource
	Templates []Template
}

// Info is what the server calls itself.
type Info struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Tool returns the first tool of that name.
func (s *Server) Tool(name string) (Tool, bool) {
	for _, t := range s.Tools {
		if t.Name() == name {
			return t, true
		}
	}
	return Tool{}, false
}

// SetHandshake records the result of initialize or, since revision 2026-07-28, of server/discover, where the
// server's name stands in _meta: https://modelcontextprotocol.io/specification/2026-07-28
func (s *Server) SetHandshake(result *Node) {
	s.Handshake = result
	s.ProtocolVersion = result.Get("protocolVersion").Text()
	s.Instructions = result.Get("instructions").Text()
	info := result.Get("serverInfo")
	if info == nil {
		info = result.Get("_meta").Get("io.modelcontextprotocol/serverInfo")
	}
	s.Info = Info{Name: info.Get("name").Text(), Version: info.Get("version").Text()}
}

// Capability reports whether the server declared that capability, such as "prompts".
func (s *Server) Capability(name string) bool {
	return s.Handshake.Get("capabilities").Get(name) != nil
}

// Tool is one entry of tools/list. It may be any JSON value: accessors return zero values where the server sent
// something else than the specification asks for, and Defects says what.
type Tool struct{ *Node }

// Name returns the name, "" when it is missing or not a string.
func (t Tool) Name() string { return t.Get("name").Text() }

// Title returns the name for people: title, else annotations.title.
func (t Tool) Title() string {
	return cmp.Or(t.Get("title").Text(), t.Get("annotations").Get("title").Text())
}

// Description returns the description.
func (t Tool) Description() string { return t.Get("description").Text() }

// InputSchema returns the JSON Schema of the arguments, nil when there is none.
func (t Tool) InputSchema() *Node { return t.Get("inputSchema") }

// OutputSchema returns the JSON Schema of the structured result, nil when there is none.
func (t Tool) OutputSchema() *Node { return t.Get("outputSchema") }

// Annotation returns a hint such as readOnlyHint and whether the tool sets it.
func (t Tool) Annotation(name string) (value, set bool) { return t.Get("annotations").Get(name).Bool() }

// TaskSupport returns execution.taskSupport, "forbidden" unless set.
func (t Tool) TaskSupport() string {
	return cmp.Or(t.Get("execution").Get("taskSupport").Text(), "forbidden")
}

// Prompt is one entry of prompts/list.
type Prompt struct{ *Node }

// Name returns the name.
func (p Prompt) Name() string { return p.Get("name").Text() }

// Title returns the name for people.
func (p Prompt) Title() string { return p.Get("title").Text() }

// Description returns the description.
func (p Prompt) Description() string { return p.Get("description").Text() }

// Arguments returns the arguments the prompt takes.
func (p Prompt) Arguments() []*Node { return p.Get("arguments").List() }

// Resource is one entry of resources/list.
type Resource struct{ *Node }

// Name returns the name.
func (r Resource) Name() string { return r.Get("name").Text() }

// URI returns the address.
func (r Resource) URI() string { return r.Get("uri").Text() }

// Description returns the description.
func (r Resource) Description() string { return r.Get("description").Text() }

// MIMEType returns the media type.
func (r Resource) MIMEType() string { return r.Get("mimeType").Text() }

// Template is one entry of resources/templates/list.
type Template struct{ *Node }

// Name returns the name.
func (t Template) Name() string { return t.Get("name").Text() }

// URITemplate returns the RFC 6570 template of the addresses.
func (t Template) URITemplate() string { return t.Get("uriTemplate").Text() }

// Description returns the description.
func (t Template) Description() string { return t.Get("description").Text() }
