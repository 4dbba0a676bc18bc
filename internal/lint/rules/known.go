package rules

import (
	"slices"
	"strings"
	"unicode"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// Key is a key of front matter that means something to somebody.
type Key struct {
	Name    string
	Spec    bool     // of the Agent Skills text
	Clients []string // that give it a meaning beyond the text
}

// Keys returns all known keys: those of the text in its order, then the others by name.
func Keys() []Key {
	var out []Key
	for _, name := range specKeys {
		out = append(out, Key{Name: name, Spec: true, Clients: readers(name)})
	}
	for _, name := range knownKeys {
		if !slices.Contains(specKeys, name) {
			out = append(out, Key{Name: name, Clients: readers(name)})
		}
	}
	return out
}

// Anchored returns the index of the heading that a fragment leads to, or -1. It is as lenient as link/anchor.
func Anchored(src string, b *skills.Body, fragment string) int {
	want := bare(fragment)
	return slices.IndexFunc(b.Headings, func(h skills.Heading) bool {
		title := h.Text.In(src)
		if m := explicitID.FindStringSubmatch(title); m != nil && m[1] == fragment {
			return true
		}
		have := bare(headingText(title))
		return have == want || numbered(want, have)
	})
}

// Slug returns the fragment that GitHub gives a heading, without the number that tells equal ones apart.
func Slug(title string) string {
	if m := explicitID.FindStringSubmatch(title); m != nil {
		return m[1]
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r) && r != 0xFE0F, r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(headingText(title)))
}
