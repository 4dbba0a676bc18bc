package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// plays holds what the clients make of the skills of a snapshot.
type plays struct {
	played    map[*skills.Skill][]lint.Played
	listings  []lint.Listing
	auditions map[*skills.Skill]audition
	sets      []troupe
	results   []*profile.Result // parallel to sets
}

// audition is one skill with the clients that judge it and what each loaded of it.
type audition struct {
	skill  *skills.Skill
	judges []*profile.Profile
	loaded []*profile.Play
}

// casting says who judges which skill.
type casting struct {
	judges func(*skills.Skill) []*profile.Profile
	// owned leaves a skill in a folder of an agent to those who read that folder; else the others judge it as
	// if they read it.
	owned bool
	once  bool // nobody plays on this snapshot again: nothing is kept for that
	brief bool // of outcomes there is no more than rules ask for
}

// Play plays the clients on the skills they judge, for Played and Listings to tell. Lint does it first.
func (s *Snapshot) Play(ctx context.Context, jobs int) error {
	p, err := s.play(ctx, casting{judges: s.judges, once: true, brief: true}, jobs)
	if err == nil {
		s.plays = p
	}
	return err
}

// play plays every client on the skills it judges: first each skill alone, in parallel, then those together
// that a client lists together. Skills in a folder that the client reads are played as it finds them there;
// others as if it read the folder they lie in, those of one folder together. What was played on an earlier
// snapshot of the same folders, s.plays, and would come out the same is not played again.
func (s *Snapshot) play(ctx context.Context, c casting, jobs int) (*plays, error) {
	all := make([]audition, len(s.skills))
	err := parallel(ctx, jobs, len(all), batch, func(i int) error {
		all[i] = s.audition(s.skills[i], c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := &plays{played: make(map[*skills.Skill][]lint.Played, len(s.skills))}
	for _, a := range all {
		out.played[a.skill] = make([]lint.Played, len(a.judges))
	}
	sets := c.troupes(all)
	if !c.once {
		out.auditions = make(map[*skills.Skill]audition, len(all))
		for _, a := range all {
			out.auditions[a.skill] = a
		}
	}
	all = nil // the sets hold what was loaded, each until it is played
	files := &tree{s.opt.FS, s.tree}
	results := make([]*profile.Result, len(sets))
	out.listings = make([]lint.Listing, len(sets))
	err = parallel(ctx, jobs, len(sets), 1, func(i int) error {
		t := &sets[i]
		r := s.plays.result(t)
		if r == nil {
			r = t.play(files, c.once)
		}
		out.listings[i] = out.add(s, t, r)
		if c.brief {
			for _, o := range r.Skills {
				o.Location, o.Loaded.Fields = "", nil
			}
		}
		if c.once {
			t.loaded = nil
		} else {
			results[i] = r
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !c.once {
		out.sets, out.results = sets, results
	}
	for skill, played := range out.played {
		played = slices.DeleteFunc(played, func(p lint.Played) bool { return p.Profile == nil })
		share(played)
		out.played[skill] = played
	}
	return out, nil
}

// share lets clients that make the same of a skill have one outcome: most do, and there are many of both.
func share(played []lint.Played) {
	for i := range played {
		for j := range i {
			if played[j].Outcome.Equal(played[i].Outcome) {
				played[i].Outcome = played[j].Outcome
				break
			}
		}
	}
}

// heard returns what was kept of a skill from an earlier snapshot on which it has the same text.
func (s *Snapshot) heard(skill *skills.Skill) (audition, bool) {
	if s.plays == nil {
		return audition{}, false
	}
	a, ok := s.plays.auditions[skill]
	return a, ok
}

// audition lets the judges of a skill load it, once for each text it has.
func (s *Snapshot) audition(skill *skills.Skill, c casting) audition {
	if a, ok := s.heard(skill); ok {
		return a
	}
	if skill.Fragment() {
		return audition{skill: skill}
	}
	return load(skill, c.judges(skill))
}

// result returns what came of a troupe when the same skills, with the same texts, were played in it, or nil.
func (p *plays) result(t *troupe) *profile.Result {
	if p == nil {
		return nil
	}
	for i := range p.sets {
		if have := &p.sets[i]; have.profile == t.profile && have.own == t.own && have.dir == t.dir && slices.Equal(have.loaded, t.loaded) {
			return p.results[i]
		}
	}
	return nil
}

// load lets each judge load a skill. What the judges share is dropped behind them.
func load(skill *skills.Skill, judges []*profile.Profile) audition {
	a := audition{skill: skill, judges: judges, loaded: make([]*profile.Play, len(judges))}
	doc := docOf(skill)
	for i, p := range judges {
		if skill.Err != nil {
			a.loaded[i] = p.Unreadable(doc.Path)
		} else {
			a.loaded[i] = p.LoadAlone(doc)
		}
	}
	doc.Forget()
	return a
}

// docOf returns a skill as clients read it.
func docOf(skill *skills.Skill) *profile.Doc {
	file := filepath.ToSlash(skill.Doc.Abs)
	doc := profile.NewDoc(file, skill.Doc.Raw)
	doc.UTF8 = skill.Doc.Encoding == skills.UTF8 // Text and Raw are the same then
	if skill.Layout == skills.Flat {
		doc.Name = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	doc.Beside = func(name string) ([]byte, error) {
		if name == skills.SidecarPath && skill.Sidecar != nil {
			return []byte(skill.Sidecar.Raw), nil
		}
		return nil, fs.ErrNotExist
	}
	return doc
}

// troupe is a set of skills that one client lists together.
type troupe struct {
	profile *profile.Profile
	dir     string // where the client is started, or the folder it reads as if it were one of its own
	own     bool   // dir holds a folder that the client reads
	skills  []*skills.Skill
	loaded  []*profile.Play
	seats   []int // which of the judges of each skill the client is
}

// troupes sorts skills by client and place, in the order of the skills.
func (c casting) troupes(all []audition) []troupe {
	type key struct {
		p   *profile.Profile
		dir string
		own bool
	}
	type seat struct {
		key
		j int
	}
	var out []troupe
	at := map[key]int{}
	var last []seat // of each judge of the skill before
	for _, a := range all {
		folder := path.Dir(filepath.ToSlash(a.skill.Doc.Abs))
		above := path.Dir(folder)
		for i, p := range a.judges {
			k := key{p: p, dir: above}
			if a.skill.Brand != "" && (c.owned || p.Reads(folder)) {
				k.dir, k.own = project(a.skill), true
			}
			if len(last) <= i {
				last = append(last, seat{})
			}
			j, ok := last[i].j, last[i].key == k // skills side by side have the same places
			if !ok {
				j, ok = at[k]
			}
			if !ok {
				j = len(out)
				at[k] = j
				out = append(out, troupe{profile: p, dir: k.dir, own: k.own})
			}
			last[i] = seat{k, j}
			out[j].skills = append(out[j].skills, a.skill)
			out[j].loaded = append(out[j].loaded, a.loaded[i])
			out[j].seats = append(out[j].seats, i)
		}
	}
	return out
}

// project returns the folder that an agent's folder lies in, where the agent would be started. It counts as
// the project's root: an example with a .claude folder deep in a repository is opened by itself.
func project(skill *skills.Skill) string {
	abs := filepath.ToSlash(skill.Doc.Abs)
	return abs[:strings.LastIndex(abs, "/"+skill.Brand+"/skills/")]
}

// play plays the client. What it loaded is used up when nobody plays on this snapshot again.
func (t *troupe) play(files *tree, once bool) *profile.Result {
	loaded := t.loaded
	if !once {
		loaded = make([]*profile.Play, len(t.loaded))
		for i, l := range t.loaded {
			loaded[i] = l.Clone()
		}
	}
	if !t.own {
		return t.profile.JudgeSet(slices.DeleteFunc(slices.Clone(loaded), func(l *profile.Play) bool { return !l.Taken() }))
	}
	byFile := make(map[string]*profile.Play, len(loaded))
	for i, skill := range t.skills {
		byFile[filepath.ToSlash(skill.Doc.Abs)] = loaded[i]
	}
	return t.profile.Play(&profile.Workspace{
		Tree: files, Root: t.dir, NoListing: true,
		Loaded: func(_ *profile.Profile, file string) *profile.Play {
			l := byFile[file]
			delete(byFile, file) // a second way to the file loads it anew
			return l
		},
	})
}

// add records what came of a troupe. A skill that a client does not find has no outcome when it lies in a folder
// that the client does not read.
func (p *plays) add(s *Snapshot, t *troupe, r *profile.Result) lint.Listing {
	l := lint.Listing{Profile: t.profile, Usage: r.Budget}
	found := make([]bool, len(t.skills))
	record := func(i int, o *profile.Outcome) {
		p.played[t.skills[i]][t.seats[i]] = lint.Played{Profile: t.profile, Outcome: s.shown(o)}
	}
	for n, i := range t.match(s, r) {
		if i < 0 {
			continue
		}
		o := r.Skills[n]
		found[i] = true
		record(i, o)
		if o.Stage == profile.StageBudget {
			l.Lost = append(l.Lost, lint.Lost{Skill: t.skills[i], Kept: len([]rune(o.Description))})
		}
	}
	for i, skill := range t.skills {
		if !found[i] && (!t.own || t.profile.Reads(path.Dir(filepath.ToSlash(skill.Doc.Abs)))) {
			record(i, t.loaded[i].NotFound())
		}
	}
	return l
}

// shown names the other skill that an outcome speaks of as all paths are shown.
func (s *Snapshot) shown(o *profile.Outcome) *profile.Outcome {
	if o.By == "" {
		return o
	}
	named := *o
	named.By = Shown(s.opt.Base, filepath.FromSlash(o.By))
	named.Reason = strings.ReplaceAll(o.Reason, o.By, named.By)
	return &named
}

// match finds the skill of each outcome, as an index, -1 for none. A client may come to a file by a link that the
// snapshot came to otherwise, so what is left over is compared without links.
func (t *troupe) match(s *Snapshot, r *profile.Result) []int {
	at := make(map[string]int, len(t.skills))
	for i, skill := range t.skills {
		at[filepath.ToSlash(skill.Doc.Abs)] = i
	}
	out := make([]int, len(r.Skills))
	var strange []int
	for n := range r.Skills {
		file := r.Skills[n].File
		i, ok := at[file]
		if !ok {
			strange, i = append(strange, n), -1
		}
		out[n] = i
		delete(at, file)
	}
	if len(strange) == 0 || len(at) == 0 {
		return out
	}
	byReal := map[string]int{}
	for file, i := range at {
		byReal[s.real(file)] = i
	}
	for _, n := range strange {
		if i, ok := byReal[s.real(r.Skills[n].File)]; ok {
			out[n] = i
		}
	}
	return out
}

// real returns a path without symbolic links.
func (s *Snapshot) real(file string) string {
	real, err := (&tree{s.opt.FS, s.tree}).Resolve(file)
	if err != nil {
		return file
	}
	return real
}

// Played implements lint.View: what each client that judges a skill makes of it.
func (s *Snapshot) Played(skill *skills.Skill) []lint.Played {
	if s.plays == nil {
		return nil
	}
	return s.plays.played[skill]
}

// Listings implements lint.View: what each client makes of the skills it lists together.
func (s *Snapshot) Listings() []lint.Listing {
	if s.plays == nil {
		return nil
	}
	return s.plays.listings
}

// judges returns the clients that a skill is judged by.
func (s *Snapshot) judges(skill *skills.Skill) []*profile.Profile {
	judges, _ := lint.Judges(skill, s.Settings(skill.Doc.Path))
	return judges
}

// tree shows a file system to the clients, whose paths have slashes.
type tree struct {
	fs      skills.FS
	folders *skills.Tree // remembers what folders hold
}

func (t *tree) ReadFile(name string) ([]byte, error) { return t.fs.ReadFile(filepath.FromSlash(name)) }

func (t *tree) ReadDir(name string) ([]fs.DirEntry, error) {
	if entries, ok := t.folders.Entries(filepath.FromSlash(name)); ok {
		return entries, nil
	}
	return nil, fmt.Errorf("list %s: %w", name, fs.ErrNotExist)
}

func (t *tree) Stat(name string) (fs.FileInfo, error) { return t.fs.Stat(filepath.FromSlash(name)) }

func (t *tree) Resolve(name string) (string, error) {
	real, err := t.fs.RealPath(filepath.FromSlash(name))
	return filepath.ToSlash(real), err
}
