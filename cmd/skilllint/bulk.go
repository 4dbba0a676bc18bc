package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/bulk"
	"github.com/skill-ls/skill-ls/internal/report"
)

// bulkFlags are those of lint that need --files-from.
type bulkFlags struct {
	filesFrom   string
	null        bool
	shardText   string
	remoteCache string

	shard bulk.Shard
}

func (b *bulkFlags) check() error {
	if b.shardText == "" {
		return nil
	}
	var err error
	if b.shard, err = bulk.ParseShard(b.shardText); err != nil {
		return fmt.Errorf("--shard: %w", err)
	}
	return nil
}

func (l *lintCommand) bulkConflicts(args []string) []conflict {
	listed := l.filesFrom != ""
	alone := func(flag string) string {
		return flag + " looks at skills together; --files-from checks each by itself"
	}
	return []conflict{
		{!listed && l.format == report.Lines, "--format jsonl prints a line for each skill of a list; it needs --files-from"},
		{listed && l.format != report.Lines, "--files-from checks each skill of the list by itself; it needs --format jsonl"},
		{!listed && l.null, "--null says how the paths of --files-from are separated; it needs that"},
		{!listed && l.shardText != "", "--shard divides the list of --files-from; it needs that"},
		{!listed && l.remoteCache != "", "--remote-cache keeps what does not depend on where a skill lies; it needs --files-from"},
		{listed && len(args) > 0, "--files-from names the skills; leave out the paths"},
		{listed && l.stdin, "--stdin checks one text; leave out --files-from"},
		{listed && (l.fix || l.diff || l.watch), "--files-from prints what is found; it cannot be used with --fix, --diff or --watch"},
		{listed && l.since != "", "--since compares files; let `git diff --name-only` write the list instead"},
		{listed && (l.baseline != "" || l.writeBaseline != ""), alone("a baseline")},
		{listed && (l.probe != "off" || len(l.tools) > 0), alone("the tools of servers")},
		{listed && l.statistics, alone("--statistics")},
	}
}

// list checks the skills of a list and prints a line for each.
func (l *lintCommand) list(cmd *cobra.Command) error {
	in, name, err := l.openList()
	if err != nil {
		return err
	}
	defer in.Close()
	job, err := l.job(cmd, nil, l.machine())
	if err != nil {
		return err
	}
	work := &bulk.Job{Options: job.Options, Engine: job.Engine, Shard: l.shard}
	done, err := l.keepLines(work)
	if err != nil {
		return err
	}
	summary, err := l.writeLines(cmd.Context(), work, bulk.NewList(name, in, l.null))
	if err := errors.Join(err, done()); err != nil {
		return err
	}
	switch {
	case summary.Fault != nil:
		return summary.Fault
	case summary.Failed > 0:
		return fmt.Errorf("%s of %d could not be checked; the lines with \"error\" say why", report.Plural(summary.Failed, "path"), summary.Lines)
	}
	return l.statusOf(summary.Worst)
}

func (l *lintCommand) openList() (in io.ReadCloser, name string, err error) {
	if l.filesFrom == "-" {
		return io.NopCloser(l.in), "on standard input", nil
	}
	file, err := os.Open(l.abs(l.filesFrom))
	if err != nil {
		return nil, "", fmt.Errorf("--files-from: %w", err)
	}
	return file, l.filesFrom, nil
}

func (l *lintCommand) writeLines(ctx context.Context, work *bulk.Job, list *bulk.List) (bulk.Summary, error) {
	if l.output == "" {
		s, err := work.Run(ctx, list, l.out)
		if isBrokenPipe(err) {
			err = nil
		}
		return s, err
	}
	file, err := os.Create(l.abs(l.output))
	if err != nil {
		return bulk.Summary{}, err
	}
	s, err := work.Run(ctx, list, file)
	return s, errors.Join(err, file.Close())
}
