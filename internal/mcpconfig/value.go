package mcpconfig

import (
	"cmp"
	"slices"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// ParseJSON reads any document as strict JSON. A comment or a trailing comma is a fault; what stands around faults
// is read all the same. The root is nil when nothing can be read.
func ParseJSON(doc *skills.Document) (*Node, []Fault) {
	f := &File{Doc: doc, Format: &Formats[0]}
	parseJSON(f)
	strict := func(at []text.Span, message string) {
		for _, span := range at {
			f.fault(SyntaxFault, span, message)
		}
	}
	strict(f.Comments, "a comment has no place in JSON")
	strict(f.TrailingCommas, "a comma stands before the closing bracket")
	slices.SortStableFunc(f.Faults, func(a, b Fault) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return f.Root, f.Faults
}
