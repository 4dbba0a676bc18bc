package route

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// vectorWeight is what the likeness of meanings counts beside words: as much as that of spelling.
const vectorWeight = 0.4

// Bounds of a file with vectors.
const (
	mostDimensions = 4096
	longestLine    = 1 << 20
	longestPiece   = 4 // characters of a word in a script without spaces
)

// vectors are those of the words that skills and queries have.
type vectors struct {
	words  map[string][]float32
	skills [][]float64 // of each skill, of the length 1; nil without a word that has one
}

// Coverage tells how much of the skills and queries a file with vectors knows.
type Coverage struct {
	Dimensions int
	Words      int // of the skills and queries, in scripts with spaces
	Known      int // of those
	Pieces     int // words that are found in texts without spaces
}

// Embed reads word vectors in the text form of word2vec, GloVe and fastText, and lets rankings count how near a query and a
// skill are by the cosine of their mean vectors, rare words counting more. Only vectors of words of the skills and queries
// are kept, whatever the size of the file. An error names the line.
func (x *Index) Embed(r io.Reader, queries []string) (*Coverage, error) {
	wanted := map[string]bool{}
	for _, s := range x.skills {
		want(wanted, s.Name+"\n"+claims(s.Description))
	}
	for _, q := range queries {
		want(wanted, q)
	}
	v := &vectors{words: map[string][]float32{}}
	dimensions, err := v.read(r, wanted)
	if err != nil {
		return nil, err
	}
	x.vectors = v
	for _, s := range x.skills {
		v.skills = append(v.skills, x.mean(s.Name+"\n"+claims(s.Description)))
	}
	c := &Coverage{Dimensions: dimensions}
	for w := range wanted {
		known := v.words[w] != nil
		switch piece := isPiece(w); {
		case piece && known:
			c.Pieces++
		case !piece && known:
			c.Known++
			fallthrough
		case !piece:
			c.Words++
		}
	}
	return c, nil
}

// isPiece reports a part of a text without spaces, which may be no word.
func isPiece(w string) bool { return isUnspaced([]rune(w)[0]) }

// want notes the words of a text, and what could be one where there are no spaces.
func want(wanted map[string]bool, text string) {
	s := scanner{text: []rune(norm.NFKC.String(text))}
	for w := s.next(); w != nil; w = s.next() {
		if !isUnspaced(w[0]) {
			wanted[lower(w)] = true
			continue
		}
		for i := range w {
			for n := 1; n <= min(longestPiece, len(w)-i); n++ {
				wanted[string(w[i:i+n])] = true
			}
		}
	}
}

// read reads the vectors of words that are wanted. Before the first there may be a line with their number and length.
func (v *vectors) read(r io.Reader, wanted map[string]bool) (dimensions int, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	n, checked := 0, false // whether the first line with a vector is one
	for lines.Scan() {
		n++
		line := strings.TrimRight(lines.Text(), " \t\r")
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
			if strings.HasPrefix(line, "\x1f\x8b") || strings.HasPrefix(line, "PK\x03\x04") {
				return 0, errors.New("line 1: the file is compressed; unpack it first")
			}
		}
		if dimensions == 0 {
			if _, length, ok := strings.Cut(line, " "); ok && isCount(strings.Replace(line, " ", "", 1)) {
				if dimensions, _ = strconv.Atoi(length); dimensions < 1 || dimensions > mostDimensions {
					return 0, fmt.Errorf("line %d: the vectors have %s numbers; between 1 and %d can be read", n, length, mostDimensions)
				}
				continue
			}
		}
		if line == "" {
			continue
		}
		if dimensions == 0 {
			dimensions = strings.Count(line, " ")
		}
		if word, _, _ := strings.Cut(line, " "); checked && strings.Count(line, " ") == dimensions && !wanted[normal(word)] {
			continue // as most are
		}
		word, numbers, ok := cutVector(line, dimensions)
		if !ok {
			return 0, fmt.Errorf("line %d: %s: write a word and %s behind it, as word2vec, GloVe and fastText do in their text form", n, beginning(line), numberWords(dimensions))
		}
		checked = true
		if word = normal(word); !wanted[word] || v.words[word] != nil {
			continue
		}
		if v.words[word], err = parseVector(numbers); err != nil {
			return 0, fmt.Errorf("line %d: the vector of %q: %w", n, word, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return 0, fmt.Errorf("line %d: is longer than a megabyte: this is no file with vectors as text", n+1)
	case err != nil:
		return 0, err
	case dimensions == 0:
		return 0, errors.New("line 1: there are no vectors; write a word and its numbers in each line")
	}
	return dimensions, nil
}

func isCount(s string) bool { return strings.Trim(s, "0123456789") == "" }

// cutVector cuts a line into its word, which may hold blanks, and its numbers.
func cutVector(line string, dimensions int) (word string, numbers []string, ok bool) {
	fields := strings.Split(line, " ")
	at := len(fields) - dimensions
	if dimensions < 1 || dimensions > mostDimensions || at < 1 {
		return "", nil, false
	}
	if _, err := strconv.ParseFloat(fields[at], 32); err != nil {
		return "", nil, false
	}
	if at > 1 { // more numbers than there should be, or a word with blanks
		if _, err := strconv.ParseFloat(fields[at-1], 32); err == nil {
			return "", nil, false
		}
	}
	return strings.Join(fields[:at], " "), fields[at:], true
}

// beginning is what a faulty line begins with.
func beginning(line string) string {
	runes := []rune(line)
	if len(runes) > 40 {
		return strconv.Quote(string(runes[:40])) + "…"
	}
	return strconv.Quote(line)
}

func numberWords(n int) string {
	if n < 2 {
		return "its numbers"
	}
	return fmt.Sprintf("%d numbers, as many as before,", n)
}

// normal is a word as texts have it.
func normal(word string) string { return lower([]rune(norm.NFKC.String(word))) }

func parseVector(numbers []string) ([]float32, error) {
	out := make([]float32, len(numbers))
	for i, s := range numbers {
		f, err := strconv.ParseFloat(s, 32)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("%q is no number", s)
		}
		out[i] = float32(f)
	}
	return out, nil
}

// mean is the mean of the vectors of a text's words, by their weights, made 1 long; nil when none of them has one.
func (x *Index) mean(text string) []float64 {
	var sum []float64
	add := func(word string, idf float64) {
		vector := x.vectors.words[word]
		if vector == nil {
			return
		}
		if sum == nil {
			sum = make([]float64, len(vector))
		}
		for i, f := range vector {
			sum[i] += float64(idf * float64(f))
		}
	}
	stems := newStemmer()
	s := scanner{text: []rune(norm.NFKC.String(text))}
	for w := s.next(); w != nil; w = s.next() {
		if isUnspaced(w[0]) {
			for _, piece := range x.vectors.pieces(w) {
				add(piece, 1)
			}
		} else if word := lower(w); !functionWords[word] {
			add(word, x.idf(len(x.terms[stems.stem(word)])))
		}
	}
	return unit(sum)
}

// pieces cuts a text without spaces into the longest words that have a vector.
func (v *vectors) pieces(w []rune) []string {
	var out []string
	for i := 0; i < len(w); {
		n := min(longestPiece, len(w)-i)
		for n > 1 && v.words[string(w[i:i+n])] == nil {
			n--
		}
		out = append(out, string(w[i:i+n]))
		i += n
	}
	return out
}

func unit(v []float64) []float64 {
	length := math.Sqrt(dot(v, v))
	if length == 0 {
		return nil
	}
	for i := range v {
		v[i] /= length
	}
	return v
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// addVectors adds how near skills are to a query by their meaning. What points elsewhere counts nothing.
func (x *Index) addVectors(query string, scores []float64) {
	if x.vectors == nil {
		return
	}
	q := x.mean(query)
	for i, s := range x.vectors.skills {
		if q != nil && s != nil {
			scores[i] += float64(vectorWeight * max(dot(q, s), 0))
		}
	}
}
