package report

import (
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// position is a place in a file: line and column from 1, the column in code points; offset in bytes of the
// file from 0.
type position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Offset int `json:"offset"`
}

// textRange is a part of a file; the end is outside.
type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// locate converts a span. A file that is not at hand has one place, its start.
func locate(doc *skills.Document, at text.Span) textRange {
	if doc == nil {
		start := position{1, 1, 0}
		return textRange{start, start}
	}
	return textRange{locateOffset(doc, at.Start), locateOffset(doc, at.End)}
}

func locateOffset(doc *skills.Document, off int) position {
	off = min(max(off, 0), len(doc.Text))
	p := doc.Lines().OffsetPosition(off, text.UTF32)
	return position{p.Line + 1, p.Column + 1, doc.RawOffset(off)}
}
