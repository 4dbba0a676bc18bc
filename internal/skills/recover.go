package skills

import (
	"strings"
	"unicode/utf8"

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
)

// SyntaxError is one place where a block is no YAML.
type SyntaxError struct {
	Cause   Cause
	Span    text.Span // the characters that break it
	Field   int       // index into Fields of the value it stands in, -1 for none
	Message string    // what the YAML parser says
}

// recoverBlock makes what it can of a block that does not parse: it is cut at the lines that start a key,
// and each piece is parsed alone, so that every broken value is found and the others keep their types.
func recoverBlock(src string, span text.Span, whole error) block {
	var b block
	if off := controlCharacter(span.In(src)); off >= 0 {
		_, n := utf8.DecodeRuneInString(src[span.Start+off:])
		at := text.Span{Start: span.Start + off, End: span.Start + off + n}
		b.errors = append(b.errors, SyntaxError{ControlCharacter, at, -1, loadError(whole).Message})
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
	key, colon, ok := keyLine(line)
	if !ok {
		b.addLoose(src, piece, line)
		return
	}
	if root, err := parseYAML(piece.In(src)); err == nil && len(root.Content) == 2 {
		q := &places{src: src, span: piece, lines: p.linesFrom(piece)}
		b.fields = append(b.fields, q.fields(root)...)
		return
	} else {
		f := brokenField(src, piece, key, colon)
		e := diagnose(src, f, err)
		e.Field = len(b.fields)
		b.fields = append(b.fields, f)
		if !(e.Cause == OtherCause && hasControl(b.errors)) {
			b.errors = append(b.errors, e)
		}
	}
}

// linesFrom returns the part of the line table that a piece, which starts at a line, covers.
func (p *places) linesFrom(piece text.Span) []int {
	for i, off := range p.lines {
		if off >= piece.Start {
			return p.lines[i:]
		}
	}
	return []int{piece.Start}
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
	if key, rest, ok := strings.Cut(line, ":"); ok && knownWord(key) && rest != "" {
		colon := piece.Start + len(key)
		e := SyntaxError{MissingSpace, text.Span{Start: colon, End: colon + 1}, len(b.fields), "no space behind the colon"}
		b.fields = append(b.fields, brokenField(src, piece, key, len(key)))
		b.errors = append(b.errors, e)
		return
	}
	cause := ColumnZero
	if line[0] == ' ' || line[0] == '\t' {
		cause = UnevenIndent
	}
	b.errors = append(b.errors, SyntaxError{cause, at, len(b.fields) - 1, "text at the margin that is no key"})
}

// knownWord reports whether s could be a key: one word of lower-case letters.
func knownWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') }) < 0
}

// pieces cuts a block before every line at the margin; comments, blank and indented lines stay with the
// line above.
func pieces(src string, span text.Span) []text.Span {
	var out []text.Span
	from := span.Start
	for off := span.Start; off < span.End; off = nextLine(src, off) {
		line := src[off:lineEnd(src, off)]
		margin := line != "" && line[0] != ' ' && line[0] != '\t' && line[0] != '#' && !strings.HasPrefix(line, "- ")
		if margin && off > from {
			out = append(out, text.Span{Start: from, End: off})
			from = off
		}
	}
	if from < span.End {
		out = append(out, text.Span{Start: from, End: span.End})
	}
	return out
}

func brokenField(src string, piece text.Span, key string, colon int) Field {
	f := Field{
		Name: key, Key: text.Span{Start: piece.Start, End: piece.Start + len(key)}, Colon: piece.Start + colon,
		Extent: piece, Broken: true,
	}
	if q := src[piece.Start]; q == '"' || q == '\'' {
		f.Key.End += 2
	}
	from := f.Colon + 1
	from += len(src[from:piece.End]) - len(strings.TrimLeft(src[from:piece.End], " \t\r\n"))
	f.Value = text.Span{Start: min(from, piece.End), End: trimRight(src, from, piece.End)}
	f.Text = meant(f.Value.In(src))
	return f
}

// meant joins the lines of a broken value and drops the quotes around it, as its author would read it.
func meant(raw string) string {
	s := strings.Join(strings.Fields(raw), " ")
	if !strings.ContainsAny(raw, "\r\n") {
		s = strings.TrimSpace(raw)
	}
	if s == "" || s[0] != '"' && s[0] != '\'' || closeQuote(s, 0, s[0]) < len(s) {
		return s
	}
	return strings.TrimSuffix(s[1:], s[:1])
}
