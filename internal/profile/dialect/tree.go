package dialect

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// grammar is which family of YAML parsers reads the text. They disagree
// before any scalar is resolved, so each has a tree of its own; most blocks
// mean the same to all of them, and then they share one.
type grammar int

const (
	libyaml  grammar = iota // libyaml and its ports: PyYAML, go-yaml, serde_yaml
	jsYAMLv4                // js-yaml 4
	jsYAMLv3                // js-yaml 3
	eemeli                  // the npm package yaml
	bunYAML                 // the YAML of Bun, the JavaScript runtime
	grammars                // how many there are
)

// tree is a parsed block, or why it does not parse.
type tree struct {
	root    *yaml.Node // nil for an empty block
	text    string     // the text that was parsed
	several bool       // more documents follow the first
	hidden  bool       // scalars hold stand-ins for characters
	mended  bool       // text is not what was given
	err     *Error
}

// parse returns the tree of the block in one grammar, made at most once.
func (s *Source) parse(g grammar) *tree {
	p := s.parser()
	if p.trees[g] != nil {
		return p.trees[g]
	}
	var t tree
	switch {
	case g == libyaml:
		t = parseYAML(s.front, mends[libyaml])
	case s.special(g):
		t = parseScript(g, s.front)
	default:
		t = *s.parse(libyaml)
	}
	p.trees[g] = &t
	return &t
}

// special reports whether a parser written in JavaScript may read the text in
// another way than libyaml does.
func (s *Source) special(g grammar) bool {
	if !strings.HasSuffix(s.front, "\n") && strings.ContainsAny(s.front, "|>") ||
		strings.Contains(s.front, `\u`) || s.parser().odd && strings.ContainsFunc(s.front, hides(g)) ||
		quoteQuirks[g].in(s.front) {
		return true
	}
	t := s.parse(libyaml)
	return t.err != nil || t.mended
}

// hides returns the characters that get a stand-in. JavaScript parsers know
// no line breaks beyond CR and LF, which is YAML 1.2, and the package yaml
// none but LF; and they read control characters that the parser here stops at.
func hides(g grammar) func(rune) bool {
	return func(c rune) bool {
		switch c {
		case '\t', '\n':
			return false
		case '\r':
			return g == eemeli
		case 0x85, 0x2028, 0x2029, 0xfffe, 0xffff:
			return true
		}
		return c < 0x20
	}
}

// The stand-ins are private-use characters nobody writes in a skill.
const (
	hiddenLow  = 0xf7000 // for characters below 0x100
	hiddenHigh = 0xf8000 // for U+2028 and U+2029 and the two after U+FFFD
)

func hide(c rune) rune {
	if c < 0x100 {
		return hiddenLow + c
	}
	return hiddenHigh + c&0xff
}

func show(c rune) rune {
	switch {
	case c < hiddenLow || c > hiddenHigh+0xff:
		return c
	case c < hiddenLow+0x100:
		return c - hiddenLow
	case c >= hiddenHigh+0xfe:
		return 0xff00 + c - hiddenHigh
	}
	return 0x2000 + c - hiddenHigh
}

// parseScript reads the text as a parser in JavaScript does: the last line
// ends, surrogate pairs written as two escapes are one character, and some
// characters are hidden from the parser.
func parseScript(g grammar, text string) tree {
	if g != bunYAML {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	open := endsInQuote(text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	hidden := strings.Map(func(c rune) rune {
		if hides(g)(c) {
			return hide(c)
		}
		return c
	}, text)
	hidden = joinSurrogates(hidden, g != bunYAML)
	t := parseYAML(hidden, mends[g])
	if g == eemeli && t.err != nil && open {
		last := len(hidden) - 1
		if closed := parseYAML(hidden[:last]+hidden[last-1:], mends[g]); closed.err == nil {
			t = closed
		}
	}
	if quirk := quoteQuirks[g]; t.err == nil && t.root != nil && quirk.in(t.text) {
		hidden = rewriteQuoted(&t, quirk.rewrite)
		t = parseYAML(hidden, mends[g])
	}
	t.hidden = hidden != text
	return t
}

// endsInQuote reports whether the last character is an escaped quote. The npm
// package yaml takes it for the one that closes a value, and keeps it as well.
func endsInQuote(text string) bool {
	return strings.HasSuffix(text, `\"`) || strings.HasSuffix(text, "''")
}

// quirk is something that a parser does to quoted scalars alone.
type quirk struct {
	marks   []string // what a text must contain for it to show
	rewrite func(quoted string) string
}

func (q quirk) in(text string) bool {
	return slices.ContainsFunc(q.marks, func(m string) bool { return strings.Contains(text, m) })
}

// js-yaml keeps white space at the ends of lines (readDoubleQuotedScalar in
// its lib/loader.js). Bun does not fold the first of the breaks that are CRLF.
var quoteQuirks = [grammars]quirk{
	jsYAMLv4: {blankEnds, hideLineEnds},
	jsYAMLv3: {blankEnds, hideLineEnds},
	bunYAML:  {[]string{"\r\n"}, doubleBreaks},
}

var blankEnds = []string{" \n", "\t\n", " \r\n", "\t\r\n"}

// rewriteQuoted rewrites the quoted scalars of a parsed text.
func rewriteQuoted(t *tree, rewrite func(string) string) string {
	l := newLayout(t.text)
	var out strings.Builder
	done := 0
	_ = walk(t.root, -1, func(n *yaml.Node, _ int) *Error {
		if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
			return nil
		}
		if start, end := l.offset(n), l.end(n); start >= done {
			out.WriteString(t.text[done:start])
			out.WriteString(rewrite(t.text[start:end]))
			done = end
		}
		return nil
	})
	return out.String() + t.text[done:]
}

func doubleBreaks(quoted string) string {
	lines := strings.Split(quoted, "\r\n")
	var out strings.Builder
	out.WriteString(lines[0])
	for i, line := range lines[1:] {
		if i == 0 || strings.TrimSpace(lines[i]) != "" {
			out.WriteByte('\n')
		}
		out.WriteString("\n" + line)
	}
	return out.String()
}

func hideLineEnds(quoted string) string {
	lines := strings.Split(quoted, "\n")
	for i, line := range lines[:len(lines)-1] {
		kept := strings.TrimRight(line, " \t")
		if strings.TrimSpace(kept) != "" {
			lines[i] = kept + strings.Map(hide, line[len(kept):])
		}
	}
	return strings.Join(lines, "\n")
}

// mend rewrites one line that stopped the parser here, though not the
// client's. The column counts characters from 0.
type mend func(message, line string, column int) (string, bool)

var mends = [grammars]mend{libyaml: mendHeader, jsYAMLv4: mendComment, jsYAMLv3: mendV3, eemeli: mendNothing, bunYAML: mendComma}

func mendNothing(string, string, int) (string, bool) { return "", false }

// mendComma puts quotes around a plain value that starts with a comma, which Bun takes.
func mendComma(message, line string, _ int) (string, bool) {
	key, value, ok := strings.Cut(strings.TrimRight(line, "\n"), ": ")
	value = strings.TrimSpace(value)
	if !ok || !strings.HasPrefix(value, ",") || strings.Contains(value, " #") || !strings.Contains(message, "expected node content") {
		return "", false
	}
	return key + ": '" + strings.ReplaceAll(value, "'", "''") + "'\n", true
}

// mendComment sets a space before a comment right after a quote or bracket.
func mendComment(message, line string, column int) (string, bool) {
	if !strings.Contains(message, "comment without preceding whitespace") || column < 0 {
		return "", false
	}
	runes := []rune(line)
	if column >= len(runes) || runes[column] != '#' || column > 0 && strings.ContainsRune("|>+-0123456789", runes[column-1]) {
		return "", false // the header of a block scalar stays an error
	}
	return string(runes[:column]) + " " + string(runes[column:]), true
}

// mendHeader also sets a blank before a comment right after the header of a
// block scalar, which libyaml takes. The blank is a tab, for the parser written
// in Python refuses both.
func mendHeader(message, line string, column int) (string, bool) {
	if mended, ok := mendComment(message, line, column); ok {
		return mended, ok
	}
	runes := []rune(line)
	if !strings.Contains(message, "comment without preceding whitespace") || column < 1 || column >= len(runes) || runes[column] != '#' {
		return "", false
	}
	return string(runes[:column]) + "\t" + string(runes[column:]), true
}

// mendV3 mends more, as js-yaml 3 takes more. It skips tabs in indentation
// without counting, so that what they indent stands as far left as the spaces
// say; and after a quote or bracket it reads on, so that a key may follow.
func mendV3(message, line string, column int) (string, bool) {
	body := strings.TrimLeft(line, " \t")
	indent := line[:len(line)-len(body)]
	if tab := strings.IndexByte(indent, '\t'); tab >= 0 && strings.Contains(message, "tab character") ||
		tab >= 0 && strings.Contains(message, "cannot start any token") {
		return indent[:tab] + body, true
	}
	if strings.Contains(message, "mapping values are not allowed") || strings.Contains(message, "expected key") {
		return splitAfterValue(line, indent)
	}
	return mendComment(message, line, column)
}

// splitAfterValue sets what follows a closed value on a line of its own if it
// reads as a key.
func splitAfterValue(line, indent string) (string, bool) {
	key, value, ok := strings.Cut(line, ": ")
	value = strings.TrimLeft(value, " ")
	if !ok || value == "" || strings.IndexByte(`"'[{`, value[0]) < 0 {
		return "", false
	}
	l := layout{text: value}
	end := 0
	if value[0] == '"' || value[0] == '\'' {
		end = l.quoted(0)
	} else {
		end = l.flow(0)
	}
	rest := strings.TrimLeft(value[end:], " ")
	if rest == "" || strings.IndexByte("#,:\n", rest[0]) >= 0 || !strings.Contains(rest, ":") {
		return "", false
	}
	return key + ": " + value[:end] + "\n" + indent + rest, true
}

// maxMends bounds how often a block is parsed.
const maxMends = 50

func parseYAML(text string, fix mend) tree {
	if rest, ok := strings.CutPrefix(text, "%YAML 1."); ok {
		text = "#YAML 1." + rest // any version is read alike
	}
	t, at := load(text)
	for range maxMends {
		if t.err == nil {
			break
		}
		next, ok := mendLine(text, t.err, at, fix)
		if !ok {
			break
		}
		text = next
		t, at = load(text)
		t.mended = true
	}
	return t
}

func mendLine(text string, err *Error, column int, fix mend) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	if err.Line < 1 || err.Line > len(lines) {
		return "", false
	}
	fixed, ok := fix(err.Reason, lines[err.Line-1], column)
	if ok {
		lines[err.Line-1] = fixed
	}
	return strings.Join(lines, ""), ok
}

// load parses and returns the column of an error, from 0.
func load(text string) (tree, int) {
	var doc yaml.Node
	err := yaml.Load([]byte(text), &doc)
	t := tree{text: text}
	if len(doc.Content) > 0 {
		t.root = doc.Content[0]
	}
	var at *yaml.LoadError
	switch {
	case err == nil:
	case !errors.As(err, &at):
		t.err = refuse(0, "%v", err)
	case strings.Contains(at.Message, "no documents"):
	case strings.Contains(at.Message, "found multiple"):
		t.several = true
	default:
		t.err = refuse(at.Mark.Line, "%s", at.Message)
		return t, at.Mark.Column - 1
	}
	return t, 0
}

// firstDocument returns the tree of the first document when the parser
// stumbled over the text right after it.
func firstDocument(t *tree) *tree {
	lines := strings.SplitAfter(t.text, "\n")
	if t.err.Line < 2 || t.err.Line > len(lines) || !strings.Contains(t.err.Reason, "expected <document") {
		return t
	}
	first := parseYAML(strings.Join(lines[:t.err.Line-1], ""), mends[libyaml])
	return &first
}

// joinSurrogates writes \uD83D\uDE00 as \U0001F600 and, with halves, half a
// pair as the replacement character. JavaScript strings are UTF-16, so their
// YAML parsers take what libyaml calls an invalid escape.
func joinSurrogates(text string, halves bool) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	var out strings.Builder
	for text != "" {
		switch {
		case text[0] != '\\' || len(text) < 2:
			out.WriteByte(text[0])
			text = text[1:]
		case text[1] != 'u' || !surrogate(text, 0xd800, 0xdfff) || !halves && !pair(text):
			out.WriteString(text[:2])
			text = text[2:]
		case pair(text):
			writeEscape(&out, 0x10000+(hex4(text[2:])-0xd800)<<10+(hex4(text[8:])-0xdc00))
			text = text[12:]
		default:
			writeEscape(&out, 0xfffd)
			text = text[6:]
		}
	}
	return out.String()
}

// surrogate reports whether text starts with an escape in the range.
func surrogate(text string, low, high int) bool {
	if !strings.HasPrefix(text, `\u`) || len(text) < 6 {
		return false
	}
	c := hex4(text[2:])
	return low <= c && c <= high
}

func pair(text string) bool {
	return surrogate(text, 0xd800, 0xdbff) && surrogate(text[6:], 0xdc00, 0xdfff)
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
