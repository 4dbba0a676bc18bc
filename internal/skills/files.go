package skills

import (
	"context"
	"path/filepath"
	"slices"
)

// Files returns the absolute paths of all that List would read or list: the files of the skills and what
// lies in their folders, sorted. It reads folders only.
func (l *LocalLoader) Files(ctx context.Context) ([]string, error) {
	found, err := l.find(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range found {
		out = append(out, c.abs)
		for _, f := range c.files {
			out = append(out, filepath.Join(filepath.Dir(c.abs), filepath.FromSlash(f.Path)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
