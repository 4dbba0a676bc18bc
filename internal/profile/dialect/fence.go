package dialect

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fence is how a client finds the front matter block in a file: how it
// decodes the bytes, what may stand before the block, and what counts as the
// lines that open and close it. The zero value means UTF-8 with replacement,
// a line "---" at the very start, and a line "---".
type Fence struct {
	// Encoding is utf8-replace (also when empty), utf8-strict, or detect:
	// Latin-1 when it is not UTF-8.
	Encoding string `yaml:"encoding"`
	// BOM is keep (also when empty) or strip.
	BOM string `yaml:"bom"`
	// Newlines lists lf, crlf and cr; empty is lf and crlf. With cr every line
	// break is made LF before anything else, as those clients do.
	Newlines []string `yaml:"newlines"`
	// Leading says what may precede the opening fence: none (also when empty),
	// blank-lines, whitespace (blank lines and indentation), or any-text.
	Leading string `yaml:"leading"`
	Open    Mark   `yaml:"open"`
	Close   Mark   `yaml:"close"`
	// LangSuffix: the opening fence may name a language, as in gray-matter's
	// `---json`; a language other than yaml or json means no block.
	LangSuffix bool `yaml:"lang_suffix"`
	// Unclosed says what a missing closing fence means: reject (also when
	// empty), or rest: everything after the opening fence is front matter.
	Unclosed string `yaml:"unclosed"`
	// Empty says whether a block without any line counts: keep (also when
	// empty) or reject.
	Empty string `yaml:"empty"`
	// Braces: JSON between a line "{" and a line "}" is a block as well, as for
	// python-frontmatter. Front holds the braces.
	Braces bool `yaml:"braces"`
	// KeepNewline: Front ends with the line break before the closing fence, as
	// in clients that split the text at a pattern. Others join lines and lose
	// it, which shows in block scalars.
	KeepNewline bool `yaml:"keep_newline"`
}

// Mark is what counts as one fence.
type Mark struct {
	// Match is exact (also when empty), rtrim, trim, prefix (anything may
	// follow on the line), trim-prefix (and blanks may precede), or substring
	// (anywhere; opening: at the start unless Leading allows more).
	Match string `yaml:"match"`
	// MinDashes 0 is 3; MaxDashes 0 is MinDashes, and negative unlimited.
	MinDashes int `yaml:"min_dashes"`
	MaxDashes int `yaml:"max_dashes"`
	// NeedsNewline: a line break must follow, not the end of the file.
	NeedsNewline bool `yaml:"needs_newline"`
	// Skip is how many characters after a substring belong to it, whatever they
	// are.
	Skip int `yaml:"skip"`
}

// Split is a file cut at its fences. Front and Body are substrings of the text
// that the client decodes from the bytes.
type Split struct {
	Front  string // between the fences
	Body   string // after the closing fence; the whole text when there is no block
	Found  bool
	Reason string // why there is no block
	Lang   string // the language the opening fence names, in lower case
}

// ErrEncoding reports bytes that a client cannot decode.
var ErrEncoding = errors.New("not valid UTF-8")

const byteOrderMark = "\ufeff"

// Split cuts src. The error is ErrEncoding when the client insists on UTF-8
// and src is none; a file without a block is no error.
func (f Fence) Split(src string) (Split, error) {
	text, err := f.decode(src)
	if err != nil {
		return Split{}, err
	}
	return f.SplitText(text), nil
}

// SplitText is Split for what is UTF-8 beyond doubt.
func (f Fence) SplitText(text string) Split {
	if f.BOM == "strip" {
		text = strings.TrimPrefix(text, byteOrderMark)
	}
	if f.breaks("cr") && strings.Contains(text, "\r") {
		text = oneNewline.Replace(text)
	}
	s := f.cut(text)
	if !s.Found && f.Braces {
		return f.braces(text, s)
	}
	return s
}

func (f Fence) decode(src string) (string, error) {
	switch {
	case utf8.ValidString(src):
		return src, nil
	case f.Encoding == "utf8-strict":
		return "", ErrEncoding
	case f.Encoding == "detect":
		return latin1(src), nil
	}
	return replaceInvalid(src), nil
}

// replaceInvalid decodes UTF-8 with one U+FFFD for each longest start of a
// character, as JavaScript and Python do (Unicode 16, §3.9, table 3-8).
func replaceInvalid(src string) string {
	var out strings.Builder
	for len(src) > 0 {
		r, size := utf8.DecodeRuneInString(src)
		if r == utf8.RuneError && size == 1 {
			size = cutShort(src)
		}
		out.WriteRune(r)
		src = src[size:]
	}
	return out.String()
}

// cutShort counts the bytes of a character that breaks off.
func cutShort(b string) int {
	low, high, most := byte(0x80), byte(0xbf), 0
	switch c := b[0]; {
	case c == 0xe0:
		low, most = 0xa0, 2
	case c == 0xed:
		high, most = 0x9f, 2
	case c >= 0xe1 && c <= 0xef:
		most = 2
	case c == 0xf0:
		low, most = 0x90, 3
	case c == 0xf4:
		high, most = 0x8f, 3
	case c >= 0xf1 && c <= 0xf3:
		most = 3
	}
	n := 1
	for n < most && n < len(b) && b[n] >= low && b[n] <= high {
		low, high = 0x80, 0xbf
		n++
	}
	return n
}

func latin1(src string) string {
	runes := make([]rune, len(src))
	for i := range len(src) {
		runes[i] = rune(src[i])
	}
	return string(runes)
}

// span is a stretch of the text, in bytes.
type span struct{ start, end int }

func (f Fence) cut(text string) Split {
	none := func(reason string) Split { return Split{Body: text, Reason: reason} }
	open, ok := f.opening(text)
	if !ok {
		return none("no opening fence")
	}
	lang, start := f.language(text, open.end)
	if lang != "" && lang != "yaml" && lang != "yml" && lang != "json" {
		return none("the fence names the language " + lang)
	}
	end, ok := f.closing(text, start)
	switch {
	case !ok && f.Unclosed == "rest":
		end = span{len(text), len(text)}
	case !ok:
		return none("no closing fence")
	case f.Empty == "reject" && strings.TrimSpace(text[start:end.start]) == "" && f.lines(text[start:end.start]) == 0:
		return none("nothing between the fences")
	}
	front := text[start:end.start]
	if !f.KeepNewline && f.Close.Match != "substring" {
		front = f.chomp(front)
	}
	return Split{Front: front, Body: text[end.end:], Found: true, Lang: lang}
}

// braces cuts a block of JSON, or returns otherwise.
func (f Fence) braces(text string, otherwise Split) Split {
	start := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	end, at := f.line(text, start)
	if text[start:end] != "{" {
		return otherwise
	}
	for at < len(text) {
		end, next := f.line(text, at)
		if text[at:end] == "}" {
			return Split{Front: text[start:end], Body: text[next:], Found: true}
		}
		at = next
	}
	return otherwise
}

// opening finds the opening fence; its span ends where the block starts.
func (f Fence) opening(text string) (span, bool) {
	if f.Open.Match == "substring" && f.Leading == "any-text" {
		return f.Open.within(text, 0)
	}
	at := 0
	if f.Leading == "whitespace" {
		at = len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	}
	for at <= len(text) {
		line, next := f.line(text, at)
		if s, ok := f.Open.matches(text, at, line, next); ok {
			return s, true
		}
		blank := strings.TrimSpace(text[at:line]) == ""
		if next == line || f.Leading != "any-text" && (f.Leading != "blank-lines" || !blank) {
			break
		}
		at = next
	}
	return span{}, false
}

// closing finds the closing fence from start, which is the start of a line
// unless the opening fence leaves the rest of its line to the block.
func (f Fence) closing(text string, start int) (span, bool) {
	if f.Close.Match == "substring" {
		return f.Close.within(text, start)
	}
	at := start
	if start > 0 && !strings.ContainsRune("\r\n", rune(text[start-1])) {
		_, at = f.line(text, start)
	}
	for at < len(text) {
		line, next := f.line(text, at)
		if s, ok := f.Close.matches(text, at, line, next); ok {
			return s, true
		}
		at = next
	}
	return span{}, false
}

// line returns the end of the line at start, without and with its break.
func (f Fence) line(text string, start int) (end, next int) {
	feed := strings.IndexByte(text[start:], '\n')
	if feed >= 0 && strings.IndexByte(text[start:start+feed], '\r') < 0 {
		return start + feed, start + feed + 1 // as most lines end
	}
	for i := start; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			return i, i + 1
		case text[i] != '\r':
		case i+1 < len(text) && text[i+1] == '\n' && f.breaks("crlf"):
			return i, i + 2
		case f.breaks("cr"):
			return i, i + 1
		}
	}
	return len(text), len(text)
}

func (f Fence) breaks(kind string) bool {
	if len(f.Newlines) == 0 {
		return kind != "cr"
	}
	for _, n := range f.Newlines {
		if n == kind {
			return true
		}
	}
	return false
}

// lines counts the lines that end in text.
func (f Fence) lines(text string) int {
	n := 0
	for at := 0; at < len(text); n++ {
		_, at = f.line(text, at)
	}
	return n
}

// chomp takes the last line break off.
func (f Fence) chomp(front string) string {
	switch {
	case strings.HasSuffix(front, "\r\n") && f.breaks("crlf"):
		return front[:len(front)-2]
	case strings.HasSuffix(front, "\n"), strings.HasSuffix(front, "\r") && f.breaks("cr"):
		return front[:len(front)-1]
	}
	return front
}

// language reads what follows the dashes on the opening line and returns
// where the block starts.
func (f Fence) language(text string, after int) (lang string, start int) {
	if !f.LangSuffix {
		return "", after
	}
	end, _ := f.line(text, after)
	if after > 0 && strings.IndexByte("\r\n", text[after-1]) >= 0 {
		return "", after
	}
	lang = strings.ToLower(strings.TrimSpace(text[after:end]))
	if lang == "" { // white space belongs to the block
		return "", after
	}
	_, next := f.line(text, after)
	return lang, next
}

// matches looks for the fence in the line from start to end, whose break ends
// at next. The span starts with the line. It ends after the break, or for
// prefixes after the dashes.
func (m Mark) matches(text string, start, end, next int) (span, bool) {
	if m.NeedsNewline && next == end {
		return span{}, false
	}
	line := text[start:end]
	switch m.Match {
	case "rtrim":
		line = strings.TrimRightFunc(line, unicode.IsSpace)
	case "trim":
		line = strings.TrimFunc(line, unicode.IsSpace)
	case "trim-prefix":
		line = strings.TrimLeftFunc(line, unicode.IsSpace)
	}
	n := m.dashes(line)
	switch {
	case n == 0:
		return span{}, false
	case m.Match == "prefix" || m.Match == "trim-prefix" || m.Match == "substring":
		after := end - len(line) + n
		if m.Match == "substring" || after < end {
			return span{start, m.skip(text, after)}, true
		}
	case n != len(line):
		return span{}, false
	}
	return span{start, next}, true
}

func (m Mark) skip(text string, at int) int {
	for range m.Skip {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}

// dashes counts the dashes line starts with: 0 unless they are enough and not
// too many. A substring takes no more than it needs.
func (m Mark) dashes(line string) int {
	least := max(m.MinDashes, 1)
	if m.MinDashes == 0 {
		least = 3
	}
	most := m.MaxDashes
	if most == 0 {
		most = least
	}
	n := len(line) - len(strings.TrimLeft(line, "-"))
	switch {
	case n < least:
		return 0
	case m.Match == "substring":
		return least
	case most > 0 && n > most:
		return 0
	}
	return n
}

// within finds the dashes anywhere from start on.
func (m Mark) within(text string, start int) (span, bool) {
	for at := start; ; {
		i := strings.Index(text[at:], "---")
		if i < 0 {
			return span{}, false
		}
		at += i
		if n := m.dashes(text[at:]); n > 0 {
			return span{at, m.skip(text, at+n)}, true
		}
		at += 3
	}
}
