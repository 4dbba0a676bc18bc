package jsonrepair

import (
	"errors"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// number reads a number, or a text that looks like one.
func (p *parser) number() *value {
	var b strings.Builder
	for c := p.peek(0); is(c, "0123456789-.eE/,_") && (c != ',' || !p.within(inList)); c = p.peek(0) {
		if c != '_' {
			b.WriteRune(c)
		}
		p.at++
	}
	s := b.String()
	if isAlpha(p.peek(0)) {
		p.at -= len(s)
		return p.string()
	}
	if s != "" && strings.Contains("-eE/,", s[len(s)-1:]) {
		s = s[:len(s)-1]
		p.at--
	}
	if strings.Contains(s, ",") {
		return textOf([]rune(s))
	}
	if strings.ContainsAny(s, ".eE") {
		if f, ok := float(s); ok {
			return &value{kind: aFloat, float: f}
		}
	} else if digits, ok := whole(s); ok {
		return intOf(digits)
	}
	return textOf([]rune(s))
}

// comment goes past comments. Outside of all values it returns what follows, and inside of them an empty text: there a
// bracket, brace or colon ends a comment, too.
func (p *parser) comment() *value {
	for {
		switch {
		case p.peek(0) == '#':
			p.line()
		case p.peek(0) == '/' && p.peek(1) == '/':
			p.at += 2
			p.line()
		case p.peek(0) == '/' && p.peek(1) == '*':
			p.at += 2
			p.block()
		case p.peek(0) == '/':
			p.at++
		}
		if len(p.places) > 0 {
			return textOf(nil)
		}
		if p.blanks(); !is(p.peek(0), "#/") {
			return p.value(nil)
		}
	}
}

func (p *parser) line() {
	ends := "\n\r"
	for where, end := range map[place]string{inList: "]", inValue: "}", inKey: ":"} {
		if p.inside(where) {
			ends += end
		}
	}
	for c := p.peek(0); c != none && !is(c, ends); c = p.peek(0) {
		p.at++
	}
}

// block goes past a comment whose "/*" is past. The star of that counts for its end.
func (p *parser) block() {
	for c, last := p.peek(0), '*'; c != none; c, last = p.peek(0), c {
		p.at++
		if last == '*' && c == '/' {
			return
		}
	}
}

var (
	wholeNumber = lazyregexp.New(`^[+-]?[0-9]+(?:_[0-9]+)*$`)
	floatNumber = lazyregexp.New(`^[+-]?(?:(?:[0-9]+(?:_[0-9]+)*)?(?:\.(?:[0-9]+(?:_[0-9]+)*)?)?(?:[eE][+-]?[0-9]+(?:_[0-9]+)*)?|(?i:inf(?:inity)?|nan))$`)
)

// mostDigits is how many digits int() takes: https://docs.python.org/3/library/stdtypes.html#int-max-str-digits
const mostDigits = 4300

// ascii writes a numeral as Python reads it, without blanks around it and with digits of any script.
func ascii(s string) string {
	return strings.Map(func(c rune) rune {
		if c < unicode.MaxASCII || !unicode.IsDigit(c) {
			return c
		}
		zero := c
		for unicode.IsDigit(zero-1) && c-zero < 9 {
			zero--
		}
		if c >= '𝟎' && c <= '𝟿' { // five styles side by side
			zero = c - (c-'𝟎')%10
		}
		return '0' + c - zero
	}, strings.TrimFunc(s, isSpace))
}

// whole is int(s), as Python writes it.
func whole(s string) (digits string, ok bool) {
	s = ascii(s)
	if !wholeNumber.MatchString(s) {
		return "", false
	}
	s = strings.ReplaceAll(s, "_", "")
	if len(strings.TrimLeft(s, "+-")) > mostDigits {
		return "", false
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return "", false
	}
	return n.String(), true
}

// float is float(s).
func float(s string) (f float64, ok bool) {
	s = ascii(s)
	if !floatNumber.MatchString(s) || !strings.ContainsAny(s, "0123456789nN") {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return f, !errors.Is(err, strconv.ErrSyntax) // what is too large is infinite
}
