package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Parse decodes a configuration file; lint.ParseConfig with the known rules and clients.
type Parse func(file, src string) (*lint.Config, error)

// Located is a configuration with the absolute path of the folder its globs are relative to.
type Located struct {
	*lint.Config
	Dir string
}

// mostFolders is for how many folders the configuration is remembered.
const mostFolders = 1 << 17

// Configs finds the configuration that holds for a folder: the nearest file called as in lint.ConfigNames,
// from the folder upward to the root of the repository or, outside one, of the file system. Each folder is
// looked at once, again only when there were very many others. It may be used by several goroutines at once.
type Configs struct {
	fs    skills.FS
	base  string
	parse Parse
	fixed *Located // holds everywhere

	mu    sync.Mutex
	tree  *skills.Tree // what folders hold, for those that were listed; nil at first
	byDir map[string]*Located
	errs  []error
}

// FindConfigs returns the configurations of a file system; base is what shown paths are relative to.
func FindConfigs(fsys skills.FS, base string, parse Parse) *Configs {
	return &Configs{fs: fsys, base: base, parse: parse, byDir: map[string]*Located{}}
}

// FixedConfig returns the configuration of one file for every folder. Its globs are relative to its folder.
func FixedConfig(fsys skills.FS, base, file string, parse Parse) (*Configs, error) {
	src, err := fsys.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	cfg, err := parse(Shown(base, file), string(src))
	if err != nil {
		return nil, err
	}
	return &Configs{fixed: &Located{cfg, filepath.Dir(file)}}, nil
}

// NoConfig returns the built-in defaults for every folder.
func NoConfig(base string) *Configs {
	return &Configs{fixed: &Located{&lint.Config{}, base}}
}

// look makes a tree tell which folders hold no configuration, so that none is opened in vain.
func (c *Configs) look(tree *skills.Tree) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tree = tree
}

// For returns what holds for the files of a folder, given by its absolute path. A file with faults counts
// as empty; Err tells of them.
func (c *Configs) For(dir string) *Located {
	if c.fixed != nil {
		return c.fixed
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lookup(dir)
}

func (c *Configs) lookup(dir string) *Located {
	if have := c.byDir[dir]; have != nil {
		return have
	}
	found := c.in(dir)
	switch up := filepath.Dir(dir); {
	case found != nil:
	case up == dir || c.isRepository(dir):
		found = &Located{&lint.Config{}, c.base}
	default:
		found = c.lookup(up)
	}
	if len(c.byDir) >= mostFolders {
		clear(c.byDir) // a list of skills may be longer than memory
	}
	c.byDir[dir] = found
	return found
}

// in returns the configuration that lies in a folder, or nil.
func (c *Configs) in(dir string) *Located {
	for _, name := range lint.ConfigNames {
		if c.tree != nil && !c.tree.MayHold(dir, name) {
			continue
		}
		file := filepath.Join(dir, name)
		src, err := c.fs.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if info, statErr := c.fs.Stat(file); err != nil && statErr != nil || statErr == nil && info.IsDir() {
			continue // below a file, or a folder by that name
		}
		cfg := &lint.Config{}
		if err == nil {
			cfg, err = c.parse(Shown(c.base, file), string(src))
		}
		if err != nil {
			c.errs = append(c.errs, err)
			cfg = &lint.Config{}
		}
		return &Located{cfg, dir}
	}
	return nil
}

// isRepository reports whether a folder is the root of a Git repository. In a worktree .git is a file.
func (c *Configs) isRepository(dir string) bool {
	return (c.tree == nil || c.tree.MayHold(dir, gitName)) && isRepository(c.fs, dir)
}

const gitName = ".git"

func isRepository(fsys skills.FS, dir string) bool {
	_, err := fsys.Stat(filepath.Join(dir, gitName))
	return err == nil
}

// Err returns the faults of all configuration files read so far, or nil.
func (c *Configs) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(c.errs...)
}
