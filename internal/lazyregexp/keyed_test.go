package lazyregexp_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// TestKeyedFindsTheSame holds the search by words against package regexp.
func TestKeyedFindsTheSame(t *testing.T) {
	const text = "from 'x'\nrefrom \"x\" from from\"x\" _from 'x'\n@a.b( @a( é@a.b( éfrom 'x'"
	for _, c := range []struct{ words, keyed, whole string }{
		{"from", `from\s*(['"])x`, `\bfrom\s*(['"])x`},
		{"@", `@(\w+)\.(b)?\(`, `@(\w+)\.(b)?\(`},
		{"from", "", `\bfrom`},
		{"nothing", "", "nothing"},
	} {
		k := lazyregexp.NewKeyed(c.words, c.keyed)
		got, want := slices.Collect(k.All(text)), regexp.MustCompile(c.whole).FindAllStringSubmatchIndex(text, -1)
		if !slices.EqualFunc(got, want, slices.Equal[[]int]) {
			t.Errorf("%q, %q finds %v, %q finds %v", c.words, c.keyed, got, c.whole, want)
		}
		if k.MatchString(text) != (len(want) > 0) {
			t.Errorf("%q: MatchString is %t", c.words, len(want) == 0)
		}
		for _, m := range want {
			if !k.MatchAt(text, m[0]) {
				t.Errorf("%q does not match at %d", c.words, m[0])
			}
		}
	}
}
