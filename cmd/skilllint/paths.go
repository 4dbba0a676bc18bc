package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/lint"
)

// abs returns the absolute path of one the user gave.
func (a *app) abs(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(a.base, name)
}

// paths returns the absolute paths of what the user named, the working directory when nothing was. A name
// that does not exist may have been meant as a command.
func (a *app) paths(cmd *cobra.Command, args []string) ([]string, error) {
	if len(args) == 0 {
		return []string{a.base}, nil
	}
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = a.abs(arg)
		if err := readable(out[i]); err != nil {
			return nil, pathError(cmd, arg, err)
		}
	}
	return out, nil
}

func readable(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}

func pathError(cmd *cobra.Command, arg string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read %s: %w", arg, errors.Unwrap(err))
	}
	if near := lint.Nearest(arg, commands(cmd.Root())); near != "" && !cmd.HasParent() {
		return fmt.Errorf("there is no file or folder %s; did you mean the command %q?", arg, near)
	}
	return fmt.Errorf("there is no file or folder %s", arg)
}
