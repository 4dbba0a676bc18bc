package route

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// unspaced holds the scripts that are written without spaces, or with endings that change within a word.
// Pairs of characters stand for words there.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai}

func isUnspaced(r rune) bool { return r >= 0x0E00 && unicode.In(r, unspaced...) }

// isWord reports a character of words. Scripts have some that are no letters, such as the Han numeral 〦.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || isUnspaced(r)
}

// scanner cuts a text into words of one kind of script.
type scanner struct {
	text []rune
	at   int
}

// next returns the next word, with its letter case, or nil at the end.
func (s *scanner) next() []rune {
	for ; s.at < len(s.text); s.at++ {
		if r := s.text[s.at]; isWord(r) {
			start := s.at
			s.at = s.end(isUnspaced(r))
			return s.text[start:s.at]
		}
	}
	return nil
}

func (s *scanner) end(unspaced bool) int {
	i := s.at
	for i < len(s.text) && isUnspaced(s.text[i]) == unspaced && (isWord(s.text[i]) || s.apostrophe(i)) {
		i++
	}
	if i-s.at == 1 { // "C++" and "C#"
		for i < len(s.text) && (s.text[i] == '+' || s.text[i] == '#') {
			i++
		}
	}
	return i
}

// apostrophe reports one within a word.
func (s *scanner) apostrophe(i int) bool {
	return (s.text[i] == '\'' || s.text[i] == '’') && i+1 < len(s.text) && unicode.IsLetter(s.text[i+1])
}

// words returns the words of a text in lower case. A word in camel case is followed by its parts.
func words(text string) []string {
	s := scanner{text: []rune(norm.NFKC.String(text))}
	var out []string
	for w := s.next(); w != nil; w = s.next() {
		parts := humps(w)
		out = append(out, lower(w))
		if len(parts) > 1 {
			out = append(out, parts...)
		}
	}
	return out
}

func lower(word []rune) string {
	return strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' {
			return -1
		}
		return unicode.ToLower(r)
	}, string(word))
}

// humps cuts a word before each capital that follows a small letter.
func humps(word []rune) []string {
	var out []string
	start := 0
	for i := 1; i < len(word); i++ {
		if unicode.IsLower(word[i-1]) && unicode.IsUpper(word[i]) {
			out = append(out, lower(word[start:i]))
			start = i
		}
	}
	return append(out, lower(word[start:]))
}

// term is what texts are compared by: a stem, a pair of neighbouring stems, or a pair of characters.
type term struct {
	key  string
	word string // what it stands for
	pair bool   // of neighbouring stems
}

// termsOf returns the terms of a text, in its order. Function words say nothing alone, but they do in a pair:
// "does it work".
func termsOf(text string, stems *stemmer) []term {
	var out []term
	before := term{}
	for _, w := range words(text) {
		if first := []rune(w); isUnspaced(first[0]) {
			out = append(out, characterPairs(first)...)
			before = term{}
			continue
		}
		now := term{key: w, word: w}
		if !functionWords[w] {
			now.key = stems.stem(w)
			out = append(out, now)
		}
		if before.key != "" {
			out = append(out, term{before.key + " " + now.key, before.word + " " + w, true})
		}
		before = now
	}
	return out
}

func characterPairs(word []rune) []term {
	if len(word) == 1 {
		return []term{{key: string(word), word: string(word)}}
	}
	out := make([]term, 0, len(word)-1)
	for i := range len(word) - 1 {
		pair := string(word[i : i+2])
		out = append(out, term{key: pair, word: pair})
	}
	return out
}

// stemmer remembers the stems of the words it has seen.
type stemmer struct{ known map[string]string }

func newStemmer() *stemmer { return &stemmer{map[string]string{}} }

// stem reduces an English word by the Porter2 algorithm, https://snowballstem.org/algorithms/english/stemmer.html
func (s *stemmer) stem(word string) string {
	if have, ok := s.known[word]; ok {
		return have
	}
	stem := word
	if isASCIILetters(word) {
		stem = english.Stem(word, true)
	}
	s.known[word] = stem
	return stem
}

func isASCIILetters(s string) bool {
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

// A gram is the hash of a few characters.
type gram uint64

// Lengths of grams, in characters. A word is compared with a mark at both ends. Characters of unspaced scripts
// carry more, so that fewer are enough.
const (
	shortGram, longGram         = 3, 5
	shortUnspaced, longUnspaced = 1, 3
)

// countedGram is a gram of a text and how often it stands there.
type countedGram struct {
	gram
	n int
}

// gramsOf returns the grams of a text, sorted.
func gramsOf(text string) []countedGram {
	var all []gram
	for _, w := range words(text) {
		r := []rune(w)
		if isUnspaced(r[0]) {
			all = slide(all, r, shortUnspaced, longUnspaced)
		} else if !functionWords[w] {
			all = slide(all, []rune("_"+w+"_"), shortGram, longGram)
		}
	}
	slices.Sort(all)
	var out []countedGram
	for i, g := range all {
		if i > 0 && g == all[i-1] {
			out[len(out)-1].n++
		} else {
			out = append(out, countedGram{g, 1})
		}
	}
	return out
}

func slide(to []gram, word []rune, short, long int) []gram {
	for n := short; n <= long; n++ {
		for i := 0; i+n <= len(word); i++ {
			to = append(to, hash(word[i:i+n]))
		}
	}
	return to
}

// hash is FNV-1a over whole characters.
func hash(s []rune) gram {
	h := uint64(14695981039346656037)
	for _, r := range s {
		h = (h ^ uint64(uint32(r))) * 1099511628211
	}
	return gram(h)
}

// functionWords are English words that tell nothing of what a text is about.
var functionWords = set(`a an the and or but if then else of in on at to for from by with without into onto over
under about as is are was were be been being am do does did done has have had having it its this that these those
there here i me my mine we us our ours you your yours he she his her him they them their what which who whom whose
when where why how all any both each few more most other some such no nor not only own same so than too very can
will just don should now could would may might must shall up down out off again further once during before after
above below between through because while until against`)

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}
