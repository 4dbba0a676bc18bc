package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// saved reads the answers of servers that flags name as SERVER=FILE.
func (a *app) saved(flags []string) ([]workspace.Saved, error) {
	var out []workspace.Saved
	for _, flag := range flags {
		name, file, ok := strings.Cut(flag, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--tools %s: write SERVER=FILE", flag)
		}
		abs := a.abs(file)
		data, err := os.ReadFile(abs)
		if err != nil {
			return nil, fmt.Errorf("--tools: %w", err)
		}
		s, err := workspace.ReadSaved(name, workspace.Shown(a.base, abs), abs, data)
		if err != nil {
			return nil, fmt.Errorf("--tools: %w", err)
		}
		out = append(out, s)
	}
	return out, nil
}

// offers returns what lock files and saved answers tell of the servers of the configurations on some paths, and of those
// saved answers that no configuration names. Nothing is started.
func (a *app) offers(ctx context.Context, paths []string, saved []workspace.Saved) ([]*lint.Offers, error) {
	configs, err := a.configs(skills.Disk{})
	if err != nil {
		return nil, err
	}
	resolver, err := lint.NewResolver(a.reg, lint.Flags{Clients: a.clients})
	if err != nil {
		return nil, err
	}
	s, err := workspace.Load(ctx, workspace.Options{
		FS: skills.Disk{}, Base: a.base, Paths: paths, Configs: configs, Resolver: resolver, Saved: saved,
	})
	if err != nil {
		return nil, err
	}
	return s.Offers(), nil
}

// offeredTo returns the servers that a client has: those of the configurations that it reads, or of all, as if it had
// them, where it reads none. Of two servers of one name the first counts.
func offeredTo(client string, offers []*lint.Offers) ([]*catalog.Server, error) {
	var read, all []*catalog.Server
	for _, o := range offers {
		if o.LockErr != nil && o.Lock != nil {
			return nil, fmt.Errorf("%s: %w; write it anew: skilllint probe --write-lock", o.Lock.Path, o.LockErr)
		}
		all = append(all, o.Catalog()...)
		if o.Config != nil && slices.Contains(o.Config.Format.Clients, client) {
			read = append(read, o.Catalog()...)
		}
	}
	if len(read) == 0 {
		read = all
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(read, func(s *catalog.Server) bool {
		again := seen[s.Name]
		seen[s.Name] = true
		return again
	}), nil
}

// asks returns what lists the tools of the configured servers as --probe wants, nil when it wants nothing.
func (l *lintCommand) asks() func(context.Context, *workspace.Snapshot) ([]workspace.Probed, error) {
	if l.probe == "off" {
		return nil
	}
	return func(ctx context.Context, s *workspace.Snapshot) ([]workspace.Probed, error) {
		entries := configured(s.Configs())
		o := l.probeOptions(entries, l.probeTimeout)
		o.Mode = mcpprobe.Mode(l.probe)
		if o.Mode == mcpprobe.Trusted {
			var err error
			if o.Consents, err = consents(); err != nil {
				return nil, err
			}
		}
		return probedAs(entries, mcpprobe.Probe(ctx, launches(entries), o)), nil
	}
}

// configured returns the servers of configurations that are not turned off and can be started or reached. What is
// wrong with the others, rules about configurations tell.
func configured(files []*mcpconfig.File) []*mcpconfig.Server {
	var out []*mcpconfig.Server
	for _, f := range files {
		for _, s := range f.Servers {
			if !s.Disabled() && (s.Command != nil || s.URL != nil && s.URL.Text != "") {
				out = append(out, s)
			}
		}
	}
	return out
}

func launches(entries []*mcpconfig.Server) []mcpprobe.Launch {
	out := make([]mcpprobe.Launch, len(entries))
	for i, s := range entries {
		out[i] = mcpprobe.LaunchOf(s)
	}
	return out
}

// probedAs puts what a probe found into the words of the linter.
func probedAs(entries []*mcpconfig.Server, results []mcpprobe.Result) []workspace.Probed {
	out := make([]workspace.Probed, len(entries))
	for i, r := range results {
		out[i] = workspace.Probed{Entry: entries[i], Server: r.Catalog}
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
