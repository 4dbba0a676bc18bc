package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/skill-ls/skill-ls/internal/ask"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/version"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// app holds what all commands share.
type app struct {
	in       io.Reader
	out, err io.Writer
	base     string // the working directory
	reg      *lint.Registry

	format   string
	clients  []string
	config   string
	noConfig bool
	color    string
	quiet    bool

	misuse error // found where a command cannot return one
}

func newRoot(a *app) *cobra.Command {
	l := &lintCommand{app: a}
	root := &cobra.Command{
		Use:   "skilllint [lint] [flags] [PATH…]",
		Short: "Checks Agent Skills",
		Long: "skilllint finds what keeps a skill from being read as meant, and what the agents that read it make of it.\n" +
			"PATH is a skill's folder, a SKILL.md or any folder above; without one, the working directory.",
		Version:           version.Text(),
		Args:              cobra.ArbitraryArgs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.prepare() },
		RunE:              l.run,
	}
	root.SetVersionTemplate("skilllint {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	a.helpOnlyOfCommands(root)
	l.flags(root.Flags())
	a.flags(root.PersistentFlags())
	root.AddCommand(newLint(a), newRules(a), newExplain(a), newConfig(a), newNew(a), newClients(a), newSimulate(a), newRoute(a), newProbe(a), newCapture(a), newReplay(a), newMCP(a))
	completeWith(root)
	return root
}

// helpOnlyOfCommands refuses to help with a command that there is none of: without one the word would be a path, and
// help would be that of lint.
func (a *app) helpOnlyOfCommands(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		words := cmd.Flags().Args()
		if cmd != root || len(words) == 0 || readable(words[0]) == nil {
			help(cmd, args)
			return
		}
		hint := lint.Suggest(words[0], commands(root))
		if hint == "" {
			hint = "; the commands are " + strings.Join(commands(root), ", ")
		}
		a.misuse = fmt.Errorf("%s is neither a command nor a file or folder%s", words[0], hint)
	})
}

// commands returns the names of all commands.
func commands(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			out = append(out, c.Name())
		}
	}
	return out
}

func (a *app) flags(f *pflag.FlagSet) {
	f.StringVar(&a.format, "format", "text", "form of the output, such as json; each command has its own `FORMAT`s")
	f.StringSliceVar(&a.clients, "client", nil, "the clients the skills are for: `NAME[@VERSION],…` or all")
	f.StringVar(&a.config, "config", "", "use this configuration `FILE` and no other")
	f.BoolVar(&a.noConfig, "no-config", false, "use no configuration file")
	f.StringVar(&a.color, "color", "auto", "colour the output: `WHEN` is auto, always or never")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "print the result and nothing else")
}

// prepare checks the common flags.
func (a *app) prepare() error {
	var err error
	if a.base, err = os.Getwd(); err != nil {
		return fmt.Errorf("find the working directory: %w", err)
	}
	a.reg = rules.Registry()
	for _, c := range a.clients {
		if err := ask.KnownClient(c); err != nil {
			return fmt.Errorf("--client: %w", err)
		}
	}
	a.clients = ask.Clients(a.clients)
	if !slices.Contains([]string{"auto", "always", "never"}, a.color) {
		return fmt.Errorf("--color %s: use auto, always or never", a.color)
	}
	if a.config != "" && a.noConfig {
		return errors.New("--config and --no-config contradict each other")
	}
	return nil
}

// configs returns the configurations that the flags ask for.
func (a *app) configs(fsys skills.FS) (*workspace.Configs, error) {
	f := &ask.Folder{FS: fsys, Base: a.base, Registry: a.reg}
	switch {
	case a.noConfig:
		return workspace.NoConfig(a.base), nil
	case a.config != "":
		return workspace.FixedConfig(fsys, a.base, a.abs(a.config), f.ParseConfig)
	}
	return f.FindConfigs(), nil
}

// disk is the working directory, for questions about what lies on the disk.
func (a *app) disk() *ask.Folder {
	return &ask.Folder{
		FS: skills.Disk{}, Base: a.base, Registry: a.reg,
		Configs: func() (*workspace.Configs, error) { return a.configs(skills.Disk{}) },
	}
}

// formatIn checks the format of a command that has only those named.
func (a *app) formatIn(known ...string) error {
	if slices.Contains(known, a.format) {
		return nil
	}
	return fmt.Errorf("--format: %w", report.UnknownFormat(a.format, known))
}

// colored decides on colour. https://no-color.org
func (a *app) colored(w io.Writer) bool {
	switch a.color {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// arguments refuses another number of arguments with a message.
func arguments(least, most int, message string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return errors.New(message)
		}
		return nil
	}
}

// flagError names the flag that was meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var known []string
	add := func(f *pflag.Flag) { known = append(known, f.Name) }
	cmd.Flags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	name := unknown.GetSpecifiedName()
	if near := lint.Nearest(name, known); near != "" {
		return fmt.Errorf("%w; did you mean --%s?", err, near)
	}
	return fmt.Errorf("%w; %s --help lists them", err, strings.TrimSpace(cmd.CommandPath()))
}
