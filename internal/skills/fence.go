package skills

import (
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/text"
)

// maxLead is how many lines above the opening fence are looked through. A licence header or a generated
// note fits; a horizontal rule far down in a document is not taken for front matter.
const maxLead = 40

// parseFront finds the front matter of src and reads its fields.
func parseFront(src string) FrontMatter {
	at := start(src)
	if f, ok := otherFormat(src, at); ok {
		return f
	}
	f := FrontMatter{Format: YAML}
	var ok bool
	if f.Open, ok = findOpen(src, at); !ok {
		return FrontMatter{Lead: text.At(at), Open: Delimiter{Span: text.At(at)}, Close: Delimiter{Span: text.At(at)}, Block: text.At(at)}
	}
	f.Lead = text.Span{Start: at, End: f.Open.Span.Start}
	from := f.Open.Span.End
	if f.Open.Kind != NoFence {
		from = nextLine(src, from)
	}
	f.closeBlock(src, from)
	f.index()
	return f
}

// closeBlock picks the closing fence. The first proper one wins unless the block up to it is no YAML while
// an odd fence before it, or the end of what looks like keys, leaves a block that is: then the proper one
// is a horizontal rule of the body.
func (f *FrontMatter) closeBlock(src string, from int) {
	proper, odd := findClose(src, from)
	end := Delimiter{Span: text.At(keysEnd(src, from))}
	tries := make([]Delimiter, 0, 3)
	if proper.Kind != NoFence {
		tries = append(tries, proper)
	}
	if odd.Kind != NoFence {
		tries = append(tries, odd)
	}
	tries = append(tries, end)
	for i, try := range tries {
		block := text.Span{Start: from, End: max(from, try.Span.Start)}
		fields := parseBlock(src, block)
		if i == 0 || fields.sound() && (i < len(tries)-1 || rulesOff(src, block, proper)) {
			f.Close, f.Block = try, block
			f.Shape, f.Fields, f.Errors = fields.shape, fields.fields, fields.errors
			if fields.sound() {
				return
			}
		}
	}
}

// rulesOff reports whether the text between the end of the keys and the proper fence is body text: a
// blank line follows the keys, and then no line that goes on with the last of them.
func rulesOff(src string, block text.Span, proper Delimiter) bool {
	if proper.Kind == NoFence {
		return true
	}
	if rest := strings.TrimLeft(src[block.End:], "\r\n"); rest != "" && (rest[0] == ' ' || rest[0] == '\t') {
		return false
	}
	return strings.TrimSpace(src[block.End:lineEnd(src, block.End)]) == "" && block.End < proper.Span.Start
}

// findOpen finds the line that opens the front matter. Dashes on the first line always do; further down,
// or written oddly, only when a name or a description follows.
func findOpen(src string, at int) (Delimiter, bool) {
	for n, off := 0, at; n < maxLead && off < len(src); n, off = n+1, nextLine(src, off) {
		line := text.Span{Start: off, End: lineEnd(src, off)}
		fence := Delimiter{fenceKind(line.In(src)), line}
		switch {
		case n == 0 && (fence.Kind == ExactFence || fence.Kind == SpacedFence):
			return fence, true
		case fence.Kind != NoFence && fence.Kind != DotsFence && hasSkillKey(src, nextLine(src, off)):
			return fence, true
		case n == 0 && isSkillKey(line.In(src)):
			return Delimiter{Span: text.At(at)}, true
		}
	}
	return Delimiter{}, false
}

// findClose finds the first proper closing fence at or after from, and the first odd one before it.
func findClose(src string, from int) (proper, odd Delimiter) {
	for off := from; off < len(src); off = nextLine(src, off) {
		line := text.Span{Start: off, End: lineEnd(src, off)}
		switch kind := fenceKind(line.In(src)); kind {
		case ExactFence, SpacedFence:
			return Delimiter{kind, line}, odd
		case LongFence, IndentedFence, DotsFence, HiddenFence, DashFence:
			if odd.Kind == NoFence {
				odd = Delimiter{kind, line}
			}
		}
	}
	return Delimiter{}, odd
}

func fenceKind(line string) FenceKind {
	body := strings.TrimLeft(line, " \t")
	bare := strings.TrimRight(body, " \t")
	dashes := len(bare) - len(strings.TrimLeft(bare, "-"))
	switch {
	case bare == "..." && line == body:
		return DotsFence
	case dashes < len(bare) && looksLikeFence(bare):
		if strings.HasPrefix(strings.TrimLeft(bare, unseen), "---") {
			return HiddenFence
		}
		return DashFence
	case dashes < 3:
		return NoFence
	case dashes < len(bare):
		if line == body && dashes == 3 {
			return TextFence
		}
		return NoFence
	case line != body:
		return IndentedFence
	case dashes > 3:
		return LongFence
	case bare != body:
		return SpacedFence
	}
	return ExactFence
}

// unseen are characters that look like nothing, or like a blank.
const unseen = "\ufeff\u200b\u200c\u200d\u2060\u00a0\u3000"

// looksLikeFence reports whether a line shows dashes and nothing else, without being three of them.
func looksLikeFence(bare string) bool {
	if bare[0] < utf8.RuneSelf && bare[0] != '-' {
		return false
	}
	shown := strings.Trim(bare, unseen+" \t")
	long := strings.Trim(shown, "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212") == ""
	return shown == "---" || shown != "" && long && len(shown) >= len("\u2014") && strings.Trim(shown, "-") != ""
}

// hasSkillKey reports whether a name or description key stands within the next lines, before a blank line
// that ends them.
func hasSkillKey(src string, off int) bool {
	for n := 0; n < maxLead && off < len(src); n, off = n+1, nextLine(src, off) {
		line := src[off:lineEnd(src, off)]
		if isSkillKey(line) {
			return true
		}
		if fenceKind(line) != NoFence || strings.TrimSpace(line) == "" {
			return false
		}
	}
	return false
}

func isSkillKey(line string) bool {
	key, _, ok := keyLine(line)
	return ok && (strings.EqualFold(key, "name") || strings.EqualFold(key, "description"))
}

// keysEnd returns where the closing fence belongs in a block that has none: behind the last line that
// still looks like front matter.
func keysEnd(src string, from int) int {
	end, blank := from, false
	for off := from; off < len(src); off = nextLine(src, off) {
		line := src[off:lineEnd(src, off)]
		if strings.TrimSpace(line) == "" {
			blank = true
			continue
		}
		_, _, key := keyLine(line)
		indented := line[0] == ' ' || line[0] == '\t'
		list := strings.HasPrefix(line, "- ") && !blank
		comment := line[0] == '#' && !blank
		if !key && !list && !comment && !(indented && !blank) {
			break
		}
		end, blank = nextLine(src, off), false
	}
	return end
}

// keyLine splits a line "key: value" that starts at its first byte. The colon must end the line or stand
// before a blank.
func keyLine(line string) (key string, colon int, ok bool) {
	if line == "" {
		return "", 0, false
	}
	if q := line[0]; q == '"' || q == '\'' {
		end := strings.IndexByte(line[1:], q)
		if end < 0 {
			return "", 0, false
		}
		key, colon = line[1:1+end], end+2
		colon += len(line[colon:]) - len(strings.TrimLeft(line[colon:], " \t"))
	} else {
		colon = strings.IndexFunc(line, func(r rune) bool { return !keyRune(r) })
		if colon <= 0 {
			return "", 0, false
		}
		key = line[:colon]
		colon += len(line[colon:]) - len(strings.TrimLeft(line[colon:], " \t"))
	}
	if colon >= len(line) || line[colon] != ':' {
		return "", 0, false
	}
	ok = colon+1 == len(line) || line[colon+1] == ' ' || line[colon+1] == '\t'
	return key, colon, ok
}

func keyRune(r rune) bool {
	return r == '_' || r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
