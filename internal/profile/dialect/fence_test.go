package dialect

import (
	"errors"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// What the clients' fences make of files. Facts from captures of the clients
// and from runs of their loaders; the files are written anew.
func TestFences(t *testing.T) {
	js := Fence{Open: rtrim, Close: rtrim}
	tests := []struct {
		name  string
		fence Fence
		src   string
		front string // "-" for no block
		body  string
	}{
		{"plain", Fence{}, "---\na: b\n---\nBody\n", "a: b", "Body\n"},
		{"no break at the end", Fence{}, "---\na: b\n---", "a: b", ""},
		{"break needed", Fence{Close: Mark{NeedsNewline: true}}, "---\na: b\n---", "-", ""},
		{"break kept", Fence{KeepNewline: true}, "---\na: b\n---\n", "a: b\n", ""},
		{"empty block", Fence{}, "---\n---\nBody", "", "Body"},
		{"empty block refused", Fence{Empty: "reject"}, "---\n---\nBody", "-", ""},
		{"blank block", Fence{Empty: "reject"}, "---\n\n---\nBody", "", "Body"},
		{"empty file", Fence{}, "", "-", ""},
		{"one fence", Fence{}, "---", "-", ""},
		{"no fence", Fence{}, "a: b\n", "-", ""},
		{"unclosed", Fence{}, "---\na: b\n", "-", ""},
		{"unclosed counts", Fence{Unclosed: "rest"}, "---\na: b\n", "a: b", ""},
		{"rule in the body", Fence{}, "---\na: b\n---\nx\n---\ny\n", "a: b", "x\n---\ny\n"},
		{"dots close nothing", Fence{}, "---\na: b\n...\nBody\n", "-", ""},

		{"CRLF", Fence{}, "---\r\na: b\r\nc: d\r\n---\r\nBody\r\n", "a: b\r\nc: d", "Body\r\n"},
		{"LF alone", Fence{Newlines: []string{"lf"}}, "---\r\na: b\r\n---\r\n", "-", ""},
		{"lone CR", Fence{}, "---\ra: b\r---\r", "-", ""},
		{"lone CR made LF", Fence{Newlines: anyEnd}, "---\ra: b\r---\rBody\r\n", "a: b", "Body\n"},

		{"blanks after", Fence{}, "--- \na: b\n---\n", "-", ""},
		{"blanks after trimmed", js, "---\t \na: b\n---  \nBody", "a: b", "Body"},
		{"indented close", js, "---\na: b\n  ---\nBody", "-", ""},
		{"indented close trimmed", Fence{Open: trim, Close: trim}, " ---\na: b\n  ---\nBody", "a: b", "Body"},
		{"four dashes", js, "----\na: b\n---\n", "-", ""},
		{"four dashes allowed", Fence{Open: longer, Close: longer}, "----\na: b\n-----\nBody", "a: b", "Body"},
		{"text after the close", Fence{Close: prefixed}, "---\na: b\n--- # end\nBody", "a: b", " # end\nBody"},
		{"text after the open", Fence{Open: prefixed, Close: prefixed}, "--- x: y\na: b\n---\n", " x: y\na: b", ""},
		{"indented prefix", Fence{Close: Mark{Match: "trim-prefix"}}, "---\na: b\n  --- x\nBody", "a: b", " x\nBody"},
		{"dashes in a value", js, "---\na: b --- c\n---\n", "a: b --- c", ""},
		{"dashes in a value cut", Fence{Open: rtrim, Close: inside}, "---\na: b --- c\n---\n", "a: b ", " c\n---\n"},
		{"any character after the dashes", Fence{Open: Mark{Match: "substring", Skip: 1}}, "---\u00a0\na: b\n---\nBody", "\na: b", "Body"},
		{"block on the line of the dashes", Fence{Open: Mark{Match: "substring", Skip: 1}}, "--- a: b\nc: d\n---\nBody", "a: b\nc: d", "Body"},
		{"split at dashes", Fence{Leading: "any-text", Open: inside, Close: inside}, "Text\n---\na: b\n---\nBody", "\na: b\n", "\nBody"},
		{"starts with dashes", Fence{Open: inside, Close: inside}, "Text\n---\na: b\n---\n", "-", ""},

		{"blank line first", Fence{}, "\n---\na: b\n---\n", "-", ""},
		{"blank lines allowed", Fence{Leading: "blank-lines"}, "\n \n---\na: b\n---\nBody", "a: b", "Body"},
		{"indentation allowed", Fence{Leading: "whitespace"}, "\n  ---\na: b\n---\nBody", "a: b", "Body"},
		{"indentation is no blank line", Fence{Leading: "blank-lines"}, "\n  ---\na: b\n---\nBody", "-", ""},
		{"comment first", Fence{Leading: "blank-lines"}, "<!-- c -->\n---\na: b\n---\n", "-", ""},
		{"any text first", Fence{Leading: "any-text"}, "<!-- c -->\n---\na: b\n---\nBody", "a: b", "Body"},

		{"BOM kept", Fence{}, "\ufeff---\na: b\n---\n", "-", ""},
		{"BOM stripped", Fence{BOM: "strip"}, "\ufeff---\na: b\n---\nBody", "a: b", "Body"},
		{"BOM is no blank", Fence{Open: trim, Leading: "whitespace"}, "\ufeff---\na: b\n---\n", "-", ""},

		{"gray-matter", grayMatter, "---\na: b\n---\nBody", "a: b", "Body"},
		{"gray-matter language", grayMatter, "---json\n{}\n---\nBody", "{}", "Body"},
		{"gray-matter other language", grayMatter, "---toml\na = 1\n---\nBody", "-", ""},
		{"gray-matter four dashes", grayMatter, "----\na: b\n----\n", "-", ""},
		{"gray-matter unclosed", grayMatter, "---\na: b\n", "a: b", ""},

		{"braces", Fence{Braces: true}, "{\n\"a\": \"b\"\n}\nBody", "{\n\"a\": \"b\"\n}", "Body"},
		{"braces not asked for", Fence{}, "{\n\"a\": \"b\"\n}\nBody", "-", ""},
		{"braces on one line", Fence{Braces: true}, "{\"a\": \"b\"}\nBody", "-", ""},
	}
	for _, tt := range tests {
		got, err := tt.fence.Split(tt.src)
		switch {
		case err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case got.Found == (tt.front == "-"):
			t.Errorf("%s: %+v", tt.name, got)
		case !got.Found && (got.Reason == "" || got.Body != decoded(tt.fence, tt.src)):
			t.Errorf("%s: the body must be the whole text, and a reason given: %+v", tt.name, got)
		case got.Found && (got.Front != tt.front || got.Body != tt.body):
			t.Errorf("%s: %+v, want %q and %q", tt.name, got, tt.front, tt.body)
		}
	}
}

// decoded is the text a fence sees.
func decoded(f Fence, src string) string {
	if f.BOM == "strip" {
		src = strings.TrimPrefix(src, byteOrderMark)
	}
	if f.breaks("cr") {
		src = oneNewline.Replace(src)
	}
	return src
}

func TestEncodings(t *testing.T) {
	src := "---\na: caf\xe9\n---\n"
	if _, err := (Fence{Encoding: "utf8-strict"}).Split(src); !errors.Is(err, ErrEncoding) {
		t.Errorf("strict: %v", err)
	}
	for encoding, want := range map[string]string{"": "a: caf\ufffd", "utf8-replace": "a: caf\ufffd", "detect": "a: café"} {
		s, err := (Fence{Encoding: encoding}).Split(src)
		if err != nil || s.Front != want {
			t.Errorf("%q: %q, %v", encoding, s.Front, err)
		}
	}
	for src, want := range map[string]string{
		"\xff\xfe-\x00":     "\ufffd\ufffd-\x00",
		"\xe2\x82a":         "\ufffda",
		"\xf0\x9f\x98":      "\ufffd",
		"\xed\xa0\x80":      "\ufffd\ufffd\ufffd",
		"\xc3\x28\xc0\xaf":  "\ufffd(\ufffd\ufffd",
		"\xf4\x90\x80\x80x": "\ufffd\ufffd\ufffd\ufffdx",
	} {
		if s, err := (Fence{}).Split(src); err != nil || s.Body != want {
			t.Errorf("% x is %q, %v", src, s.Body, err)
		}
	}
	s, err := (Fence{Encoding: "detect"}).Split("---\na: café\n---\n")
	if err != nil || s.Front != "a: café" {
		t.Errorf("UTF-8 is detected as %q, %v", s.Front, err)
	}
}

// Profiles hold fences and options as YAML.
func TestFenceFromYAML(t *testing.T) {
	const text = "bom: strip\nnewlines: [lf, crlf, cr]\nleading: blank-lines\nopen: {match: rtrim, max_dashes: -1}\nclose: {match: trim, needs_newline: true}\nkeep_newline: true\n"
	var f Fence
	if err := yaml.Load([]byte(text), &f, yaml.WithKnownFields()); err != nil {
		t.Fatal(err)
	}
	s, err := f.Split("\n-----\na: b\n  ---\nBody")
	if err != nil || s.Front != "a: b\n" {
		t.Errorf("%+v, %v", s, err)
	}
	var opt Options
	if err := yaml.Load([]byte("dup_keys: last\nkey_case: fold\nfallback: gemini-lines\nknown: [name]\n"), &opt, yaml.WithKnownFields()); err != nil {
		t.Fatal(err)
	}
	if opt.DupKeys != DupLast || opt.KeyCase != "fold" || opt.Fallback != "gemini-lines" || len(opt.Known) != 1 {
		t.Errorf("%+v", opt)
	}
}
