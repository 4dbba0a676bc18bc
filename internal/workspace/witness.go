package workspace

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/skill-ls/skill-ls/internal/cache"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// question is something that rules asked while they looked at a skill, and the answer: a hash, or what it says itself. Its
// kind is that of a query to the tree of files, or one of those below.
type question struct {
	skills.Query
	Answer string
}

// The kinds of questions about the rest of a snapshot.
const (
	askSkills  = "skills"
	askConfigs = "configs"
	askOffers  = "offers"
	askEnv     = "env" // of the variable that Path names
)

// witness answers questions about a snapshot.
type witness struct {
	s *Snapshot
	// Many skills ask these, so they are worked out once.
	skills, configs, offers func() string
}

func newWitness(s *Snapshot) *witness {
	w := &witness{s: s}
	w.skills, w.configs, w.offers = sync.OnceValue(w.allSkills), sync.OnceValue(w.allConfigs), sync.OnceValue(w.allOffers)
	return w
}

// answer answers a query; false when there is no such kind, as in a record that another form of the program has made.
func (w *witness) answer(q skills.Query) (string, bool) {
	switch q.Kind {
	case askSkills:
		return w.skills(), true
	case askConfigs:
		return w.configs(), true
	case askOffers:
		return w.offers(), true
	case askEnv:
		return strconv.FormatBool(w.s.HasEnv(q.Path)), true
	}
	return w.s.tree.Answer(q)
}

func (w *witness) allSkills() string {
	h := cache.NewHasher("skills")
	for _, s := range w.s.skills {
		h.Add(s.Doc.Path, s.Doc.Abs, s.Doc.Raw)
	}
	return h.Key().String()
}

func (w *witness) allConfigs() string {
	h := cache.NewHasher("configs")
	for _, f := range w.s.mcp {
		h.Add(f.Doc.Path, f.Doc.Abs, f.Doc.Raw, fmt.Sprint(f.Place))
	}
	return h.Key().String()
}

// allOffers names what offers are made of: configurations, lock files and saved answers.
func (w *witness) allOffers() string {
	h := cache.NewHasher("offers")
	h.Add(w.configs())
	for _, o := range w.s.offers {
		if o.Lock != nil {
			h.Add("lock", o.Lock.Path, o.Lock.Raw)
		}
		for i := range o.Servers {
			h.Add("server", o.Servers[i].Name)
			if d := o.Servers[i].Doc; d != nil {
				h.Add("saved", d.Path, d.Raw)
			}
		}
	}
	return h.Key().String()
}

// testimony is what rules see while they look at one skill, with a note of what they asked. It embeds no view: whatever
// rules may ask has to have its note.
type testimony struct {
	witness *witness
	skill   *skills.Skill
	tree    *skills.Tree
	notes   map[skills.Query]string
	kept    []*skills.Document
	unknown bool // something was asked whose answer is not noted
}

// testimony returns what rules see while they look at a skill, one after the other.
func (w *witness) testimony(skill *skills.Skill) *testimony {
	t := &testimony{witness: w, skill: skill, notes: map[skills.Query]string{}}
	t.tree = w.s.tree.Witnessed(t)
	return t
}

// Asked implements skills.Witness.
func (t *testimony) Asked(q skills.Query, answer string) { t.notes[q] = answer }

// Kept implements skills.Witness.
func (t *testimony) Kept(d *skills.Document) { t.kept = append(t.kept, d) }

// questions returns what was asked, sorted.
func (t *testimony) questions() []question {
	out := make([]question, 0, len(t.notes))
	for q, answer := range t.notes {
		out = append(out, question{q, answer})
	}
	slices.SortFunc(out, func(a, b question) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Path, b.Path), cmp.Compare(a.From, b.From), cmp.Compare(a.Most, b.Most))
	})
	return out
}

// Tree implements lint.View.
func (t *testimony) Tree() *skills.Tree { return t.tree }

// Skills implements lint.View.
func (t *testimony) Skills() []*skills.Skill {
	t.ask(skills.Query{Kind: askSkills})
	return t.witness.s.Skills()
}

// Configs implements lint.View.
func (t *testimony) Configs() []*mcpconfig.File {
	t.ask(skills.Query{Kind: askConfigs})
	return t.witness.s.Configs()
}

// Offers implements lint.View.
func (t *testimony) Offers() []*lint.Offers {
	t.ask(skills.Query{Kind: askOffers})
	return t.witness.s.Offers()
}

// HasEnv implements lint.View.
func (t *testimony) HasEnv(name string) bool {
	t.ask(skills.Query{Kind: askEnv, Path: name})
	return t.witness.s.HasEnv(name)
}

// HasProgram implements lint.View. No rule about a skill asks for the programs of a machine, which come and go.
func (t *testimony) HasProgram(command, path string) bool {
	t.unknown = true
	return t.witness.s.HasProgram(command, path)
}

func (t *testimony) ask(q skills.Query) { t.notes[q], _ = t.witness.answer(q) }

// Played implements lint.View. What clients make of the skill itself is in the key of the result.
func (t *testimony) Played(s *skills.Skill) []lint.Played {
	t.unknown = t.unknown || s != t.skill
	return t.witness.s.Played(s)
}

// Listings implements lint.View.
func (t *testimony) Listings() []lint.Listing {
	t.unknown = true
	return t.witness.s.Listings()
}
