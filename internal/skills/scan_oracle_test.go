package skills

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"
)

// oracle parses like ScanBody: CommonMark and tables.
var oracle = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()

// disagreements compares what ScanBody and goldmark see in src. Each line of the answer is one
// element that only one of them sees: "-" the scanner, "+" goldmark.
func disagreements(src string) []string {
	ours, theirs := facts(src, ScanBody(src, 0)), oracleFacts(src)
	count := map[string]int{}
	for _, f := range ours {
		count[f]++
	}
	for _, f := range theirs {
		count[f]--
	}
	var diff []string
	for f, n := range count {
		switch {
		case n > 0:
			diff = append(diff, "- "+f)
		case n < 0:
			diff = append(diff, "+ "+f)
		}
	}
	slices.Sort(diff)
	return diff
}

// facts says one line about each element of b.
func facts(src string, b Body) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, h := range b.Headings {
		at := h.Text.Start
		if h.Text.Empty() {
			at = blockPos(src, h.Span.Start)
		}
		add("heading %d at %d: %q", h.Level, at, squeeze(h.Text.In(src)))
	}
	for _, f := range b.Fences {
		add("fence at %d, info %q, %d lines", blockPos(src, f.Span.Start), f.Info.In(src), countLines(f.Content.In(src)))
	}
	for _, s := range b.Indented {
		add("indented code %d to %d", s.Start, s.End)
	}
	for _, c := range b.CodeSpans {
		add("code span at %d: %q", c.Span.Start, squeeze(c.Content.In(src)))
	}
	for _, l := range b.Links {
		add("link at %d, kind %d, image %t, to %q", l.Span.Start, l.Kind, l.Image, l.Dest.In(src))
	}
	for _, d := range b.Definitions {
		add("definition at %d to %q", d.Span.Start, d.Dest.In(src))
	}
	for _, s := range b.HTML {
		add("html %d to %d", s.Start, s.End)
	}
	return out
}

// oracleFacts says the same about goldmark's tree.
func oracleFacts(src string) []string {
	source := []byte(src)
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	visit := func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.Heading:
			at := blockPos(src, n.Pos())
			if n.Lines().Len() > 0 {
				at = n.Lines().At(0).Start
			}
			add("heading %d at %d: %q", n.Level, at, squeeze(string(n.Lines().Value(source))))
		case *ast.FencedCodeBlock:
			info := ""
			if n.Info != nil {
				info = string(n.Info.Segment.Value(source))
			}
			add("fence at %d, info %q, %d lines", blockPos(src, n.Pos()), info, n.Lines().Len())
		case *ast.CodeBlock:
			last := n.Lines().At(n.Lines().Len() - 1)
			add("indented code %d to %d", startOfText(src, n.Lines().At(0)), endOfLine(src, last))
		case *ast.CodeSpan:
			var content strings.Builder
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				content.Write(c.(*ast.Text).Segment.Value(source))
			}
			add("code span at %d: %q", n.Pos(), squeeze(content.String()))
		case *ast.Link:
			add("link at %d, kind %d, image false, to %q", n.Pos(), referenceKind(n.Reference), n.Destination)
		case *ast.Image:
			add("link at %d, kind %d, image true, to %q", n.Pos(), referenceKind(n.Reference), n.Destination)
		case *ast.AutoLink:
			add("link at %d, kind %d, image false, to %q", n.Pos(), Autolink, n.Label(source))
		case *ast.LinkReferenceDefinition:
			add("definition at %d to %q", n.Lines().At(0).Start, n.Destination)
		case *ast.HTMLBlock:
			last := n.ClosureLine
			if !n.HasClosure() {
				last = n.Lines().At(n.Lines().Len() - 1)
			}
			add("html %d to %d", startOfText(src, n.Lines().At(0)), endOfLine(src, last))
		case *ast.RawHTML:
			add("html %d to %d", n.Segments.At(0).Start, n.Segments.At(n.Segments.Len()-1).Stop)
		}
		return ast.WalkContinue, nil
	}
	if err := ast.Walk(oracle.Parse(gmtext.NewReader(source)), visit); err != nil {
		panic(err) // visit returns none
	}
	return out
}

func referenceKind(r *ast.ReferenceLink) LinkKind {
	if r == nil {
		return InlineLink
	}
	return ReferenceLink
}

// endOfLine returns where the line of a segment ends, without its line break.
func endOfLine(src string, s gmtext.Segment) int {
	return s.Start + len(strings.TrimRight(src[s.Start:s.Stop], "\r\n"))
}

// startOfText returns where the text of a line starts, behind its indentation.
func startOfText(src string, s gmtext.Segment) int {
	return s.Stop - len(strings.TrimLeft(src[s.Start:s.Stop], " \t"))
}

// blockPos returns pos, but 0 in a text with tabs: goldmark's Node.Pos counts columns where it should
// count bytes when a tab is partly the indentation of a container.
func blockPos(src string, pos int) int {
	if strings.Contains(src, "\t") {
		return 0
	}
	return pos
}

// squeeze drops what stands between the lines of an inline element, the prefixes of containers, and
// what is trimmed or unescaped in a cell; the scanner gives the text as it is in the source.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n>\\", r) {
			return -1
		}
		return r
	}, s)
}

// countLines returns the number of lines in s, of which the last need not be closed.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}
