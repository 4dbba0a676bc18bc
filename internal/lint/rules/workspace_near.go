package rules

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var nearDuplicate = &lint.Rule{
	Name: "workspace/near-duplicate", Severity: lint.Hint, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "Two skills with different names have nearly the same description.",
		Why: "A model that reads both cannot tell which to take; 86 % of the wrong choices in the largest study fall between similar skills (arXiv 2605.16508). Compared are runs of three words; 80 % shared is the least. " +
			"Of 18 such pairs in one repository each half were real trouble and half families, which differ in a word that their names differ in too: those are passed over.",
		Bad: "-- skills/demo/SKILL.md --\n---\nname: demo\ndescription: Renames photos by the date they were taken and sorts them into folders by year. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n" +
			"-- skills/sort/SKILL.md --\n---\nname: sort\ndescription: Renames photos by the date they were taken and sorts them into folders by year. Use when photos have camera names again.\n---\n\n# Steps\n\nSort.\n",
		Good: "-- skills/demo/SKILL.md --\n" + demoSkill +
			"-- skills/sort/SKILL.md --\n---\nname: sort\ndescription: Sorts photos into folders by year. Use when photos are unsorted.\n---\n\n# Steps\n\nSort.\n",
	},
	Run: func(p *lint.Pass) {
		all := shingled(p.View.Skills())
		for _, pair := range nearPairs(all) {
			a, b := pair[0], pair[1]
			if a.skill.Name() == b.skill.Name() || family(a, b) {
				continue
			}
			f := b.skill.Front.Field("description")
			p.Report(lint.Finding{
				File: b.skill.Doc.Path, Span: f.Key,
				Message: fmt.Sprintf("the description is nearly that of %s: a model cannot tell the two apart", a.skill.Doc.Path),
				Help:    "say in each when not the other is meant, or make them one skill",
				Related: []lint.Related{{File: a.skill.Doc.Path, Span: descriptionSpan(a.skill), Message: "the other description"}},
			})
		}
	},
}

// leastShared is the share of common runs of words from which on two descriptions are nearly the same: the size of
// the intersection by that of the union (Jaccard).
const leastShared = 0.8

// runLength is how many words a run has.
const runLength = 3

// runOfWords is a run of words: its hash, and about how many descriptions hold it.
type runOfWords struct {
	count uint16
	hash  uint64
}

func (r runOfWords) compare(o runOfWords) int {
	return cmp.Or(cmp.Compare(r.count, o.count), cmp.Compare(r.hash, o.hash))
}

// shingles is a description as the set of its runs of words, the rare ones first.
type shingles struct {
	skill *skills.Skill
	words []string
	runs  []runOfWords
}

// counts tells how often runs occur, at least: those whose hashes end alike share a place.
type counts [1 << 18]uint16

func (c *counts) of(hash uint64) *uint16 { return &c[hash%uint64(len(c))] }

// shingled returns the descriptions that have runs enough to be compared.
func shingled(all []*skills.Skill) []*shingles {
	var out []*shingles
	often, seed := new(counts), maphash.MakeSeed()
	for _, s := range all {
		f := s.Front.Field("description")
		if f == nil || s.Err != nil {
			continue
		}
		x := &shingles{skill: s, words: wordsOf(f.Text)}
		if x.hash(seed); len(x.runs) <= runLength {
			continue
		}
		out = append(out, x)
		for _, r := range x.runs {
			if n := often.of(r.hash); *n < math.MaxUint16 {
				*n++
			}
		}
	}
	for _, x := range out {
		for i := range x.runs {
			x.runs[i].count = *often.of(x.runs[i].hash)
		}
		slices.SortFunc(x.runs, runOfWords.compare)
	}
	return out
}

// hash fills in the runs, each once.
func (x *shingles) hash(seed maphash.Seed) {
	const odd = 0x9E3779B97F4A7C15 // mixes the order of the words in
	var last [runLength]uint64
	for i, w := range x.words {
		last = [runLength]uint64{last[1], last[2], maphash.String(seed, w)}
		if i+1 >= runLength {
			x.runs = append(x.runs, runOfWords{hash: (last[0]*odd+last[1])*odd + last[2]})
		}
	}
	slices.SortFunc(x.runs, runOfWords.compare)
	x.runs = slices.Compact(x.runs)
}

// nearPairs returns the pairs that share enough runs. Two sets that do share one of their rarest runs, so only
// skills that meet there are compared (prefix filtering: Chaudhuri, Ganti and Kaushik, ICDE 2006).
func nearPairs(all []*shingles) [][2]*shingles {
	var out [][2]*shingles
	index := map[uint64][]*shingles{}
	for _, b := range all {
		var met []*shingles
		for _, r := range b.runs[:len(b.runs)-int(math.Ceil(leastShared*float64(len(b.runs))))+1] {
			for _, a := range index[r.hash] {
				if slices.Contains(met, a) {
					continue
				}
				met = append(met, a)
				if similarSize(a, b) && shared(a.runs, b.runs) >= leastShared {
					out = append(out, [2]*shingles{a, b})
				}
			}
			index[r.hash] = append(index[r.hash], b)
		}
	}
	return out
}

// similarSize reports whether two sets can share enough at all.
func similarSize(a, b *shingles) bool {
	few, many := min(len(a.runs), len(b.runs)), max(len(a.runs), len(b.runs))
	return float64(few) >= leastShared*float64(many)
}

// shared returns the Jaccard similarity of two sets in the same order.
func shared(a, b []runOfWords) float64 {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch order := a[i].compare(b[j]); {
		case order < 0:
			i++
		case order > 0:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// family reports whether two descriptions differ in nothing but words in which the names differ too, such as
// go and java in pay-go and pay-java.
func family(a, b *shingles) bool {
	only := func(x, y *shingles) bool {
		name, other := wordsOf(x.skill.Name()), wordsOf(y.skill.Name())
		own := 0
		for _, w := range x.words {
			if slices.Contains(y.words, w) {
				continue
			}
			if !slices.Contains(name, w) || slices.Contains(other, w) {
				return false
			}
			own++
		}
		return own > 0 || len(name) != len(other)
	}
	return only(a, b) && only(b, a)
}
