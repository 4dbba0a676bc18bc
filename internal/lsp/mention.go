package lsp

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// mentionAt returns the skill whose name stands at an offset, with the place: in the front matter of the skill
// itself, or in backticks or after a slash or dollar sign in a text, as agents are told to use one.
func (p *page) mentionAt(off int) (*skills.Skill, text.Span) {
	if f := p.front.Field("name"); p.main && f != nil && touches(f.Value, text.At(off)) {
		return p.skill, nameSpan(p.text(), f)
	}
	word := wordAt(p.text(), off)
	if word.Empty() || !marked(p.text(), word) {
		return nil, word
	}
	return p.skillNamed(word.In(p.text())), word
}

// nameSpan returns the place of a name without its quotes.
func nameSpan(src string, f *skills.Field) text.Span {
	at := f.Value
	if v := at.In(src); len(v) >= 2 && (v[0] == '"' || v[0] == '\'') && v[len(v)-1] == v[0] {
		at.Start, at.End = at.Start+1, at.End-1
	}
	return at
}

// wordAt returns the run of characters that names of skills consist of.
func wordAt(src string, off int) text.Span {
	at := text.At(off)
	for at.Start > 0 && isNameByte(src[at.Start-1]) {
		at.Start--
	}
	for at.End < len(src) && isNameByte(src[at.End]) {
		at.End++
	}
	return at
}

func isNameByte(c byte) bool {
	return c == '-' || c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// marked reports whether a word is written as the name of a skill: `name`, /name or $name, and no part of a path.
func marked(src string, at text.Span) bool {
	before, after := byteAt(src, at.Start-1), byteAt(src, at.End)
	switch {
	case after == '/' || after == '.' && isNameByte(byteAt(src, at.End+1)):
		return false
	case before == '`':
		return after == '`'
	case before == '/' || before == '$':
		lead := byteAt(src, at.Start-2)
		return lead == 0 || strings.IndexByte(" \t\r\n`(\"'", lead) >= 0
	}
	return false
}

func byteAt(src string, i int) byte {
	if i < 0 || i >= len(src) {
		return 0
	}
	return src[i]
}

// skillNamed returns the first skill of that name, or nil.
func (p *page) skillNamed(name string) *skills.Skill {
	for _, s := range p.live().Skills() {
		if s.Name() == name {
			return s
		}
	}
	return nil
}

// skillMentions calls use with each skill that the text names, other than its own, and the place.
func (p *page) skillMentions(use func(*skills.Skill, text.Span)) {
	byName := map[string]*skills.Skill{}
	for _, s := range p.live().Skills() {
		if byName[s.Name()] == nil && s != p.skill {
			byName[s.Name()] = s
		}
	}
	src := p.text()
	for i := p.body.Span.Start; i < p.body.Span.End; i++ {
		if strings.IndexByte("`/$", src[i]) < 0 {
			continue
		}
		at := wordAt(src, i+1)
		if s := byName[at.In(src)]; s != nil && marked(src, at) {
			use(s, at)
		}
		i = max(i, at.End-1)
	}
}

// mentions returns the places in a text where a name is written as that of a skill.
func mentions(src, name string) []text.Span {
	var out []text.Span
	for off := 0; name != ""; {
		i := strings.Index(src[off:], name)
		if i < 0 {
			break
		}
		at := text.Span{Start: off + i, End: off + i + len(name)}
		if wordAt(src, at.Start) == at && marked(src, at) {
			out = append(out, at)
		}
		off = at.End
	}
	return out
}
