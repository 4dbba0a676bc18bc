package rules

import (
	"testing"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// TestRegexps fails with a panic when one is none.
func TestRegexps(*testing.T) { lazyregexp.CompileAll() }
