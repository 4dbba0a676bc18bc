package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/pflag"

	"github.com/skill-ls/skill-ls/internal/bulk"
	"github.com/skill-ls/skill-ls/internal/cache"
	"github.com/skill-ls/skill-ls/internal/cache/remote"
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

// keepLint makes a job take what still holds of earlier runs, where that is asked for. done is called when the work has ended.
func (l *lintCommand) keepLint(job *workspace.Job) (done func() error, err error) {
	dir, err := l.cache.open(l.abs)
	if err != nil || dir == nil {
		return func() error { return nil }, err
	}
	program, err := version.Identity()
	job.Kept = &workspace.Kept{Store: dir, Program: program, Registry: l.reg}
	return dir.Prune, err
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
