package redact

import (
	"slices"
	"strings"
	"testing"
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
