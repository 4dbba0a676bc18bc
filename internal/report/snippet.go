package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// snippetWidth is how many columns of a source line are shown, and contextWidth how many of them stand
// before a range that lies further to the right.
const (
	snippetWidth = 100
	contextWidth = 30
)

const ellipsis = "…"

func lineOf(doc *skills.Document, at text.Span) string {
	if doc == nil {
		return ""
	}
	p := locateOffset(doc, at.Start)
	return fmt.Sprintf(":%d:%d", p.Line, p.Column)
}

// snippet returns the first and the last line of a span with the part that it covers underlined. The
// start of the file stands for the file as a whole, of which nothing is shown.
func (t *textReport) snippet(doc *skills.Document, at text.Span, color string) string {
	if doc == nil || at == text.At(0) || at.End > len(doc.Text) {
		return ""
	}
	lines, src := doc.Lines(), doc.Text
	if masked, ok := t.masked[doc.Path]; ok {
		src = masked
	}
	first, last := lines.OffsetLine(at.Start), lines.OffsetLine(max(at.End-1, at.Start))
	gutter := len(strconv.Itoa(last + 1))
	var b strings.Builder
	bar := func(label string) { fmt.Fprintf(&b, "%*s %s", gutter, label, t.paint(cyan, "|")) }
	show := func(line int) {
		whole := lines.Line(line)
		part := text.Span{Start: min(max(at.Start, whole.Start), whole.End), End: max(min(at.End, whole.End), whole.Start)}
		source, before, width := clip(src, whole, part)
		bar(strconv.Itoa(line + 1))
		b.WriteString(" " + source + "\n")
		bar("")
		b.WriteString(" " + strings.Repeat(" ", before) + t.paint(color, strings.Repeat("^", width)) + "\n")
	}
	show(first)
	if last > first+1 {
		b.WriteString(strings.Repeat(".", gutter) + "\n")
	}
	if last > first {
		show(last)
	}
	return b.String()
}

// mask returns the texts of the files with secrets, by shown path. The bytes of each secret are stars, so that
// places stay as they are.
func mask(r *workspace.Result) map[string]string {
	out := map[string]string{}
	for _, f := range r.Findings {
		doc := r.Doc(f.File)
		if !f.Private || doc == nil || f.Span.End > len(doc.Text) {
			continue
		}
		src, ok := out[f.File]
		if !ok {
			src = doc.Text
		}
		out[f.File] = src[:f.Span.Start] + strings.Repeat("*", f.Span.Len()) + src[f.Span.End:]
	}
	return out
}

// clip returns what is shown of a line, how many columns stand before a part of it, and how many the part
// takes, at least one. The window follows the part in a line that is too long.
func clip(src string, line, part text.Span) (shown string, before, width int) {
	start := line.Start
	if !fits(src[line.Start:part.End]) {
		start = backBy(src, line.Start, part.Start, contextWidth)
	}
	var b strings.Builder
	used := 0
	if start > line.Start {
		b.WriteString(ellipsis)
		used = 1
	}
	before, end := -1, -1
	i := start
	for i < line.End {
		if i >= part.Start && before < 0 {
			before = used
		}
		if i >= part.End && end < 0 {
			end = used
		}
		s, n := visible(src[i:line.End])
		if used+columns(s) > snippetWidth {
			b.WriteString(ellipsis)
			break
		}
		b.WriteString(s)
		used += columns(s)
		i += n
	}
	if before < 0 {
		before = used
	}
	if end < 0 {
		end = used
	}
	return b.String(), before, max(end-before, 1)
}

// fits reports whether a text can be shown whole. One of very many bytes is not measured.
func fits(s string) bool {
	const most = 8 * snippetWidth
	return len(s) <= most && columns(clean(s)) <= snippetWidth
}

// backBy returns the offset that lies up to so many columns before off, not before start.
func backBy(src string, start, off, room int) int {
	for off > start {
		prev := off - 1
		for prev > start && prev > off-4 && src[prev]&0xC0 == 0x80 {
			prev--
		}
		shown := clean(src[prev:off])
		if room -= columns(shown); room < 0 {
			return off
		}
		off = prev
	}
	return off
}
