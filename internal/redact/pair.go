package redact

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// eachPair visits what stands as a name with its value: NAME=value, NAME = "value", "NAME": "value", NAME: 'value'. Values go
// up to a blank, a quote or a character that separates one from the next. It is a scanner by hand, for it looks at all
// that is shown of long results.
func eachPair(s string, visit func(name, value text.Span)) {
	from := 0 // the end of the last pair
	for at := 0; ; at++ {
		i := strings.IndexAny(s[at:], "=:")
		if i < 0 {
			return
		}
		at += i
		name, ok := nameBefore(s, at, from)
		if !ok {
			continue
		}
		value, ok := valueBehind(s, at)
		if !ok {
			continue
		}
		visit(name, value)
		from = value.End
		at = max(at, value.End-1)
	}
}

// valueBehind returns the value behind a separator. Behind a colon it has to stand in quotes.
func valueBehind(s string, at int) (text.Span, bool) {
	start, colon := at+1, s[at] == ':'
	for start < len(s) && isBlank(s[start]) && (colon || start == at+1) {
		start++
	}
	if quoted := start < len(s) && isQuote(s[start]); quoted {
		start++
	} else if colon {
		return text.Span{}, false
	}
	end := start
	for end < len(s) && !isBlank(s[end]) && strings.IndexByte("\"'&,;(`", s[end]) < 0 {
		end++
	}
	return text.Span{Start: start, End: end}, end > start
}

// nameBefore returns the name before a separator, which may be a part of what stands there: behind a hyphen a name begins.
func nameBefore(s string, at, from int) (text.Span, bool) {
	end := at
	if s[at] == ':' {
		for end > from && isBlank(s[end-1]) {
			end--
		}
		if end > from && isQuote(s[end-1]) {
			end--
		}
	} else if end > from && isBlank(s[end-1]) {
		end--
	}
	start := end
	for start > from && isNameByte(s[start-1]) {
		start--
	}
	for ; start < end; start++ {
		begins := start == 0 || start > from && (isBlank(s[start-1]) || strings.IndexByte("\"'{(,?&;-", s[start-1]) >= 0)
		if begins && s[start]|0x20 >= 'a' && s[start]|0x20 <= 'z' {
			return text.Span{Start: start, End: end}, true
		}
	}
	return text.Span{}, false
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func isQuote(c byte) bool { return c == '"' || c == '\'' }

func isNameByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-'
}

// lowerASCII is strings.ToLower for ASCII; other bytes stay where they are.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}
