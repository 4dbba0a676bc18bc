// Package ask answers questions about skills for programs: the commands, agents that ask over MCP, and the page in a
// browser. It reads the file system that it is given and nothing else.
package ask

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/route"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// Folder is what questions are about.
type Folder struct {
	FS       skills.FS
	Base     string // absolute path of the folder that shown paths are relative to
	Registry *lint.Registry
	// Configs returns the configurations that hold, read anew; nil finds them, see FindConfigs.
	Configs func() (*workspace.Configs, error)
	HasEnv  func(name string) bool // whether an environment variable is set; nil for the process's own
}

// KnownClient returns an error that names a near one when there is no client of that name, in that version if it gives
// one. "all" is known.
func KnownClient(name string) error {
	if name == "all" {
		return nil
	}
	_, err := profile.Find(name)
	return err
}

// Clients puts the names of all clients in the place of "all".
func Clients(names []string) []string {
	for _, name := range names {
		if name == "all" {
			return profile.Everyone()
		}
	}
	return names
}

// ParseConfig decodes a configuration file with the rules and clients there are.
func (f *Folder) ParseConfig(file, src string) (*lint.Config, error) {
	c, err := lint.ParseConfig(file, src, f.Registry, KnownClient)
	if err != nil {
		return nil, err
	}
	c.Clients = Clients(c.Clients)
	for i := range c.Overrides {
		c.Overrides[i].Clients = Clients(c.Overrides[i].Clients)
	}
	return c, nil
}

// FindConfigs finds the configuration of each folder in it or above it.
func (f *Folder) FindConfigs() *workspace.Configs {
	return workspace.FindConfigs(f.FS, f.Base, f.ParseConfig)
}

// options says how paths, absolute ones, are looked at.
func (f *Folder) options(paths []string, flags lint.Flags) (workspace.Options, error) {
	o := workspace.Options{FS: f.FS, Base: f.Base, Paths: paths, HasEnv: f.HasEnv}
	var err error
	if o.Resolver, err = lint.NewResolver(f.Registry, flags); err != nil {
		return o, err
	}
	if f.Configs == nil {
		o.Configs = f.FindConfigs()
		return o, nil
	}
	o.Configs, err = f.Configs()
	return o, err
}

// Lint finds faults on some paths. What configured baselines record is left out.
func (f *Folder) Lint(ctx context.Context, paths []string, flags lint.Flags) (*workspace.Result, error) {
	o, err := f.options(paths, flags)
	if err != nil {
		return nil, err
	}
	job := workspace.Job{Options: o, Engine: lint.NewEngine(f.Registry), Filters: []workspace.Filter{workspace.ConfiguredBaselines}}
	return job.Run(ctx)
}

// Roster plays clients on the skills of some paths: those that are named, else the usual ones.
func (f *Folder) Roster(ctx context.Context, paths, clients []string) (*workspace.Roster, error) {
	o, err := f.options(paths, f.causes(clients))
	if err != nil {
		return nil, err
	}
	s, err := workspace.Load(ctx, o)
	if err != nil {
		return nil, err
	}
	return s.Roster(ctx, lint.NewEngine(f.Registry), 0)
}

// causes lets the rules run that explain what clients do to skills, even those that a configuration turns off, and
// no others.
func (f *Folder) causes(clients []string) lint.Flags {
	flags := lint.Flags{Clients: clients}
	for _, r := range f.Registry.Rules() {
		if r.Accounts() || r.Name == lint.ListingBudget {
			flags.Select = append(flags.Select, r.Name)
			flags.Levels = append(flags.Levels, lint.Setting{Name: r.Name, Level: lint.Warning, HasLvl: true, Source: "clients"})
		}
	}
	return flags
}

// Offers returns what lock files and saved answers tell of the servers of the configurations on some paths, and of those
// saved answers that no configuration names. Nothing is started.
func (f *Folder) Offers(ctx context.Context, paths, clients []string, saved []workspace.Saved) ([]*lint.Offers, error) {
	o, err := f.options(paths, lint.Flags{Clients: clients})
	if err != nil {
		return nil, err
	}
	o.Saved = saved
	s, err := workspace.Load(ctx, o)
	if err != nil {
		return nil, err
	}
	return s.Offers(), nil
}

// Listing returns what a client lists of the skills on some paths; tokens are estimated.
func (f *Folder) Listing(ctx context.Context, p *profile.Profile, paths []string) (*agentsim.Simulation, error) {
	in := &agentsim.Input{Profile: p, FS: f.FS, Paths: paths}
	if err := in.CountWith(agentsim.Estimate); err != nil {
		return nil, err
	}
	return agentsim.Simulate(ctx, in)
}

// Rule returns a rule by its name. The error for an unknown one names a near one.
func (f *Folder) Rule(name string) (*lint.Rule, error) {
	if r := f.Registry.Rule(name); r != nil {
		return r, nil
	}
	names := make([]string, 0, len(f.Registry.Rules()))
	for _, r := range f.Registry.Rules() {
		if r.Group() == name {
			return nil, fmt.Errorf("%s is a group; name one of its rules, such as %s", name, r.Name)
		}
		names = append(names, r.Name)
	}
	return nil, fmt.Errorf("no rule is called %q%s", name, lint.Suggest(name, names))
}

// Evals reads a file of queries, given by its absolute path. Those that name no skill are for the one that the file lies
// with.
func (f *Folder) Evals(file string) (*route.Evals, error) {
	data, err := f.FS.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return route.ReadEvals(workspace.Shown(f.Base, file), data, f.skillAbove(file))
}

// skillAbove returns the name of the nearest folder above a file that is a skill, or "".
func (f *Folder) skillAbove(file string) string {
	for dir := filepath.Dir(file); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := f.FS.Stat(filepath.Join(dir, skills.FileName)); err == nil {
			return filepath.Base(dir)
		}
	}
	return ""
}
