package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

func newConfig(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "config [PATH]", Short: "Shows the configuration that holds for a path, and where each value comes from",
		Args: arguments(0, 1, "config takes at most one PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.formatIn("text", "json"); err != nil {
				return err
			}
			paths, err := a.paths(cmd, args)
			if err != nil {
				return err
			}
			return a.printConfig(paths[0])
		},
	}
}

func (a *app) printConfig(path string) error {
	configs, err := a.configs(skills.Disk{})
	if err != nil {
		return err
	}
	resolver, err := lint.NewResolver(a.reg, lint.Flags{Clients: a.clients})
	if err != nil {
		return err
	}
	file := representative(path)
	cfg := configs.For(filepath.Dir(file))
	if err := configs.Err(); err != nil {
		return err
	}
	return report.Config(a.out, report.Effective{
		Path:     workspace.Shown(a.base, path),
		Config:   cfg.Config,
		Settings: resolver.Resolve(cfg.Config, workspace.Shown(cfg.Dir, file)),
		Rules:    a.reg.Rules(),
	}, a.format)
}

// representative returns the file that stands for a path: of a folder, its SKILL.md, there or not.
func representative(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, skills.FileName)
	}
	return path
}
