package mcpprobe

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
)

// filtered returns what a filter lets through of a text, and the filter.
func filtered(t *testing.T, text string) (*filter, string) {
	t.Helper()
	f, messages := newFilter(strings.NewReader(text))
	passed, err := io.ReadAll(messages)
	if err != nil {
		t.Fatal(err)
	}
	f.stop()
	return f, string(passed)
}

func TestFilter(t *testing.T) {
	const one, two = `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":2,"result":{"a":"}{\"["}}`
	for name, c := range map[string]struct {
		text, passed string
		noise        []string
		multiLine    bool
	}{
		"clean":              {one + "\n" + two + "\n", one + "\n" + two + "\n", nil, false},
		"no last line break": {one, one + "\n", nil, false},
		"empty lines":        {"\n \r\n" + one + "\r\n", one + "\n", nil, false},
		"noise":              {"hello\n" + one + "\n[1]\n", one + "\n", []string{"hello", "[1]"}, false},
		"half a line":        {one + "\nhel", one + "\n", nil, false},
		"other JSON":         {`{"level":"info"}` + "\n" + one + "\n", one + "\n", []string{`{"level":"info"}`}, false},
		"broken up": {
			"{\n\"jsonrpc\": \"2.0\",\r\n \"id\": 1, \"result\": {\"a\": \"}{\\\"[\"\n}}\n" + two + "\n",
			"{ \"jsonrpc\": \"2.0\",  \"id\": 1, \"result\": {\"a\": \"}{\\\"[\" }} \n" + two + "\n", nil, true,
		},
		"opens and stops":    {"{ starting\nmore\n" + one + "\n", one + "\n", []string{"{ starting more"}, false},
		"closes, no message": {"{\n}\n" + one + "\n", one + "\n", []string{"{ }"}, false},
		"string id":          {`{"id" : "1","jsonrpc":"2.0","result":{"id":"1"}}` + "\n", `{"id" : 1,"jsonrpc":"2.0","result":{"id":"1"}}` + "\n", nil, false},
		"request of its own": {`{"jsonrpc":"2.0","id":"1","method":"ping"}` + "\n", `{"jsonrpc":"2.0","id":"1","method":"ping"}` + "\n", nil, false},
	} {
		f, passed := filtered(t, c.text)
		passed = strings.ReplaceAll(passed, "\r", " ")
		if passed != c.passed || !slices.Equal(f.noise, c.noise) || f.noiseLines != len(c.noise) || f.multiLine != c.multiLine {
			t.Errorf("%s: passed %q, noise %q, several lines %v", name, passed, f.noise, f.multiLine)
		}
		if f.stringIDs != (name == "string id") {
			t.Errorf("%s: string ids %v", name, f.stringIDs)
		}
	}
}

func TestFilterKeepsOnlyTheFirstNoise(t *testing.T) {
	f, _ := filtered(t, strings.Repeat("x\n", 100))
	if len(f.noise) != maxNoise || f.noiseLines != 100 {
		t.Errorf("kept %d of %d", len(f.noise), f.noiseLines)
	}
}

// FuzzFilter wants every line that is let through to be a message on its own, whatever a server writes.
func FuzzFilter(f *testing.F) {
	f.Add("\ufeff{\"jsonrpc\":\"2.0\",\"id\":\"7\"}\n{\n\"jsonrpc\":\"x\"\n}\nnoise\n{\"")
	f.Add("{\"jsonrpc\":\"2.0\",\n\"id\":\"18446744073709551615\",\"x\":\"\\\"\"}\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, passed := filtered(t, text)
		for line := range strings.Lines(passed) {
			if !json.Valid([]byte(line)) || !isMessage([]byte(strings.TrimSpace(line))) {
				t.Errorf("let through %q", line)
			}
		}
	})
}

func TestRedactor(t *testing.T) {
	r := newRedactor(Launch{
		Args:    []string{"--api-key=from-arg1", "--token", "from-arg2", "PASSWORD=from-arg3", "--port", "8080", "--verbose"},
		Env:     map[string]string{"GITHUB_TOKEN": "wxyz", "SHORT": "on", "DIR": "/home/me/projects", "OPAQUE": "9876-opaque", "AUTH": "x"},
		Headers: map[string]string{"X-Custom": "Token from-header"},
		URL:     "https://me:pass+word@h.example/mcp?key=a%2Fb%2Fc&page=12",
	})
	for text, want := range map[string]string{
		"from-arg1 from-arg2 from-arg3 8080":           "*** *** *** 8080",
		"wxyz on /home/me/projects 9876-opaque":        "*** on /home/me/projects ***",
		"got from-header":                              "got ***",
		"pass+word and a/b/c and a%2Fb%2Fc 12":         "*** and *** and *** 12",
		"x stays: it is too short to be kept secret":   "x stays: it is too short to be kept secret",
		"Authorization: Bearer abcdefghijklmnop":       "Authorization: ***",
		"ghp_0123456789abcdef and sk-0123456789abcdef": "*** and ***",
		"\x1b[31mred\x1b[0m \x1b]0;title\x07plain\r":   "red plain",
		"\u202eright to left\u200b":                    `\u{202E}right to left\u{200B}`,
		"bad \xff byte":                                "bad \uFFFD byte",
	} {
		if got := r.clean(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
