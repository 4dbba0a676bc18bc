// Package dialect turns the bytes of a SKILL.md into front matter fields the
// way each agent client does: the fences that delimit the block, the YAML (or
// YAML-like) grammar it accepts, and the type and text it gives each scalar.
// Everything here is a pure function of its arguments.
package dialect

import (
	"errors"
	"fmt"
	"slices"
)

// Values of Options.DupKeys: what happens to a key that occurs twice.
const (
	DupError = "error"
	DupLast  = "last"
	DupFirst = "first"
)

// Options are the choices a client makes on top of its dialect.
type Options struct {
	DupKeys  string `yaml:"dup_keys"` // error, last or first; empty is the dialect's own habit
	KeyCase  string `yaml:"key_case"` // exact (also when empty), or fold: top-level keys are lower-cased
	Fallback string `yaml:"fallback"` // a name from Fallbacks, tried when the dialect refuses the text; empty or none: no second try
}

// Error says why a dialect refuses a front matter block.
type Error struct {
	Line   int    // 1-based line of the block, 0 when unknown
	Reason string // what is wrong, without the line
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// errUnknown is the error for a name no table of this package holds.
var errUnknown = errors.New("unknown")

// Names lists the dialects, sorted.
func Names() []string { return sortedKeys(dialects) }

// Fallbacks lists the names Options.Fallback accepts, sorted.
func Fallbacks() []string { return sortedKeys(fallbacks) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Parse reads a front matter block as the named dialect does.
// To read one block in several dialects use a Source, which parses once.
func Parse(name, front string, opt Options) (Map, error) {
	return NewSource(front).Parse(name, opt)
}
