package workspace

import (
	"context"

	"github.com/skill-ls/skill-ls/internal/lint"
)

// Job lints a workspace, as often as asked.
type Job struct {
	Options
	Engine  *lint.Engine
	Filters []Filter // applied in order
	// Ask lists the tools of servers; nil asks nobody. It is given the snapshot that is about to be linted.
	Ask func(ctx context.Context, s *Snapshot) ([]Probed, error)
}

// Filter leaves out findings, and skills that are not meant.
type Filter func(ctx context.Context, s *Snapshot, r *Result) error

// Run takes a snapshot, lints it and applies the filters.
func (j *Job) Run(ctx context.Context) (*Result, error) {
	s, err := Load(ctx, j.Options)
	if err != nil {
		return nil, err
	}
	if j.Ask != nil {
		probed, err := j.Ask(ctx, s)
		if err != nil {
			return nil, err
		}
		s = s.WithProbed(probed)
	}
	r, err := s.Lint(ctx, j.Engine, j.Workers)
	if err != nil {
		return nil, err
	}
	for _, keep := range j.Filters {
		if err := keep(ctx, s, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}
