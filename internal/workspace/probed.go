//go:build !js

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
)

// ProbedAs puts what a probe of entries found, in their order, into the words of the linter.
func ProbedAs(entries []*mcpconfig.Server, results []mcpprobe.Result) []Probed {
	out := make([]Probed, len(entries))
	for i, r := range results {
		out[i] = Probed{Entry: entries[i], Server: r.Catalog}
		for _, p := range r.Problems {
			level, err := lint.ParseSeverity(string(p.Severity))
			if err != nil {
				level = lint.Error // the levels have the same names
			}
			out[i].Problems = append(out[i].Problems, lint.Problem{
				Kind: string(p.Kind), Severity: level, Message: p.Message, Detail: p.Detail, Tool: p.Tool, Pointer: p.Pointer,
			})
		}
	}
	return out
}

// WrittenLock is what was written into a lock file.
type WrittenLock struct {
	Answered      int      // how many servers were recorded
	Kept          []string // servers that did not answer and are recorded from before
	before, after *catalog.Catalog
}

// Empty reports whether there was nothing to record, so that no file was written.
func (w *WrittenLock) Empty() bool { return len(w.before.Servers)+len(w.after.Servers) == 0 }

// Changes says what the file says otherwise than before.
func (w *WrittenLock) Changes() []string {
	var out []string
	for _, c := range catalog.Diff(w.before, w.after) {
		if c.Op == catalog.Removed && c.Tool == "" {
			out = append(out, fmt.Sprintf("server %q dropped: it is not configured any more", c.Server))
		} else {
			out = append(out, c.String())
		}
	}
	return out
}

// WriteLock records in a lock file what servers offer. What the file says of servers that did not answer is kept, and
// what it says of those that are not named is dropped; without names all is kept. A file that cannot be read is written
// anew.
func WriteLock(file string, named []string, results []mcpprobe.Result) (*WrittenLock, error) {
	before, err := readCatalog(file)
	if err != nil {
		return nil, fmt.Errorf("read the lock: %w", err)
	}
	w := &WrittenLock{before: before}
	w.after = catalog.New(slices.DeleteFunc(slices.Clone(before.Servers), func(s *catalog.Server) bool { return named != nil && !slices.Contains(named, s.Name) })...)
	for _, r := range results {
		if r.Catalog != nil {
			w.Answered++
			w.after = w.after.With(r.Catalog)
		} else if w.after.Server(r.Server) != nil {
			w.Kept = append(w.Kept, r.Server)
		}
	}
	if w.Empty() {
		return w, nil
	}
	data, err := catalog.Encode(w.after)
	if err == nil {
		err = writeFile(file, data)
	}
	if err != nil {
		return nil, fmt.Errorf("write the lock: %w", err)
	}
	return w, nil
}

func readCatalog(file string) (*catalog.Catalog, error) {
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if c, err := catalog.Decode(data); err == nil {
		return c, nil
	}
	return catalog.New(), nil
}
