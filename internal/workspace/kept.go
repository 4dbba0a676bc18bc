package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"strconv"
	"sync"

	"github.com/skill-ls/skill-ls/internal/cache"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Kept is what the rules about single skills found in earlier runs. A result holds as long as everything that the rules
// looked at gives the same answer: the skill, what clients make of it, and each question about other files, as it was
// noted when the rules asked. What skills do to each other is always worked out anew.
type Kept struct {
	Store    cache.Store
	Program  string // names the program, see version.Identity
	Registry *lint.Registry

	mu        sync.Mutex
	canonical map[*lint.Settings]string
}

// record is a result as it is kept.
type record struct {
	Asked    []question
	Shown    map[string]string // absolute paths of the other files with findings, by the path they are shown under
	Findings []keptFinding
}

// keptFinding is a finding with its rule by name.
type keptFinding struct {
	lint.Finding
	Rule string
}

// finder returns what finds the faults of a single skill.
func (s *Snapshot) finder(engine *lint.Engine) func(*skills.Skill) []lint.Finding {
	if s.opt.Kept == nil || len(s.probed) > 0 { // the answers of servers are in no file
		return func(skill *skills.Skill) []lint.Finding {
			return engine.Skill(skill, s, s.Settings(skill.Doc.Path))
		}
	}
	w := newWitness(s)
	return func(skill *skills.Skill) []lint.Finding { return s.opt.Kept.find(engine, w, skill) }
}

// find returns the findings on a skill: those that were kept if they still hold.
func (k *Kept) find(engine *lint.Engine, w *witness, skill *skills.Skill) []lint.Finding {
	ctx, set := context.Background(), w.s.Settings(skill.Doc.Path)
	key := k.key(w, skill, set)
	if data, ok := k.Store.Get(ctx, key); ok {
		if found, ok := k.still(w, data); ok {
			return found
		}
	}
	v := w.testimony(skill)
	found := engine.Skill(skill, v, set)
	r := record{Asked: v.questions(), Shown: map[string]string{}}
	for _, d := range v.kept {
		r.Shown[d.Path] = d.Abs
	}
	for _, f := range found {
		r.Findings = append(r.Findings, keptFinding{f, f.Rule.Name})
	}
	if data, err := json.Marshal(r); err == nil && !v.unknown && !bytes.Contains(data, []byte(notUTF8)) {
		k.Store.Put(ctx, key, data)
	}
	return found
}

// notUTF8 is what JSON has for bytes that are no UTF-8, such as in the name of a file: they would not come back.
const notUTF8 = `\ufffd`

// still returns the findings of a record; false when something is not as it was, or the record is none.
func (k *Kept) still(w *witness, data []byte) ([]lint.Finding, bool) {
	var r record
	if json.Unmarshal(data, &r) != nil {
		return nil, false
	}
	for _, q := range r.Asked {
		if now, ok := w.answer(q.Query); !ok || now != q.Answer {
			return nil, false
		}
	}
	found := make([]lint.Finding, 0, len(r.Findings))
	for _, f := range r.Findings {
		f.Finding.Rule = k.Registry.Rule(f.Rule)
		if f.Finding.Rule == nil {
			return nil, false
		}
		found = append(found, f.Finding)
	}
	for shown, abs := range r.Shown {
		d, err := w.s.tree.Document(shown, abs)
		if err != nil {
			return nil, false
		}
		w.s.tree.Keep(d)
	}
	return found, true
}

// key names what a result depends on before any rule has asked for more.
func (k *Kept) key(w *witness, skill *skills.Skill, set *lint.Settings) cache.Key {
	h := cache.NewHasher("skill findings 1")
	h.Add(k.Program, runtime.GOOS, k.text(set), w.s.root, w.s.opt.Base)
	h.Add(skill.Doc.Path, skill.Doc.Abs, skill.Doc.Raw, skill.Dir, skill.Folder, skill.Root, skill.Brand, skill.Parent)
	h.Add(strconv.Itoa(int(skill.Layout)), strconv.Itoa(skill.Depth))
	for _, f := range skill.Files {
		h.Add(f.Path, strconv.FormatBool(f.Symlink))
	}
	if skill.Sidecar != nil {
		h.Add("sidecar", skill.Sidecar.Path, skill.Sidecar.Raw)
	}
	if skill.Err != nil {
		h.Add("error", skill.Err.Error())
	}
	addPlayed(h, w.s.Played(skill))
	return h.Key()
}

// addPlayed adds what clients make of a skill. Many make the same of it.
func addPlayed(h *cache.Hasher, played []lint.Played) {
	seen := map[any]string{}
	for i, p := range played {
		text, ok := seen[p.Outcome]
		if !ok {
			data, err := json.Marshal(p.Outcome)
			if err != nil {
				panic(err) // an outcome is plain data
			}
			h.Add(string(data))
			text = strconv.Itoa(i)
			seen[p.Outcome] = text
		}
		h.Add(p.Profile.ID(), text)
	}
}

// text returns the canonical text of settings, which many skills share.
func (k *Kept) text(set *lint.Settings) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	have, ok := k.canonical[set]
	if !ok {
		if k.canonical == nil {
			k.canonical = map[*lint.Settings]string{}
		}
		have = set.Canonical()
		k.canonical[set] = have
	}
	return have
}
