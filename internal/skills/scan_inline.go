package skills

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// scanInlines finds the inline elements of all paragraphs, headings and cells. It comes after the
// blocks, because a link may be defined after its use.
func (s *scanner) scanInlines() {
	in := inliner{scanner: s}
	flat := s.flatText()
	for _, t := range s.inlines {
		in.reset(flat, t)
		in.scan()
	}
}

// inliner reads one inline text from left to right. Brackets wait on a stack for their partner:
// https://spec.commonmark.org/0.31.2/#phase-2-inline-structure. Emphasis is of no interest, and as
// everything found here binds tighter it need not be looked at.
type inliner struct {
	*scanner
	of inlineText
	t  string // flat text up to the end of the inline text, so that offsets stay those of flat text
	at int

	brackets []bracket
	inactive int // "[" of brackets below this index cannot open a link any more

	// What is known not to come any more, so that no search for it is done twice: the last run of
	// each number of backticks, and the ends of markup.
	lastRun map[int]int
	missing [len(markup)]bool
}

// bracket is a "[" or "![" that may open a link or an image.
type bracket struct {
	at    int // offset of the "[" in the flat text
	image bool
}

func (in *inliner) reset(flat string, t inlineText) {
	in.of, in.t, in.at = t, flat[:t.to], t.from
	in.brackets, in.inactive = in.brackets[:0], 0
	in.lastRun, in.missing = nil, [len(markup)]bool{}
}

// special holds the characters at which inline elements start or end.
var special = [256]bool{'\\': true, '`': true, '<': true, '[': true, '!': true, ']': true}

func (in *inliner) scan() {
	for {
		if in.at = nextSpecial(in.t, in.at); in.at >= len(in.t) {
			return
		}
		switch in.t[in.at] {
		case '\\':
			in.at += escapeLength(in.t, in.at)
		case '`':
			in.codeSpan()
		case '<':
			in.angle()
		case ']':
			in.closeBracket()
		default:
			in.openBracket()
		}
	}
}

// nextSpecial returns where the next special character stands from an offset on, the end of the text for none.
func nextSpecial(t string, at int) int {
	for at < len(t) && !special[t[at]] {
		at++
	}
	return at
}

// escapeLength returns the length of the backslash escape at at, 1 if the backslash stands for
// itself: https://spec.commonmark.org/0.31.2/#backslash-escapes
func escapeLength(t string, at int) int {
	if at+1 < len(t) && isPunctuation(t[at+1]) {
		return 2
	}
	return 1
}

// isPunctuation reports whether c is ASCII punctuation:
// https://spec.commonmark.org/0.31.2/#ascii-punctuation-character
func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c)
}

// span returns the place in the source of a part of the flat text that is not empty.
func (in *inliner) span(start, end int) text.Span {
	return in.sourceSpan(in.of.line, text.Span{Start: start, End: end})
}

// between returns the place in the source between an opener that ends at start and a closer at end.
func (in *inliner) between(start, end int) text.Span {
	return text.Span{Start: in.source(in.of.line, start-1) + 1, End: in.source(in.of.line, end)}
}

// codeSpan takes a code span or skips a run of backticks that opens none:
// https://spec.commonmark.org/0.31.2/#code-spans
func (in *inliner) codeSpan() {
	n := runLength(in.t, in.at)
	start := in.at + n
	closer := in.closingRun(start, n)
	if closer < 0 {
		in.at = start
		return
	}
	in.body.CodeSpans = append(in.body.CodeSpans, CodeSpan{
		Span:    in.span(in.at, closer+n),
		Content: in.between(start, closer),
	})
	in.at = closer + n
}

// closingRun returns the offset of the first run of exactly n backticks at or after at, -1 if there
// is none. Once a search has failed, the last run of each length is known and no other search fails.
func (in *inliner) closingRun(at, n int) int {
	if in.lastRun != nil && in.lastRun[n] < at {
		return -1
	}
	for i := at; ; {
		skip := strings.IndexByte(in.t[i:], '`')
		if skip < 0 {
			in.noteRuns(at)
			return -1
		}
		i += skip
		length := runLength(in.t, i)
		if length == n {
			return i
		}
		i += length
	}
}

// noteRuns notes the offset of the last run of each number of backticks at or after at.
func (in *inliner) noteRuns(at int) {
	in.lastRun = map[int]int{}
	for at < len(in.t) {
		if in.t[at] != '`' {
			at++
			continue
		}
		n := runLength(in.t, at)
		in.lastRun[n] = at
		at += n
	}
}

// angle takes what starts with "<": an autolink, a tag, a comment, a declaration.
func (in *inliner) angle() {
	if end := scanAutolink(in.t, in.at); end > 0 {
		address := in.span(in.at+1, end-1)
		in.body.Links = append(in.body.Links, Link{
			Kind: Autolink, Span: in.span(in.at, end), Text: address, Dest: address,
		})
		in.at = end
		return
	}
	end := in.scanHTML()
	if end < 0 {
		in.at++
		return
	}
	span := in.span(in.at, end)
	in.body.HTML = append(in.body.HTML, span)
	if strings.HasPrefix(in.t[in.at:], "<!--") {
		in.body.Comments = append(in.body.Comments, span)
	}
	in.at = end
}

// scanHTML returns the end of the raw HTML at in.at, -1 if there is none:
// https://spec.commonmark.org/0.31.2/#raw-html
func (in *inliner) scanHTML() int {
	kind := markupAt(in.t, in.at)
	switch {
	case kind < 0:
		return scanTag(in.t, in.at)
	case in.missing[kind]:
		return -1
	}
	var end int
	if open := markup[kind].open; open == "<!--" {
		end = commentEnd(in.t, in.at)
	} else {
		end = endAfter(in.t, in.at+len(open), markup[kind].end)
	}
	in.missing[kind] = end < 0
	return end
}

// scanAutolink returns the end of the autolink that starts at at, -1 if there is none:
// https://spec.commonmark.org/0.31.2/#autolinks
func scanAutolink(t string, at int) int {
	end := scanURI(t, at+1)
	if end < 0 {
		end = scanEmail(t, at+1)
	}
	if end < 0 || end == len(t) || t[end] != '>' {
		return -1
	}
	return end + 1
}

// scanURI returns the end of the absolute URI at at, -1 if there is none. Its scheme is 2 to 32
// characters long.
func scanURI(t string, at int) int {
	end := at
	for end < len(t) && (isLetter(t[end]) || end > at && (isDigit(t[end]) || strings.IndexByte("+.-", t[end]) >= 0)) {
		end++
	}
	if n := end - at; n < 2 || n > 32 || end == len(t) || t[end] != ':' {
		return -1
	}
	for end < len(t) && t[end] > ' ' && t[end] != '<' && t[end] != '>' && t[end] != 0x7f {
		end++
	}
	return end
}

// scanEmail returns the end of the e-mail address at at, -1 if there is none.
func scanEmail(t string, at int) int {
	end := at
	for end < len(t) && (isAlphanumeric(t[end]) || strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", t[end]) >= 0) {
		end++
	}
	if end == at || end == len(t) || t[end] != '@' {
		return -1
	}
	for {
		if end = scanDomainLabel(t, end+1); end < 0 || end == len(t) || t[end] != '.' {
			return end
		}
	}
}

// scanDomainLabel returns the end of the label of a domain name at at, -1 if there is none: 1 to 63
// letters, digits and hyphens, with a hyphen at neither end.
func scanDomainLabel(t string, at int) int {
	end := at
	for end < len(t) && (isAlphanumeric(t[end]) || t[end] == '-') {
		end++
	}
	if n := end - at; n == 0 || n > 63 || t[at] == '-' || t[end-1] == '-' {
		return -1
	}
	return end
}

func isAlphanumeric(c byte) bool { return isLetter(c) || isDigit(c) }
