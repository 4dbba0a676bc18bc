// Package workspace holds the files of a user's folders as one immutable snapshot, and lints it: it finds
// the skills, the configuration that holds for each, and applies fixes.
package workspace

import (
	"cmp"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lookpath"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Options says what a snapshot is taken of.
type Options struct {
	FS       skills.FS
	Base     string   // absolute path of the folder that shown paths are relative to
	Paths    []string // absolute paths of folders or files to look for skills in
	Exclude  []string // globs relative to Base, besides those of the configurations
	Configs  *Configs
	Resolver *lint.Resolver
	Fixed    *lint.Settings         // hold for every file; nil for what Configs and Resolver say
	Workers  int                    // how many files are worked on at once; 0 for one a core
	HasEnv   func(name string) bool // whether an environment variable is set; nil for the process's own
	// HasProgram stands in for the programs of this machine; nil for those.
	HasProgram func(command, path string) bool
	Saved      []Saved // answers of servers that stand for asking them
	Kept       *Kept   // results of earlier runs; nil for none
}

// Snapshot is the state of a workspace at one moment. It implements lint.View.
type Snapshot struct {
	opt    Options
	root   string // absolute path of the deepest folder that holds all paths
	skills []*skills.Skill
	mcp    []*mcpconfig.File
	tree   *skills.Tree
	plays  *plays
	docs   map[string]*skills.Document // of the skills, their sidecars and the MCP configurations, by shown path
	fresh  map[string]*skills.Document // those whose text changed since, which win
	offers []*lint.Offers
	probed map[offerKey]Probed
	locks  locks
}

// Load takes a snapshot. It fails when a path cannot be read, a configuration has faults or ctx ends; a
// skill that cannot be read is part of the snapshot.
func Load(ctx context.Context, o Options) (*Snapshot, error) {
	s := &Snapshot{opt: o, root: commonFolder(o.FS, o.Paths), docs: map[string]*skills.Document{}, locks: locks{}}
	s.tree = skills.NewTree(o.FS, s.root)
	o.Configs.look(s.tree)
	search := newSearch()
	list, err := s.loader(search).List(ctx)
	if err != nil {
		return nil, err
	}
	s.skills, s.mcp = list, s.configs(search)
	s.offers = s.allOffers()
	for _, skill := range list {
		s.docs[skill.Doc.Path] = skill.Doc
		o.Configs.For(filepath.Dir(skill.Doc.Abs)) // reads it, so that its faults are known below
		if skill.Sidecar != nil {
			s.docs[skill.Sidecar.Path] = skill.Sidecar
		}
	}
	o.Configs.For(s.root)
	return s, o.Configs.Err()
}

// newSearch returns a search for MCP configurations that knows the user's own folder.
func newSearch() *mcpconfig.Search {
	home, _ := os.UserHomeDir() // without one no file lies in it
	return &mcpconfig.Search{Home: home}
}

// loader returns what finds the skills, and shows its way to a search for MCP configurations. Those that the
// user named go to the search at once.
func (s *Snapshot) loader(search *mcpconfig.Search) *skills.LocalLoader {
	paths := slices.DeleteFunc(slices.Clone(s.opt.Paths), func(p string) bool { return search.Name(s.opt.FS, p) })
	return &skills.LocalLoader{
		FS: s.opt.FS, Base: s.opt.Base, Paths: paths, Exclude: s.excludes, Workers: s.opt.Workers, Visit: func(f skills.Folder) {
			s.tree.Saw(f.Abs, f.Entries)
			search.Visit(f)
		},
	}
}

// configs returns the MCP configurations that were found, those left out that are excluded or lie beside a skill
// that alone was named.
func (s *Snapshot) configs(search *mcpconfig.Search) []*mcpconfig.File {
	search.Keep(func(abs string) bool {
		return slices.ContainsFunc(s.opt.Paths, func(p string) bool { return within(p, abs) }) && !s.excludes(Shown(s.opt.Base, abs))
	})
	list := search.Files(s.opt.FS, s.opt.Base)
	for _, f := range list {
		s.docs[f.Doc.Path] = f.Doc
		s.opt.Configs.For(filepath.Dir(f.Doc.Abs))
	}
	return list
}

// excludes reports whether a glob leaves out a file or folder.
func (s *Snapshot) excludes(shown string) bool {
	for _, g := range s.opt.Exclude {
		if lint.MatchGlob(g, shown) {
			return true
		}
	}
	abs := s.Abs(shown)
	cfg := s.opt.Configs.For(filepath.Dir(abs))
	return len(cfg.Exclude) > 0 && cfg.Excludes(Shown(cfg.Dir, abs))
}

// CheckGlob reports whether a glob can be used in Options.Exclude.
func CheckGlob(glob string) bool { return doublestar.ValidatePattern(glob) }

// Skills implements lint.View: all skills, sorted by path.
func (s *Snapshot) Skills() []*skills.Skill { return s.skills }

// Configs implements lint.View: all MCP configurations, sorted by path.
func (s *Snapshot) Configs() []*mcpconfig.File { return s.mcp }

// HasEnv implements lint.View: whether an environment variable is set.
func (s *Snapshot) HasEnv(name string) bool {
	if s.opt.HasEnv != nil {
		return s.opt.HasEnv(name)
	}
	return HasEnv(name)
}

// HasEnv reports whether the process has an environment variable.
func HasEnv(name string) bool {
	_, ok := os.LookupEnv(name)
	return ok
}

// HasProgram implements lint.View: whether a command is a program of this machine.
func (s *Snapshot) HasProgram(command, path string) bool {
	if s.opt.HasProgram != nil {
		return s.opt.HasProgram(command, path)
	}
	return HasProgram(s.opt.Base, command, path)
}

// HasProgram reports whether a command is a program of this machine. path is a list of folders, "" for those of the process;
// base is where commands that are paths start from.
func HasProgram(base, command, path string) bool {
	_, err := lookpath.Find(command, base, cmp.Or(path, os.Getenv("PATH")))
	return err == nil
}

// Tree implements lint.View: the files around the skills.
func (s *Snapshot) Tree() *skills.Tree { return s.tree }

// Doc returns the document of a skill, a sidecar or another file with findings by its shown path, or nil.
func (s *Snapshot) Doc(file string) *skills.Document {
	if d := s.fresh[file]; d != nil {
		return d
	}
	if d := s.docs[file]; d != nil {
		return d
	}
	return s.tree.Kept(s.Abs(file))
}

// Abs returns the absolute path of a shown one.
func (s *Snapshot) Abs(shown string) string {
	if d := s.docs[shown]; d != nil && d.Abs != "" {
		return d.Abs
	}
	return absolute(s.opt.Base, shown)
}

// Config returns the configuration that holds for a file, by its shown path; "." is the whole workspace.
func (s *Snapshot) Config(file string) *Located {
	if file == "." {
		return s.opt.Configs.For(s.root)
	}
	return s.opt.Configs.For(filepath.Dir(s.Abs(file)))
}

// Settings returns what holds for a file, by its shown path; "." is the whole workspace.
func (s *Snapshot) Settings(file string) *lint.Settings {
	if s.opt.Fixed != nil {
		return s.opt.Fixed
	}
	cfg := s.Config(file)
	return s.opt.Resolver.Resolve(cfg.Config, Shown(cfg.Dir, s.Abs(file)))
}

// Shown returns the path under which a file is shown: relative to base, with slashes.
func Shown(base, abs string) string {
	if rel, ok := skills.Below(base, abs); ok {
		return filepath.ToSlash(rel)
	}
	rel, err := filepath.Rel(base, abs)
	if err != nil {
		return filepath.ToSlash(abs) // another drive
	}
	return path.Clean(filepath.ToSlash(rel))
}

func absolute(base, shown string) string {
	native := filepath.FromSlash(shown)
	if filepath.IsAbs(native) {
		return native
	}
	return filepath.Join(base, native)
}

// commonFolder returns the deepest folder that all paths lie in.
func commonFolder(fsys skills.FS, paths []string) string {
	common := ""
	for i, p := range paths {
		if info, err := fsys.Stat(p); err == nil && !info.IsDir() {
			p = filepath.Dir(p)
		}
		if i == 0 {
			common = p
		}
		for !within(common, p) {
			common = filepath.Dir(common)
		}
	}
	return common
}

// within reports whether a path is dir or lies below it. Both are absolute and clean.
func within(dir, p string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
