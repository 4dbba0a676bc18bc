// Package route ranks skills for a query by the words that a client shows of them: which skill would be picked,
// by how much, and which words decide. It compares words; no model is asked, and what a model picks may differ.
//
// The measure is BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009) over stems, pairs of
// neighbouring stems and, in scripts without spaces, pairs of characters; with it the phrases that a description
// quotes, and the cosine of character n-grams, which bridges spelling, inflection and compounds. A file with word vectors may
// add what words mean.
package route

import (
	"cmp"
	"math"
	"slices"
)

// Weights of the measure. The first two are usual for short texts. The others are round numbers from the middle
// of a wide range in which the order hardly changes.
const (
	saturation = 1.0 // k1 of BM25: how soon a word's repetition stops to count
	lengths    = 0.4 // b of BM25: how much long descriptions pay for their length
	nameWeight = 2   // a word of the name counts as if the description said it so often
	pairWeight = 0.5 // of two neighbouring words, beside one word
	gramWeight = 0.4 // of character n-grams, beside words
)

// Skill is what a client shows of a skill.
type Skill struct {
	ID          string // tells skills of one name apart, such as a path
	Name        string
	Description string
	Known       []string // other names it goes by, such as its folder's
}

// Index holds skills ready to be ranked. It is safe for concurrent use.
type Index struct {
	skills  []Skill
	order   []int // of the skills by name, then ID: the place of each
	terms   map[string][]posting
	grams   map[gram][]posting
	phrases map[string][]int // by term, those that hold it
	quoted  []phrase
	vectors *vectors // nil without Embed
}

// posting says how much a term or gram counts in one skill.
type posting struct {
	skill  int32
	weight float32
}

// phrase is a quoted one.
type phrase struct {
	skill  int
	weight float64 // of all its terms
}

// New indexes skills.
func New(skills []Skill) *Index {
	b := newBuilder(skills)
	for i, s := range skills {
		b.add(i, s)
	}
	return b.finish()
}

// idf is the weight of a term that n skills have: rare ones tell more.
func (x *Index) idf(n int) float64 {
	return math.Log(1 + (float64(len(x.skills)-n)+0.5)/(float64(n)+0.5))
}

func (x *Index) weight(t term) float64 {
	w := x.idf(len(x.terms[t.key]))
	if t.pair {
		return pairWeight * w
	}
	return w
}

// Hit is one skill in a ranking.
type Hit struct {
	Skill Skill
	// Score is about the share of the query, by the weight of its words, that the skill answers: 0 for none. It
	// has four digits, so that equal texts are equal on every machine.
	Score float64

	at int // in the index
}

// Rank orders all skills for a query, the best first; equal ones by name, then ID.
func (x *Index) Rank(query string) []Hit {
	q := x.parse(query)
	scores := make([]float64, len(x.skills))
	x.addTerms(q, scores)
	x.addPhrases(q, scores)
	for i := range scores {
		scores[i] = share(scores[i], q.weight)
	}
	x.addGrams(query, scores)
	x.addVectors(query, scores)
	hits := make([]Hit, len(scores))
	for i, s := range scores {
		hits[x.order[i]] = Hit{x.skills[i], round(s), i}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits
}

// round leaves four digits.
func round(f float64) float64 { return math.Round(f*1e4) / 1e4 }

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// parsedQuery is a query as it is looked up.
type parsedQuery struct {
	terms  []term  // each once
	weight float64 // of all of them
}

func (x *Index) parse(query string) parsedQuery {
	var q parsedQuery
	seen := map[string]bool{}
	for _, t := range termsOf(query, newStemmer()) {
		if !seen[t.key] {
			seen[t.key] = true
			q.terms = append(q.terms, t)
			q.weight += x.weight(t)
		}
	}
	return q
}

func (x *Index) addTerms(q parsedQuery, scores []float64) {
	for _, t := range q.terms {
		w := x.weight(t)
		for _, p := range x.terms[t.key] {
			scores[p.skill] += float64(w * float64(p.weight)) // the conversion keeps processors from fusing the two steps
		}
	}
}

// addPhrases adds, for each skill, the quoted phrase that the query comes closest to.
func (x *Index) addPhrases(q parsedQuery, scores []float64) {
	met := map[int]float64{}
	for _, t := range q.terms {
		w := x.idf(len(x.terms[t.key]))
		for _, p := range x.phrases[t.key] {
			met[p] += w
		}
	}
	best := map[int]float64{}
	for p, w := range met {
		phrase := x.quoted[p]
		best[phrase.skill] = max(best[phrase.skill], share(w*w, phrase.weight))
	}
	for skill, w := range best {
		scores[skill] += w
	}
}

func (x *Index) addGrams(query string, scores []float64) {
	grams := gramsOf(query)
	weights, length := x.gramWeights(grams, func(g gram) int { return len(x.grams[g]) })
	if length == 0 {
		return
	}
	for i, g := range grams {
		w := gramWeight * weights[i] / length
		for _, p := range x.grams[g.gram] {
			scores[p.skill] += float64(w * float64(p.weight))
		}
	}
}

// gramWeights returns the weight of each gram of a text, and the length of all of them as a vector.
func (x *Index) gramWeights(grams []countedGram, having func(gram) int) (weights []float64, length float64) {
	weights = make([]float64, len(grams))
	for i, g := range grams {
		idf := math.Log((float64(len(x.skills)) + 1) / (float64(having(g.gram)) + 0.5))
		weights[i] = (1 + math.Log(float64(g.n))) * idf
		length += float64(weights[i] * weights[i])
	}
	return weights, math.Sqrt(length)
}
