package profile

import (
	"strings"
	"unicode"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// terminalCodes are the sequences that a terminal obeys (ECMA-48): strings, cut off by the end of the text where nothing
// ends them, control sequences, and other escapes.
var terminalCodes = lazyregexp.New(
	`(?:\x1b[\]PX^_]|[\x{90}\x{98}\x{9d}-\x{9f}])[^\x07\x1b\x{9c}]*(?:\x07|\x1b\\|\x{9c})?|(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[^ -/]?`)

// collapseInvisible takes out what a terminal obeys, and puts one blank in the place of each run of characters that are
// not seen. Joiners and variation selectors stay where they shape what stands before them.
func collapseInvisible(s string) string {
	if !strings.ContainsFunc(s, isInvisible) {
		return s
	}
	const gap = -1
	var out strings.Builder
	last := rune(0)
	for _, c := range terminalCodes.ReplaceAllString(s, "") {
		switch {
		case !isInvisible(c) || shapes(c, last):
			out.WriteRune(c)
			last = c
		case last != gap:
			out.WriteByte(' ')
			last = gap
		}
	}
	return out.String()
}

// isInvisible reports whether a character shows nothing by itself: controls, formats, private and unassigned ones,
// line breaks of Unicode, the blank pattern of Braille, and all that may be ignored.
func isInvisible(c rune) bool {
	if c >= ' ' && c < 0x7f {
		return false
	}
	return !unicode.IsGraphic(c) || c == 0x2800 || unicode.In(c, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// shapes reports whether an invisible character belongs to the one before: to a symbol, as in emoji, to a mark, or a
// joiner to a letter of a script whose letters join.
func shapes(c, before rune) bool {
	joiner := c == 0x200c || c == 0x200d
	if !joiner && !unicode.Is(unicode.Variation_Selector, c) {
		return false
	}
	return unicode.In(before, unicode.S, unicode.M) || joiner && unicode.In(before, unicode.Arabic, unicode.Syriac, unicode.Mongolian)
}
