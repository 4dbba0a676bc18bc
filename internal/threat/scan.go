package threat

import (
	"math/bits"
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// detector is one of the searches that a word gives reason for.
type detector uint32

const (
	fetches   detector = 1 << iota // gets something from the network
	decodes                        // turns a blob into code
	shells                         // may be a reverse shell
	reads                          // names a credential
	sends                          // sends something
	hosts                          // names a host that collects
	overrides                      // may tell to forget orders
	conceals                       // may tell to keep something from somebody, if it is denied
	quiets                         // may say that something is done unseen
	veils                          // may say that somebody does not get to know
	consents                       // may tell not to ask
	destroys                       // may destroy something
	disables                       // may turn protection off
	persists                       // may stay
	mines                          // mines
	runs                           // runs code that is given to it
	bases                          // names the address of a model's API
	keys                           // begins a private key
)

// mark is a word that was found.
type mark struct {
	what detector
	at   text.Span
}

// scan is what one pass over a text found out.
type scan struct {
	marks  []mark
	blobs  []text.Span // long runs of the characters of base64
	tokens []text.Span // shorter runs with letters and figures
	pairs  []int       // offsets of "=" and ":" behind a name that may be a credential's
	ats    bool        // there is an "@"
	notes  bool        // there is a comment
	veiled bool        // there is an element that may not be shown
	links  bool        // there is a link, or an image
	codes  []int       // where runs of characters begin that are written as codes, such as \x41
	code   codeRun     // the last of them
}

func (s *scan) quiet() bool {
	return len(s.marks)+len(s.blobs)+len(s.tokens)+len(s.pairs) == 0 && !s.ats && !s.notes && !s.veiled && !s.links && len(s.codes) == 0
}

// marked returns the marks of some detectors.
func (s *scan) marked(what detector) []mark {
	var out []mark
	for _, m := range s.marks {
		if m.what&what != 0 {
			out = append(out, m)
		}
	}
	return out
}

const (
	leastBlob  = 24
	leastToken = 15
	leastCoded = 8
	mostMarks  = 1000 // a text with more is judged by the first: what hides there is no longer text
)

const (
	wordByte byte = 1 << iota // the order of the first three is known to masksOf
	blobByte
	signByte // what may begin something
	letterByte
	figureByte
)

// classes tells what each byte is.
var classes = makeClasses()

func makeClasses() (t [256]byte) {
	for c := range 256 {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z' && c < 0x80:
			t[c] = wordByte | blobByte | letterByte
		case c >= '0' && c <= '9':
			t[c] = wordByte | blobByte | figureByte
		case c == '_':
			t[c] = wordByte | blobByte
		case c == '+', c == '/', c == '-':
			t[c] = blobByte
		case c == '=':
			t[c] = blobByte | signByte
		case c == ':', c == '@', c == '<', c == '[', c == ']', c == '\\', c == '%', c == '&':
			t[c] = signByte
		}
	}
	return t
}

// scanWords looks at each byte of a text once, 64 at a time, as simdjson does (Langdale and Lemire, VLDB Journal 2019): a mask
// has a bit for each byte that is of a class, and the edges in it are where runs begin and end. A word is a run of letters,
// figures and underscores; what is looked up is its shape and then its hash, so that words that give no reason for anything
// cost next to nothing.
func scanWords(src string) *scan {
	s := &scan{}
	word, blob := -1, -1 // where the run begins that goes on, if one does
	var before masks
	for base := 0; base <= len(src); base += blockSize { // one more where the text ends with a block, to end its runs
		m := masksOf(block(src, base))
		for edges := m.word ^ (m.word<<1 | before.word>>63); edges != 0; edges &= edges - 1 {
			at := base + bits.TrailingZeros64(edges)
			if word < 0 {
				word = at
				continue
			}
			if w := src[word:at]; shapes.has(w) && bloom.has(w) {
				s.word(src, text.Span{Start: word, End: at})
			}
			word = -1
		}
		for edges := m.blob ^ (m.blob<<1 | before.blob>>63); edges != 0; edges &= edges - 1 {
			at := base + bits.TrailingZeros64(edges)
			if blob < 0 {
				blob = at
				continue
			}
			if at-blob >= leastToken {
				s.run(src, text.Span{Start: blob, End: at})
			}
			blob = -1
		}
		for signs := m.sign; signs != 0; signs &= signs - 1 {
			s.sign(src, base+bits.TrailingZeros64(signs))
		}
		before = m
	}
	return s
}

const blockSize = 64

// block returns a block of a text, filled up with zeros at the end.
func block(src string, base int) string {
	if base+blockSize <= len(src) {
		return src[base : base+blockSize]
	}
	var last [blockSize]byte
	copy(last[:], src[base:])
	return string(last[:])
}

// masks have a bit for each byte of a block.
type masks struct{ word, blob, sign uint64 }

func masksOf(block string) (m masks) {
	const (
		ones   = 0x0101010101010101
		gather = 0x0102040810204080 // brings the lowest bit of each byte into the highest byte
	)
	for i := 0; i < blockSize; i += 8 {
		b := block[i : i+8]
		c := uint64(classes[b[0]]) | uint64(classes[b[1]])<<8 | uint64(classes[b[2]])<<16 | uint64(classes[b[3]])<<24 |
			uint64(classes[b[4]])<<32 | uint64(classes[b[5]])<<40 | uint64(classes[b[6]])<<48 | uint64(classes[b[7]])<<56
		m.word |= c & ones * gather >> 56 << i
		m.blob |= c >> 1 & ones * gather >> 56 << i
		m.sign |= c >> 2 & ones * gather >> 56 << i
	}
	return m
}

const (
	hashStart  uint32 = 2166136261
	hashFactor uint32 = 16777619
)

// bloom has the bit of every hash of words, in any letter case.
var bloom = makeBloom()

type hashes [1024]uint32

func makeBloom() (t hashes) {
	for w := range words {
		i, bit := t.place(w)
		t[i] |= bit
	}
	return t
}

func (t *hashes) has(w string) bool {
	i, bit := t.place(w)
	return t[i]&bit != 0
}

func (t *hashes) place(w string) (i, bit uint32) {
	hash := hashStart
	for i := range len(w) {
		hash = (hash ^ uint32(w[i]|0x20)) * hashFactor
	}
	return hash >> 22, 1 << (hash >> 17 & 31)
}

// shapes spares most words their hash: by the first two letters of words it has their last letters and their lengths.
var shapes = makeShapes()

type shape struct{ lasts, lengths uint32 }

type shapeTable [32 * 32]shape

func makeShapes() (t shapeTable) {
	for w := range words {
		s := t.of(w)
		s.lasts |= 1 << (w[len(w)-1] & 31)
		s.lengths |= 1 << (len(w) & 31)
	}
	return t
}

// of returns the entry of a word. Five bits of a letter are the same in both cases.
func (t *shapeTable) of(w string) *shape {
	return &t[int(w[0]&31)<<5|int(w[min(1, len(w)-1)]&31)]
}

func (t *shapeTable) has(w string) bool {
	s := t.of(w)
	return s.lasts>>(w[len(w)-1]&31)&(s.lengths>>(len(w)&31))&1 != 0
}

func (s *scan) word(src string, at text.Span) {
	if at.Len() > longestWord || len(s.marks) >= mostMarks {
		return
	}
	if what := reasons(src, at.Start, at.End); what != 0 {
		s.marks = append(s.marks, mark{what, at})
	}
}

const longestWord = 32

// run notes a run of the characters of base64.
func (s *scan) run(src string, at text.Span) {
	if at.Len() >= leastBlob && len(s.blobs) < mostMarks {
		s.blobs = append(s.blobs, at)
	}
	kinds := byte(0)
	for i := at.Start; i < at.End; i++ {
		kinds |= classes[src[i]]
	}
	if kinds&letterByte != 0 && kinds&figureByte != 0 && len(s.tokens) < mostMarks {
		s.tokens = append(s.tokens, at)
	}
}

func (s *scan) sign(src string, i int) {
	switch src[i] {
	case '@':
		s.ats = true
	case '<':
		s.notes = s.notes || strings.HasPrefix(src[i:], "<!--")
		s.veiled = s.veiled || hides(src[i:])
		s.links = s.links || strings.HasPrefix(src[i:], "<img")
	case '[':
		s.notes = s.notes || strings.HasPrefix(src[i:], "[//]:") || strings.HasPrefix(src[i:], "[comment]:")
	case '\\', '%', '&':
		s.coded(src, i)
	case ']':
		s.links = s.links || strings.HasPrefix(src[i:], "](http")
	default:
		if len(s.pairs) < mostMarks && namesSecret(src, i) {
			s.pairs = append(s.pairs, i)
		}
	}
}

// codeRun is a run of characters that are written as codes.
type codeRun struct{ start, end, n int }

// coded notes a character that is written as a code.
func (s *scan) coded(src string, i int) {
	length := 0
	switch rest := src[i:]; {
	case strings.HasPrefix(rest, `\x`):
		length = len(`\x41`)
	case strings.HasPrefix(rest, `\u00`):
		length = len(`\u0041`)
	case rest[0] == '%' && len(rest) > 2 && isHex(rest[1]) && isHex(rest[2]):
		length = len("%41")
	case strings.HasPrefix(rest, "&#"):
		length = strings.IndexByte(rest[:min(len(rest), len("&#x41;"))], ';') + 1
	}
	switch {
	case length == 0:
		return
	case i == s.code.end:
		s.code.n++
	default:
		s.code = codeRun{start: i, n: 1}
	}
	s.code.end = i + length
	if s.code.n == leastCoded {
		s.codes = append(s.codes, s.code.start)
	}
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// hides reports whether a tag may be that of an element that is not shown.
func hides(tag string) bool {
	end := strings.IndexByte(tag[:min(len(tag), mostTag)], '>')
	return end > 0 && (strings.Contains(tag[:end], "style") || strings.Contains(tag[:end], " hidden") || strings.Contains(tag[:end], "color"))
}

// mostTag is how much of a tag is looked at.
const mostTag = 400

// namesSecret reports whether what stands before "=" or ":" may be the name of a credential, and what stands behind it a value.
func namesSecret(src string, i int) bool {
	end := i
	if end > 0 && src[end-1] == ' ' {
		end--
	}
	if end > 0 && (src[end-1] == '"' || src[end-1] == '\'') {
		end--
	}
	if end < 3 || classes[src[end-1]]&letterByte == 0 {
		return false
	}
	rest := strings.TrimLeft(src[i+1:min(i+4, len(src))], " ")
	if rest == "" || src[i] == ':' && rest[0] != '"' && rest[0] != '\'' {
		return false
	}
	tail := strings.ToLower(src[max(0, end-10):end])
	for _, name := range secretEnds[tail[len(tail)-1]&31] {
		if strings.HasSuffix(tail, name) {
			return true
		}
	}
	return false
}

// secretEnds are the ends of names of credentials, by their last letter.
var secretEnds = [32][]string{
	'y' & 31: {"key"}, 'n' & 31: {"token"}, 't' & 31: {"secret"}, 'd' & 31: {"password", "passwd", "pwd"}, 'e' & 31: {"passphrase"},
	's' & 31: {"credentials"}, 'r' & 31: {"bearer"},
}
