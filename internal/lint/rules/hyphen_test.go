package rules

import (
	"regexp"
	"slices"
	"testing"
)

// FuzzHyphenWords holds the words that begin with hyphens against a pattern for them.
func FuzzHyphenWords(f *testing.F) {
	pattern := regexp.MustCompile(`(^|[^\w-])(--?[A-Za-z0-9][\w-]*)`)
	f.Add("--all -x a-b --no-color=1 ---x -- -_a (--in) -é --a--b\n-1")
	f.Fuzz(func(t *testing.T, src string) {
		var want []string
		for _, m := range pattern.FindAllStringSubmatch(src, -1) {
			want = append(want, m[2])
		}
		if got := hyphenWords(src); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", src, got, want)
		}
	})
}
