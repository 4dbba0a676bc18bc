package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/skill-ls/skill-ls/internal/workspace"
)

// watchInterval is how often --watch looks for changes.
const watchInterval = 500 * time.Millisecond

// watchFiles lints, and again at a tick when a file has changed, until it is interrupted.
func (l *lintCommand) watchFiles(ctx context.Context, job *workspace.Job, ticks <-chan time.Time) error {
	return watch(ctx, ticks, job.Stamp, func() error {
		fresh := *job
		configs, err := l.configs(job.FS) // they may be what has changed
		if err != nil {
			return err
		}
		if fresh.Resolver, err = l.resolver(); err != nil {
			return err
		}
		fresh.Configs = configs
		err = l.once(ctx, &fresh)
		if err != nil && !errors.Is(err, errFindings) && ctx.Err() == nil {
			fmt.Fprintf(l.err, "skilllint: %v\n", err) // such as a fault in a file that is being edited
		}
		if !l.quiet {
			fmt.Fprintln(l.err, "watching for changes; press Ctrl-C to end")
		}
		return nil
	})
}

// watch calls work at once, and then after each tick at which the stamp differs from that of the last call.
func watch(ctx context.Context, ticks <-chan time.Time, stamp func(context.Context) (uint64, error), work func() error) error {
	for seen, first := uint64(0), true; ; first = false {
		now, err := stamp(ctx)
		if err == nil && (first || now != seen) {
			seen = now
			err = work()
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticks:
		}
	}
}
