package profile

import (
	"slices"
	"strings"
)

// Parameters of Punycode: https://www.rfc-editor.org/rfc/rfc3492#section-5
const (
	punyBase, punyLeast, punyMost      = 36, 1, 26
	punySkew, punyDamp, punyStartsWith = 38, 700, 128
	punyBias                           = 72
)

// domainLabel returns a text as it stands in a domain name: "xn--" and its Punycode when it is not ASCII.
func domainLabel(s string) string {
	runes := []rune(s)
	ascii := strings.Map(func(r rune) rune {
		if r < punyStartsWith {
			return r
		}
		return -1
	}, s)
	if len(ascii) == len(s) {
		return s
	}
	out := "xn--" + ascii
	if ascii != "" {
		out += "-"
	}
	return out + punyTail(runes, len(ascii))
}

// punyTail encodes where the characters beyond ASCII stand, of which done others are written already.
func punyTail(runes []rune, done int) string {
	var b strings.Builder
	next, delta, bias, basic := rune(punyStartsWith), 0, punyBias, done
	for done < len(runes) {
		least := slices.MinFunc(runes, func(x, y rune) int { return punyRank(x, next) - punyRank(y, next) })
		delta += int(least-next) * (done + 1)
		next = least
		for _, r := range runes {
			if r < next {
				delta++
			}
			if r == next {
				punyNumber(&b, delta, bias)
				bias = punyAdapt(delta, done+1, done == basic)
				delta, done = 0, done+1
			}
		}
		delta, next = delta+1, next+1
	}
	return b.String()
}

// punyRank orders the characters from next on by their number, and all others behind them.
func punyRank(r, next rune) int {
	if r < next {
		return int(r) + 1<<24
	}
	return int(r)
}

func punyNumber(b *strings.Builder, n, bias int) {
	for k := punyBase; ; k += punyBase {
		t := min(max(k-bias, punyLeast), punyMost)
		if n < t {
			b.WriteByte(punyDigit(n))
			return
		}
		b.WriteByte(punyDigit(t + (n-t)%(punyBase-t)))
		n = (n - t) / (punyBase - t)
	}
}

func punyDigit(n int) byte { return "abcdefghijklmnopqrstuvwxyz0123456789"[n] }

func punyAdapt(delta, points int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for delta > (punyBase-punyLeast)*punyMost/2 {
		delta /= punyBase - punyLeast
		k += punyBase
	}
	return k + (punyBase-punyLeast+1)*delta/(delta+punySkew)
}
