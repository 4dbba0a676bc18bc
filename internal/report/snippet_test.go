package report

import (
	"strings"
	"testing"
	"unicode"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// FuzzSnippet: whatever the text and the place, a snippet is of bounded width, holds no character that is
// not visible, and underlines at least one column of what it shows.
func FuzzSnippet(f *testing.F) {
	f.Add("one two three\n", 4, 7)
	f.Add("工具\t😀 \x1b[31mred\u202e", 3, 9)
	f.Add(strings.Repeat("é\xff", 200), 301, 310)
	f.Add(strings.Repeat("x", 300)+"\r\n"+strings.Repeat("\u0301", 40), 250, 320)
	f.Add("", 0, 0)
	f.Fuzz(func(t *testing.T, src string, start, end int) {
		doc := skills.NewDocument("x", "/x", src)
		at := text.Span{Start: min(max(start, 0), len(doc.Text)), End: min(max(end, 0), len(doc.Text))}
		if at.Start > at.End {
			at.End = at.Start
		}
		shown := (&textReport{}).snippet(doc, at, red)
		for i, line := range strings.Split(strings.TrimSuffix(shown, "\n"), "\n") {
			_, content, _ := strings.Cut(line, "| ")
			if n := columns(content); n > 2*snippetWidth {
				t.Errorf("line %d of the snippet of %q takes %d columns", i, doc.Text, n)
			}
			if strings.IndexFunc(line, func(r rune) bool {
				return unicode.In(r, unicode.Cc, unicode.Cf) || r == unicode.ReplacementChar && !strings.ContainsRune(doc.Text, r)
			}) >= 0 {
				t.Errorf("line %d of the snippet is %q", i, line)
			}
			if strings.Trim(content, " ^") == "" && strings.Contains(content, "^") && i > 0 {
				if from := strings.IndexByte(content, '^'); from > snippetWidth+1 {
					t.Errorf("the underline starts at column %d, outside what is shown", from)
				}
			}
		}
		if shown != "" && !strings.Contains(shown, "^") {
			t.Errorf("nothing is underlined in %q", shown)
		}
	})
}

// Numbers from a terminal: wide characters take two columns, combining ones none.
func TestColumns(t *testing.T) {
	for s, want := range map[string]int{"abc": 3, "工具": 4, "😀": 2, "e\u0301": 1, "ａ": 2, "…": 1, "": 0} {
		if got := columns(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}

func TestClean(t *testing.T) {
	for s, want := range map[string]string{
		"plain":        "plain",
		"a\tb":         "a    b",
		"a\nb":         "a<U+000A>b",
		"\x1b]0;x\x07": "<U+001B>]0;x<U+0007>",
		"\u202ea":      "<U+202E>a",
		"\u200d\u2066": "<U+200D><U+2066>",
		"\U000E0041":   "<U+E0041>",
		"\xff":         "<FF>",
		"\u009b31m":    "<U+009B>31m",
		"工具 é 😀\ufe0f": "工具 é 😀\ufe0f",
	} {
		if got := clean(s); got != want {
			t.Errorf("clean(%q) = %q, want %q", s, got, want)
		}
	}
}
