package route

import (
	"cmp"
	"maps"
	"slices"
)

// builder gathers the counts of skills before their weights are known, which depend on all skills.
type builder struct {
	x       *Index
	stems   *stemmer
	counts  []map[string]int
	lengths []float64
	grams   [][]countedGram
	quoted  [][]string // terms of each phrase
}

func newBuilder(skills []Skill) *builder {
	n := len(skills)
	return &builder{
		x: &Index{
			skills: slices.Clone(skills), order: make([]int, n),
			terms: map[string][]posting{}, grams: map[gram][]posting{}, phrases: map[string][]int{},
		},
		stems: newStemmer(), counts: make([]map[string]int, n), lengths: make([]float64, n), grams: make([][]countedGram, n),
	}
}

func (b *builder) add(i int, s Skill) {
	text := claims(s.Description)
	b.counts[i], b.grams[i] = map[string]int{}, gramsOf(s.Name+"\n"+text)
	b.count(i, s.Name, nameWeight)
	b.count(i, text, 1)
	for _, p := range phrases(text) {
		b.quote(i, termsOf(p, b.stems))
	}
}

func (b *builder) count(i int, text string, times int) {
	for _, t := range termsOf(text, b.stems) {
		b.counts[i][t.key] += times
		b.lengths[i] += float64(times)
	}
}

func (b *builder) quote(skill int, terms []term) {
	if len(terms) == 0 {
		return
	}
	keys := map[string]bool{}
	for _, t := range terms {
		keys[t.key] = true
	}
	b.quoted = append(b.quoted, slices.Sorted(maps.Keys(keys)))
	b.x.quoted = append(b.x.quoted, phrase{skill: skill})
}

func (b *builder) finish() *Index {
	b.rank()
	mean := 0.0
	for _, n := range b.lengths {
		mean += n / float64(len(b.lengths))
	}
	for i, counts := range b.counts {
		b.addTerms(i, counts, mean)
	}
	b.addGrams()
	for i, keys := range b.quoted {
		b.addPhrase(i, keys)
	}
	return b.x
}

// rank notes each skill's place by name and ID.
func (b *builder) rank() {
	by := make([]int, len(b.x.skills))
	for i := range by {
		by[i] = i
	}
	slices.SortStableFunc(by, func(i, j int) int {
		s, t := b.x.skills[i], b.x.skills[j]
		return cmp.Or(cmp.Compare(s.Name, t.Name), cmp.Compare(s.ID, t.ID))
	})
	for place, i := range by {
		b.x.order[i] = place
	}
}

func (b *builder) addTerms(i int, counts map[string]int, mean float64) {
	pay := saturation * (1 - lengths + lengths*share(b.lengths[i], mean))
	for key, n := range counts {
		tf := float64(n)
		weight := tf * (saturation + 1) / (tf + pay)
		b.x.terms[key] = append(b.x.terms[key], posting{int32(i), float32(weight)})
	}
}

// addGrams gives each skill's grams the length 1 together.
func (b *builder) addGrams() {
	having := map[gram]int{}
	for _, grams := range b.grams {
		for _, g := range grams {
			having[g.gram]++
		}
	}
	for i, grams := range b.grams {
		weights, length := b.x.gramWeights(grams, func(g gram) int { return having[g] })
		for j, g := range grams {
			b.x.grams[g.gram] = append(b.x.grams[g.gram], posting{int32(i), float32(weights[j] / length)})
		}
	}
}

func (b *builder) addPhrase(i int, keys []string) {
	for _, key := range keys {
		b.x.quoted[i].weight += b.x.idf(len(b.x.terms[key]))
		b.x.phrases[key] = append(b.x.phrases[key], i)
	}
}
