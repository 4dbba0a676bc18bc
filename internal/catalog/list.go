package catalog

import (
	"fmt"
	"strings"
)

const byteOrderMark = "\ufeff"

// ReadList reads a saved answer of a server: the result of tools/list, the whole JSON-RPC response around it, the
// bare array of tools, or a recording that keeps the results of initialize and of the list methods under their
// names. name is the server's.
func ReadList(name string, data []byte) (*Server, error) {
	root, err := Parse(strings.TrimPrefix(string(data), byteOrderMark))
	if err != nil {
		return nil, fmt.Errorf("read tools of %q: %w", name, err)
	}
	if result := root.Get("result"); result != nil {
		root = result
	}
	if list(root, "tools") == nil {
		return nil, fmt.Errorf("read tools of %q: %w", name, noTools(root))
	}
	s := &Server{Name: name}
	if handshake := root.Get("initialize"); handshake != nil {
		s.SetHandshake(handshake)
	}
	s.AddTools(list(root, "tools").List())
	s.AddPrompts(list(root, "prompts").List())
	s.AddResources(list(root, "resources").List())
	s.AddTemplates(list(root, "resourceTemplates").List())
	return s, nil
}

// list finds the array of that name, also one level deeper, as where a whole result is kept under its name.
func list(root *Node, name string) *Node {
	if root.Is(Array) && name == "tools" {
		return root
	}
	n := root.Get(name)
	if n.Is(Object) {
		n = n.Get(name)
	}
	if !n.Is(Array) {
		return nil
	}
	return n
}

func noTools(root *Node) error {
	if message := root.Get("error").Get("message").Text(); message != "" {
		return fmt.Errorf("the server answered with an error: %s", message)
	}
	reason := `no array "tools"; expected the result of tools/list`
	return errorAt(root.Source(), root.Span.Start, reason)
}

// AddTools appends entries of tools/list.
func (s *Server) AddTools(items []*Node) {
	for _, n := range items {
		s.Tools = append(s.Tools, Tool{n})
	}
}

// AddPrompts appends entries of prompts/list.
func (s *Server) AddPrompts(items []*Node) {
	for _, n := range items {
		s.Prompts = append(s.Prompts, Prompt{n})
	}
}

// AddResources appends entries of resources/list.
func (s *Server) AddResources(items []*Node) {
	for _, n := range items {
		s.Resources = append(s.Resources, Resource{n})
	}
}

// AddTemplates appends entries of resources/templates/list.
func (s *Server) AddTemplates(items []*Node) {
	for _, n := range items {
		s.Templates = append(s.Templates, Template{n})
	}
}
