package python

import (
	"strings"
	"unicode"
)

// kinds are the classes of Python's escapes, and what is in none of them, for inside of brackets: what the engine means by
// its own escapes differs.
var kinds = map[rune]string{
	'd': `\p{Nd}`, 'D': `\P{Nd}`,
	's': `\s\x1c-\x1f`, 'S': `\x00-\x08\x0e-\x1b!-\x84\x86-\x9f\xa1-` + "\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\U0010ffff",
	'w': `\p{L}\p{N}_`, 'W': `\p{M}\p{S}\p{Z}\p{C}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}` + "\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f\uff3f",
}

// Positions at the ends of words, and others. In an empty text there is none.
const (
	wordEnds = `(?:(?<=[\p{L}\p{N}_])(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_])(?=[\p{L}\p{N}_]))`
	noEnds   = `(?!\A\z)(?:(?<=[\p{L}\p{N}_])(?=[\p{L}\p{N}_])|(?<![\p{L}\p{N}_])(?![\p{L}\p{N}_]))`
)

// escape reads an escape outside of brackets, whose backslash is past.
func (t *translator) escape() (s span, repeatable bool, err error) {
	if t.end() {
		return s, false, errRefused
	}
	c := t.s[t.at]
	t.at++
	switch {
	case kinds[c] != "":
		t.out.WriteString("[" + kinds[c] + "]")
		return span{1, 1}, true, nil
	case c == 'A':
		t.out.WriteString(`\A`)
		return span{}, false, nil
	case c == 'b':
		t.out.WriteString(wordEnds)
		return span{}, false, nil
	case c == 'B':
		t.out.WriteString(noEnds)
		return span{}, false, nil
	case c == 'Z':
		t.out.WriteString(`\z`)
		return span{}, false, nil
	case c >= '1' && c <= '9':
		return t.number(c)
	}
	t.at--
	r, err := t.character()
	t.literal(r)
	return span{1, 1}, true, err
}

// number reads a reference to a group, or three octal digits.
func (t *translator) number(c rune) (span, bool, error) {
	digit := func(i int) rune {
		if t.at+i < len(t.s) {
			return t.s[t.at+i]
		}
		return -1
	}
	octal := func(r rune) bool { return r >= '0' && r <= '7' }
	n := int(c - '0')
	if d := digit(0); d >= '0' && d <= '9' {
		if octal(c) && octal(d) && octal(digit(1)) {
			r := (c-'0')*64 + (d-'0')*8 + digit(1) - '0'
			t.at += 2
			if r > 0o377 {
				return span{}, false, errRefused
			}
			t.literal(r)
			return span{1, 1}, true, nil
		}
		n = n*10 + int(d-'0')
		t.at++
	}
	if n > t.groups || !t.closed[n-1] {
		return span{}, false, errRefused
	}
	return t.backreference(n)
}

var controls = map[rune]rune{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\'}

// character reads an escape that stands for one character.
func (t *translator) character() (rune, error) {
	c := t.s[t.at]
	t.at++
	digits := map[rune]int{'x': 2, 'u': 4, 'U': 8}[c]
	switch r, known := controls[c]; {
	case digits > 0:
		return t.hexadecimal(digits)
	case c == '0':
		n := rune(0)
		for i := 0; i < 2 && !t.end() && t.s[t.at] >= '0' && t.s[t.at] <= '7'; i++ {
			n = n*8 + t.s[t.at] - '0'
			t.at++
		}
		return n, nil
	case known:
		return r, nil
	case c == 'N':
		if t.is('{') { // a name of Unicode, or none
			return 'N', errPattern
		}
		return 0, errRefused
	case c <= unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c)):
		return 0, errRefused
	}
	return c, nil
}

func (t *translator) hexadecimal(digits int) (rune, error) {
	var n int64
	for range digits {
		if t.end() {
			return 0, errRefused
		}
		i := strings.IndexRune("0123456789abcdef", unicode.ToLower(t.s[t.at]))
		if i < 0 || t.s[t.at] > unicode.MaxASCII {
			return 0, errRefused
		}
		n = n*16 + int64(i)
		t.at++
	}
	if n > unicode.MaxRune {
		return 0, errRefused
	}
	return rune(n), nil
}

// class reads a set in brackets, whose opening one is past.
func (t *translator) class() error {
	t.out.WriteByte('[')
	if t.take('^') {
		t.out.WriteByte('^')
	}
	for first := true; first || !t.is(']'); first = false {
		if t.end() {
			return errRefused
		}
		low, single, err := t.member()
		if err != nil {
			return err
		}
		if t.at+1 >= len(t.s) || !t.is('-') || t.s[t.at+1] == ']' {
			if t.at+1 >= len(t.s) && t.is('-') {
				return errRefused
			}
			continue
		}
		t.at++
		t.out.WriteByte('-')
		high, alsoSingle, err := t.member()
		if err != nil {
			return err
		}
		if !single || !alsoSingle || high < low {
			return errRefused
		}
	}
	t.at++
	t.out.WriteByte(']')
	return nil
}

// member reads one member of a set: a character, or a class.
func (t *translator) member() (r rune, single bool, err error) {
	c := t.s[t.at]
	t.at++
	if c == '\\' {
		if t.end() {
			return 0, false, errRefused
		}
		switch e := t.s[t.at]; {
		case kinds[e] != "":
			t.at++
			t.out.WriteString(kinds[e])
			return 0, false, nil
		case e >= '0' && e <= '7':
			c, err = t.octal()
		default:
			c, err = t.character()
		}
		if err != nil {
			return 0, false, err
		}
	}
	t.inSet(c)
	return c, true, nil
}

// octal reads up to three octal digits.
func (t *translator) octal() (rune, error) {
	n := rune(0)
	for i := 0; i < 3 && !t.end() && t.s[t.at] >= '0' && t.s[t.at] <= '7'; i++ {
		n = n*8 + t.s[t.at] - '0'
		t.at++
	}
	if n > 0o377 {
		return 0, errRefused
	}
	return n, nil
}

// inSet writes a character inside of brackets.
func (t *translator) inSet(c rune) {
	switch {
	case c == '-':
		t.out.WriteString(`\x2d`)
	case strings.ContainsRune(`\]^[`, c):
		t.out.WriteString(`\` + string(c))
	default:
		t.out.WriteRune(c)
	}
}
