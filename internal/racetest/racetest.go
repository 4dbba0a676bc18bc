// Package racetest spares tests the race detector that it slows and tells nothing: those of one goroutine, those that measure,
// and those that run other programs. make test runs them again without it; its list UNRACED names them.
package racetest

import "testing"

// Skip skips a test with the race detector on.
func Skip(t testing.TB) {
	t.Helper()
	if On {
		t.Skip("this is tested without the race detector: make test does that")
	}
}
