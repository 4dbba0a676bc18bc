// Package redact knows what credentials look like, and takes them out of what is shown or written down. Finding is strict,
// for a false alarm is a defect; taking out is not, for a word too many in stars hurts nobody.
package redact

import (
	"cmp"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

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
	found := Find(s)
	for _, m := range loose.FindAllStringSubmatchIndex(s, -1) {
		found = append(found, looseSecret(s, m)...)
	}
	for _, m := range pairPattern.FindAllStringSubmatchIndex(s, -1) {
		if value := s[m[4]:m[5]]; IsName(s[m[2]:m[3]]) && len(value) >= leastHidden && !isVariable(value) {
			found = append(found, Secret{Span: text.Span{Start: m[4], End: m[5]}})
		}
	}
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

// loose finds what looks like a credential to somebody who takes no risk.
var loose = regexp.MustCompile(`(?i:\bauthorization["']?\s*[:=]\s*["']?)?(?i:\b(?:bearer|basic) +)([A-Za-z0-9._~+/=-]{8,})|` +
	`\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|AKIA|ASIA|AIza)[\w-]{10,}|` +
	`-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?`)

// looseSecret is what loose found: a header's value without the header's name, and no word of a sentence.
func looseSecret(s string, m []int) []Secret {
	start := m[0]
	if value := m[2]; value >= 0 {
		scheme := strings.LastIndexAny(strings.TrimRight(s[m[0]:value], " "), " :=\"'") + 1
		if start += scheme; scheme == 0 && word.MatchString(s[value:m[3]]) {
			return nil
		}
	}
	return []Secret{{Span: text.Span{Start: start, End: m[1]}}}
}

// word is what follows "basic" in a sentence.
var word = regexp.MustCompile(`^[A-Za-z]?[a-z]+(?:-[a-z]+)*\.?$`)

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
	for _, m := range pairPattern.FindAllStringSubmatchIndex(s, -1) {
		name, value := s[m[2]:m[3]], s[m[4]:m[5]]
		if unquoted := !strings.ContainsRune("\"'", rune(s[m[4]-1])); unquoted && (!strings.ContainsAny(value, "0123456789") || strings.ContainsAny(value, "()[]") || m[5] < len(s) && s[m[5]] == '(') {
			continue // a name or a call in a program
		}
		query := strings.EqualFold(name, "key") && m[2] > 0 && (s[m[2]-1] == '?' || s[m[2]-1] == '&')
		if (IsName(name) || query) && IsValue(name, value) {
			out = append(out, Secret{name, text.Span{Start: m[4], End: m[5]}})
		}
	}
	return out
}

var pairPattern = regexp.MustCompile(`(?:^|[\s"'{(,?&;-])([A-Za-z][A-Za-z0-9_.-]*)(?:\s?=\s?["']?|["']?\s*:\s*["'])([^\s"'&,;(` + "`" + `]+)`)

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

var userInfo = regexp.MustCompile(`^[^@:]*:([^@]+)@([^@:]+)`)

// opens reports whether a password is one that opens a host to others.
func opens(password, host string) bool {
	if addr, err := netip.ParseAddr(host); host == "localhost" || err == nil && addr.IsLoopback() {
		return false
	}
	decoded, err := url.PathUnescape(password)
	return err == nil && len(password) >= 4 && !isVariable(password) && !isDefault(decoded) && !IsPlaceholder(password)
}
