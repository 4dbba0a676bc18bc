//go:build !js

package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// SinceFilter keeps the MCP configurations that differ from a Git revision and the skills in whose folder a file
// does, files that Git does not track included, and the findings that touch one of them.
func SinceFilter(rev string) Filter {
	return func(ctx context.Context, s *Snapshot, r *Result) error {
		changed, err := changedFiles(ctx, s.root, rev)
		if err != nil {
			return err
		}
		files := map[string]bool{} // shown paths of what belongs to a changed skill
		r.Skills = slices.DeleteFunc(slices.Clone(r.Skills), func(skill *skills.Skill) bool {
			if !s.touched(skill, changed) {
				return true
			}
			files[skill.Doc.Path] = true
			files[skill.Dir] = true
			if skill.Sidecar != nil {
				files[skill.Sidecar.Path] = true
			}
			return false
		})
		r.Configs = slices.DeleteFunc(slices.Clone(r.Configs), func(f *mcpconfig.File) bool {
			files[f.Doc.Path] = s.changed(f.Doc.Abs, changed)
			return !files[f.Doc.Path]
		})
		r.Findings = slices.DeleteFunc(r.Findings, func(f lint.Finding) bool { return !concerns(f, files) })
		return nil
	}
}

// touched reports whether one of the changed files, sorted, is the skill's or lies in its folder.
func (s *Snapshot) touched(skill *skills.Skill, changed []string) bool {
	place := filepath.Dir(skill.Doc.Abs)
	if skill.Layout == skills.Flat {
		place = skill.Doc.Abs
	}
	return s.changed(place, changed)
}

// changed reports whether one of the changed files, sorted, is the place or lies in it.
func (s *Snapshot) changed(place string, changed []string) bool {
	real, err := s.opt.FS.RealPath(place)
	if err != nil {
		real = place
	}
	i, found := slices.BinarySearch(changed, real)
	if found {
		return true
	}
	inside := real + string(filepath.Separator)
	for ; i < len(changed) && changed[i] < inside; i++ {
		continue // a neighbour such as "a-b" sorts between "a" and "a/"
	}
	return i < len(changed) && strings.HasPrefix(changed[i], inside)
}

func concerns(f lint.Finding, files map[string]bool) bool {
	in := func(file string) bool { return files[file] || files[path.Dir(file)] }
	return in(f.File) || slices.ContainsFunc(f.Related, func(r lint.Related) bool { return in(r.File) })
}

// changedFiles returns the absolute, real paths of the files in the repository of dir that differ from a
// revision or are not tracked, sorted.
func changedFiles(ctx context.Context, dir, rev string) ([]string, error) {
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	root := filepath.FromSlash(strings.TrimRight(top, "\r\n"))
	// A revision is resolved first, so that none is taken for an option or a path.
	commit, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("--since: Git knows no revision %q", rev)
	}
	differ, err := git(ctx, root, "diff", "--name-only", "--no-ext-diff", "--no-renames", "-z", strings.TrimSpace(commit), "--")
	if err != nil {
		return nil, err
	}
	untracked, err := git(ctx, root, "ls-files", "--others", "--exclude-standard", "--full-name", "-z")
	if err != nil {
		return nil, err
	}
	var out []string
	for name := range strings.SplitSeq(differ+untracked, "\x00") {
		if name != "" {
			out = append(out, filepath.Join(root, filepath.FromSlash(name)))
		}
	}
	slices.Sort(out)
	return out, nil
}

// git runs one reading command. The repository may be anybody's: its monitor program, which Git would run
// to look for changes, stays off, and no lock is taken.
// https://git-scm.com/docs/git-config#Documentation/git-config.txt-corefsmonitor
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return "", fmt.Errorf("--since needs git: %w", err)
		}
		first, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, first)
	}
	return stdout.String(), nil
}
