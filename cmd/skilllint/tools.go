package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// saved reads the answers of servers that flags name as SERVER=FILE.
func (a *app) saved(fsys skills.FS, flags []string) ([]workspace.Saved, error) {
	var out []workspace.Saved
	for _, flag := range flags {
		name, file, ok := strings.Cut(flag, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--tools %s: write SERVER=FILE", flag)
		}
		abs := a.abs(file)
		data, err := fsys.ReadFile(abs)
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

// asks returns what lists the tools of the configured servers as --probe wants, nil when it wants nothing.
func (l *lintCommand) asks() func(context.Context, *workspace.Snapshot) ([]workspace.Probed, error) {
	if l.probe == "off" {
		return nil
	}
	return func(ctx context.Context, s *workspace.Snapshot) ([]workspace.Probed, error) {
		entries := mcpprobe.Configured(s.Configs())
		o := l.probeOptions(entries, l.probeTimeout)
		o.Mode = mcpprobe.Mode(l.probe)
		if o.Mode == mcpprobe.Trusted {
			var err error
			if o.Consents, err = consents(); err != nil {
				return nil, err
			}
		}
		return workspace.ProbedAs(entries, mcpprobe.Probe(ctx, mcpprobe.LaunchesOf(entries), o)), nil
	}
}
