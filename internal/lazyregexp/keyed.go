package lazyregexp

import (
	"iter"
	"strings"
)

// Keyed is a regular expression that is tried only where one of its words begins. It costs little more than looking for the
// words, where a search of package regexp passes through the whole text, state by state. It may be used by several goroutines
// at once.
type Keyed struct {
	words []string
	re    *Regexp
}

// NewKeyed returns what looks for words, with blanks between them, and where one stands for a regular expression that begins
// there; the word alone suffices when text is empty. Words that begin with a letter are found at the beginning of a word only,
// as behind \b.
func NewKeyed(words, text string) *Keyed {
	k := &Keyed{words: strings.Fields(words)}
	if text != "" {
		k.re = New(`^(?:` + text + `)`)
	}
	return k
}

// MatchString reports whether a text has a match.
func (k *Keyed) MatchString(s string) bool {
	for range k.All(s) {
		return true
	}
	return false
}

// MatchAt reports whether a match begins at an offset of a text at which a word stands.
func (k *Keyed) MatchAt(s string, at int) bool { return k.re == nil || k.re.MatchString(s[at:]) }

// All yields the matches, word by word and those of each word in order: the offsets of each and of its groups, in bytes, as
// FindAllStringSubmatchIndex gives them.
func (k *Keyed) All(s string) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for _, word := range k.words {
			for at := next(s, 0, word); at >= 0; at = next(s, at+len(word), word) {
				if m := k.at(s, at, word); m != nil && !yield(m) {
					return
				}
			}
		}
	}
}

func (k *Keyed) at(s string, at int, word string) []int {
	if k.re == nil {
		return []int{at, at + len(word)}
	}
	m := k.re.FindStringSubmatchIndex(s[at:])
	for i := range m {
		if m[i] >= 0 {
			m[i] += at
		}
	}
	return m
}

// next returns the offset of a word from an offset on, negative for none.
func next(s string, from int, word string) int {
	for from < len(s) {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return -1
		}
		at := from + i
		if at == 0 || !isWord(word[0]) || !isWord(s[at-1]) {
			return at
		}
		from = at + 1
	}
	return -1
}

// isWord reports whether a byte is one of \w.
func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' && c < 0x80
}
