package redact

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/text"
)

// drawn returns n characters that look drawn at random. Tokens are put together here so that no file holds one.
func drawn(n int, from string) string {
	var b strings.Builder
	for i, x := 0, uint32(2463534242); i < n; i++ {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b.WriteByte(from[x%uint32(len(from))])
	}
	return b.String()
}

const (
	lower   = "abcdefghijklmnopqrstuvwxyz0123456789"
	hex     = "abcdef0123456789"
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + lower
)

// tokens are credentials of the known forms.
func tokens() []string {
	return []string{
		"ghp" + "_" + drawn(36, letters), "github" + "_pat_" + drawn(40, letters), "glpat" + "-" + drawn(20, letters),
		"sk" + "-ant-api03-" + drawn(40, letters), "hf" + "_" + drawn(34, letters), "AIza" + drawn(35, letters), "gsk" + "_" + drawn(52, letters),
		"AKIA" + strings.ToUpper(drawn(16, lower)), "xoxb" + "-" + drawn(30, lower), "npm" + "_" + drawn(36, letters),
		"sk" + "_live_" + drawn(24, letters), "shpat" + "_" + drawn(32, hex), "dapi" + drawn(32, hex),
		"eyJ" + drawn(20, letters) + "." + "eyJ" + drawn(30, letters) + "." + drawn(30, letters),
		"7" + drawn(8, "0123456789") + ":AA" + drawn(33, letters),
		"-----BEGIN RSA " + "PRIVATE KEY-----\n" + drawn(64, letters) + "\n" + drawn(64, letters) + "\n-----END RSA " + "PRIVATE KEY-----",
	}
}

func TestFind(t *testing.T) {
	random := drawn(32, letters)
	password := "hunter" + "42!x"
	cases := map[string]string{ // text with the secret in brackets
		"API_KEY=[" + random + "]":                                      "API_KEY",
		`curl -H "x" --token="[` + random + `]" https://docs.example`:   "token",
		`{"client_secret": "[` + random + `]", "id": 1}`:                "client_secret",
		"https://docs.example/?a=b&key=[" + random + "]":                "key",
		"postgres://app:[" + password + "]@db.docs.example:5432/orders": "PASSWORD",
		"password: '[" + password + "]'":                                "password",
		"password: '[Secret" + "8317!]'":                                "password",
	}
	for _, token := range tokens() {
		cases["before ["+token+"] after"] = ""
	}
	for marked, name := range cases {
		s := strings.NewReplacer("[", "", "]", "").Replace(marked)
		start, end := strings.Index(marked, "["), strings.Index(marked, "]")-1
		got := Find(s)
		if len(got) != 1 || got[0].Span.Start != start || got[0].Span.End != end || got[0].Name != name {
			t.Errorf("%q: found %+v, want %q at %d to %d", s, got, name, start, end)
		}
		if shown := Text(s); strings.Contains(shown, s[start:end]) || !strings.Contains(shown, Mark) {
			t.Errorf("%q is shown as %q", s, shown)
		}
	}
}

func TestFindNothing(t *testing.T) {
	for _, s := range []string{
		"", "=", "API_KEY=${API_KEY}", "API_KEY=$(pass show docs)", "token: 'your-token-here'", `"password": "postgres"`, "export TOKEN=<token>",
		"postgres://app:${PASSWORD}@db.docs.example/orders", "postgres://app:letmein1@localhost/orders", "max_tokens=4096",
		"AKIA" + "IOSFODNN7" + "EXAMPLE", "ghp" + "_" + strings.Repeat("x", 36), "ghp" + "_" + "1234567890" + "abcdefghijklmnopqrstuvwxyz",
		`password: "Super` + `Secret123!"`, `"password": "pass` + `123"`, "DB_PASSWORD=Welcome1", "const apiKey = 'pk_" + "12345_abcdef';", `password: "Abc12345"`,
		"-----BEGIN " + "PRIVATE KEY-----", "sha256:" + drawn(64, hex), "commit " + drawn(40, hex), "password = getpass('Password: ')",
		"skilllint-disable-next-line-of-this-file-2", "https://docs.example/a-very-long-kebab-case-name-of-a-page-2024",
	} {
		if got := Find(s); len(got) > 0 {
			t.Errorf("%q: found %+v", s, got)
		}
	}
}

func TestTextTakesNoRisk(t *testing.T) {
	for s, want := range map[string]string{
		"Authorization: Bearer abcdefghijklmnop":    "Authorization: ***",
		"--password hunter --token=abcd --id=7":     "--password hunter --token=*** --id=7",
		"token=${TOKEN}":                            "token=${TOKEN}",
		"nothing to see":                            "nothing to see",
		"Basic information on basic training-sets.": "Basic information on basic training-sets.",
		"bearer 3xT9abcd":                           "***",
		`"Authorization": "Basic abcdefgh"`:         `"Authorization": "***"`,
	} {
		if got := Text(s); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	}
}

// FuzzText: what was taken out is not found again, and what stands beside it stays.
func FuzzText(f *testing.F) {
	for _, token := range tokens() {
		f.Add("a " + token + " b")
	}
	f.Add("password=" + "hunter" + "42!x&token=abcd")
	f.Fuzz(func(t *testing.T, s string) {
		found := Find(s)
		if !slices.IsSortedFunc(found, func(a, b Secret) int { return a.Span.End - b.Span.Start - 1 }) {
			t.Fatalf("%q: %+v overlap", s, found)
		}
		shown := Text(s)
		for _, x := range found {
			if secret := x.Span.In(s); len(secret) > len(Mark) && strings.Contains(shown, secret) && strings.Count(s, secret) == 1 {
				t.Fatalf("%q still holds %q", shown, secret)
			}
		}
	})
}

// pairs is what eachPair finds, as a pattern.
var pairs = regexp.MustCompile(`(?:^|[\s"'{(,?&;-])([A-Za-z][A-Za-z0-9_.-]*)(?:\s?=\s?["']?|["']?\s*:\s*["'])([^\s"'&,;(` + "`" + `]+)`)

// schemes is what headers finds, with the words of sentences.
var schemes = regexp.MustCompile(`(?i:\b(?:bearer|basic) +)[A-Za-z0-9._~+/=-]{8,}`)

// FuzzPairs compares the scanners with the patterns that say the same.
func FuzzPairs(f *testing.F) {
	f.Add(`a = "b", 'c-d' : 'e' --api-key=v x#api-key=w foo=token=abc == ====: "k":"v" k:v é-k="w` + "`" + `"`)
	f.Add("Authorization: Bearer  3xT9abcd basic abcdefgh, xbearer 3xT9abcd -bearer 3xT9abcd \x80 ſbasic a/b+c=d~")
	f.Fuzz(func(t *testing.T, s string) {
		var got, want []text.Span
		eachPair(s, func(name, value text.Span) { got = append(got, name, value) })
		for _, m := range pairs.FindAllStringSubmatchIndex(s, -1) {
			want = append(want, text.Span{Start: m[2], End: m[3]}, text.Span{Start: m[4], End: m[5]})
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: got %v, want %v", s, got, want)
		}
		found := headers(s)
		for _, x := range found {
			if m := schemes.FindString(s[x.Span.Start:]); m != x.Span.In(s) {
				t.Fatalf("%q: %v is no header", s, x.Span)
			}
		}
		for _, m := range schemes.FindAllStringIndex(s, -1) {
			_, value, _ := strings.Cut(s[m[0]:m[1]], " ")
			isWord := word.MatchString(strings.TrimLeft(value, " ")) && !header.MatchString(s[max(m[0]-40, 0):m[0]])
			if !isWord && !slices.Contains(found, Secret{Span: text.Span{Start: m[0], End: m[1]}}) {
				t.Fatalf("%q: no header at %v", s, m)
			}
		}
	})
}
