package skills

import (
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/text"
)

// Cause tells in which way a YAML block is broken.
type Cause uint8

const (
	OtherCause       Cause = iota
	UnquotedColon          // ": " inside a value without quotes
	LeadingIndicator       // the value starts with a character that means something in YAML
	TextAfterValue         // text behind a closed quote or bracket
	UnclosedValue          // a quote or bracket that nothing closes
	InvalidEscape          // a backslash sequence YAML does not know, in double quotes
	TabIndent              // a tab in front of a line
	ColumnZero             // a further line of a value that is not indented
	MissingSpace           // "key:value"
	ControlCharacter       // a character that YAML text may not hold
	UnevenIndent           // keys of one mapping at different columns
	OddBlank               // a blank that YAML takes for a letter, at the margin or behind a colon
)

// SyntaxError is one place where a block is no YAML.
type SyntaxError struct {
	Cause   Cause
	Span    text.Span // the characters that break it
	Field   int       // index into Fields of the value it stands in, -1 for none
	Message string    // what the YAML parser says
	Entry   *Field    // the entry of a list or mapping below that field, when it stands in one
}

// recoverBlock makes what it can of a block that does not parse: it is cut at the lines that start a key,
// and each piece is parsed alone, so that every broken value is found and the others keep their types.
func recoverBlock(src string, span text.Span, whole error) block {
	var b block
	if off := controlCharacter(span.In(src)); off >= 0 {
		_, n := utf8.DecodeRuneInString(src[span.Start+off:])
		at := text.Span{Start: span.Start + off, End: span.Start + off + n}
		b.errors = append(b.errors, SyntaxError{Cause: ControlCharacter, Span: at, Field: -1, Message: loadError(whole).Message})
	}
	p := newPlaces(src, span)
	for _, piece := range pieces(src, span) {
		b.add(src, p, piece)
	}
	if len(b.errors) == 0 {
		b.errors = append(b.errors, p.wholeError(whole))
	}
	return b
}

// wholeError places an error that no piece shows alone.
func (p *places) wholeError(err error) SyntaxError {
	le := loadError(err)
	e := SyntaxError{Field: -1, Message: le.Message}
	off := p.offset(le.Mark.Line, le.Mark.Column)
	e.Span = text.Span{Start: off, End: max(off, lineEnd(p.src, off))}
	first := strings.TrimLeft(p.span.In(p.src), "\r\n")
	if first != "" && (first[0] == ' ' || first[0] == '\t') {
		at := p.span.End - len(first)
		e.Cause, e.Span = UnevenIndent, text.Span{Start: at, End: lineEnd(p.src, at)}
	}
	return e
}

// add parses one piece and appends its field and its error.
func (b *block) add(src string, p *places, piece text.Span) {
	line := src[piece.Start:lineEnd(src, piece.Start)]
	if n := blanks(line); n > 0 && isSkillKey(line[n:]) {
		b.errors = append(b.errors, SyntaxError{
			Cause: UnevenIndent, Span: text.Span{Start: piece.Start, End: piece.Start + len(line)}, Field: -1, Message: "a key that is indented",
		})
		piece.Start += n
		line = line[n:]
	}
	key, colon, ok := keyLine(line)
	if !ok {
		b.addLoose(src, piece, line)
		return
	}
	root, err := parseYAML(piece.In(src))
	switch {
	case err == nil && root.Kind == yaml.MappingNode && len(root.Content) == 2:
		q := &places{src: src, span: piece, lines: p.linesFrom(piece)}
		b.fields = append(b.fields, q.fields(root)...)
		return
	case err == nil:
		err = errors.New("this is no key with a value")
	}
	f := brokenField(src, piece, key, colon)
	for _, e := range diagnose(src, f, err, maxEntryDepth) {
		e.Field = len(b.fields)
		if !(e.Cause == OtherCause && hasControl(b.errors)) {
			b.errors = append(b.errors, e)
		}
	}
	b.fields = append(b.fields, f)
}

// linesFrom returns the part of the line table that a piece covers, which starts at a line or behind its blanks.
func (p *places) linesFrom(piece text.Span) []int {
	i, found := slices.BinarySearch(p.lines, piece.Start)
	if found {
		return p.lines[i:]
	}
	return append([]int{piece.Start}, p.lines[i:]...)
}

func hasControl(errs []SyntaxError) bool {
	return len(errs) > 0 && errs[0].Cause == ControlCharacter
}

// addLoose handles lines that stand at the margin without being a key: "key:value", or the rest of the
// value before.
func (b *block) addLoose(src string, piece text.Span, line string) {
	at := text.Span{Start: piece.Start, End: piece.Start + len(line)}
	if strings.TrimSpace(line) == "" || line[0] == '#' {
		return
	}
	if n := OddBlanks(line); n > 0 {
		e := SyntaxError{Field: len(b.fields) - 1, Message: "text at the margin that is no key"}
		b.errors = append(b.errors, e.as(OddBlank, piece.Start, n))
		return
	}
	if key, rest, ok := strings.Cut(line, ":"); ok && knownWord(key) && rest != "" {
		colon := piece.Start + len(key)
		e := SyntaxError{Cause: MissingSpace, Span: text.Span{Start: colon, End: colon + 1}, Field: len(b.fields), Message: "no space behind the colon"}
		if n := OddBlanks(rest); n > 0 {
			e = e.as(OddBlank, colon+1, n)
		}
		b.fields = append(b.fields, brokenField(src, piece, key, len(key)))
		b.errors = append(b.errors, e)
		return
	}
	e := SyntaxError{Cause: ColumnZero, Span: at, Field: len(b.fields) - 1, Message: "text at the margin that is no key"}
	if line[0] == ' ' || line[0] == '\t' {
		e.Cause = UnevenIndent
	}
	if last := len(b.errors) - 1; last >= 0 && b.errors[last].Cause == e.Cause && nextLine(src, b.errors[last].Span.End) == at.Start {
		b.errors[last].Span.End = at.End // more lines of the same text
		return
	}
	b.errors = append(b.errors, e)
}

// OddBlanks returns how many bytes of blanks that YAML takes for letters, such as U+00A0, a text starts with.
func OddBlanks(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII && unicode.IsSpace(r) && r != '\u0085' && r != '\u2028' && r != '\u2029'
	}))
}

// knownWord reports whether s could be a key: one word of lower-case letters.
func knownWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') }) < 0
}

// pieces cuts a block before every line at the margin; comments, blank and indented lines stay with the
// line above, unless they hold a key that every skill has and that stands nowhere at the margin.
func pieces(src string, span text.Span) []text.Span {
	var out []text.Span
	slipped := slippedKeys(src, span)
	from := span.Start
	for off := span.Start; off < span.End; off = nextLine(src, off) {
		line := src[off:lineEnd(src, off)]
		margin := line != "" && line[0] != ' ' && line[0] != '\t' && line[0] != '#' && !strings.HasPrefix(line, "- ")
		if (margin || slices.Contains(slipped, off)) && off > from {
			out = append(out, text.Span{Start: from, End: off})
			from = off
		}
	}
	if from < span.End {
		out = append(out, text.Span{Start: from, End: span.End})
	}
	return out
}

// slippedKeys returns the lines of a name or a description that is indented, behind a key whose value has begun on its own
// line, while the block has none at the margin.
func slippedKeys(src string, span text.Span) []int {
	lines := map[string]int{}
	open := false // a value that has begun goes on
	for off := span.Start; off < span.End; off = nextLine(src, off) {
		line := src[off:lineEnd(src, off)]
		n := blanks(line)
		key, colon, ok := keyLine(line[n:])
		switch {
		case n == 0:
			open = ok && plainStart(line[colon+1:])
			lines[key] = -1
		case open && ok && isSkillKey(line[n:]) && lines[key] == 0:
			lines[key] = off
		}
	}
	var out []int
	for _, off := range lines {
		if off > span.Start {
			out = append(out, off)
		}
	}
	return out
}

// plainStart reports whether a value without quotes begins on the line of its key.
func plainStart(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	return rest != "" && !strings.ContainsAny(rest[:1], "|>#\"'[{&*!")
}

func blanks(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// textKeys are the keys whose value is one text: lines below them are no entries.
var textKeys = []string{"name", "description", "license", "compatibility"}

// entriesBelow returns the entries of a list or mapping whose lines stand below its key, or behind the dash of an item, by their
// indentation; none when the lines are something else. odd is the first line that stands further left than the others.
func entriesBelow(src string, f Field) (out []Field, odd text.Span) {
	start := f.Value.Start
	for start > 0 && src[start-1] != '\n' && src[start-1] != '\r' {
		start--
	}
	item := src[f.Colon] == '-'
	if f.Value.Empty() || slices.Contains(textKeys, f.Name) || start <= f.Colon && !item {
		return nil, odd
	}
	indent := f.Value.Start - start
	for off := start; off < f.Value.End; off = nextLine(src, off) {
		line := src[off:min(lineEnd(src, off), f.Value.End)]
		n := blanks(line)
		if off == start {
			n = indent // a dash may stand in front
		}
		switch {
		case n == len(line) || line[n] == '#':
			continue
		case len(out) == 0:
			indent = n // a comment may have been first
		case n > indent:
			out[len(out)-1].Extent.End = nextLine(src, off)
			continue
		}
		e, ok := entry(f.Name, line[n:], off+n)
		if !ok {
			return nil, odd
		}
		if n < indent && odd.Empty() {
			odd = text.Span{Start: off, End: off + len(line)}
		}
		e.Extent = text.Span{Start: off, End: nextLine(src, off)}
		out = append(out, e)
	}
	for i := range out {
		out[i].setBroken(src)
	}
	return out, odd
}

// entry reads the line that starts an entry below the key called parent: an item of a list, or a key. No blank needs to follow
// the colon of a key that is one word.
func entry(parent, line string, at int) (Field, bool) {
	if strings.HasPrefix(line, "- ") {
		return Field{Name: parent, Key: text.Span{Start: at, End: at + 1}, Colon: at}, true
	}
	key, rest, ok := strings.Cut(line, ":")
	spaced := rest == "" || rest[0] == ' ' || rest[0] == '\t'
	if !ok || strings.ContainsAny(key, "[]{},#&*!|>%@`") || !spaced && (!knownWord(key) || strings.HasPrefix(rest, "//")) {
		return Field{}, false
	}
	return Field{Name: parent + "." + strings.Trim(key, "\"' "), Key: text.Span{Start: at, End: at + len(key)}, Colon: at + len(key)}, true
}

// slippedEntry returns the line of an entry that is indented more than those before it: it looks like a key behind a value
// that begins on the line of its own.
func slippedEntry(src string, f Field) (text.Span, bool) {
	if f.Value.Empty() || src[f.Colon] == '-' || !plainStart(src[f.Value.Start:f.Value.End]) || strings.ContainsAny(src[f.Colon:f.Value.Start], "\r\n") {
		return text.Span{}, false
	}
	for off := nextLine(src, f.Value.Start); off < f.Value.End; off = nextLine(src, off) {
		line := src[off:lineEnd(src, off)]
		if _, _, ok := keyLine(line[blanks(line):]); ok {
			return text.Span{Start: off, End: off + len(line)}, true
		}
	}
	return text.Span{}, false
}

func brokenField(src string, piece text.Span, key string, colon int) Field {
	f := Field{
		Name: key, Key: text.Span{Start: piece.Start, End: piece.Start + len(key)}, Colon: piece.Start + colon,
		Extent: piece,
	}
	if q := src[piece.Start]; q == '"' || q == '\'' {
		f.Key.End += 2
	}
	f.setBroken(src)
	return f
}

// setBroken takes all text behind the colon for the value.
func (f *Field) setBroken(src string) {
	from, end := f.Colon+1, f.Extent.End
	from += len(src[from:end]) - len(strings.TrimLeft(src[from:end], " \t\r\n"))
	f.Value = text.Span{Start: min(from, end), End: trimRight(src, from, end)}
	f.Text, f.Broken = meant(f.Value.In(src)), true
}

// meant joins the lines of a broken value and drops the quotes around it, as its author would read it.
func meant(raw string) string {
	s := strings.Join(strings.Fields(raw), " ")
	if !strings.ContainsAny(raw, "\r\n") {
		s = strings.TrimSpace(raw)
	}
	if s == "" || s[0] != '"' && s[0] != '\'' || closeQuote(s, 0, s[0]) < len(s) && !quotedWhole(s) {
		return s
	}
	return strings.TrimSuffix(s[1:], s[:1])
}

// quotedWhole reports whether the quotes at both ends of s belong together although the same mark stands between them: the
// first one in there does not end a word, as in 'Don't wait' and "Says "hi" twice", unlike `"quick" and "full"`.
func quotedWhole(s string) bool {
	if s[len(s)-1] != s[0] {
		return false
	}
	end := closeQuote(s, 0, s[0])
	after, _ := utf8.DecodeRuneInString(s[end:])
	return s[end-2] == ' ' || unicode.IsLetter(after) || unicode.IsDigit(after)
}
