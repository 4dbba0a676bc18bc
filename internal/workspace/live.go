package workspace

import (
	"context"
	"maps"
	"path"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Live is a workspace that is linted piece by piece while its files change. It never changes itself: With
// and Settle return the next one, which shares what still holds. What the rules about single files find is
// worked out when it is asked for; what skills do to each other only by Settle.
type Live struct {
	*Snapshot
	engine   *lint.Engine
	skills   []*check // parallel to Skills
	mcp      []*check // parallel to Configs
	together map[string][]lint.Finding
	moved    map[string][]lint.Finding // those of together in files that were edited since, at their new places
	settled  bool
}

// check is the work on one skill or one MCP configuration, done once.
type check struct {
	once     sync.Once
	done     atomic.Bool
	work     func(*check) error
	findings []lint.Finding
	docs     map[string]*skills.Document // where the findings lie
	played   []lint.Played
	mu       sync.Mutex
	reads    []string // absolute paths of the other files whose text was looked at
	err      error    // a *Fault
}

// NewLive returns a workspace of which nothing is linted yet.
func NewLive(s *Snapshot, engine *lint.Engine) *Live {
	l := &Live{Snapshot: s, engine: engine}
	for _, skill := range s.skills {
		l.skills = append(l.skills, l.skillCheck(skill, nil))
	}
	for _, f := range s.mcp {
		l.mcp = append(l.mcp, l.configCheck(f))
	}
	return l
}

// Settled reports whether what the skills do to each other is worked out.
func (l *Live) Settled() bool { return l.settled }

// With returns the workspace in which a file has another text, see Snapshot.With. The second result names the
// skills and configurations, by path, whose findings may differ.
func (l *Live) With(fsys skills.FS, doc *skills.Document) (*Live, []string, bool) {
	s, ok := l.Snapshot.With(fsys, doc)
	if !ok {
		return nil, nil, false
	}
	next := &Live{Snapshot: s, engine: l.engine, together: l.together, mcp: l.mcp}
	next.moved = l.shifted(doc)
	config, isConfig := s.configAt(doc.Path)
	tools := isConfig && len(s.offers)+len(l.offers) > 0 // which servers there are decides on the tools skills speak of
	var affected []string
	next.skills = slices.Clone(l.skills)
	for i, c := range l.skills {
		if tools || s.skills[i] != l.Snapshot.skills[i] || !c.done.Load() || slices.Contains(c.reads, doc.Abs) {
			next.skills[i] = next.skillCheck(s.skills[i], before(l.Snapshot, i))
			affected = append(affected, s.skills[i].Doc.Path)
		}
	}
	if isConfig {
		next.mcp = slices.Clone(l.mcp)
		next.mcp[config] = next.configCheck(s.mcp[config])
		affected = append(affected, doc.Path)
	}
	return next, affected, true
}

func before(s *Snapshot, i int) []lint.Played { return s.Played(s.skills[i]) }

// shifted moves the findings about skills together that lie in an edited file.
func (l *Live) shifted(doc *skills.Document) map[string][]lint.Finding {
	have := l.among(doc.Path)
	old := l.Doc(doc.Path)
	if len(have) == 0 || old == nil {
		return l.moved
	}
	next := maps.Clone(l.moved)
	if next == nil {
		next = map[string][]lint.Finding{}
	}
	next[doc.Path] = shift(have, old.Text, doc.Text)
	return next
}

func (l *Live) among(file string) []lint.Finding {
	if have, ok := l.moved[file]; ok {
		return have
	}
	return l.together[file]
}

// Findings returns what is known of a file, by its shown path: what the rules about single files find, worked
// out now if need be, and what skills did to each other when that was last looked at. Sorted. The error is
// a *Fault when a rule failed; the findings of the others are there.
func (l *Live) Findings(file string) ([]lint.Finding, error) {
	var out []lint.Finding
	var err error
	for _, c := range l.checksOf(file) {
		c.run()
		for _, f := range c.findings {
			if f.File == file {
				out = append(out, f)
			}
		}
		if c.err != nil {
			err = c.err
		}
	}
	out = append(out, l.among(file)...)
	lint.Sort(out)
	return out, err
}

// checksOf returns the checks that may have findings on a file: its own, and those of the skills whose folder
// it lies in.
func (l *Live) checksOf(file string) []*check {
	if i, ok := l.configAt(file); ok {
		return []*check{l.mcp[i]}
	}
	var out []*check
	if i, ok := l.skillAt(file); ok {
		out = append(out, l.skills[i])
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if i := l.skillIn(dir); i >= 0 && l.Snapshot.skills[i].Doc.Path != file {
			out = append(out, l.skills[i])
		}
		if isTop(dir) {
			return out
		}
	}
}

// Known returns the files, by shown path, that a skill or a configuration is known to have findings on.
func (l *Live) Known(owner string) []string {
	c := l.check(owner)
	if c == nil || !c.done.Load() {
		return nil
	}
	return slices.Collect(maps.Keys(c.docs))
}

func (l *Live) check(owner string) *check {
	if i, ok := l.skillAt(owner); ok {
		return l.skills[i]
	}
	if i, ok := l.configAt(owner); ok {
		return l.mcp[i]
	}
	return nil
}

// Files returns all files with findings, sorted. Of skills that nobody asked about yet it knows nothing.
func (l *Live) Files() []string {
	all := map[string]bool{}
	for _, c := range slices.Concat(l.skills, l.mcp) {
		if c.done.Load() {
			for file := range c.docs {
				all[file] = true
			}
		}
	}
	for file := range l.together {
		all[file] = len(l.among(file)) > 0 || all[file]
	}
	maps.DeleteFunc(all, func(_ string, has bool) bool { return !has })
	return slices.Sorted(maps.Keys(all))
}

// Doc returns the document of a file of the workspace, or one that has findings, or nil.
func (l *Live) Doc(file string) *skills.Document {
	if d := l.Snapshot.Doc(file); d != nil {
		return d
	}
	for _, c := range l.checksOf(file) {
		if c.done.Load() && c.docs[file] != nil {
			return c.docs[file]
		}
	}
	return nil
}

// Settle works out everything: what each skill and configuration has, what every client makes of the skills
// together, and the rules about that. jobs is how many processors that may take; 0 is all. It fails when ctx ends.
func (l *Live) Settle(ctx context.Context, jobs int) (*Live, error) {
	s := *l.Snapshot
	var err error
	if s.plays, err = s.play(ctx, casting{judges: s.judges}, jobs); err != nil {
		return nil, err
	}
	next := &Live{Snapshot: &s, engine: l.engine, skills: slices.Clone(l.skills), mcp: l.mcp, settled: true}
	for i, skill := range s.skills {
		if c := l.skills[i]; !c.done.Load() || !samePlays(c.played, s.Played(skill)) {
			next.skills[i] = next.skillCheck(skill, s.Played(skill))
		}
	}
	all := slices.Concat(next.skills, next.mcp)
	if err := parallel(ctx, jobs, len(all), batch, func(i int) error { all[i].run(); return nil }); err != nil {
		return nil, err
	}
	next.together, err = next.amongAll(ctx)
	return next, err
}

// amongAll runs the rules about the workspace.
func (l *Live) amongAll(ctx context.Context) (map[string][]lint.Finding, error) {
	out := map[string][]lint.Finding{}
	var found []lint.Finding
	err := l.guard(".", func() { found = l.engine.Workspace(l.Snapshot, l.Settings) })
	if err != nil {
		return out, err
	}
	if found, err = l.kept(ctx, found); err != nil {
		return out, err
	}
	for _, f := range found {
		out[f.File] = append(out[f.File], f)
	}
	return out, nil
}

// kept leaves out the hints nobody asked for and what a baseline records.
func (s *Snapshot) kept(ctx context.Context, findings []lint.Finding) ([]lint.Finding, error) {
	r := &Result{Findings: s.asked(findings), snapshot: s}
	err := ConfiguredBaselines(ctx, s, r)
	return r.Findings, err
}

func (l *Live) skillCheck(skill *skills.Skill, played []lint.Played) *check {
	s := l.Snapshot
	return &check{work: func(c *check) error {
		c.played = s.solo(skill, played)
		v := &skillView{s, s.tree.Tracing(c.trace), skill, c.played}
		return c.keep(s, l.engine.Skill(skill, v, s.Settings(skill.Doc.Path)), v.tree)
	}}
}

func (l *Live) configCheck(f *mcpconfig.File) *check {
	s := l.Snapshot
	return &check{work: func(c *check) error {
		return c.keep(s, l.engine.Config(f, s, s.Settings(f.Doc.Path)), s.tree)
	}}
}

func (c *check) trace(abs string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.reads, abs) {
		c.reads = append(c.reads, abs)
	}
}

// keep filters findings and notes the documents they lie on.
func (c *check) keep(s *Snapshot, findings []lint.Finding, tree *skills.Tree) error {
	var err error
	c.findings, err = s.kept(context.Background(), findings)
	c.docs = map[string]*skills.Document{}
	for _, f := range c.findings {
		if d := s.Doc(f.File); d != nil {
			c.docs[f.File] = d
		} else {
			c.docs[f.File] = tree.Kept(s.Abs(f.File))
		}
	}
	return err
}

func (c *check) run() {
	c.once.Do(func() {
		defer c.done.Store(true)
		c.err = (*Snapshot)(nil).guard("", func() {
			if err := c.work(c); err != nil {
				c.err = err
			}
		})
		c.work = nil // what it holds on to may be an old snapshot
	})
}

// skillView is what rules see while they look at one skill.
type skillView struct {
	*Snapshot
	tree   *skills.Tree
	skill  *skills.Skill
	played []lint.Played
}

// Tree implements lint.View.
func (v *skillView) Tree() *skills.Tree { return v.tree }

// Played implements lint.View.
func (v *skillView) Played(s *skills.Skill) []lint.Played {
	if s == v.skill {
		return v.played
	}
	return v.Snapshot.Played(s)
}
