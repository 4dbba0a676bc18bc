package mcpprobe

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/redact"
)

var (
	// secretName tells names whose values are credentials.
	secretName = lazyregexp.New(`(?i)token|secret|passw|api[-_]?key|apikey|access[-_]?key|private[-_]?key|auth|credential|cookie|session`)
	ansi       = lazyregexp.New(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])`)
)

// redactor removes the credentials of one definition from what is shown.
type redactor struct {
	secrets *strings.Replacer
}

func newRedactor(l Launch) redactor {
	var values []string
	for name, value := range l.Env {
		if secretName.MatchString(name) || len(value) >= 8 && !looksLikePath(value) {
			values = append(values, value)
		}
	}
	for _, value := range l.Headers {
		values = append(values, value)
		if _, token, ok := strings.Cut(value, " "); ok {
			values = append(values, token)
		}
	}
	values = append(values, argumentSecrets(l.Args)...)
	values = append(values, urlSecrets(l.URL)...)
	return redactor{replacer(values)}
}

// replacer takes long values first, so that a value that is part of another does not leave the rest of it. Values
// shorter than four characters would make words unreadable and keep nothing secret.
func replacer(values []string) *strings.Replacer {
	slices.SortFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, v := range values {
		if len(v) >= 4 {
			pairs = append(pairs, v, redact.Mark, url.QueryEscape(v), redact.Mark)
		}
	}
	return strings.NewReplacer(pairs...)
}

func looksLikePath(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "~") || strings.HasPrefix(value, ".") || len(value) > 2 && value[1:3] == `:\`
}

// argumentSecrets returns the values of arguments such as --api-key=x, --token x and TOKEN=x.
func argumentSecrets(args []string) []string {
	var values []string
	for i, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		switch {
		case !secretName.MatchString(name):
		case ok:
			values = append(values, value)
		case strings.HasPrefix(name, "-") && i+1 < len(args):
			values = append(values, args[i+1])
		}
	}
	return values
}

// urlSecrets returns the user information and the query values of a URL.
func urlSecrets(raw string) []string {
	u, err := url.Parse(raw)
	if err != nil {
		return []string{raw}
	}
	var values []string
	if password, ok := u.User.Password(); ok {
		pair := u.User.Username() + ":" + password
		values = append(values, password, base64.StdEncoding.EncodeToString([]byte(pair)))
	}
	for _, list := range u.Query() {
		values = append(values, list...)
	}
	return values
}

// clean makes a text of a server, or about it, fit to be shown.
func (r redactor) clean(s string) string {
	s = ansi.ReplaceAllString(s, "")
	if r.secrets != nil {
		s = r.secrets.Replace(s)
	}
	return visible(redact.Text(s))
}

// visible escapes characters that cannot be seen, line breaks and tabs aside.
func visible(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			b.WriteRune(r)
		} else if r != '\r' {
			fmt.Fprintf(&b, `\u{%04X}`, r)
		}
	}
	return b.String()
}

// oneLine escapes line breaks and tabs too.
func oneLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(visible(s))
}

// cut shortens a text to n bytes or a little less.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
