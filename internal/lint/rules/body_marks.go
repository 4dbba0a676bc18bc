package rules

import (
	"strconv"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// markKind tells what a mark in a text may stand for.
type markKind uint8

const (
	argumentsMark markKind = iota // $ARGUMENTS or $ARGUMENTS[N]
	numberMark                    // $N
	variableMark                  // $NAME or ${NAME}
	commandMark                   // !`command`, or a fence with "!" behind its backticks
)

// mark is a place in the body of a skill that some client replaces when it loads the skill.
type mark struct {
	kind    markKind
	span    text.Span
	name    string // of a variable, without what marks it
	number  int    // of a numberMark
	braced  bool   // ${NAME}
	escaped bool   // a backslash stands before it
	fenced  bool   // it stands in a fenced block
	coded   bool   // it stands in inline code
	alone   bool   // it is all that the inline code holds
	block   bool   // a commandMark that is a whole fence
	comment bool   // it stands in an HTML comment
}

type marksKey struct{}

// bodyMarks returns the marks in the body of the skill, in order.
func bodyMarks(p *lint.Pass) []mark {
	if p.Skill.Err != nil {
		return nil
	}
	return lint.Shared(p, marksKey{}, func(p *lint.Pass) []mark {
		src, start := p.Text(), p.Skill.Front.End(p.Text())
		if strings.IndexByte(src[start:], '$') < 0 && !strings.Contains(src[start:], "!`") && !strings.Contains(src[start:], "```!") {
			return nil
		}
		return findMarks(src, start, p.Skill.Body())
	})
}

// usualMarks is how many marks there is room for at first.
const usualMarks = 16

// findMarks returns the marks of a text from an offset on.
func findMarks(src string, start int, body *skills.Body) []mark {
	out := make([]mark, 0, min(strings.Count(src[start:], "$"), usualMarks))
	dollar, bang := start, start // where the next of each is, or where to look for it
	for i := start; ; i++ {
		dollar, bang = nextByte(src, dollar, i, '$'), nextByte(src, bang, i, '!')
		i = min(dollar, bang)
		if i == len(src) {
			return out
		}
		m, ok := readMark(src, i, start)
		if !ok {
			continue
		}
		m.place(src, body)
		out = append(out, m)
		i = m.span.End - 1
	}
}

// nextByte returns where the first c at or behind an offset is, the end of the text for none; known is where an earlier
// search found one.
func nextByte(src string, known, from int, c byte) int {
	if known > from || known == len(src) {
		return known
	}
	if i := strings.IndexByte(src[from:], c); i >= 0 {
		return from + i
	}
	return len(src)
}

// readMark reads the mark at an offset.
func readMark(src string, at, start int) (mark, bool) {
	if src[at] == '!' {
		return readCommand(src, at, start)
	}
	m := mark{span: text.Span{Start: at, End: at + 1}, escaped: at > start && src[at-1] == '\\'}
	rest := src[at+1:]
	m.braced = strings.HasPrefix(rest, "{")
	if m.braced {
		rest = rest[1:]
	}
	n := wordLength(rest)
	word := rest[:n]
	m.span.End += n
	switch {
	case n == 0, m.braced && !strings.HasPrefix(rest[n:], "}"):
		return m, false
	case m.braced:
		m.kind, m.name = variableMark, word
		m.span.End += len("{}")
	case word == "ARGUMENTS":
		m.kind, m.name = argumentsMark, word
	case word[0] >= '0' && word[0] <= '9':
		digits := len(word) - len(strings.TrimLeft(word, "0123456789"))
		m.kind, m.span.End = numberMark, at+1+digits
		number, err := strconv.Atoi(word[:digits])
		if err != nil {
			return m, false // no client counts that far
		}
		m.number = number
	default:
		m.kind, m.name = variableMark, word
	}
	return m, true
}

// readCommand reads !`command` at the start of a line or behind a blank, and the ! of a fence.
func readCommand(src string, at, start int) (mark, bool) {
	if strings.HasSuffix(src[start:at], "```") && (at+1 == len(src) || strings.IndexByte(" \t\r\n", src[at+1]) >= 0) {
		return mark{kind: commandMark, span: text.Span{Start: at, End: at + 1}, block: true}, true
	}
	rest, ok := strings.CutPrefix(src[at:], "!`")
	end := strings.IndexAny(rest, "`\n")
	if !ok || end < 1 || rest[end] != '`' || at > start && strings.IndexByte(" \t\r\n", src[at-1]) < 0 {
		return mark{}, false
	}
	return mark{kind: commandMark, span: text.Span{Start: at, End: at + len("!``") + end}}, true
}

// wordLength returns how many letters, digits and underscores of ASCII s starts with.
func wordLength(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool { return r != '_' && !isWord(r) })
	if n < 0 {
		return len(s)
	}
	return n
}

// place notes whether a mark stands in code. The code span of !`command` itself does not count.
func (m *mark) place(src string, body *skills.Body) {
	for _, c := range body.Comments {
		m.comment = m.comment || c.Covers(m.span)
	}
	if f := fenceAt(body, m.span.Start); f != nil {
		m.fenced = true
		return
	}
	for _, c := range body.CodeSpans {
		if c.Span.Start > m.span.Start {
			break
		}
		if c.Span.Covers(m.span) {
			m.coded, m.alone = true, strings.TrimSpace(c.Content.In(src)) == m.span.In(src)
		}
	}
}

// fenceAt returns the fence whose content holds an offset, or nil.
func fenceAt(body *skills.Body, off int) *skills.Fence {
	for i := range body.Fences {
		if f := &body.Fences[i]; f.Content.Start <= off && off < f.Content.End {
			return f
		}
	}
	return nil
}

// judges returns the clients that judge the skill and load it, what the documentation alone tells of left out:
// it does not say what a client leaves as it is.
func judges(p *lint.Pass) []*profile.Profile { return lint.Shared(p, judgesKey{}, findJudges) }

type judgesKey struct{}

func findJudges(p *lint.Pass) []*profile.Profile {
	var out []*profile.Profile
	for _, played := range p.View.Played(p.Skill) {
		switch played.Outcome.Status {
		case profile.Dropped, profile.RootLost, profile.ClientCrash:
			continue
		}
		if level := played.Profile.Evidence.Level; level != "documented" && played.Profile.Known("activation") {
			out = append(out, played.Profile)
		}
	}
	return out
}

// split parts clients by what they do.
func split(all []*profile.Profile, does func(*profile.Profile) bool) (yes, no []*profile.Profile) {
	for _, c := range all {
		if does(c) {
			yes = append(yes, c)
		} else {
			no = append(no, c)
		}
	}
	return yes, no
}

// portability is the level of what has no effect in some of the clients a skill is judged by: they count as
// chosen only when the user named them.
func portability(p *lint.Pass) lint.Severity {
	if len(p.Clients) > 0 {
		return lint.Warning
	}
	return lint.Info
}
