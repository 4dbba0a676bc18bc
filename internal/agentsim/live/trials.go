package live

import (
	"context"
	"sync"

	"github.com/skill-ls/skill-ls/internal/agentsim/route"
)

// Trial is what a model did with one query, asked several times.
type Trial struct {
	Query    route.Query
	Runs     int
	Triggers int            // of the skill that the query is about
	Picked   map[string]int // how often each skill was loaded first; "" is none
	// Pass holds when the skill triggers at the threshold or above it, or, where it should not, below it. A query about
	// no skill passes.
	Pass bool
}

// Rate is the share of runs that trigger the skill.
func (t Trial) Rate() float64 { return float64(t.Triggers) / float64(t.Runs) }

// Trials says how queries are tried.
type Trials struct {
	Pick      func(ctx context.Context, query string) (skill string, err error)
	Same      func(picked, expected string) bool // whether two names mean one skill
	Runs      int                                // of each query
	Threshold float64
	Parallel  int // requests at a time
	Done      func(n, of int)
}

// Run tries all queries and returns a trial for each, in their order. The first error ends it.
func (t Trials) Run(ctx context.Context, queries []route.Query) ([]Trial, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := make([]Trial, len(queries))
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		done int
	)
	turns := make(chan struct{}, max(t.Parallel, 1))
	for i, q := range queries {
		out[i] = Trial{Query: q, Runs: t.Runs, Picked: map[string]int{}}
		for range t.Runs {
			turns <- struct{}{}
			wg.Go(func() {
				defer func() { <-turns }()
				if ctx.Err() != nil {
					return
				}
				picked, err := t.Pick(ctx, q.Text)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					cancel(err)
					return
				}
				out[i].Picked[picked]++
				if picked != "" && q.Skill != "" && t.Same(picked, q.Skill) {
					out[i].Triggers++
				}
				if done++; t.Done != nil {
					t.Done(done, len(queries)*t.Runs)
				}
			})
		}
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	for i := range out {
		reached := out[i].Rate() >= t.Threshold
		out[i].Pass = out[i].Query.Skill == "" || reached == out[i].Query.Trigger
	}
	return out, nil
}

// Passed is the share of trials about a skill that pass, and how many there are.
func Passed(trials []Trial) (share float64, of int) {
	passed := 0
	for _, t := range trials {
		if t.Query.Skill == "" {
			continue
		}
		of++
		if t.Pass {
			passed++
		}
	}
	if of == 0 {
		return 0, 0
	}
	return float64(passed) / float64(of), of
}
