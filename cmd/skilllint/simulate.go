package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// simulateCommand is one call of the simulate command.
type simulateCommand struct {
	*app
	systemPrompt string
	instructions string
	session      string
	clock        string
	home         string
	groups       []string
	active       []string
	activate     string
	args         string
	runShell     bool
	tools        []string
	tokenizer    string
	script       string
	call         bool
	yes          bool
	html         string
	live         string
}

func newSimulate(a *app) *cobra.Command {
	s := &simulateCommand{app: a}
	c := &cobra.Command{
		Use: "simulate [flags] [PATH…]", Short: "Shows what a client puts before its model", Args: cobra.ArbitraryArgs, RunE: s.run,
		Long: "simulate plays one client on the folder it is started in, or on skills in the order in which a program registers them,\n" +
			"and shows its prompt, what each skill costs, what the activation of a skill adds, and the tools of MCP servers.\n" +
			"With --script it plays a whole turn: skills that are loaded, tools that are called, and what the model gets back.\n" +
			"The same input gives the same bytes; --format prompt prints nothing else.",
	}
	s.flags(c.Flags())
	return c
}

func (s *simulateCommand) flags(f *pflag.FlagSet) {
	f.StringVar(&s.activate, "activate", "", "also show what the client adds when `SKILL` is called")
	f.StringVar(&s.args, "args", "", "the arguments of that call: `TEXT`")
	f.BoolVar(&s.runShell, "run-shell", false, "run the commands in the skill's text as the client would: they may do anything")
	f.StringArrayVar(&s.tools, "tools", nil, "show the tools of a saved tools/list result `SERVER=FILE` instead of those of mcp-tools.lock.json")
	f.StringVar(&s.systemPrompt, "system-prompt", "", "the agent's own prompt: `TEXT|@FILE`")
	f.StringVar(&s.instructions, "workspace-instructions", "", "AgentScope 2: what the agent is told of its workspace: `TEXT|@FILE`")
	f.StringVar(&s.session, "session-id", "", "the `ID` of the session")
	f.StringVar(&s.clock, "clock", "", "what time it is: `RFC3339`")
	f.StringVar(&s.home, "home", "", "the user's home folder `DIR`, for the skills there; without it they are left out")
	f.StringArrayVar(&s.groups, "group", nil, "AgentScope 2: a tool group and a skill of its own: `NAME=PATH`")
	f.StringSliceVar(&s.active, "activate-group", nil, "AgentScope 2: the groups that are active: `NAME,…`")
	f.StringVar(&s.script, "script", "", "play the turn of a YAML `FILE`: what the user says, what the model calls, what is expected; exit status 1 when it fails")
	f.BoolVar(&s.call, "call", false, "with --script: start the configured servers, after asking, and really call their tools: they may do anything")
	f.StringVar(&s.live, "live", "", "with --script: let `PROVIDER:MODEL` play the model's part; providers: anthropic, ollama, openai; keys come from the environment")
	f.BoolVar(&s.yes, "yes", false, "with --call: start the servers without asking, this once")
	f.StringVar(&s.html, "html", "", "write a page to `FILE` instead, with all clients that usually judge skills, or those of --client")
	f.StringVar(&s.tokenizer, "tokenizer", agentsim.AutoTokens, "count tokens with `NAME`: estimate, o200k_base, or auto: exactly where the client's is known")
}

func (s *simulateCommand) run(cmd *cobra.Command, args []string) error {
	if err := s.formatIn("text", "json", "markdown", "prompt"); err != nil {
		return err
	}
	if s.html != "" {
		return s.page(cmd, args)
	}
	in, err := s.input(cmd, args)
	if err != nil {
		return err
	}
	if s.script != "" {
		return s.playScript(cmd, in)
	}
	defer s.progress("playing the client")()
	sim, err := agentsim.Simulate(cmd.Context(), in)
	if err != nil {
		return err
	}
	o := report.SimulateOptions{Base: s.base, Color: s.colored(s.out)}
	return buffered(s.out, func(w io.Writer) error { return report.Simulate(w, sim, s.format, o) })
}

func (s *simulateCommand) input(cmd *cobra.Command, args []string) (*agentsim.Input, error) {
	paths, err := s.paths(cmd, args)
	if err != nil {
		return nil, err
	}
	p, err := s.client(paths[0])
	if err != nil {
		return nil, err
	}
	return s.inputOf(cmd, p, paths)
}

func (s *simulateCommand) inputOf(cmd *cobra.Command, p *profile.Profile, paths []string) (_ *agentsim.Input, err error) {
	in := &agentsim.Input{Profile: p, FS: skills.Disk{}, Paths: paths, Session: s.session, Skill: s.activate, Args: s.args}
	switch {
	case s.args != "" && s.activate == "":
		return nil, errors.New("--args needs --activate")
	case s.script != "" && s.activate != "":
		return nil, errors.New("--script and --activate contradict each other: a step of the script loads a skill, \"- expect_skill: NAME\"")
	case s.script != "" && s.html != "":
		return nil, errors.New("--script and --html contradict each other: a page shows what several clients begin with")
	case s.script == "" && s.call:
		return nil, errors.New("--call needs --script")
	case s.script == "" && s.live != "":
		return nil, errors.New("--live needs --script")
	case s.yes && !s.call:
		return nil, errors.New("--yes needs --call")
	}
	if s.home != "" {
		in.Home = s.abs(s.home)
	}
	if s.runShell {
		in.Shell = agentsim.RunShell(cmd.Context(), folderOf(paths[0]))
	}
	for _, read := range []func(*agentsim.Input) error{s.texts, s.time, s.groupsOf, s.counter} {
		if err := read(in); err != nil {
			return nil, err
		}
	}
	return in, s.servers(cmd.Context(), in)
}

// client returns the one to play, see agentsim.Client.
func (a *app) client(path string) (*profile.Profile, error) {
	p, err := agentsim.Client(a.clients, path)
	if errors.Is(err, agentsim.ErrClients) {
		return nil, fmt.Errorf("--client: %w", err)
	}
	return p, err
}

// folderOf is the folder that a path is, or that the file lies in.
func folderOf(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return filepath.Dir(path)
	}
	return path
}

func (s *simulateCommand) texts(in *agentsim.Input) (err error) {
	if in.SystemPrompt, err = s.textOrFile("--system-prompt", s.systemPrompt); err != nil {
		return err
	}
	in.Instructions, err = s.textOrFile("--workspace-instructions", s.instructions)
	return err
}

// textOrFile returns a flag's text, or that of the file it names behind "@".
func (a *app) textOrFile(flag, value string) (string, error) {
	file, ok := strings.CutPrefix(value, "@")
	if !ok {
		return value, nil
	}
	data, err := os.ReadFile(a.abs(file))
	if err != nil {
		return "", fmt.Errorf("%s: %w", flag, err)
	}
	return string(data), nil
}

func (s *simulateCommand) time(in *agentsim.Input) (err error) {
	if s.clock == "" {
		return nil
	}
	if in.Clock, err = time.Parse(time.RFC3339, s.clock); err != nil {
		return fmt.Errorf("--clock %s: write a time as 2026-11-30T11:13:46Z", s.clock)
	}
	return nil
}

func (s *simulateCommand) groupsOf(in *agentsim.Input) error {
	for _, g := range s.groups {
		name, path, ok := strings.Cut(g, "=")
		if !ok || name == "" {
			return fmt.Errorf("--group %s: write NAME=PATH", g)
		}
		if err := readable(s.abs(path)); err != nil {
			return fmt.Errorf("--group %s: %w", g, err)
		}
		i := slices.IndexFunc(in.Groups, func(g agentsim.Group) bool { return g.Name == name })
		if i < 0 {
			i = len(in.Groups)
			in.Groups = append(in.Groups, agentsim.Group{Name: name, Active: slices.Contains(s.active, name)})
		}
		in.Groups[i].Paths = append(in.Groups[i].Paths, s.abs(path))
	}
	for _, name := range s.active {
		if !slices.ContainsFunc(in.Groups, func(g agentsim.Group) bool { return g.Name == name }) {
			return fmt.Errorf("--activate-group %s: there is no --group of that name", name)
		}
	}
	return nil
}

// servers takes the tools of saved answers, and without any those that lock files hold for the configured servers.
func (s *simulateCommand) servers(ctx context.Context, in *agentsim.Input) error {
	saved, err := s.saved(skills.Disk{}, s.tools)
	if err != nil {
		return err
	}
	for _, one := range saved {
		in.Servers = append(in.Servers, one.Server)
	}
	if len(saved) > 0 {
		return nil
	}
	offers, err := s.disk().Offers(ctx, in.Paths, s.clients, nil)
	if err != nil {
		return err
	}
	in.Servers, err = lint.OfferedTo(in.Profile.Name, offers)
	return err
}

func (s *simulateCommand) counter(in *agentsim.Input) error {
	if err := in.CountWith(s.tokenizer); err != nil {
		return fmt.Errorf("--tokenizer: %w", err)
	}
	return nil
}

// shownSkills returns what a client shows of the skills in its listing.
func (a *app) shownSkills(ctx context.Context, paths []string) (*agentsim.Simulation, error) {
	p, err := a.client(paths[0])
	if err != nil {
		return nil, err
	}
	return a.disk().Listing(ctx, p, paths)
}
