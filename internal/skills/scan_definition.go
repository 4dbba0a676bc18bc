package skills

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"

	"github.com/skill-ls/skill-ls/internal/text"
)

// takeDefinitions takes the link reference definitions from the start of the open paragraph:
// https://spec.commonmark.org/0.31.2/#link-reference-definitions
func (s *scanner) takeDefinitions() {
	flat := s.flatText()
	for {
		label, dest, end := scanDefinition(flat, s.para.from)
		if end < 0 {
			return
		}
		s.addDefinition(label, dest, text.Span{Start: s.para.from, End: trimBlanks(flat, s.para.from, end)})
		s.para.from = end + 1
	}
}

// addDefinition notes a definition. The first of a label counts.
func (s *scanner) addDefinition(label string, dest, flat text.Span) {
	d := Definition{
		Span:  s.sourceSpan(s.para.line, flat),
		Label: strings.Clone(normalizeLabel(label)),
		Dest:  s.destination(s.para.line, dest),
	}
	if s.labels == nil {
		s.labels = map[string]int{}
	}
	if _, ok := s.labels[d.Label]; !ok {
		s.labels[d.Label] = len(s.body.Definitions)
	}
	s.body.Definitions = append(s.body.Definitions, d)
}

// scanDefinition reads the definition at at. The end is that of its last line, without the line break, or
// negative if there is none.
func scanDefinition(t string, at int) (label string, dest text.Span, end int) {
	after := scanLabel(t, at)
	if after < 0 || after == len(t) || t[after] != ':' {
		return "", dest, -1
	}
	label = t[at+1 : after-1]
	start := skipSpace(t, after+1)
	dest, after = scanDestination(t, start)
	if after <= start {
		return "", dest, -1
	}
	return label, dest, scanDefinitionTitle(t, after)
}

// scanDefinitionTitle returns the end of the line that ends a definition whose destination ends at at,
// -1 if it does not end with a line. What looks like a title on the next line but has something behind
// it on its own line is none.
func scanDefinitionTitle(t string, at int) int {
	title := skipSpace(t, at)
	if title > at && title < len(t) {
		if end := scanTitle(t, title); end > 0 {
			if end = lineEndAfter(t, end); end > 0 {
				return end
			}
		}
	}
	return lineEndAfter(t, at)
}

// lineEndAfter returns the end of the line at lies on, -1 if more than white space is left of it.
func lineEndAfter(t string, at int) int {
	for at < len(t) && isBlank(t[at]) {
		at++
	}
	if at < len(t) && t[at] == '\n' {
		return at
	}
	return -1
}

// maxLabel is how many characters a link label can have between its brackets:
// https://spec.commonmark.org/0.31.2/#link-label
const maxLabel = 999

// scanLabel returns the end of the link label that starts at at, -1 if there is none.
func scanLabel(t string, at int) int {
	if at >= len(t) || t[at] != '[' {
		return -1
	}
	t = t[:min(len(t), at+1+4*maxLabel+1)] // a character is at most four bytes
	end := scanDelimited(t, at+1, ']', "[")
	if end < 0 {
		return -1
	}
	label := t[at+1 : end-1]
	if skipSpace(label, 0) == len(label) || len(label) > maxLabel && utf8.RuneCountInString(label) > maxLabel {
		return -1
	}
	return end
}

// normalizeLabel returns a label such that two that match are equal: without white space at its ends,
// with single blanks inside, in folded case (https://spec.commonmark.org/0.31.2/#matches).
func normalizeLabel(label string) string {
	label = strings.Join(strings.FieldsFunc(label, isLabelSpace), " ")
	for i := 0; i < len(label); i++ {
		if label[i] >= utf8.RuneSelf {
			return cases.Fold().String(label)
		}
	}
	return strings.ToLower(label)
}

func isLabelSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }
