package dialect

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v4"
)

// grammar is which family of YAML parsers reads the text. Parsers descended
// from libyaml (PyYAML, go-yaml, serde_yaml) and those written in JavaScript
// disagree before any scalar is resolved, so each family has its own tree.
type grammar int

const (
	libyaml grammar = iota
	javaScript
	grammars // how many there are
)

// tree is a parsed block, or why it does not parse.
type tree struct {
	root     *yaml.Node // nil for an empty block
	several  bool       // more documents follow the first
	err      *Error
	restored bool // scalars hold stand-ins for unicode line breaks
}

// parse returns the tree of the block in one grammar, made at most once.
// Most blocks mean the same in both, and then the tree is the same, too.
func (s *Source) parse(g grammar) *tree {
	s.once[g].Do(func() {
		if g == javaScript && !javaScriptDiffers(s.front) {
			s.tree[g] = *s.parse(libyaml)
			return
		}
		s.tree[g] = parseAs(g, s.front)
	})
	return &s.tree[g]
}

// Characters that YAML 1.1 counts as line breaks and YAML 1.2 does not
// (https://yaml.org/spec/1.2.2/#line-break-characters). The stand-ins are
// private-use characters nobody writes in a skill.
var (
	hideBreaks = strings.NewReplacer("\u0085", "\uf8f0", "\u2028", "\uf8f1", "\u2029", "\uf8f2")
	showBreaks = strings.NewReplacer("\uf8f0", "\u0085", "\uf8f1", "\u2028", "\uf8f2", "\u2029")
)

// javaScriptDiffers reports whether JavaScript parsers may read the text in
// another way than libyaml: they end the last line if it lacks a line break,
// which shows in block scalars, they join surrogate pairs written as two
// escapes, and they know no line breaks beyond CR and LF.
func javaScriptDiffers(text string) bool {
	return !strings.HasSuffix(text, "\n") && strings.ContainsAny(text, "|>") ||
		strings.Contains(text, `\u`) || strings.ContainsAny(text, "\u0085\u2028\u2029")
}

func parseAs(g grammar, text string) tree {
	if g == libyaml {
		return parseYAML(text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	t := parseYAML(hideBreaks.Replace(joinSurrogates(text)))
	t.restored = strings.ContainsAny(text, "\u0085\u2028\u2029")
	return t
}

func parseYAML(text string) tree {
	var doc yaml.Node
	err := yaml.Load([]byte(text), &doc)
	var t tree
	if len(doc.Content) > 0 {
		t.root = doc.Content[0]
	}
	var le *yaml.LoadError
	switch {
	case err == nil:
	case !errors.As(err, &le):
		t.err = refuse(0, "%v", err)
	case strings.Contains(le.Message, "no documents"):
	case strings.Contains(le.Message, "found multiple"):
		t.several = true
	default:
		t.err = refuse(le.Mark.Line, "%s", le.Message)
	}
	return t
}

// joinSurrogates writes \uD83D\uDE00 as \U0001F600. JavaScript strings are
// UTF-16, so their YAML parsers turn the two escapes into one character, and
// libyaml calls each of them invalid.
func joinSurrogates(text string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, `\u`)
		if at < 0 || len(text) < at+12 {
			break
		}
		high, low := hex4(text[at+2:]), 0
		if strings.HasPrefix(text[at+6:], `\u`) {
			low = hex4(text[at+8:])
		}
		if high < 0xd800 || high > 0xdbff || low < 0xdc00 || low > 0xdfff {
			out.WriteString(text[:at+2])
			text = text[at+2:]
			continue
		}
		out.WriteString(text[:at])
		writeEscape(&out, 0x10000+(high-0xd800)<<10+(low-0xdc00))
		text = text[at+12:]
	}
	out.WriteString(text)
	return out.String()
}

func writeEscape(out *strings.Builder, r int) {
	const digits = "0123456789ABCDEF"
	out.WriteString(`\U`)
	for shift := 28; shift >= 0; shift -= 4 {
		out.WriteByte(digits[r>>shift&15])
	}
}

// hex4 reads four hexadecimal digits, or returns -1.
func hex4(s string) int {
	n := 0
	for i := range 4 {
		d := strings.IndexByte("0123456789abcdef", s[i]|0x20)
		if d < 0 {
			return -1
		}
		n = n<<4 | d
	}
	return n
}
