//go:build race

package racetest

// On tells that the race detector is on.
const On = true
