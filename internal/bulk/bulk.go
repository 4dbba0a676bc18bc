// Package bulk checks any number of skills, each by itself, and prints a line of JSON for each: a pure function of the
// skill's files, the settings that hold for it and the version of the program. So the work can be cut into shards, and a
// result that was kept under a hash of those three is as good as a new one.
package bulk

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/skill-ls/skill-ls/internal/cache"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Job checks the skills of a list.
type Job struct {
	Options workspace.Options // FS is the disk; of Paths nothing is used
	Engine  *lint.Engine
	Shard   Shard
	Store   cache.Store // of results; nil keeps none
	Program string      // names the program in the keys of results, see version.Identity

	mu        sync.Mutex
	canonical map[*lint.Settings]string
}

// Summary is what came of a job.
type Summary struct {
	Lines  int
	Worst  lint.Severity // of all findings; Off when there is none
	Failed int           // lines of skills that could not be checked
	Fault  *workspace.Fault
}

// line is a skill on its way to the output.
type line struct {
	path string
	done chan result
}

// result is what came of one skill; nothing is printed of one that is left out.
type result struct {
	report.Line
	worst lint.Severity
	fault *workspace.Fault
	out   bool
	err   error // ends the job
}

// ahead is how many skills for each worker may be done before the one whose line is printed next.
const ahead = 16

// Run checks the skills that list names, in as many at once as Options.Workers says, and prints their lines to out in the
// order of the list, each as soon as it is known. It fails when the list cannot be read, a configuration has faults, out
// cannot be written or ctx ends.
func (j *Job) Run(ctx context.Context, list *List, out io.Writer) (Summary, error) {
	workers := j.Options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	g, ctx := errgroup.WithContext(ctx)
	order, work := make(chan *line, workers*ahead), make(chan *line)
	g.Go(func() error {
		defer close(order)
		defer close(work)
		return feed(ctx, list, order, work)
	})
	for range workers {
		g.Go(func() error {
			for l := range work {
				l.done <- j.check(ctx, l.path)
			}
			return nil
		})
	}
	var s Summary
	g.Go(func() error {
		buffer := bufio.NewWriterSize(out, 64<<10)
		err := s.print(order, buffer)
		return errors.Join(err, buffer.Flush())
	})
	err := g.Wait()
	return s, err
}

// feed hands out the paths of a list. A line is in order before it is worked on, so that none waits for another.
func feed(ctx context.Context, list *List, order, work chan<- *line) error {
	for {
		path, err := list.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		l := &line{path, make(chan result, 1)}
		for _, to := range []chan<- *line{order, work} {
			select {
			case to <- l:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
}

// print writes lines in their order. What is written goes out whenever the next line has to be waited for.
func (s *Summary) print(order <-chan *line, out *bufio.Writer) error {
	for l := range order {
		r := <-l.done
		if r.err != nil {
			return r.err
		}
		if !r.out {
			continue
		}
		s.count(r)
		if err := r.Write(out); err != nil {
			return err
		}
		if len(order) == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Summary) count(r result) {
	s.Lines++
	s.Worst = max(s.Worst, r.worst)
	if r.Error != "" {
		s.Failed++
	}
	if s.Fault == nil {
		s.Fault = r.fault
	}
}

// check checks one skill.
func (j *Job) check(ctx context.Context, path string) result {
	r := result{Line: report.Line{Path: filepath.ToSlash(path)}, out: true}
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(j.Options.Base, abs)
	}
	b, err := skills.ReadBundle(abs)
	if err != nil {
		r.out = j.Shard.Has(textHash(r.Path))
		r.Error = reason(err)
		return r
	}
	file := b.Source()
	set, excluded, err := j.settings(file)
	if err != nil {
		return result{err: err}
	}
	if excluded || !j.Shard.Has(b.Hash()) {
		return result{}
	}
	r.Hash = "sha256:" + b.Hash()
	return j.lint(ctx, b, set, r)
}

// settings returns what holds for a file, and whether a configuration leaves it out.
func (j *Job) settings(file string) (*lint.Settings, bool, error) {
	excluded := j.Options.Excludes(file)
	located := j.Options.Configs.For(filepath.Dir(file))
	if err := j.Options.Configs.Err(); err != nil {
		return nil, false, err
	}
	return j.Options.Resolver.Resolve(located.Config, workspace.Shown(located.Dir, file)), excluded, nil
}

// lint fills in what is found, which is kept or was kept before.
func (j *Job) lint(ctx context.Context, b *skills.Bundle, set *lint.Settings, r result) result {
	var key cache.Key
	if j.Store != nil {
		key = j.key(b, set)
		if data, ok := j.Store.Get(ctx, key); ok {
			if worst, ok := worstOf(data); ok {
				r.Findings, r.worst = data, worst
				return r
			}
		}
	}
	found, err := workspace.Alone(ctx, b, j.Engine, set)
	if err == nil {
		r.Findings, err = report.FindingsOf(found)
	}
	if err != nil {
		if ctx.Err() != nil {
			return result{err: ctx.Err()}
		}
		errors.As(err, &r.fault)
		r.Hash, r.Error = "", reason(err)
		return r
	}
	for _, f := range found.Findings {
		r.worst = max(r.worst, f.Severity)
	}
	if j.Store != nil {
		j.Store.Put(ctx, key, r.Findings)
	}
	return r
}

// key names everything that the findings depend on. Where the folder appears to lie tells its name, and the folder of
// skills around it; whether files can be executed is known on some systems only.
func (j *Job) key(b *skills.Bundle, set *lint.Settings) cache.Key {
	h := cache.NewHasher("bulk findings 1")
	h.Add(j.Program, runtime.GOOS, filepath.ToSlash(b.File()), b.Hash(), j.text(set))
	return h.Key()
}

// text returns the canonical text of settings, which many skills share.
func (j *Job) text(set *lint.Settings) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	have, ok := j.canonical[set]
	if !ok {
		if j.canonical == nil {
			j.canonical = map[*lint.Settings]string{}
		}
		have = set.Canonical()
		j.canonical[set] = have
	}
	return have
}

// worstOf returns the highest severity of findings that were kept; false when they are none.
func worstOf(data []byte) (lint.Severity, bool) {
	var list []struct {
		Severity string `json:"severity"`
	}
	if err := json.Unmarshal(data, &list); err != nil || list == nil {
		return lint.Off, false
	}
	worst := lint.Off
	for _, f := range list {
		severity, err := lint.ParseSeverity(f.Severity)
		if err != nil {
			return lint.Off, false
		}
		worst = max(worst, severity)
	}
	return worst, true
}

// reason says why a skill could not be checked. The path is left out: it stands in the line.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Op + ": " + at.Err.Error()
	}
	return err.Error()
}
