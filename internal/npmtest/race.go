//go:build race

package npmtest

// Raced tells that the race detector is on.
const Raced = true
