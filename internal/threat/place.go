package threat

import (
	"sort"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// where tells what a place of a text is part of.
type where uint8

const (
	inProse where = iota
	inCode        // inline code
	inFence       // a block of code
	inTable
	inComment // where no reader looks
	inScript
)

func (t *Text) blocks() *skills.Body {
	if t.body == nil && t.Body != nil {
		t.body = t.Body()
	}
	if t.body == nil {
		t.body = &skills.Body{}
	}
	return t.body
}

// at returns what a place is part of.
func (t *Text) at(off int) where {
	if t.Form == Script {
		return inScript
	}
	b := t.blocks()
	switch {
	case isIn(b.Comments, off):
		return inComment
	case t.fence(off) != nil, isIn(b.Indented, off):
		return inFence
	}
	if t.Form == Markdown && strings.HasPrefix(strings.TrimLeft(t.line(off).In(t.Src), " \t"), "|") {
		return inTable
	}
	if i := upTo(len(b.CodeSpans), off, func(i int) int { return b.CodeSpans[i].Span.Start }); i >= 0 && b.CodeSpans[i].Span.Contains(off) {
		return inCode
	}
	return inProse
}

// upTo returns the last of n places in order that does not start behind an offset, -1 when all do.
func upTo(n, off int, start func(i int) int) int {
	return sort.Search(n, func(i int) bool { return start(i) > off }) - 1
}

// isIn reports whether one of several spans, which lie apart and in order, holds an offset.
func isIn(spans []text.Span, off int) bool {
	i := upTo(len(spans), off, func(i int) int { return spans[i].Start })
	return i >= 0 && spans[i].Contains(off)
}

// fence returns the block of code that an offset is in, nil when there is none.
func (t *Text) fence(off int) *skills.Fence {
	all := t.blocks().Fences
	if i := upTo(len(all), off, func(i int) int { return all[i].Span.Start }); i >= 0 && all[i].Span.Contains(off) {
		return &all[i]
	}
	return nil
}

// mostLine is how much of a line is looked at, on either side.
const mostLine = 1000

// line returns the line around an offset, cut to what is looked at.
func (t *Text) line(off int) text.Span {
	low, high := max(0, off-mostLine), min(len(t.Src), off+mostLine)
	start := strings.LastIndexByte(t.Src[low:off], '\n') + 1 + low
	if start == low && low > 0 && t.Src[low-1] != '\n' {
		start = low
	}
	if end := strings.IndexByte(t.Src[off:high], '\n'); end >= 0 {
		return text.Span{Start: start, End: off + end}
	}
	return text.Span{Start: start, End: high}
}

// mostLines is how many lines a statement may have.
const mostLines = 12

// statement returns the lines around an offset that make one command: those that a backslash, a pipe or an open parenthesis
// joins.
func (t *Text) statement(off int) text.Span {
	s := t.line(off)
	for range mostLines {
		if s.Start < 2 || s.End-s.Start > mostLine {
			break
		}
		before := t.line(s.Start - 1)
		if !goesOn(before.In(t.Src)) {
			break
		}
		s.Start = before.Start
	}
	for range mostLines {
		if s.End+1 >= len(t.Src) || s.End-s.Start > mostLine || !goesOn(s.In(t.Src)) && depth(s.In(t.Src)) <= 0 {
			break
		}
		s.End = t.line(s.End + 1).End
	}
	return s
}

// goesOn reports whether a line is continued on the next.
func goesOn(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	return strings.HasSuffix(line, `\`) || strings.HasSuffix(line, "|") || strings.HasSuffix(line, "&&") || strings.HasSuffix(line, "(") || strings.HasSuffix(line, ",") && depth(line) > 0
}

// depth returns how many parentheses are open at the end.
func depth(s string) int {
	return strings.Count(s, "(") + strings.Count(s, "{") + strings.Count(s, "[") - strings.Count(s, ")") - strings.Count(s, "}") - strings.Count(s, "]")
}

// mostPassage is how far a phrase is looked for around a word of it.
const mostPassage = 160

// passage returns the text around a word in which a phrase may stand: to the next blank line.
func (t *Text) passage(at text.Span) text.Span {
	low, high := max(0, at.Start-mostPassage), min(len(t.Src), at.End+mostPassage)
	s := text.Span{Start: low, End: high}
	if i := strings.LastIndex(t.Src[low:at.Start], "\n\n"); i >= 0 {
		s.Start = low + i + 2
	}
	if i := strings.Index(t.Src[at.End:high], "\n\n"); i >= 0 {
		s.End = at.End + i
	}
	return s
}

var (
	forbids = lazyregexp.New(`(?i)\b(?:never|do not|don['’]?t|must not|must never|mustn['’]?t|should not|should never|shouldn['’]?t|cannot|can['’]?t|avoid|refuse|refuses|reject|decline|forbid(?:s|den)?|` +
		`prohibit(?:s|ed)?|not allowed|instead of|rather than|won['’]?t|wouldn['’]?t)\b`)
	mentions = lazyregexp.New(`(?i)\b(?:detect\w*|flag(?:s|ged|ging)?|scan(?:s|ned|ning|ner)?|look(?:s|ing)? for|search(?:es|ing)? for|grep|watch(?:es|ing)? for|check(?:s|ing)? for|such as|e\.g\.|for example|for instance|examples?|` +
		`phrases?|patterns?|attempts?|attack\w*|inject\w*|malicious|suspicious|jailbreaks?|untrusted|hostile|red[- ]flags?|poison\w*|exploit\w*|vulnerab\w*|threats?|adversar\w*|payloads?|sanitiz\w*|` +
		`(?:says?|contains?|includes?|like|called|named|trying|tries) ["'“‘` + "`" + `]|treat (?:it|them|this|that|any)|anti-?pattern|block(?:s|ed)?)\b`)
	warnsHeading = lazyregexp.New(`(?i)\b(?:never|avoid|don['’]?ts?|do not|anti-?patterns?|bad|wrong|unsafe|insecure|dangers?|dangerous|red flags?|threats?|attacks?|injections?|vulnerab\w*|malicious|what not|prohibited|forbidden|` +
		`blocked|denied|guardrails?|pitfalls?|mistakes?|rationali[sz]ations?|risks?|exfiltration|jailbreaks?|suspicious|untrusted|poisoning|must not)\b|❌|🚫|⛔`)
	warnsLine = lazyregexp.New(`(?i)\b(?:bad|wrong|unsafe|insecure|dangerous|vulnerable|malicious|avoid|never|do not|don['’]?t|anti-?pattern)\b`)
	keyed     = lazyregexp.New(`^\s*[\w-]+:\s*["']`) // a quoted value of front matter quotes nobody
)

// spoken reports whether the text around a place only speaks of what stands there: it forbids it, quotes it, or warns of it.
// What an attacker writes around an order passes here too; the pages say so.
func (t *Text) spoken(at text.Span) bool {
	return t.quoted(at) || t.warned(at.Start) || forbids.MatchString(t.before(at.Start)) || mentions.MatchString(address.ReplaceAllString(t.sentence(at).In(t.Src), ""))
}

// warned reports whether the heading above a place, or the line that opens the list it stands in, says that what follows is
// wrong.
func (t *Text) warned(off int) bool {
	if t.Form == Script {
		return false
	}
	all := t.blocks().Headings
	if i := upTo(len(all), off, func(i int) int { return all[i].Span.Start }); i >= 0 && warnsHeading.MatchString(all[i].Text.In(t.Src)) {
		return true
	}
	return warnsHeading.MatchString(t.opening(off)) || strings.ContainsAny(t.line(off).In(t.Src), "❌🚫⛔")
}

// opening returns the nearest line above a place that ends in a colon, outside the block of code it stands in.
func (t *Text) opening(off int) string {
	if f := t.fence(off); f != nil {
		off = f.Span.Start
	}
	low := max(0, off-mostLine)
	lines := strings.Split(t.Src[low:off], "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		if strings.HasSuffix(strings.TrimRight(line, "*_ "), ":") {
			return line
		}
		if strings.HasPrefix(line, "#") {
			return ""
		}
		if i < len(lines)-1 && line != "" && !strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "*") && !strings.HasPrefix(line, ">") && (line[0] < '0' || line[0] > '9') && !strings.HasPrefix(lines[i], " ") {
			return ""
		}
	}
	return ""
}

// sentence returns the sentence around a span.
func (t *Text) sentence(at text.Span) text.Span {
	p := t.passage(at)
	p.Start = at.Start - len(t.before(at.Start))
	if i := sentenceEnd.FindStringIndex(t.Src[at.End:p.End]); i != nil {
		p.End = at.End + i[0]
	}
	return p
}

// before returns what stands before a place in its sentence.
func (t *Text) before(off int) string {
	low := t.passage(text.At(off)).Start
	s := t.Src[low:off]
	if all := sentenceEnd.FindAllStringIndex(s, -1); len(all) > 0 {
		s = s[all[len(all)-1][1]:]
	}
	return s
}

var sentenceEnd = lazyregexp.New(`[.!?](?:["'”)*_]*\s)|\n\s*(?:[-*+]|\d+[.)]|#+|\|)\s|[。！？]`)

// quoted reports whether quotation marks or the marks of inline code stand around a span.
func (t *Text) quoted(at text.Span) bool {
	line := t.line(at.Start)
	before, after := t.Src[line.Start:at.Start], t.Src[at.End:max(at.End, line.End)]
	before = before[len(keyed.FindString(before)):]
	for _, q := range []struct{ open, close string }{{`"`, `"`}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"「", "」"}, {"`", "`"}} {
		if q.open == q.close && strings.Count(before, q.open)%2 == 1 && strings.Contains(after, q.close) {
			return true
		}
		if q.open != q.close && strings.LastIndex(before, q.open) > strings.LastIndex(before, q.close) && strings.Contains(after, q.close) {
			return true
		}
	}
	return strings.HasSuffix(before, "'") && strings.Contains(after, "'")
}
