package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// tabWidth is how many blanks stand for a tab.
const tabWidth = 4

// clean returns a text in one line that cannot drive a terminal or hide anything from its reader: what is
// not visible is written as its code.
func clean(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		shown, n := visible(s[i:])
		b.WriteString(shown)
		i += n
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// visible returns how the first character of s is shown, and how many bytes it has.
func visible(s string) (string, int) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Sprintf("<%02X>", s[0]), n
	case r == '\t':
		return strings.Repeat(" ", tabWidth), n
	case hidden(r):
		return fmt.Sprintf("<U+%04X>", r), n
	}
	return s[:n], n
}

// hidden reports whether a character is invisible or steers how others are shown: control and format
// characters, bidirectional ones among them, and the variation selectors that can carry secret text
// (U+E0100 and on). The selectors for text and emoji style are left alone.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs) || r >= 0xE0100 && r <= 0xE01EF ||
		r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0 // Hangul fillers, letters that show nothing
}

// columns returns how many columns of a terminal a text takes that is shown as it is.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
