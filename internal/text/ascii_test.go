package text

import (
	"strings"
	"testing"
)

func TestNonASCII(t *testing.T) {
	for n := range 40 {
		s := strings.Repeat("a", n)
		for from := range n + 1 {
			if got := NonASCII(s, from); got != n {
				t.Errorf("NonASCII of %d letters from %d = %d", n, from, got)
			}
			for at := from; at < n; at++ {
				if got := NonASCII(s[:at]+"\xc3"+s[at+1:], from); got != at {
					t.Errorf("NonASCII with byte %d of %d from %d = %d", at, n, from, got)
				}
			}
		}
	}
}
