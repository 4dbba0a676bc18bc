package rules

import (
	"cmp"
	"fmt"
	"hash/fnv"
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

// shingles is a description as the set of its runs of words, as hashes: the rare ones first.
type shingles struct {
	skill *skills.Skill
	words []string
	runs  []uint64
}

// shingled returns the descriptions that have runs enough to be compared.
func shingled(all []*skills.Skill) []*shingles {
	var out []*shingles
	count := map[uint64]int{}
	for _, s := range all {
		f := s.Front.Field("description")
		if f == nil || s.Err != nil {
			continue
		}
		x := &shingles{skill: s, words: wordsOf(f.Text)}
		x.hash()
		for _, run := range x.runs {
			count[run]++
		}
		if len(x.runs) > runLength {
			out = append(out, x)
		}
	}
	for _, x := range out {
		slices.SortFunc(x.runs, func(a, b uint64) int { return cmp.Or(cmp.Compare(count[a], count[b]), cmp.Compare(a, b)) })
	}
	return out
}

// hash fills in the runs, each once.
func (x *shingles) hash() {
	seen := map[uint64]bool{}
	for i := 0; i+runLength <= len(x.words); i++ {
		h := fnv.New64a()
		for _, w := range x.words[i : i+runLength] {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
		if sum := h.Sum64(); !seen[sum] {
			seen[sum] = true
			x.runs = append(x.runs, sum)
		}
	}
}

// nearPairs returns the pairs that share enough runs. Two sets that do share one of their rarest runs, so only
// skills that meet there are compared (prefix filtering: Chaudhuri, Ganti and Kaushik, ICDE 2006).
func nearPairs(all []*shingles) [][2]*shingles {
	var out [][2]*shingles
	index := map[uint64][]*shingles{}
	for _, b := range all {
		met := map[*shingles]bool{}
		prefix := b.runs[:len(b.runs)-int(leastShared*float64(len(b.runs)))]
		for _, run := range prefix {
			for _, a := range index[run] {
				if !met[a] && shared(a.runs, b.runs) >= leastShared {
					out = append(out, [2]*shingles{a, b})
				}
				met[a] = true
			}
			index[run] = append(index[run], b)
		}
	}
	return out
}

// shared returns the Jaccard similarity of two sets.
func shared(a, b []uint64) float64 {
	in := make(map[uint64]bool, len(a))
	for _, x := range a {
		in[x] = true
	}
	common := 0
	for _, x := range b {
		if in[x] {
			common++
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
