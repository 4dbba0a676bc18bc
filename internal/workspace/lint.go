package workspace

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"golang.org/x/sync/errgroup"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Result is what linting a snapshot brought.
type Result struct {
	Findings []lint.Finding // sorted by file and place
	Skills   []*skills.Skill
	Configs  []*mcpconfig.File
	snapshot *Snapshot
}

// Doc returns the document of a skill, a sidecar, an MCP configuration or another file with findings by its shown path, or nil.
func (r *Result) Doc(file string) *skills.Document { return r.snapshot.Doc(file) }

// Count returns how many findings have a severity.
func (r *Result) Count(level lint.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == level {
			n++
		}
	}
	return n
}

// Fault is a failure of the program itself while it worked on a file.
type Fault struct {
	File  string
	Value any    // what the code panicked with
	Stack []byte // of the goroutine that failed
}

func (f *Fault) Error() string { return fmt.Sprintf("checking %s: %v", f.File, f.Value) }

// Lint runs the rules about single skills and MCP configurations over all of them, in parallel, and then those about the
// workspace. The result does not depend on the number of jobs, 0 for one a core. It fails when ctx ends,
// and with a *Fault when a rule panics.
func (s *Snapshot) Lint(ctx context.Context, engine *lint.Engine, jobs int) (*Result, error) {
	if err := s.Play(ctx, jobs); err != nil {
		return nil, err
	}
	return s.check(ctx, engine, jobs)
}

// check runs the rules on what was played.
func (s *Snapshot) check(ctx context.Context, engine *lint.Engine, jobs int) (*Result, error) {
	each := make([][]lint.Finding, 1+len(s.skills)+len(s.mcp))
	find := s.finder(engine)
	err := parallel(ctx, jobs, len(each), batch, func(i int) error {
		switch n := i - 1; {
		case n < 0: // first, as it takes longest
			return s.guard(".", func() { each[i] = engine.Workspace(s, s.Settings) })
		case n < len(s.skills):
			skill := s.skills[n]
			return s.guard(skill.Doc.Path, func() { each[i] = find(skill) })
		default:
			f := s.mcp[n-len(s.skills)]
			return s.guard(f.Doc.Path, func() { each[i] = engine.Config(f, s, s.Settings(f.Doc.Path)) })
		}
	})
	if err != nil {
		return nil, err
	}
	r := &Result{Skills: s.skills, Configs: s.mcp, snapshot: s}
	err = s.guard(".", func() {
		for _, o := range s.offers {
			if o.Config == nil {
				each = append(each, engine.Catalog(o, s, s.Settings(".")))
			}
		}
		n := 0
		for _, f := range each {
			n += len(f)
		}
		r.Findings = make([]lint.Finding, 0, n)
		for _, f := range each {
			r.Findings = append(r.Findings, s.asked(f)...)
		}
	})
	lint.Sort(r.Findings)
	return r, err
}

// guard turns a panic into a *Fault.
func (s *Snapshot) guard(file string, work func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Fault{file, v, debug.Stack()}
		}
	}()
	work()
	return nil
}

// asked leaves out the hints nobody asked for: those of rules whose level is neither configured nor
// selected.
func (s *Snapshot) asked(findings []lint.Finding) []lint.Finding {
	kept := findings[:0]
	for _, f := range findings {
		if f.Severity > lint.Hint || s.Settings(f.File).Rules[f.Rule].Source != lint.DefaultSource {
			kept = append(kept, f)
		}
	}
	return kept
}

// batch is how many skills a goroutine takes at a time: one alone takes microseconds.
const batch = 32

// parallel calls work for 0 to n-1, by up to jobs goroutines at once, each of which takes as many in a row as
// batch says.
func parallel(ctx context.Context, jobs, n, batch int, work func(i int) error) error {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for from := 0; from < n; from += batch {
		g.Go(func() error {
			for i := from; i < min(from+batch, n); i++ {
				if err := work(i); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}
