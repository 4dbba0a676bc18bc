// Package rerun spares a program to work out what it has worked out before: a Watch notes everything that a run asks of the
// machine, and the result of the run counts for as long as the machine would answer each question the same.
//
// A file counts as unchanged when what the system says of it is what it said when it was read, its time of change with it,
// which no program can set; where that does not tell, its content is compared. What folders hold is listed each time.
package rerun

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/skill-ls/skill-ls/internal/cache"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Machine is what a run may ask.
type Machine struct {
	FS         skills.FS
	HasEnv     func(name string) bool          // whether an environment variable is set
	HasProgram func(command, path string) bool // whether a command is a program, looked for in path or the usual folders

	clock func() time.Time // in tests; nil for that of the machine
}

// Key names a run by all that it was given. Who runs it counts, for not everybody may read every file, and so do the user's
// own folder and the system, for a folder of results may be shared.
func Key(given ...string) cache.Key {
	h := cache.NewHasher("run 1")
	home, _ := os.UserHomeDir() // without one no file lies in it
	h.Add(runtime.GOOS, home, strconv.Itoa(os.Geteuid()), strconv.Itoa(os.Getegid()))
	groups, _ := os.Getgroups() // there are none where a user is not known by numbers
	for _, g := range groups {
		h.Add("group", strconv.Itoa(g))
	}
	h.Add(given...)
	return h.Key()
}

// Last returns the result of the last run of a key, if m answers as it did then; false when there is none, or one that holds no
// longer.
func Last(ctx context.Context, store cache.Store, k cache.Key, m *Machine) (result []byte, ok bool) {
	data, ok := store.Get(ctx, k)
	if !ok {
		return nil, false
	}
	notes, result, ok := decode(data)
	if !ok {
		return nil, false
	}
	same, renewed := stillSame(notes, m)
	if !same {
		return nil, false
	}
	if renewed {
		store.Put(ctx, k, encode(notes, result))
	}
	return result, true
}

// Keep keeps the result of a run for Last, unless something was asked that cannot be asked again.
func (w *Watch) Keep(ctx context.Context, store cache.Store, k cache.Key, result []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.unsure {
		return
	}
	notes := make([]note, 0, len(w.notes))
	for q, n := range w.notes {
		n.question = q
		notes = append(notes, n)
	}
	slices.SortFunc(notes, func(a, b note) int { return a.question.compare(b.question) })
	store.Put(ctx, k, encode(notes, result))
}
