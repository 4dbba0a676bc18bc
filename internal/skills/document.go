package skills

import (
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/skill-ls/skill-ls/internal/text"
)

// Encoding is how the bytes of a file stand for characters.
type Encoding uint8

const (
	UTF8        Encoding = iota
	UTF16LE              // marked by the bytes FF FE, or seen by its zero bytes
	UTF16BE              // marked by the bytes FE FF, or seen by its zero bytes
	Windows1252          // not UTF-8; the bytes that are not are read as Windows-1252
)

func (e Encoding) String() string {
	return [...]string{"UTF-8", "UTF-16 (little endian)", "UTF-16 (big endian)", "Windows-1252"}[e]
}

// BOM is the byte order mark in UTF-8.
const BOM = "\uFEFF"

// Document is the text of one file. It never changes.
type Document struct {
	Path     string // as shown: relative to the working directory, with slashes
	Abs      string // where it lies on disk
	Version  int32  // the editor's version, 0 for a file on disk
	Raw      string // the bytes of the file
	Text     string // Raw as UTF-8, a byte order mark included
	Encoding Encoding

	index func() *text.LineIndex
}

// NewDocument decodes raw. What is not UTF-8 is decoded as well as can be, so that the rest of the file
// is still checked; Encoding tells.
func NewDocument(path, abs, raw string) *Document {
	d := &Document{Path: path, Abs: abs, Raw: raw}
	d.Text, d.Encoding = decode(raw)
	d.index = sync.OnceValue(func() *text.LineIndex { return text.NewLineIndex(d.Text) })
	return d
}

// Lines returns the line index of Text.
func (d *Document) Lines() *text.LineIndex { return d.index() }

// HasBOM reports whether the text starts with a byte order mark.
func (d *Document) HasBOM() bool { return strings.HasPrefix(d.Text, BOM) }

// Marks returns the span of the byte order marks that the text starts with: programs that write one before whatever they
// read make two.
func (d *Document) Marks() text.Span { return text.Span{End: start(d.Text)} }

// RawOffset turns an offset into Text into one into Raw.
func (d *Document) RawOffset(off int) int {
	switch d.Encoding {
	case UTF16LE, UTF16BE:
		n := 0
		for _, r := range d.Text[:off] {
			n += 2 * utf16.RuneLen(r)
		}
		return min(n, len(d.Raw))
	case Windows1252:
		raw := 0
		for done := 0; done < off && raw < len(d.Raw); {
			r, n := utf8.DecodeRuneInString(d.Raw[raw:])
			if r == utf8.RuneError && n == 1 {
				r = charmap.Windows1252.DecodeByte(d.Raw[raw])
			}
			done += utf8.RuneLen(r)
			raw += n
		}
		return raw
	}
	return off
}

func decode(raw string) (string, Encoding) {
	switch {
	case strings.HasPrefix(raw, "\xFF\xFE"), looksUTF16(raw, 1):
		return decodeUTF16(raw, 1), UTF16LE
	case strings.HasPrefix(raw, "\xFE\xFF"), looksUTF16(raw, 0):
		return decodeUTF16(raw, 0), UTF16BE
	case utf8.ValidString(raw):
		return raw, UTF8
	}
	return decode1252(raw), Windows1252
}

// looksUTF16 reports whether raw, which has no byte order mark, starts like ASCII text in UTF-16: every
// byte at the odd (zero = 1) or even (zero = 0) places of its first 16 is zero and the others are not.
func looksUTF16(raw string, zero int) bool {
	const probe = 16
	if len(raw) < probe {
		return false
	}
	for i := range probe {
		if (raw[i] == 0) != (i%2 == zero) {
			return false
		}
	}
	return true
}

// decodeUTF16 decodes raw, whose byte high of each pair is the more significant one. An odd last byte
// becomes U+FFFD.
func decodeUTF16(raw string, high int) string {
	units := make([]uint16, 0, len(raw)/2+1)
	for i := 0; i+1 < len(raw); i += 2 {
		units = append(units, uint16(raw[i+high])<<8|uint16(raw[i+1-high]))
	}
	if len(raw)%2 == 1 {
		units = append(units, utf8.RuneError)
	}
	return string(utf16.Decode(units))
}

func decode1252(raw string) string {
	var b strings.Builder
	b.Grow(len(raw) + 16)
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRuneInString(raw[i:])
		if r == utf8.RuneError && n == 1 {
			r = charmap.Windows1252.DecodeByte(raw[i])
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
}
