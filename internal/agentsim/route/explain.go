package route

import (
	"cmp"
	"slices"
)

// Word is one word, or pair of words, that a query and a skill share.
type Word struct {
	Text  string  // as it stands in the query, in lower case
	Share float64 // of the query's weight
}

// Words returns what a query and a skill of a ranking share, the weightiest first.
func (x *Index) Words(query string, h Hit) []Word {
	q := x.parse(query)
	var out []Word
	for _, t := range q.terms {
		if w := x.found(t.key, h.at); w > 0 {
			out = append(out, Word{t.word, round(share(x.weight(t)*w, q.weight))})
		}
	}
	slices.SortStableFunc(out, func(a, b Word) int { return cmp.Compare(b.Share, a.Share) })
	return out
}

// found returns the weight of a term in a skill, 0 when it is not there.
func (x *Index) found(key string, skill int) float64 {
	list := x.terms[key]
	i, ok := slices.BinarySearchFunc(list, skill, func(p posting, at int) int { return int(p.skill) - at })
	if !ok {
		return 0
	}
	return float64(list[i].weight)
}

// Unknown returns the words of a query that no skill has, in its order. Pairs and function words do not count.
func (x *Index) Unknown(query string) []string {
	var out []string
	for _, t := range x.parse(query).terms {
		if !t.pair && len(x.terms[t.key]) == 0 {
			out = append(out, t.word)
		}
	}
	return out
}
