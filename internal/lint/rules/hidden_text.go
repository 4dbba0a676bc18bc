package rules

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var hiddenText = &lint.Rule{
	Name: "security/hidden-text", Severity: lint.Error, Scope: lint.TextScope, Since: since, Repair: lint.SafeRepair,
	Risk: &lint.Risk{CWE: []int{1007, 451}, OWASP: []string{"AST04", "LLM01"}},
	Page: lint.Page{
		What: "The text holds characters that no reader sees, or that show it in another order.",
		Why: "Tag characters spell whole sentences that a model reads and a reviewer does not; bidirectional overrides show other text than there is; " +
			"zero-width characters split words that filters look for. Emoji sequences, flags and the joiners that Arabic, Persian and Indic scripts need are fine.",
		Bad:  "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nNever type pass\u200bword here.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nNever type password here. \U0001F9D1\u200D\u2696\uFE0F\n",
	},
	Run: func(p *lint.Pass) {
		reportHidden(p, p.Doc())
		if p.Skill == nil || p.Skill.Err != nil {
			return
		}
		for _, x := range skillTexts(p)[1:] {
			reportHidden(p, x.doc)
		}
	},
}

// reportHidden reports the hidden characters of one text.
func reportHidden(p *lint.Pass, doc *skills.Document) {
	start := 0
	if doc.HasBOM() {
		start = doc.Marks().End
	}
	for _, run := range hiddenRuns(doc.Text, start) {
		if doc == p.Doc() && p.Skill != nil && inHiddenFence(&p.Skill.Front, run.at) {
			continue // frontmatter/fence says it
		}
		f := hiddenFinding(doc.Text, run)
		if doc != p.Doc() {
			f.File = doc.Path
			p.View.Tree().Keep(doc)
		}
		p.Report(f)
	}
}

func inHiddenFence(f *skills.FrontMatter, at text.Span) bool {
	in := func(d skills.Delimiter) bool { return d.Kind == skills.HiddenFence && d.Span.Covers(at) }
	return in(f.Open) || in(f.Close)
}

type hiddenRun struct {
	kind hiddenKind
	at   text.Span
}

type hiddenKind uint8

const (
	visible hiddenKind = iota
	tagCharacter
	bidiControl
	zeroWidth
	variation
)

// hiddenRuns returns the runs of hidden characters of one kind, those left out that belong to an emoji or
// that their script needs.
func hiddenRuns(src string, from int) []hiddenRun {
	var out []hiddenRun
	for off := text.NonASCII(src, from); off < len(src); off = text.NonASCII(src, off) {
		r, n := utf8.DecodeRuneInString(src[off:])
		kind := kindOf(r)
		at := text.Span{Start: off, End: off + n}
		off += n
		if kind == visible || harmless(src, at, r, kind) {
			continue
		}
		if last := len(out) - 1; last >= 0 && out[last].kind == kind && out[last].at.End == at.Start {
			out[last].at.End = at.End
			continue
		}
		out = append(out, hiddenRun{kind, at})
	}
	return out
}

func kindOf(r rune) hiddenKind {
	switch {
	case r >= 0xE0000 && r <= 0xE007F:
		return tagCharacter
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F, r == 0x061C:
		return bidiControl
	case r == 0x200B, r == 0x200C, r == 0x200D, r == 0x2060, r == 0xFEFF, r == 0x180E, r >= 0x2061 && r <= 0x2064, isFiller(r):
		return zeroWidth
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF:
		return variation
	}
	return visible
}

// isFiller reports whether r stands for a part of a Korean syllable that is not there.
func isFiller(r rune) bool { return r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0 }

// harmless reports whether a hidden character does what it is there for.
func harmless(src string, at text.Span, r rune, kind hiddenKind) bool {
	before, _ := utf8.DecodeLastRuneInString(src[:at.Start])
	after, _ := utf8.DecodeRuneInString(src[at.End:])
	switch kind {
	case tagCharacter: // the flags of England, Scotland and Wales: U+1F3F4, letters, U+E007F
		return inFlag(src[:at.Start], r)
	case bidiControl: // marks beside text that runs right to left
		return (r == 0x200E || r == 0x200F || r == 0x061C) && rightToLeft(lineAround(src, at))
	case variation: // one selector behind a character that it may change
		return kindOf(before) == visible && before != utf8.RuneError && !unicode.IsSpace(before) && kindOf(after) != variation
	}
	switch r {
	case 0x200D:
		return joins(before) && joins(after)
	case 0x115F, 0x1160, 0x3164, 0xFFA0:
		return unicode.Is(unicode.Hangul, before) || unicode.Is(unicode.Hangul, after)
	case 0x200C:
		return complexScript(before) || complexScript(after)
	case 0x200B: // line break opportunity in scripts without blanks
		return unspacedScript(before) || unspacedScript(after)
	}
	return false
}

func inFlag(before string, r rune) bool {
	for n := 0; n < 8; n++ {
		prev, size := utf8.DecodeLastRuneInString(before)
		if prev == 0x1F3F4 {
			return n > 0 || r != 0xE007F
		}
		if prev < 0xE0061 && !(prev >= 0xE0030 && prev <= 0xE0039) || prev > 0xE007A {
			return false
		}
		before = before[:len(before)-size]
	}
	return false
}

// joins reports whether r may stand beside a zero-width joiner: emoji and their modifiers, and letters of
// the scripts that shape by it.
func joins(r rune) bool {
	return unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) || r == 0xFE0F || r == 0x2640 || r == 0x2642 || r == 0x20E3 || complexScript(r)
}

func complexScript(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
		unicode.Myanmar, unicode.Khmer, unicode.Tibetan)
}

func unspacedScript(r rune) bool {
	return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese)
}

func rightToLeft(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
	}) >= 0
}

func lineAround(src string, at text.Span) string {
	start := strings.LastIndexAny(src[:at.Start], "\r\n") + 1
	if end := strings.IndexAny(src[at.End:], "\r\n"); end >= 0 {
		return src[start : at.End+end]
	}
	return src[start:]
}

func hiddenFinding(src string, run hiddenRun) lint.Finding {
	f := lint.Finding{
		Span:  run.at,
		Help:  "delete the characters",
		Fixes: []lint.Fix{{Title: "delete the hidden characters", Safe: true, Edits: []lint.Edit{lint.Delete(run.at)}}},
	}
	points := codePoints(run.at.In(src))
	switch run.kind {
	case tagCharacter:
		f.Message = fmt.Sprintf("hidden tag characters (%s) spell %q: a model reads them, a reader does not see them", points, decodeTags(run.at.In(src)))
	case bidiControl:
		f.Message = fmt.Sprintf("the bidi control %s shows the text in another order than a model reads it", points)
		f.Severity = lint.Error
		if first, _ := utf8.DecodeRuneInString(run.at.In(src)); first == 0x200E || first == 0x200F || first == 0x061C {
			f.Severity = lint.Warning
		}
	case zeroWidth:
		f.Severity = lint.Warning
		f.Message = fmt.Sprintf("a zero-width character %s stands here unseen: it splits what looks like one word", points)
	case variation:
		f.Severity = lint.Warning
		f.Message = fmt.Sprintf("variation selectors %s that change no character can carry hidden data", points)
	}
	return f
}

// codePoints names the first characters of s.
func codePoints(s string) string {
	const most = 4
	var out []string
	for _, r := range s {
		if len(out) == most {
			return strings.Join(out, " ") + " …"
		}
		out = append(out, fmt.Sprintf("U+%04X", r))
	}
	return strings.Join(out, " ")
}

// decodeTags returns the ASCII text that tag characters stand for.
func decodeTags(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0xE0020 && r < 0xE007F {
			return r - 0xE0000
		}
		return -1
	}, s)
}
