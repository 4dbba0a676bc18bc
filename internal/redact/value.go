package redact

import (
	"math"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// names are the ends of names, without case and separators, of which the value is a credential.
var names = []string{
	"token", "secret", "password", "passwd", "passphrase", "pwd", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "encryptionkey",
	"signingkey", "credentials", "bearer",
}

var separators = strings.NewReplacer("_", "", "-", "", ".", "")

// IsName reports whether a value of that name is a credential: of a variable, a header, an option or a key of JSON.
func IsName(name string) bool {
	folded := strings.ToLower(separators.Replace(name))
	return slices.ContainsFunc(names, func(end string) bool { return strings.HasSuffix(folded, end) }) ||
		strings.HasSuffix(strings.ToLower(name), "_key") && !strings.Contains(folded, "public") && !strings.Contains(folded, "publishable") && !strings.Contains(folded, "anon")
}

// IsValue reports whether the value behind such a name is a credential and not one of the many other things that stand
// there.
func IsValue(name, value string) bool {
	low := strings.ToLower(name)
	if strings.Contains(low, "pass") || strings.HasSuffix(low, "pwd") {
		return looksPassword(value)
	}
	return looksSecret(value)
}

// looksSecret reports whether a value is drawn at random: long, without blanks, with figures or mixed case, and
// varied.
func looksSecret(s string) bool {
	return len(s) >= 12 && !otherThing(s) && varied(s) && (strings.ContainsAny(s, "0123456789") || mixedCase(s)) && !strings.ContainsAny(s, " \t") && !words.MatchString(s) && !counted(s)
}

// words is a value of words and short numbers, such as the key of a cache.
var words = lazyregexp.New(`^(?:[A-Za-z]?[a-z]*[0-9]{0,4}[-_:./])+[A-Za-z]?[a-z]*[0-9]{0,4}$`)

// looksPassword is less strict: people choose passwords.
func looksPassword(s string) bool {
	return len(s) >= 6 && !otherThing(s) && !isDefault(s) && (strings.ContainsAny(s, "0123456789!@#%^&*") || mixedCase(s))
}

// otherThing reports whether a value is a variable, a placeholder, a path, an address, a hash with its kind, or
// the number of something.
func otherThing(s string) bool {
	return isVariable(s) || IsPlaceholder(s) || isDefault(s) || strings.Contains(s, "://") || pathLike.MatchString(s) ||
		hashPattern.MatchString(s) || strings.Trim(s, "0123456789") == "" && len(s) < 16 || strings.ContainsAny(s, "<>{}$")
}

var (
	pathLike    = lazyregexp.New(`^(?:~|\.{1,2})?[/\\]|^[A-Za-z]:[/\\]|\.(?:json|pem|key|txt|env|ya?ml|crt|p12)$`)
	hashPattern = lazyregexp.New(`^sha(?:1|256|384|512)[:-]`)
	variable    = lazyregexp.New(`\$\{[^{}$\n]*\}|\{(?:env|file):[^{}\n]*\}|\$[A-Za-z_]|%[A-Za-z_][A-Za-z0-9_]*%`)
)

// isVariable reports whether a text holds a variable of a shell, or of the configuration of some client.
func isVariable(s string) bool { return variable.MatchString(s) }

func mixedCase(s string) bool { return strings.ToLower(s) != s && strings.ToUpper(s) != s }

// varied reports whether the characters of a text are spread as in a random one: at least 2.5 bits each.
func varied(s string) bool {
	counts := map[rune]int{}
	for _, r := range s {
		counts[r]++
	}
	bits, n := 0.0, float64(len(s))
	for _, c := range counts {
		bits -= float64(c) / n * math.Log2(float64(c)/n)
	}
	return bits >= 2.5
}

// isDefault reports whether a password is one that everybody knows, as of a database on the own machine.
func isDefault(s string) bool {
	low := strings.ToLower(s)
	return slices.Contains([]string{
		"postgres", "password", "passwd", "pass", "admin", "root", "user", "secret", "guest", "default", "mysql", "redis", "password123",
		"admin123", "postgres123", "12345678", "123456", "username", "pwd",
	}, low) || defaultWord.MatchString(low) || len(low) < 40 && invented.MatchString(low)
}

// invented is a password that people write to show one: words that say what it is, and a number that counts from one.
var invented = lazyregexp.New(`^(?:(?:my|new|old|user|super|very|strong|secure|safe|abc|qwerty|pass(?:word|wd|phrase)?|secret|pwd|admin|letmein|welcome)[-_@]?)+(?:1(?:2(?:3(?:4(?:5(?:6(?:7(?:89?)?)?)?)?)?)?)?)?[!@#$%^&*.?]{0,3}$`)

var defaultWord = lazyregexp.New(`^(?:test|demo|dummy|fake|example|sample|local|dev|mock|not-?a-?real|no-?key)(?:[-_.]|\d|$)`)

var placeholder = lazyregexp.New(`(?i)\byour[-_ ]|<[a-z][a-z0-9 _/.-]*>|x{4,}|\bxxx\b|change[-_ ]?me\b|replace[-_ ]?(?:me|with|this)|placeholder|redacted|[/\\]path[/\\]to[/\\]|^path[/\\]to[/\\]|` +
	`\binsert[-_ ](?:your|key|token)|[-_]here\b|\*{4,}|^my[-_](?:api[-_]?key|token|secret|key)$|\.{3}$|\[(?:your|api|token|insert)[^\]]*\]`)

// IsPlaceholder reports whether a text stands for one that has yet to be filled in.
func IsPlaceholder(s string) bool { return placeholder.MatchString(s) }
