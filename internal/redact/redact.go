// Package redact knows what credentials look like, and takes them out of what is shown or written down. Finding is strict,
// for a false alarm is a defect; taking out is not, for a word too many in stars hurts nobody.
package redact

import (
	"cmp"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Mark stands in place of a credential.
const Mark = "***"

// Secret is a credential in a text.
type Secret struct {
	Name string    // what it is called where it stands; "" when its form alone gives it away
	Span text.Span // bytes of the text
}

// Find returns the credentials in s: those of a known form, those behind a name that says so, and passwords in URLs. They
// are in order, none inside another. Variables, placeholders, hashes, and passwords that everybody knows are none.
func Find(s string) []Secret {
	return ordered(slices.Concat(Tokens(s), Pairs(s), Passwords(s)))
}

// Text returns s with Mark in place of its credentials, of whatever a word such as Bearer stands before, that word included,
// and of whatever stands behind the name of a credential.
func Text(s string) string {
	found := slices.Concat(Find(s), headers(s), looseTokens(s))
	eachPair(s, func(name, value text.Span) {
		if v := value.In(s); len(v) >= leastHidden && IsName(name.In(s)) && !isVariable(v) {
			found = append(found, Secret{Span: value})
		}
	})
	return without(s, ordered(found))
}

// Certain returns s with Mark in place of what Find returns: what is a credential beyond doubt, and nothing else.
func Certain(s string) string { return without(s, Find(s)) }

// without returns s with Mark in place of each of the secrets, which are in order.
func without(s string, found []Secret) string {
	if len(found) == 0 {
		return s
	}
	var b strings.Builder
	end := 0
	for _, f := range found {
		b.WriteString(s[end:f.Span.Start])
		b.WriteString(Mark)
		end = f.Span.End
	}
	return b.String() + s[end:]
}

// leastHidden is how long a value is at least that Text takes out because of its name.
const leastHidden = 4

// Forms of what looks like a credential to somebody who takes no risk.
var (
	looseToken = lazyregexp.New(`\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|AKIA|ASIA|AIza)[\w-]{10,}`)
	looseKey   = lazyregexp.New(`-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?`)
	header     = lazyregexp.New(`(?i)\bauthorization["']?\s*[:=]\s*["']?$`)
	// word is what follows "basic" in a sentence.
	word = lazyregexp.New(`^[A-Za-z]?[a-z]+(?:-[a-z]+)*\.?$`)
)

// shortestLoose is the length of the shortest looseToken.
const shortestLoose = 13

func looseTokens(s string) []Secret {
	var out []Secret
	for i := 0; i < len(s); {
		end, _ := tokenEnd(s, i)
		if end-i >= shortestLoose {
			for _, m := range looseToken.FindAllStringIndex(s[i:end], -1) {
				out = append(out, Secret{Span: text.Span{Start: i + m[0], End: i + m[1]}})
			}
		}
		i = end + 1
	}
	if strings.Contains(s, "PRIVATE KEY-----") {
		for _, m := range looseKey.FindAllStringIndex(s, -1) {
			out = append(out, Secret{Span: text.Span{Start: m[0], End: m[1]}})
		}
	}
	return out
}

// leastHeader is how long the value of a header is at least.
const leastHeader = 8

// headers returns the values of Authorization headers, each with its scheme; the name of the header may be missing, where
// what follows is no word.
func headers(s string) []Secret {
	var out []Secret
	low := lowerASCII(s)
	for _, scheme := range []string{"bearer ", "basic "} {
		for off := 0; ; {
			i := strings.Index(low[off:], scheme)
			if i < 0 {
				break
			}
			start := off + i
			off = start + len(scheme)
			value := off + len(s[off:]) - len(strings.TrimLeft(s[off:], " "))
			end := value
			for end < len(s) && isHeaderByte(s[end]) {
				end++
			}
			inWord := start > 0 && isNameByte(s[start-1]) && s[start-1] != '-' && s[start-1] != '.'
			if inWord || end-value < leastHeader || word.MatchString(s[value:end]) && !header.MatchString(s[max(start-40, 0):start]) {
				continue
			}
			out = append(out, Secret{Span: text.Span{Start: start, End: end}})
		}
	}
	return out
}

func isHeaderByte(c byte) bool { return isNameByte(c) || strings.IndexByte("~+/=", c) >= 0 }

// ordered sorts secrets and leaves out those inside or astride an earlier one.
func ordered(all []Secret) []Secret {
	slices.SortStableFunc(all, func(a, b Secret) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Span.End, a.Span.End))
	})
	out := all[:0]
	for _, s := range all {
		if len(out) == 0 || s.Span.Start >= out[len(out)-1].Span.End {
			out = append(out, s)
		}
	}
	return out
}

// Pairs returns the credentials behind a name that says what they are: NAME=value, --name=value, "name": "value", ?key=value.
func Pairs(s string) []Secret {
	if !strings.ContainsAny(s, "=:") {
		return nil
	}
	var out []Secret
	eachPair(s, func(nameSpan, valueSpan text.Span) {
		name, value := nameSpan.In(s), valueSpan.In(s)
		if unquoted := !isQuote(s[valueSpan.Start-1]); unquoted && (!strings.ContainsAny(value, "0123456789") || strings.ContainsAny(value, "()[]") || valueSpan.End < len(s) && s[valueSpan.End] == '(') {
			return // a name or a call in a program
		}
		query := strings.EqualFold(name, "key") && nameSpan.Start > 0 && (s[nameSpan.Start-1] == '?' || s[nameSpan.Start-1] == '&')
		if (IsName(name) || query) && IsValue(name, value) {
			out = append(out, Secret{name, valueSpan})
		}
	})
	return out
}

// Passwords returns the passwords in URLs. One for a server on the same machine opens nothing to others.
func Passwords(s string) []Secret {
	var out []Secret
	for off := 0; ; {
		i := strings.Index(s[off:], "://")
		if i < 0 {
			return out
		}
		scheme := off + i
		off = scheme + len("://")
		end := off
		for end < len(s) && end-off < mostAuthority && !strings.ContainsRune(" \t\r\n\"'`<>/?#", rune(s[end])) {
			end++
		}
		if m := userInfo.FindStringSubmatchIndex(s[off:end]); m != nil && opens(s[off+m[2]:off+m[3]], s[off+m[4]:off+m[5]]) {
			out = append(out, Secret{"PASSWORD", text.Span{Start: off + m[2], End: off + m[3]}})
		}
	}
}

// mostAuthority is how long the part of a URL with a password may be.
const mostAuthority = 512

var userInfo = lazyregexp.New(`^[^@:]*:([^@]+)@([^@:]+)`)

// opens reports whether a password is one that opens a host to others.
func opens(password, host string) bool {
	if addr, err := netip.ParseAddr(host); host == "localhost" || err == nil && addr.IsLoopback() {
		return false
	}
	decoded, err := url.PathUnescape(password)
	return err == nil && len(password) >= 4 && !isVariable(password) && !isDefault(decoded) && !IsPlaceholder(password)
}
