package text

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// FuzzQuote: JSON and YAML read back what was quoted.
func FuzzQuote(f *testing.F) {
	f.Add("plain")
	f.Add("a \"b\" \\ c\n\t\r\b\f\x01 </ä\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		quoted := Quote(s)
		var back string
		if err := json.Unmarshal([]byte(quoted), &back); err != nil {
			t.Fatalf("%q is quoted as %s: %v", s, quoted, err)
		}
		if utf8.ValidString(s) && back != s {
			t.Fatalf("%q is read back as %q", s, back)
		}
	})
}

func TestQuoteIsYAML(t *testing.T) {
	for _, s := range []string{"", "plain", "a \"b\" \\ c", "\n\t\r\b\f\x01", "a: b # c", "ä 😀"} {
		var back string
		if err := yaml.Unmarshal([]byte(Quote(s)), &back); err != nil || back != s {
			t.Errorf("%q is read back as %q (%v)", s, back, err)
		}
	}
}
