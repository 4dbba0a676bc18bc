package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/live"
	"github.com/skill-ls/skill-ls/internal/agentsim/route"
	"github.com/skill-ls/skill-ls/internal/agentsim/turn"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// model returns the one that --live names, nil when it names none.
func (a *app) model(spec string) (turn.Model, error) {
	if spec == "" {
		return nil, nil
	}
	c, err := live.New(spec, os.LookupEnv)
	if err != nil {
		return nil, fmt.Errorf("--live %w", err)
	}
	return c, nil
}

// requestsAtOnce is how many requests a provider gets at a time.
const requestsAtOnce = 4

// ask asks a model each query several times.
func (r *routeCommand) ask(ctx context.Context, from string, e *route.Evals) (*report.LiveTrials, error) {
	switch {
	case strings.EqualFold(filepath.Ext(from), ".json"):
		return nil, errors.New("--live needs a folder of skills: a client has to show them")
	case r.runs < 1:
		return nil, fmt.Errorf("--tries %d: must be 1 or more", r.runs)
	case r.threshold <= 0 || r.threshold > 1:
		return nil, fmt.Errorf("--threshold %g: must be above 0 and at most 1", r.threshold)
	}
	model, err := r.model(r.live)
	if err != nil {
		return nil, err
	}
	p, err := r.client(from)
	if err != nil {
		return nil, err
	}
	picker, err := turn.NewPicker(ctx, &turn.Input{Model: model, Client: &agentsim.Input{
		Profile: p, FS: skills.Disk{}, Paths: []string{from}, Count: tokens.Estimate,
	}})
	if err != nil {
		return nil, err
	}
	trials, err := live.Trials{
		Pick: picker.Pick, Runs: r.runs, Threshold: r.threshold, Parallel: requestsAtOnce, Done: r.counted(), Same: sameSkill(e.Skills),
	}.Run(ctx, e.Queries)
	if err != nil {
		return nil, err
	}
	return &report.LiveTrials{Model: r.live, Threshold: r.threshold, Trials: trials}, nil
}

// counted shows on a terminal how many requests are answered, nil elsewhere.
func (a *app) counted() func(n, of int) {
	if a.quiet || !isTerminal(a.err) {
		return nil
	}
	return func(n, of int) {
		fmt.Fprintf(a.err, "\r\x1b[Kasking the model: %d of %d", n, of)
		if n == of {
			fmt.Fprint(a.err, "\r\x1b[K")
		}
	}
}

// sameSkill returns what tells whether two names are one skill's: its id, its name, or another that it goes by.
func sameSkill(all []route.Skill) func(picked, expected string) bool {
	return func(picked, expected string) bool {
		return picked == expected || slices.ContainsFunc(all, func(s route.Skill) bool {
			names := append([]string{s.ID, s.Name}, s.Known...)
			return slices.Contains(names, picked) && slices.Contains(names, expected)
		})
	}
}
