package agentsim

import (
	"errors"
	"fmt"

	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/tokens"
	"github.com/skill-ls/skill-ls/internal/tokens/exact"
)

// ErrClients is the error for several clients where one is played.
var ErrClients = errors.New("name one client")

// Client returns the client to play: the one that is named, as NAME or NAME@VERSION, else the one whose own folder the
// path lies in, else the first that skills are judged by.
func Client(names []string, path string) (*profile.Profile, error) {
	switch len(names) {
	case 0:
		if p := profile.Owner(path); p != nil {
			return p, nil
		}
		return profile.FirstTier()[0], nil
	case 1:
		return profile.Find(names[0])
	}
	return nil, ErrClients
}

// The ways to count tokens, besides the name of a tokenizer.
const (
	AutoTokens = "auto" // exactly where the client's tokenizer is known, else an estimate
	Estimate   = "estimate"
)

// CountWith chooses what counts the tokens of the input, by name. The tables of a tokenizer cost a moment, so that
// they are loaded only where they are the client's.
func (in *Input) CountWith(name string) error {
	switch {
	case exact.Carried && (name == exact.Encoding || name == AutoTokens && in.Profile.Tokenizer == exact.Encoding):
		in.Count, in.Tokenizer = exact.Count, exact.Encoding
	case name == AutoTokens, name == Estimate:
		in.Count, in.Tokenizer = tokens.Estimate, Estimate
	default:
		return fmt.Errorf("no tokenizer is called %q: use %s, %s or %s", name, AutoTokens, Estimate, exact.Encoding)
	}
	return nil
}
