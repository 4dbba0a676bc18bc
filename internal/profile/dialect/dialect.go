// Package dialect turns the bytes of a SKILL.md into front matter fields the
// way each agent client does: the fences that delimit the block, the YAML (or
// YAML-like) grammar it accepts, and the type and text it gives each scalar.
// Everything here is a pure function of its arguments.
//
// A Fence cuts the file, a Source holds the block and reads it in any number
// of dialects, and a fallback reads what the dialect refused:
//
//	cut, err := fence.Split(text)
//	src := dialect.NewSource(cut.Front)
//	fields, err := src.Parse("js-yaml4", dialect.Options{Fallback: "gemini-lines"})
package dialect

import (
	"errors"
	"fmt"
	"maps"
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
	// DupKeys is error, last or first; empty is the dialect's own habit.
	DupKeys string `yaml:"dup_keys"`
	// KeyCase is exact (also when empty), or fold: top-level keys are lower-cased.
	KeyCase string `yaml:"key_case"`
	// Fallback names the second reading, from Fallbacks, of a block the dialect
	// refuses; empty and none mean there is no second reading.
	Fallback string `yaml:"fallback"`
	// Known lists the keys a typed decoder (go-yaml3-typed, serde-yaml-typed)
	// has fields for. It does not look into the values of others, and
	// serde_yaml does not mind if they occur twice. Empty: every key is known.
	// "a.b" is a field of the struct at a, which then has no other fields than
	// those that are listed so; without any, a is a map.
	Known []string `yaml:"known"`
}

// ErrNotMapping is wrapped by the *Error for a block that is valid YAML but a
// list or a single scalar. Some clients treat it as an empty block.
var ErrNotMapping = errors.New("not a mapping")

// ErrUnknown is wrapped by the error for a dialect or fallback name that this
// package does not have.
var ErrUnknown = errors.New("unknown name")

// Error says why a dialect refuses a block.
type Error struct {
	Line   int    // 1-based line of the block, 0 when unknown
	Reason string // what is wrong, without the line
	Cause  error  // ErrNotMapping or nil
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

func refuse(line int, format string, args ...any) *Error {
	return &Error{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// Names lists the dialects, sorted.
func Names() []string { return slices.Sorted(maps.Keys(dialects)) }

// Fallbacks lists the names Options.Fallback accepts besides none, sorted.
func Fallbacks() []string { return slices.Sorted(maps.Keys(fallbacks)) }

// Parse reads a front matter block as the named dialect does.
// To read one block in several dialects use a Source, which parses once.
func Parse(name, front string, opt Options) (Map, error) {
	return NewSource(front).Parse(name, opt)
}
