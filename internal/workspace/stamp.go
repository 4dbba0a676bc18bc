package workspace

import (
	"context"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/manifest"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// beside are the files that count in a folder above skills, relative to it.
var beside = func() []string {
	out := append(slices.Clone(lint.ConfigNames), catalog.LockName)
	for place := range manifest.Places {
		out = append(out, filepath.FromSlash(place))
	}
	slices.Sort(out)
	return out
}()

// Stamp returns a number that changes when a file that Run looks at is added, removed or written: one of
// a skill or its folder, a configuration, a lock file of MCP tools or a manifest. It goes by name, size and time of the last change.
func (j *Job) Stamp(ctx context.Context) (uint64, error) {
	s := &Snapshot{opt: j.Options, tree: skills.NewTree(j.FS, j.Base)}
	search := newSearch()
	files, err := s.loader(search).Files(ctx)
	if err != nil {
		return 0, err
	}
	files = append(files, search.Paths()...)
	h := fnv.New64a()
	add := func(name string) {
		if info, err := j.FS.Stat(name); err == nil {
			fmt.Fprintln(h, name, info.Size(), info.ModTime().UnixNano())
		}
	}
	dirs := map[string]bool{}
	for _, name := range append(files, j.Paths...) {
		add(name)
		for dir := filepath.Dir(name); !dirs[dir]; dir = filepath.Dir(dir) {
			dirs[dir] = true
			for _, name := range beside {
				add(filepath.Join(dir, name))
			}
		}
	}
	return h.Sum64(), nil
}
