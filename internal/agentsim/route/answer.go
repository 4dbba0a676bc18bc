package route

import (
	"cmp"
	"slices"
)

// Query is what a user might say.
type Query struct {
	Text  string
	Skill string // ID or a name of the skill it is about; "" when only the ranking is asked for
	// Trigger says whether that skill should be picked, or should not although the query is close to it.
	Trigger bool
	Place   string // where it stands in its file, such as "case 3"
}

// Answer is what the ranking says to one query.
type Answer struct {
	Query
	Ranking []Hit    // all skills
	Words   []Word   // that the first skill shares with the query
	Unknown []string // words of the query that no skill has
	Rank    int      // of the expected skill, from 1; 0 when there is none
	// Margin is the score of the expected skill less that of the best other one: below 0 it loses. Without an
	// expected skill it is what the first leads by.
	Margin float64
}

// Collision is a skill that takes queries of another one.
type Collision struct {
	Skill   string   // ID of the one expected
	Winner  string   // ID of the one ranked first
	Queries []string // taken
	Words   []string // that the winner shares with them, the most frequent first
}

// Report is what came of a set of queries.
type Report struct {
	Answers []Answer
	// Top1 and Top3 are the shares of the queries that should trigger whose skill is ranked first, and among the
	// first three. MRR is their mean reciprocal rank. All are 0 when there are no such queries.
	Top1, Top3, MRR float64
	Positives       int
	Negatives       int // queries that should not trigger their skill
	Danger          int // of those, how many rank it first
	Collisions      []Collision
}

// Run ranks the skills for each query.
func (x *Index) Run(queries []Query) *Report {
	r := &Report{}
	for _, q := range queries {
		a := x.answer(q)
		r.Answers = append(r.Answers, a)
		r.count(a)
	}
	if n := float64(r.Positives); n > 0 {
		r.Top1, r.Top3, r.MRR = round(r.Top1/n), round(r.Top3/n), round(r.MRR/n)
	}
	r.Collisions = x.collisions(r.Answers)
	return r
}

func (r *Report) count(a Answer) {
	switch {
	case a.Skill == "":
	case !a.Trigger:
		r.Negatives++
		if a.Rank == 1 {
			r.Danger++
		}
	default:
		r.Positives++
		if a.Rank == 0 {
			return
		}
		r.MRR += 1 / float64(a.Rank)
		if a.Rank == 1 {
			r.Top1++
		}
		if a.Rank <= 3 {
			r.Top3++
		}
	}
}

func (x *Index) answer(q Query) Answer {
	a := Answer{Query: q, Ranking: x.Rank(q.Text), Unknown: x.Unknown(q.Text)}
	if len(a.Ranking) == 0 {
		return a
	}
	a.Words = x.Words(q.Text, a.Ranking[0])
	own := 0
	if q.Skill != "" {
		own = slices.IndexFunc(a.Ranking, func(h Hit) bool { return h.Skill.is(q.Skill) })
		if own < 0 {
			return a
		}
		a.Rank = own + 1
	}
	a.Margin = margin(a.Ranking, own)
	return a
}

// is reports whether a skill goes by a name.
func (s *Skill) is(name string) bool {
	return s.ID == name || s.Name == name || slices.Contains(s.Known, name)
}

// margin is the lead of one hit over the best other.
func margin(ranking []Hit, own int) float64 {
	for i, h := range ranking {
		if i != own {
			return round(ranking[own].Score - h.Score)
		}
	}
	return ranking[own].Score
}

// collisions gathers the positive queries that another skill wins, the most frequent pairs first.
func (x *Index) collisions(answers []Answer) []Collision {
	var out []Collision
	words := map[int]map[string]int{}
	for _, a := range answers {
		if a.Skill == "" || !a.Trigger || a.Rank <= 1 || a.Ranking[0].Score == 0 {
			continue
		}
		skill, winner := a.Ranking[a.Rank-1].Skill.ID, a.Ranking[0].Skill.ID
		i := slices.IndexFunc(out, func(c Collision) bool { return c.Skill == skill && c.Winner == winner })
		if i < 0 {
			i = len(out)
			out, words[i] = append(out, Collision{Skill: skill, Winner: winner}), map[string]int{}
		}
		out[i].Queries = append(out[i].Queries, a.Text)
		for _, w := range a.Words {
			words[i][w.Text]++
		}
	}
	for i := range out {
		out[i].Words = frequent(words[i])
	}
	slices.SortStableFunc(out, func(a, b Collision) int { return len(b.Queries) - len(a.Queries) })
	return out
}

// shownWords is how many words of a collision are told.
const shownWords = 5

func frequent(counts map[string]int) []string {
	all := make([]string, 0, len(counts))
	for w := range counts {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
	return all[:min(len(all), shownWords)]
}
