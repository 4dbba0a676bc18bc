package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Written is what Fix has done.
type Written struct {
	Applied []lint.Finding // what was settled
	Files   int            // how many files were changed, moved or created
	Refused []error        // changes that were not made, and why
	Left    *Result        // what is found now
}

// Fix applies fixes to the files on disk. Texts are written first, each at once and with the mode the file
// had; then files are moved and created, and the search begins anew under the new names. What lies outside
// the paths of the job, or has changed since it was read, is left alone.
func (j *Job) Fix(ctx context.Context, unsafe bool) (*Written, error) {
	w := &Written{}
	job := *j // its paths follow the files that are moved
	j = &job
	for range maxRounds {
		f, err := j.Plan(ctx, unsafe)
		if err != nil {
			return nil, err
		}
		w.Left, w.Applied = f.Left, append(w.Applied, f.Applied...)
		w.Refused = nil
		w.texts(j, f)
		if !w.moves(j, f) {
			break
		}
	}
	if len(w.Refused) == 0 {
		return w, nil
	}
	left, err := j.Run(ctx) // what was refused is still to be found
	w.Left = left
	return w, err
}

func (w *Written) texts(j *Job, f *Fixes) {
	for _, c := range f.Changes {
		w.note(j.write(c), c.File)
	}
}

// moves carries out renames and creates. It reports whether any was made.
func (w *Written) moves(j *Job, f *Fixes) bool {
	before := w.Files
	for _, r := range f.Renames {
		err := j.rename(r)
		w.note(err, r.From)
		if err == nil {
			j.follow(r)
		}
	}
	for _, c := range f.Creates {
		w.note(j.create(c), c.File)
	}
	return w.Files > before
}

// follow puts the new name of a path in the place of the old one.
func (j *Job) follow(r lint.Rename) {
	from, to := absolute(j.Base, r.From), absolute(j.Base, r.To)
	j.Paths = slices.Clone(j.Paths)
	for i, p := range j.Paths {
		if rel, err := filepath.Rel(from, p); err == nil && within(from, p) {
			j.Paths[i] = filepath.Join(to, rel)
		}
	}
}

// note counts a change of a file, or that it was refused; then the findings it was to settle are not settled.
func (w *Written) note(err error, file string) {
	if err == nil {
		w.Files++
		return
	}
	w.Refused = append(w.Refused, fmt.Errorf("fix %s: %w", file, err))
	w.Applied = slices.DeleteFunc(w.Applied, func(f lint.Finding) bool {
		return slices.ContainsFunc(f.Fixes, func(x lint.Fix) bool { return touches(x, file) })
	})
}

// touches reports whether a fix changes, moves or creates a file.
func touches(x lint.Fix, file string) bool {
	return slices.ContainsFunc(x.Edits, func(e lint.Edit) bool { return e.File == file }) ||
		slices.ContainsFunc(x.Renames, func(r lint.Rename) bool { return r.From == file }) ||
		slices.ContainsFunc(x.Creates, func(c lint.Create) bool { return c.File == file })
}

var (
	errOutside = errors.New("lies outside the paths given")
	errChanged = errors.New("has changed since it was read; run again")
	errExists  = errors.New("there is already a file of that name")
)

// inside returns the real path of a file or folder that fixes may touch: one that lies in the paths of the
// job, all symbolic links followed.
func (j *Job) inside(abs string) (string, error) {
	real, err := RealPath(j.FS, abs)
	if err != nil {
		return "", err
	}
	for _, p := range j.Paths {
		root, err := j.FS.RealPath(p)
		if err != nil {
			continue
		}
		if info, err := j.FS.Stat(root); err == nil && !info.IsDir() {
			root = filepath.Dir(root)
		}
		if within(root, real) {
			return real, nil
		}
	}
	return "", errOutside
}

// RealPath returns a path with all symbolic links followed. Its last elements need not exist, but a link that leads nowhere is
// an error: what is written there would be somewhere else.
func RealPath(fsys skills.FS, abs string) (string, error) {
	real, err := fsys.RealPath(abs)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(abs) == abs {
		return real, err
	}
	if _, there := os.Lstat(abs); there == nil {
		return "", fmt.Errorf("follow the symbolic link %s: %w", abs, err)
	}
	dir, err := RealPath(fsys, filepath.Dir(abs))
	return filepath.Join(dir, filepath.Base(abs)), err
}

func (j *Job) write(c Change) error {
	real, err := j.inside(c.Abs)
	if err != nil {
		return err
	}
	if now, err := os.ReadFile(real); err != nil || string(now) != c.Before.Raw {
		return errors.Join(err, errChanged)
	}
	return writeFile(real, []byte(c.After))
}

func (j *Job) rename(r lint.Rename) error {
	from, err := j.insideParent(r.From)
	if err != nil {
		return err
	}
	to, err := j.insideParent(r.To)
	if err != nil {
		return err
	}
	if !strings.EqualFold(from, to) {
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return renameNew(from, to)
	}
	// A file system that ignores case takes both names for the same file, so the way leads over a third.
	between := from + ".skilllint-rename"
	if err := renameNew(from, between); err != nil {
		return err
	}
	if err := renameNew(between, to); err != nil {
		return errors.Join(err, os.Rename(between, from))
	}
	return nil
}

// insideParent is inside for the entry itself: a symbolic link is moved, not what it points to.
func (j *Job) insideParent(shown string) (string, error) {
	abs := absolute(j.Base, shown)
	dir, err := j.inside(filepath.Dir(abs))
	return filepath.Join(dir, filepath.Base(abs)), err
}

func renameNew(from, to string) error {
	if _, err := os.Lstat(to); err == nil {
		return errExists
	}
	return os.Rename(from, to)
}

func (j *Job) create(c lint.Create) error {
	real, err := j.inside(absolute(j.Base, c.File))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(real), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(real, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(c.Text)
	return errors.Join(err, file.Close())
}

// writeFile replaces a file's content at once: a reader sees the old or the new one whole. A file that
// exists keeps its mode.
func writeFile(name string, data []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".skilllint-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(mode), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}
