package redact

import (
	"strings"
	"testing"
)

// BenchmarkText is on a text without credentials, as most are, with the characters that begin one.
func BenchmarkText(b *testing.B) {
	s := strings.Repeat("The report lists figures: region=north, month (May) and \"notes\": \"how they were found\", token by token.\n", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		if Text(s) != s {
			b.Fatal("something was taken out")
		}
	}
}
