package jsonrepair

import (
	"slices"
	"strings"
	"unicode"
)

// cursor is a place in a text.
type cursor struct {
	text  []rune
	at    int
	steps int
	over  bool // there is no more to be read
	spent bool // there were too many steps
}

// none is the character behind the end of a text.
const none rune = -1

// mostSteps bounds the work on a text: some rules look at all that follows.
const mostSteps = 50_000_000

// peek returns the character n places on.
func (c *cursor) peek(n int) rune {
	if c.walk(1); c.over || c.at+n < 0 || c.at+n >= len(c.text) {
		return none
	}
	return c.text[c.at+n]
}

// walk counts steps.
func (c *cursor) walk(n int) {
	if c.steps += n; c.steps > mostSteps {
		c.over, c.spent = true, true
	}
}

func (c *cursor) more() bool { return !c.over && c.at < len(c.text) }

// take goes past a character if it is next.
func (c *cursor) take(r rune) bool {
	if c.peek(0) != r {
		return false
	}
	c.at++
	return true
}

// blanks goes past blanks.
func (c *cursor) blanks() { c.at += c.pastBlanks(0) }

// pastBlanks is how far it is to the first character from n places on that is no blank.
func (c *cursor) pastBlanks(n int) int {
	for isSpace(c.peek(n)) {
		n++
	}
	return n
}

// find is how far it is to the first of some characters from n places on that no backslash escapes, or to the end.
func (c *cursor) find(targets string, n int) int {
	backslashes := 0
	for i := c.at + n; i < len(c.text); i++ {
		c.walk(1)
		switch r := c.text[i]; {
		case r == '\\':
			backslashes++
			continue
		case backslashes%2 == 0 && strings.ContainsRune(targets, r):
			return i - c.at
		}
		backslashes = 0
	}
	return len(c.text) - c.at
}

// slice is the text between two places of it.
func (c *cursor) slice(from, to int) string {
	from, to = max(from, 0), min(to, len(c.text))
	if from >= to {
		return ""
	}
	c.walk(to - from)
	return string(c.text[from:to])
}

// replace puts other characters in the place of some. What was read from the text stays as it is.
func (c *cursor) replace(from, to int, with []rune) {
	c.walk(len(c.text))
	c.text = slices.Concat(c.text[:from], with, c.text[to:])
}

// is reports whether a character is one of a set; the end is none.
func is(c rune, set string) bool { return c != none && strings.ContainsRune(set, c) }

const quotes = "\"'“”"

func isQuote(c rune) bool { return is(c, quotes) }

// isSpace is str.isspace.
func isSpace(c rune) bool { return unicode.IsSpace(c) || c >= 0x1c && c <= 0x1f }

// isAlpha is str.isalpha.
func isAlpha(c rune) bool { return unicode.IsLetter(c) }

// isAlnum is str.isalnum.
func isAlnum(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }

// isDigit is str.isdigit, which counts raised, lowered and circled digits too.
func isDigit(c rune) bool { return unicode.IsDigit(c) || unicode.Is(otherDigits, c) }

var otherDigits = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0xb2, Hi: 0xb3, Stride: 1},
		{Lo: 0xb9, Hi: 0xb9, Stride: 1},
		{Lo: 0x1369, Hi: 0x1371, Stride: 1},
		{Lo: 0x19da, Hi: 0x19da, Stride: 1},
		{Lo: 0x2070, Hi: 0x2070, Stride: 1},
		{Lo: 0x2074, Hi: 0x2079, Stride: 1},
		{Lo: 0x2080, Hi: 0x2089, Stride: 1},
		{Lo: 0x2460, Hi: 0x2468, Stride: 1},
		{Lo: 0x2474, Hi: 0x247c, Stride: 1},
		{Lo: 0x2488, Hi: 0x2490, Stride: 1},
		{Lo: 0x24ea, Hi: 0x24ea, Stride: 1},
		{Lo: 0x24f5, Hi: 0x24fd, Stride: 1},
		{Lo: 0x24ff, Hi: 0x24ff, Stride: 1},
		{Lo: 0x2776, Hi: 0x277e, Stride: 1},
		{Lo: 0x2780, Hi: 0x2788, Stride: 1},
		{Lo: 0x278a, Hi: 0x2792, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x10a40, Hi: 0x10a43, Stride: 1},
		{Lo: 0x10e60, Hi: 0x10e68, Stride: 1},
		{Lo: 0x11052, Hi: 0x1105a, Stride: 1},
		{Lo: 0x1f100, Hi: 0x1f10a, Stride: 1},
	},
	LatinOffset: 2,
}
