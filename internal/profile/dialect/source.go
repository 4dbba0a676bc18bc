package dialect

import (
	"fmt"
	"sync"

	"go.yaml.in/yaml/v4"
)

// Source is a front matter block that several dialects read. It keeps the
// YAML nodes, which they share; it is safe for concurrent use.
type Source struct {
	front string
	once  sync.Once
	root  *yaml.Node
	err   error
}

// NewSource returns a Source for the text between the fences.
func NewSource(front string) *Source { return &Source{front: front} }

// Parse reads the block as the named dialect does. The error is an *Error
// when the client refuses the text, and another error when name or
// opt.Fallback is unknown.
func (s *Source) Parse(name string, opt Options) (Map, error) {
	read, ok := dialects[name]
	if !ok {
		return nil, fmt.Errorf("dialect %q: %w", name, errUnknown)
	}
	m, err := read(s, opt)
	return m, err
}

// nodes parses the block as YAML, once.
func (s *Source) nodes() (*yaml.Node, error) {
	s.once.Do(func() {
		var doc yaml.Node
		s.err = yaml.Unmarshal([]byte(s.front), &doc)
		s.root = &doc
	})
	return s.root, s.err
}

type reader func(*Source, Options) (Map, error)

var dialects = map[string]reader{}

type fallback func(front string) (Map, error)

var fallbacks = map[string]fallback{}
