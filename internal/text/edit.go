package text

import (
	"fmt"
	"slices"
	"strings"
)

// Edit replaces a span by other text. An empty span inserts.
type Edit struct {
	Span
	New string
}

// SortEdits sorts edits by place; edits at the same place keep their order.
func SortEdits(edits []Edit) {
	slices.SortStableFunc(edits, func(a, b Edit) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return a.End - b.End
	})
}

// Check reports whether edits, sorted, can be applied to a text of n bytes: each lies inside it and
// none overlaps the one before.
func Check(n int, edits []Edit) error {
	end := 0
	for _, e := range edits {
		switch {
		case e.Start > e.End || e.Start < 0 || e.End > n:
			return fmt.Errorf("edit %v lies outside a text of %d bytes", e.Span, n)
		case e.Start < end:
			return fmt.Errorf("edit %v overlaps the one before, which ends at %d", e.Span, end)
		}
		end = e.End
	}
	return nil
}

// Apply returns src with all edits applied at once: every span refers to src as given. The edits need
// not be sorted. It fails, and changes nothing, when two overlap or one lies outside src.
func Apply(src string, edits []Edit) (string, error) {
	edits = slices.Clone(edits)
	SortEdits(edits)
	if err := Check(len(src), edits); err != nil {
		return src, err
	}
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(src[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(src[at:])
	return b.String(), nil
}
