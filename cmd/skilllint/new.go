package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

func newNew(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "new NAME", Short: "Creates a skill: NAME/SKILL.md", Args: arguments(1, 1, "new takes one NAME"),
		Long: "new creates NAME/SKILL.md. NAME may have folders before it, such as .agents/skills/NAME. Nothing is overwritten,\n" +
			"and nothing is created that a client given with --client would not take.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.formatIn("text"); err != nil {
				return err
			}
			return a.create(cmd.Context(), args[0])
		},
	}
}

// validName is the form of a name in the Agent Skills specification: lower-case letters, digits and single
// hyphens between them. https://agentskills.io/specification
var validName = lazyregexp.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)

const maxName = 64

func (a *app) create(ctx context.Context, arg string) error {
	dir := a.abs(arg)
	name := filepath.Base(dir)
	if up := filepath.Base(arg); up == ".." { // which names a folder that is there, by what nobody wrote
		return badName(up)
	}
	if !validName.MatchString(name) || len(name) > maxName {
		return badName(name)
	}
	file := filepath.Join(dir, skills.FileName)
	text, err := a.draft(ctx, file, name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("create the skill's folder: %w", err)
	}
	if err := writeNew(file, text); err != nil {
		return err
	}
	if !a.quiet {
		fmt.Fprintf(a.out, "created %s\n", workspace.Shown(a.base, file))
	}
	return nil
}

// writeNew never overwrites: not even a file that differs in case only, which is the same one on many disks.
func writeNew(file, text string) error {
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return fmt.Errorf("create the skill: %w", err)
	}
	for _, e := range entries {
		if skills.IsSkillFile(e.Name()) {
			return fmt.Errorf("there is already a skill in %s", filepath.Dir(file))
		}
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("there is already a skill in %s", filepath.Dir(file))
	}
	if err != nil {
		return fmt.Errorf("create the skill: %w", err)
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// lintsClean reports what would be found in a skill that is not written yet.
func (a *app) lintsClean(ctx context.Context, file, text string) error {
	fsys := workspace.NewOverlay(skills.Disk{}, map[string]string{file: text})
	configs, err := a.configs(fsys)
	if err != nil {
		return err
	}
	resolver, err := lint.NewResolver(a.reg, lint.Flags{Clients: a.clients})
	if err != nil {
		return err
	}
	job := workspace.Job{
		Options: workspace.Options{FS: fsys, Base: a.base, Paths: []string{file}, Configs: configs, Resolver: resolver},
		Engine:  lint.NewEngine(a.reg),
	}
	r, err := job.Run(ctx)
	if err != nil {
		return err
	}
	for _, f := range r.Findings {
		if f.Severity >= lint.Warning {
			return fmt.Errorf("such a skill would not be taken as it is: %s (%s)", f.Message, f.Rule.Name)
		}
	}
	return nil
}

func badName(name string) error {
	const form = "a skill's name has lower-case letters, digits and single hyphens between them, 64 at most"
	if near := nearestName(name); near != "" {
		return fmt.Errorf("%q is no name for a skill; did you mean %q? (%s)", name, near, form)
	}
	return fmt.Errorf("%q is no name for a skill: %s", name, form)
}

// nearestName makes a valid name of the letters and digits of another: a change to upper case and all else
// between them become hyphens.
func nearestName(s string) string {
	var b strings.Builder
	before := rune(0)
	for _, r := range s {
		word := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
		if hump := unicode.IsUpper(r) && unicode.IsLower(before); hump || !word {
			b.WriteByte(' ')
		}
		if word {
			b.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	name := strings.Join(strings.Fields(b.String()), "-")
	if len(name) > maxName {
		name = strings.TrimRight(name[:maxName], "-")
	}
	return name
}

// descriptions are what a new skill says of itself: the second is for clients that show little of it.
var descriptions = []string{
	"Describe what this skill does and when to use it, with the words people use when they ask for it.",
	"Say what it does, and when.",
}

// draft returns the text of a new skill that the chosen clients take as it is.
func (a *app) draft(ctx context.Context, file, name string) (text string, err error) {
	for _, d := range descriptions {
		text = template(name, d)
		if err = a.lintsClean(ctx, file, text); err == nil {
			return text, nil
		}
	}
	return "", err
}

func template(name, description string) string {
	title := strings.ReplaceAll(name, "-", " ")
	title = strings.ToUpper(title[:1]) + title[1:]
	return "---\nname: " + name + "\n" +
		"description: " + description + "\n---\n\n# " + title + "\n\n" +
		"1. Write the steps an agent should follow.\n" +
		"2. Say how it can tell that it is done.\n"
}
