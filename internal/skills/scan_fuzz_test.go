package skills

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/text"
)

// FuzzScanBody compares with goldmark.
func FuzzScanBody(f *testing.F) {
	for _, src := range specExamples(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if goldmarkDeviates(src) {
			return
		}
		compare(t, src)
	})
}

// deviations are the constructs that goldmark reads otherwise than CommonMark 0.31.2 says.
var deviations = []struct{ pattern, why string }{
	{`\r`, "a lone CR ends no line, a list marker before CRLF starts no item; see FuzzScanBodyLineEnds"},
	{`[\x00-\x08\x0b-\x1f\x7f]`, "control characters are white space, or part of a destination"},
	{`<![a-z]`, "only a capital letter starts a declaration"},
	{`<[^\s<>:@]{33}:|<[^\s<>@]{64,}@|@[^\s>]{255}`, "a scheme may have 33 characters, but an address in an autolink only 64 and 255"},
	{`[^\n]+\n[ \t>\-]*[|:][ \t|:\-]*\n([^\n]+\n)*[ \t>]*(-+|=+)[ \t]*\n`, "what stands before a table, or its last row, becomes a heading if the table is underlined"},
	{`\\\\[ \t]*\n`, "of several backslashes at the end of a line the last escapes the next line's first character"},
	{`</( |[^\n]*/>)`, "neither a blank before its name nor a slash at its end stops a closing tag from starting an HTML block"},
	{`(?m)(    |\t)[ \t]*[|:\-][ \t|:\-]*$`, "indentation is taken off a delimiter row that a setext underline follows"},
	{`<\?>`, "is a processing instruction"},
	{`(?i)</?(pre|script|style|textarea)/?>`, "is taken for the start of an HTML block if it is <pre/>, of kind 7 if </textarea>"},
	{`\][:(]\s*\S*\((\\.|[^\s)])*\s`, "parentheses of a destination need not be closed"},
	{`\][:(]\s*\S*\(\S*\(`, "the same, where they nest"},
	{`\][:(]\s*<[^\n]*>["'(]`, "a title needs no blank before it behind a destination in angle brackets"},
	{`\][:(]\s*<(\\.|[^>\n])*<`, "a destination in angle brackets can hold one"},
	{`\]:\s*(<[^\n]*>|\S+)\s*\n[\s>]*["'(]`, "a line behind a definition that starts like a title but is none is read from its middle"},
	{`(?m)^[ \t]*[>*+\-0-9][ \t>*+\-0-9.)]*\t`, "tab stops are counted from the outer container"},
	{`(?m)^[-+*.)0-9 \t>]*[-+*.)][ \t]*\n[ \t>]*([-+*0-9]|\n)`, "an empty item before a blank line or an item ends the outer list too"},
	{`\t[ \t]*<`, "HTML behind a tab that is partly the indentation of a container starts no block"},
	{`<[^\n]*\t`, "a tab does not end the name or the tag that starts an HTML block"},
}

var deviation = func() *regexp.Regexp {
	patterns := make([]string, len(deviations))
	for i, d := range deviations {
		patterns[i] = "(?:" + d.pattern + ")"
	}
	return regexp.MustCompile(strings.Join(patterns, "|"))
}()

// goldmarkDeviates reports whether src may hold a construct that goldmark reads otherwise than
// CommonMark says. It sets no limit to the label of a definition, and one to the distance of brackets
// instead, so long texts are out, and so is what is not UTF-8, in which it ends attributes early, and
// a last line without a line break, of which it may drop the last byte.
func goldmarkDeviates(src string) bool {
	return len(src) > maxLabel || !utf8.ValidString(src) || !strings.HasSuffix(src, "\n") || deviation.MatchString(src) || shortHeader(src)
}

// shortHeader reports whether src may have a delimiter row under a line of fewer cells, which is a
// table for goldmark, but not for GitHub: https://github.github.com/gfm/#example-203
func shortHeader(src string) bool {
	above := ""
	for line := range strings.Lines(src) {
		line = strings.Trim(line, " \t\n>")
		row := line[len(strings.TrimRight(line, " \t|:-")):]
		if above != "" && row != "" && countCells(row) > countCells(above) {
			return true
		}
		above = line
	}
	return false
}

// FuzzScanBodyInvariants checks what holds for every text.
func FuzzScanBodyInvariants(f *testing.F) {
	for _, src := range specExamples(f) {
		f.Add(src, 0)
	}
	f.Add("> `a\x00\xff`\r[b\r\n](c)\t<!--", 0)
	f.Fuzz(func(t *testing.T, src string, from int) {
		if from < 0 || from > len(src) {
			return
		}
		checkSpans(t, src, ScanBody(src, from))
	})
}

// FuzzScanBodyLineEnds checks that it does not matter how lines end.
func FuzzScanBodyLineEnds(f *testing.F) {
	for _, src := range specExamples(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if strings.Contains(src, "\r") {
			return
		}
		quoted := strings.NewReplacer(`\\`, `\\`, `\r\n`, `\n`, `\r`, `\n`)
		want := describe(src, ScanBody(src, 0))
		for _, end := range []string{"\r", "\r\n"} {
			other := strings.ReplaceAll(src, "\n", end)
			got := describe(other, ScanBody(other, 0))
			for i := range got {
				got[i] = quoted.Replace(got[i])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q:\nwith %q %s\nwith \"\\n\" %s", src, end, got, want)
			}
		}
	})
}

// checkSpans checks that all spans of b lie inside it, follow each other and nest.
func checkSpans(t *testing.T, src string, b Body) {
	t.Helper()
	whole := b.Span
	ordered := func(what string, spans []text.Span) {
		t.Helper()
		if !slices.IsSortedFunc(spans, func(a, b text.Span) int { return a.Start - b.Start }) {
			t.Errorf("%q: %s not in the order of the text: %v", src, what, spans)
		}
		for _, s := range spans {
			within(t, src, what, whole, s)
		}
	}
	var headings, fences, codes, links, definitions []text.Span
	for _, h := range b.Headings {
		headings = append(headings, h.Span)
		within(t, src, "text of a heading", h.Span, h.Text)
	}
	for _, x := range b.Fences {
		fences = append(fences, x.Span)
		within(t, src, "opening of a fence", x.Span, x.Open)
		within(t, src, "info of a fence", x.Span, x.Info)
		within(t, src, "content of a fence", x.Span, x.Content)
	}
	for _, c := range b.CodeSpans {
		codes = append(codes, c.Span)
		within(t, src, "content of a code span", c.Span, c.Content)
	}
	for _, l := range b.Links {
		links = append(links, l.Span)
		within(t, src, "text of a link", l.Span, l.Text)
		if l.Kind != ReferenceLink {
			within(t, src, "destination of a link", l.Span, l.Dest)
		}
	}
	for _, d := range b.Definitions {
		definitions = append(definitions, d.Span)
		within(t, src, "destination of a definition", d.Span, d.Dest)
	}
	for what, spans := range map[string][]text.Span{
		"headings": headings, "fences": fences, "code spans": codes, "links": links,
		"definitions": definitions, "HTML": b.HTML, "comments": b.Comments, "indented code": b.Indented,
	} {
		ordered(what, spans)
	}
}

func within(t *testing.T, src, what string, outer, inner text.Span) {
	t.Helper()
	if inner.Start > inner.End || !outer.Covers(inner) {
		t.Errorf("%q: %s %v not inside %v", src, what, inner, outer)
	}
}
