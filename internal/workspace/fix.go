package workspace

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Change is what fixes make of one file.
type Change struct {
	File   string // as shown
	Abs    string
	Before *skills.Document // as it was read
	After  string
}

// Fixes is what can be done about the findings of a workspace. Nothing of it is written yet.
type Fixes struct {
	Changes []Change // sorted by file
	Renames []lint.Rename
	Creates []lint.Create
	Applied []lint.Finding // what is settled by them
	Left    *Result        // what is found once the changes are made; renames and creates are still open
}

// maxRounds bounds how often fixes are worked out anew: fixes that overlap wait for the next round, and
// rules whose fixes undo each other would never end.
const maxRounds = 10

// Plan works out fixes round by round until none is left, without writing anything. unsafe allows the
// fixes that are not certain.
func (j *Job) Plan(ctx context.Context, unsafe bool) (*Fixes, error) {
	f := &Fixes{}
	changes := map[string]*Change{}
	overlay := NewOverlay(j.FS, nil)
	for round := 0; ; round++ {
		again := *j
		again.FS = overlay
		r, err := again.Run(ctx)
		if err != nil {
			return nil, err
		}
		plan := lint.PlanFixes(r.Findings, unsafe, r.reencoded)
		if len(plan.Edits) == 0 || round == maxRounds {
			f.settle(plan, changes, r)
			return f, nil
		}
		texts, err := j.edited(plan, r, changes)
		if err != nil {
			return nil, err
		}
		f.Applied = append(f.Applied, plan.Applied...)
		overlay = overlay.With(texts)
	}
}

// settle notes the outcome of the last round, which only renames and creates.
func (f *Fixes) settle(last *lint.Plan, changes map[string]*Change, left *Result) {
	if len(last.Edits) == 0 {
		f.Renames, f.Creates = last.Renames, last.Creates
		f.Applied = append(f.Applied, last.Applied...)
	}
	for _, file := range slices.Sorted(maps.Keys(changes)) {
		f.Changes = append(f.Changes, *changes[file])
	}
	f.Left = left
}

// edited applies the edits of a round. It notes the changes and returns the new texts by absolute path.
func (j *Job) edited(plan *lint.Plan, r *Result, changes map[string]*Change) (map[string]string, error) {
	texts := map[string]string{}
	for file, edits := range plan.Edits {
		doc := r.Doc(file)
		if doc == nil {
			return nil, fmt.Errorf("fix %s: the file is not part of the workspace", file)
		}
		after, err := text.Apply(doc.Text, edits)
		if err != nil {
			return nil, fmt.Errorf("fix %s: %w", file, err)
		}
		if changes[file] == nil {
			changes[file] = &Change{File: file, Abs: doc.Abs, Before: doc}
		}
		changes[file].After = after
		texts[doc.Abs] = after
	}
	return texts, nil
}

// reencoded reports whether a file is not UTF-8, so that offsets into its text are none into its bytes.
func (r *Result) reencoded(file string) bool {
	doc := r.Doc(file)
	return doc != nil && doc.Encoding != skills.UTF8
}
