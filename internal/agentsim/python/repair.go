package python

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Repair reads broken JSON as json_repair does with stream_stable, the way in which AgentScope calls it: what is not closed
// is closed, commas too many or too few and comments are passed over, keys may be bare and quotes single, and the words and
// fences around a value do not count. The value is nil when there is no object or list in s.
//
// The library guesses where a text is ambiguous, such as with quotes inside of quotes, and its guesses differ from version
// to version. There sure is false, and the value is what a reader would make of it.
// https://github.com/mangiucugna/json_repair
func Repair(s string) (value *catalog.Node, sure bool) {
	r := &repairer{s: s, sure: true}
	if r.at = strings.IndexAny(s, "{["); r.at < 0 {
		return nil, true
	}
	r.around(s[:r.at])
	var b strings.Builder
	r.value(&b, inDocument)
	rest := s[r.at:]
	r.around(rest)
	r.doubt(strings.ContainsAny(rest, "{[") || strings.HasPrefix(strings.TrimSpace(rest), ","))
	value, err := catalog.Parse(b.String())
	if err != nil { // too deep
		return nil, false
	}
	return value, r.sure
}

// within says what a value stands in.
type within int

const (
	inDocument within = iota
	inObject
	inArray
)

type repairer struct {
	s     string
	at    int
	depth int
	lists int // how many lists are open
	sure  bool
}

func (r *repairer) doubt(when bool) { r.sure = r.sure && !when }

// around looks at the words around a value. Parentheses count as a list there, and a comment hides the rest of its line.
func (r *repairer) around(words string) {
	at := strings.LastIndexAny(words, "#/")
	r.doubt(strings.Contains(words, "(") || at >= 0 && !strings.Contains(words[at:], "\n"))
}

func (r *repairer) end() bool { return r.at >= len(r.s) }

func (r *repairer) next() byte {
	if r.end() {
		return 0
	}
	return r.s[r.at]
}

func (r *repairer) take(c byte) bool {
	if r.next() != c || r.end() {
		return false
	}
	r.at++
	return true
}

// blanks goes past blanks, and returns how many bytes they were.
func (r *repairer) blanks() int {
	start := r.at
	r.at += len(r.s[r.at:]) - len(strings.TrimLeftFunc(r.s[r.at:], unicode.IsSpace))
	return r.at - start
}

// closes reports whether nothing but the ends of objects and lists is left, and takes them: in whatever order they stand,
// all is closed.
func (r *repairer) closes() bool {
	if strings.Trim(r.s[r.at:], "]} \t\r\n") != "" {
		return false
	}
	r.at = len(r.s)
	return true
}

// value writes the next value.
func (r *repairer) value(b *strings.Builder, in within) {
	if r.depth++; r.depth > mostDepth {
		r.at = len(r.s)
	}
	defer func() { r.depth-- }()
	switch c := r.next(); {
	case r.take('{'):
		r.object(b)
	case r.take('['):
		r.lists++
		r.array(b)
		r.lists--
	case c == '"' || c == '\'':
		r.at++
		b.WriteString(text.Quote(r.text(c, in)))
	case strings.IndexByte("-0123456789", c) >= 0 && !r.end():
		r.number(b, in)
	default:
		r.word(b)
	}
}

// comments goes past comments, and the blanks around them. Some characters end a comment too early.
func (r *repairer) comments() {
	for r.blanks(); r.next() == '#' || r.next() == '/'; r.blanks() {
		rest := r.s[r.at:]
		ends, long := "\n", strings.HasPrefix(rest, "/*")
		if long {
			ends = "*/"
		}
		comment, _, _ := strings.Cut(rest, ends)
		r.doubt(rest[0] == '/' && !long && !strings.HasPrefix(rest, "//") || !long && strings.ContainsAny(comment, ":]}\r"))
		r.at = min(r.at+len(comment)+len(ends), len(r.s))
		if !long && r.at > 0 && r.at < len(r.s) {
			r.at-- // the line break is a blank
		}
	}
}

func (r *repairer) object(b *strings.Builder) {
	var keys []string
	values := map[string]string{}
	for commas := 1; ; commas = 0 {
		for r.comments(); r.take(','); r.comments() {
			commas++
		}
		r.doubt(commas > 1)
		if r.end() || r.take('}') || r.closes() {
			break
		}
		key, ok := r.key()
		if !ok {
			break
		}
		var value strings.Builder
		if r.blanks(); r.end() || r.next() == ',' || r.next() == '}' {
			value.WriteString(`""`)
		} else {
			r.value(&value, inObject)
		}
		_, twice := values[key]
		if r.doubt(twice && r.lists > 0); !twice {
			keys = append(keys, key)
		}
		values[key] = value.String()
		r.doubt(r.next() == '"' || r.next() == '\'')
	}
	b.WriteByte('{')
	for i, key := range keys {
		comma(b, i)
		b.WriteString(text.Quote(key) + ": " + values[key])
	}
	b.WriteByte('}')
}

// bare is a key without quotes.
var bare = regexp.MustCompile(`^[\pL\pN][\pL\pN_.$-]*`)

// key reads a key and the colon behind it. It is false for one that the text ends with, which is left out.
func (r *repairer) key() (key string, ok bool) {
	switch c := r.next(); {
	case c == '"' || c == '\'':
		r.at++
		key = r.text(c, inDocument)
		r.doubt(strings.Contains(key, ":"))
	default:
		key = bare.FindString(r.s[r.at:])
		if key == "" {
			r.sure = false
			r.skip()
		}
		r.at += len(key)
	}
	if r.blanks(); r.end() {
		return "", false
	}
	if !r.take(':') {
		r.sure = false
	}
	return key, true
}

// skip goes past one character.
func (r *repairer) skip() {
	_, n := utf8.DecodeRuneInString(r.s[r.at:])
	r.at += n
}

func (r *repairer) array(b *strings.Builder) {
	b.WriteByte('[')
	for n := 0; ; n++ {
		for r.comments(); r.take(','); r.comments() {
		}
		if r.end() || r.take(']') || r.closes() {
			break
		}
		if r.take('}') { // ends the list, and the library goes on behind it
			r.sure = false
			break
		}
		comma(b, n)
		r.value(b, inArray)
	}
	b.WriteByte(']')
}

var (
	numeral = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?`)
	letters = regexp.MustCompile(`^[\pL\pN_.+-]*`)
)

func (r *repairer) number(b *strings.Builder, in within) {
	n := numeral.FindString(r.s[r.at:])
	if n == "" {
		r.word(b)
		return
	}
	b.WriteString(n)
	r.at += len(n)
	rest := r.s[r.at:]
	digit := len(rest) > 1 && rest[0] == ',' && strings.IndexByte("0123456789-.eE/,", rest[1]) >= 0
	if more := letters.FindString(rest); more != "" || strings.HasPrefix(rest, "/") || digit && in == inObject {
		r.sure = false
		r.at += len(more)
	}
}

// word writes true, false or null, however it is spelled, and anything else without quotes as a text.
func (r *repairer) word(b *strings.Builder) {
	w := letters.FindString(r.s[r.at:])
	r.at += len(w)
	switch low := strings.ToLower(w); low {
	case "true", "false", "null":
		b.WriteString(low)
		return
	}
	// Where a bare word ends is a guess, but for one that the text or the object ends with.
	behind := strings.TrimSpace(r.s[r.at:])
	r.doubt(w == "" || behind != "" && behind != "}")
	if w == "" {
		r.skip()
	}
	b.WriteString(text.Quote(w))
}

// text reads a string whose opening quote is past.
func (r *repairer) text(quote byte, in within) string {
	var b strings.Builder
	r.doubt(r.next() == '`' && !r.end())
	for !r.end() {
		switch c := r.next(); {
		case c == '\\':
			r.escape(&b, quote)
		case c == quote && r.isClosing(in):
			r.at++
			r.doubt(in == inArray && b.Len() == 0)
			return b.String()
		case c == '}' && in == inObject && strings.TrimSpace(r.s[r.at+1:]) == "":
			return b.String() // the object ends here, and the text with it
		case c == '`' && strings.HasPrefix(r.s[r.at:], "```"):
			r.sure = false
			fallthrough
		default:
			start := r.at
			r.skip()
			b.WriteString(r.s[start:r.at])
		}
	}
	r.doubt(in == inArray && strings.Contains(b.String(), "]"))
	return b.String()
}

// isClosing reports whether a quote ends a text: what a value may have behind it comes next, or another text after a
// blank. Any other quote is taken to be one that should have been escaped.
func (r *repairer) isClosing(in within) bool {
	rest := r.s[r.at+1:]
	behind := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if behind == "" || strings.IndexByte(",}]:", behind[0]) >= 0 || behind[0] == '#' || behind[0] == '/' {
		r.doubt(behind != "" && behind[0] == ':' && in == inArray)
		return true
	}
	if quoted := behind[0] == '"' || behind[0] == '\''; quoted && len(behind) < len(rest) {
		return true
	}
	r.sure = false
	return false
}

// escape reads what stands behind a backslash. One that is no escape stays as it is.
func (r *repairer) escape(b *strings.Builder, quote byte) {
	r.at++
	if r.end() {
		return // a text that ends in the middle of an escape
	}
	c := r.next()
	if c == 'u' || c == 'x' {
		digits := 4
		if c == 'x' {
			digits = 2
		}
		if end := r.at + 1 + digits; end <= len(r.s) {
			if n, err := strconv.ParseUint(r.s[r.at+1:end], 16, 32); err == nil {
				r.doubt(n >= 0xD800 && n <= 0xDFFF) // half of a character
				b.WriteRune(rune(n))
				r.at = end
				return
			}
		}
	}
	if plain, known := escapes[c]; known || c == quote {
		r.at++
		if c == '\\' { // the library reads on where the text could end
			r.doubt(r.next() == quote || r.next() == '\\')
		}
		if plain == 0 {
			plain = c
		}
		b.WriteByte(plain)
		return
	}
	if c == '"' || c == '\'' {
		return // needs none; it is read next
	}
	r.sure = false
	b.WriteByte('\\')
}

var escapes = map[byte]byte{'t': '\t', 'n': '\n', 'r': '\r', 'b': '\b', '\\': '\\'}
