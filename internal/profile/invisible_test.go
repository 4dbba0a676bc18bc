package profile

import "testing"

// Written from what Claude Code 2.1.332 made of descriptions with these characters, 2026-11-30.
func TestCollapseInvisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                       "plain",
		"a  b":                        "a  b",
		"a\u00a0\u3000b":              "a\u00a0\u3000b",
		"a\n\n\u200bb":                "a b",
		"a \x01 b":                    "a   b",
		"\ufeffa\u202e":               " a ",
		"a\u00ad\ue000\u0378\u2800b":  "a b",
		"a\U000e0001b":                "a b",
		"a\x1b[31mred\x1b[0m":         "ared",
		"a\x1b]0;title\x07b\u009b1mc": "abc",
		"a\u0090rest":                 "a",
		"a\x1bMb\x1b":                 "ab",
		"👩\u200d💻 ❤\ufe0f":            "👩\u200d💻 ❤\ufe0f",
		"क\u094d\u200dष":              "क\u094d\u200dष",
		"a\u200d\u200db\ufe0fc":       "a b c",
	} {
		if got := collapseInvisible(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
