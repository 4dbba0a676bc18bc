package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skill-ls/skill-ls/internal/bulk"
	"github.com/skill-ls/skill-ls/internal/cache"
	"github.com/skill-ls/skill-ls/internal/cache/remote"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/rerun"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/version"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// usualCache stands for the user's own folder of caches.
const usualCache = "(the user's)"

// cacheFlags are --cache and --no-cache.
type cacheFlags struct {
	dir string
	no  bool
}

func (c *cacheFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&c.dir, "cache", "", "keep results, and take those that still hold, from this folder; without `DIR`, from skilllint in the user's folder of caches")
	f.Lookup("cache").NoOptDefVal = usualCache
	f.BoolVar(&c.no, "no-cache", false, "keep no results, even with --cache")
}

// open returns the folder of results, nil when none is asked for.
func (c *cacheFlags) open(abs func(string) string) (*cache.Dir, error) {
	if c.no || c.dir == "" {
		return nil, nil
	}
	dir := c.dir
	if dir == usualCache {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("--cache: %w; name a folder: --cache=DIR", err)
		}
		dir = filepath.Join(user, "skilllint")
	}
	store, err := cache.OpenDir(abs(dir), cache.DefaultLimit)
	if err != nil {
		return nil, fmt.Errorf("--cache: %w", err)
	}
	return store, nil
}

// cached prints what an earlier run printed, if nothing that it looked at has changed; else it takes what still holds of single
// skills.
func (l *lintCommand) cached(cmd *cobra.Command, args []string, store cache.Store) error {
	program, err := identity(cmd.Context(), store)
	if err != nil {
		return err
	}
	m, end := l.machine(), l.work
	if l.onlyReports() {
		paths, err := l.paths(cmd, args)
		if err != nil {
			return err
		}
		key := l.runKey(program, cmd.Flags(), paths)
		if kept, ok := rerun.Last(cmd.Context(), store, key, m); ok && len(kept) >= outcomeHead {
			return l.finish(outcomeFrom(kept))
		}
		watch := rerun.NewWatch(m)
		m, end = watch.Machine(), func(ctx context.Context, job *workspace.Job) error {
			return l.onceKept(ctx, job, func(result []byte) { watch.Keep(ctx, store, key, result) })
		}
	}
	job, err := l.job(cmd, args, m)
	if err != nil {
		return err
	}
	job.Kept = &workspace.Kept{Store: store, Program: program, Registry: l.reg}
	return end(cmd.Context(), job)
}

// onlyReports reports whether all that a run does is to look at files and report.
func (l *lintCommand) onlyReports() bool {
	return !l.watch && !l.stdin && !l.fix && !l.diff && l.writeBaseline == "" && l.since == "" && l.probe == "off"
}

// indifferent are the flags that change nothing in what is reported, or that runKey looks at otherwise.
var indifferent = []string{"cache", "no-cache", "jobs", "output", "fail-on", "color"}

// runKey names a run by all that it was given.
func (l *lintCommand) runKey(program string, flags *pflag.FlagSet, paths []string) cache.Key {
	given := []string{program, l.base, strconv.FormatBool(l.reportColored()), strconv.Itoa(len(paths))}
	given = append(given, paths...)
	flags.Visit(func(f *pflag.Flag) {
		if !slices.Contains(indifferent, f.Name) {
			given = append(given, f.Name, f.Value.String())
		}
	})
	return rerun.Key(given...)
}

// onceKept is once, and keeps what it ends with.
func (l *lintCommand) onceKept(ctx context.Context, job *workspace.Job, keep func([]byte)) error {
	r, err := l.result(ctx, job)
	if err != nil {
		return err
	}
	o := l.outcome(r)
	kept := bytes.NewBuffer([]byte{0, byte(o.worst)})
	if o.empty {
		kept.Bytes()[0] = 1
	}
	if err := o.print(kept); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	keep(kept.Bytes())
	return l.finish(outcomeFrom(kept.Bytes()))
}

// outcomeHead is the length of what stands before the report in a kept outcome: whether it is empty, and the worst severity.
const outcomeHead = 2

func outcomeFrom(kept []byte) outcome {
	return outcome{empty: kept[0] == 1, worst: lint.Severity(kept[1]), print: func(w io.Writer) error {
		_, err := w.Write(kept[outcomeHead:])
		return err
	}}
}

// identity is version.Identity, which reads the whole program when that is no release; so it is kept for as long as the
// program's file is the same.
func identity(ctx context.Context, store cache.Store) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return version.Identity()
	}
	stamp, ok := rerun.Stamp(skills.Disk{}, self)
	if !ok {
		return version.Identity()
	}
	h := cache.NewHasher("program 1")
	h.Add(self, stamp)
	key := h.Key()
	if kept, ok := store.Get(ctx, key); ok {
		return string(kept), nil
	}
	name, err := version.Identity()
	if err == nil {
		store.Put(ctx, key, []byte(name))
	}
	return name, err
}

// remoteWorkers is how many skills for each core are worked on at once when a remote cache is asked: most of them wait
// for an answer.
const remoteWorkers = 16

// keepLines gives a job what keeps its results. done is called when the job has ended.
func (l *lintCommand) keepLines(work *bulk.Job) (done func() error, err error) {
	var stores cache.Chain
	done = func() error { return nil }
	dir, err := l.cache.open(l.abs)
	if err != nil {
		return nil, err
	}
	if dir != nil {
		stores, done = append(stores, dir), dir.Prune
	}
	if l.remoteCache != "" {
		far, err := remote.New(l.remoteCache, func(message string) { fmt.Fprintln(l.err, "skilllint: "+message) })
		if err != nil {
			return nil, fmt.Errorf("--remote-cache: %w", err)
		}
		stores = append(stores, far)
		if work.Options.Workers == 0 {
			work.Options.Workers = remoteWorkers * runtime.GOMAXPROCS(0)
		}
	}
	if len(stores) == 0 {
		return done, nil
	}
	work.Store = stores
	work.Program, err = version.Identity()
	return done, err
}
