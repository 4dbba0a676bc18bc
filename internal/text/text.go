// Package text holds byte spans, line tables, position conversion and edits.
//
// Everything inside the program speaks byte offsets into the text of a document; only the edges
// (the reports and the language server) turn them into lines and columns. The package uses nothing
// but the standard library.
package text

import "fmt"

// Span is a half-open range of byte offsets, Start <= End.
type Span struct{ Start, End int }

// At returns the empty span at off.
func At(off int) Span { return Span{off, off} }

// Len returns the length in bytes.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether s holds no byte.
func (s Span) Empty() bool { return s.Start >= s.End }

// Contains reports whether off lies in s. The end is outside.
func (s Span) Contains(off int) bool { return s.Start <= off && off < s.End }

// Covers reports whether o lies wholly in s.
func (s Span) Covers(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Overlaps reports whether s and o share at least one byte.
func (s Span) Overlaps(o Span) bool { return s.Start < o.End && o.Start < s.End }

// Shift returns s moved by n bytes.
func (s Span) Shift(n int) Span { return Span{s.Start + n, s.End + n} }

// In returns the part of src that s covers. It panics when s lies outside src.
func (s Span) In(src string) string { return src[s.Start:s.End] }

func (s Span) String() string { return fmt.Sprintf("[%d,%d)", s.Start, s.End) }
