package dialect

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"
)

// Fence is how a client finds the front matter block in a file: how it
// decodes the bytes, what may stand before the block, and what counts as the
// lines that open and close it. The zero value means UTF-8, a line "---" at
// byte 0, and a line "---".
type Fence struct {
	Encoding   string   `yaml:"encoding"`    // utf8-replace (also when empty), utf8-strict, or detect: Latin-1 when not UTF-8
	BOM        string   `yaml:"bom"`         // keep (also when empty) or strip a byte order mark
	Newlines   []string `yaml:"newlines"`    // of lf, crlf, cr; empty is lf and crlf
	Leading    string   `yaml:"leading"`     // before the opening fence: none (also when empty), blank-lines, any-text
	Open       Mark     `yaml:"open"`        // the opening fence
	Close      Mark     `yaml:"close"`       // the closing fence
	LangSuffix bool     `yaml:"lang_suffix"` // the opening fence may name a language, as in gray-matter's "---json"
	Unclosed   string   `yaml:"unclosed"`    // no closing fence: reject (also when empty), or rest: everything is front matter
}

// Mark is what counts as one fence line.
type Mark struct {
	Match        string `yaml:"match"`         // exact (also when empty), rtrim, trim, prefix, substring
	MinDashes    int    `yaml:"min_dashes"`    // 0 is 3
	MaxDashes    int    `yaml:"max_dashes"`    // 0 is MinDashes, negative is unlimited
	NeedsNewline bool   `yaml:"needs_newline"` // the line must end in a line break, not the end of the file
}

// Split is a file cut at its fences. Front and Body are substrings of the
// decoded text.
type Split struct {
	Front  string // between the fence lines, without them
	Body   string // after the closing fence line; the whole text when there is no block
	Found  bool
	Reason string // why there is no block
}

// ErrEncoding reports bytes the client cannot decode.
var ErrEncoding = errors.New("not valid UTF-8")

var utf8BOM = []byte("\xef\xbb\xbf")

// Split cuts src. The error is ErrEncoding when the client insists on UTF-8
// and src is not; a file without a block is no error.
func (f Fence) Split(src []byte) (Split, error) {
	text, err := f.decode(src)
	if err != nil {
		return Split{}, err
	}
	return f.split(text), nil
}

func (f Fence) decode(src []byte) (string, error) {
	if f.BOM == "strip" {
		src = bytes.TrimPrefix(src, utf8BOM)
	}
	if utf8.Valid(src) {
		return string(src), nil
	}
	switch f.Encoding {
	case "utf8-strict":
		return "", ErrEncoding
	case "detect":
		return latin1(src), nil
	}
	return strings.ToValidUTF8(string(src), "\uFFFD"), nil
}

func latin1(src []byte) string {
	runes := make([]rune, len(src))
	for i, b := range src {
		runes[i] = rune(b)
	}
	return string(runes)
}

func (f Fence) split(text string) Split {
	return Split{Body: text, Reason: "not yet"}
}
