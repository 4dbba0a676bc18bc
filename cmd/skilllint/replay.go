package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/agentsim/replay"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// replayCommand is one call of the replay command.
type replayCommand struct {
	*app
	from        string
	workspace   string
	tools       []string
	failOn      string
	all         bool
	export      string
	live        bool
	yes         bool
	allowWrites bool
	timeout     time.Duration
	masks       []string
	patterns    []string
	pointers    []string
}

func newReplay(a *app) *cobra.Command {
	r := &replayCommand{app: a}
	c := &cobra.Command{
		Use: "replay [flags] RECORDING…", Short: "Holds recorded tool calls against today's tools and skills", Args: cobra.MinimumNArgs(1), RunE: r.run,
		Long: "replay reads recorded sessions and tells which of their tool calls would go wrong today: tools that are gone or renamed,\n" +
			"arguments and results that no longer fit, skills and files that are not there any more. A RECORDING is a file, - for\n" +
			"standard input, or a folder of .jsonl and .json files: " + strings.Join(recording.Formats(), ", ") + ".\n" +
			"Nothing is called, unless with --live and consent: then read-only tools are, and their results compared.",
	}
	f := c.Flags()
	f.StringVar(&r.from, "from", "", "the `FORMAT` of the recordings, instead of what they look like")
	f.StringVar(&r.workspace, "workspace", ".", "the folder with the skills and the MCP configuration: `DIR`")
	f.StringArrayVar(&r.tools, "tools", nil, "take a server's tools from a saved tools/list result: `SERVER=FILE`")
	f.StringVar(&r.failOn, "fail-on", "error", "exit 1 for a finding of this `SEVERITY` or a higher one: error, warning, info or never")
	f.BoolVar(&r.all, "all", false, "list all calls, not only those with something to say about them")
	f.StringVar(&r.export, "export", "", "write the calls, without their credentials, to `FILE` as JSON lines that replay reads")
	f.BoolVar(&r.live, "live", false, "call read-only tools again and compare their results; asks before it starts a server")
	f.BoolVar(&r.yes, "yes", false, "with --live, start servers without asking, this once")
	f.BoolVar(&r.allowWrites, "allow-writes", false, "with --live, also call tools that do not say that they are read-only")
	f.DurationVar(&r.timeout, "probe-timeout", 0, "with --live, how long a server may take to start and for each call; 30s unless set, 120s for npx, uvx and docker")
	f.StringSliceVar(&r.masks, "mask", replay.DefaultMasks, "with --live, differences that do not count: `NAME,…` of time, id, path, port and number, or none")
	f.StringArrayVar(&r.patterns, "mask-pattern", nil, "with --live, nor does text that a regular expression matches: `REGEXP`")
	f.StringArrayVar(&r.pointers, "mask-at", nil, "with --live, nor does the value at a place of the result, such as /content/*/text/id: `POINTER`")
	return c
}

func (r *replayCommand) run(cmd *cobra.Command, args []string) error {
	if err := r.formatIn("text", "json", "junit", "markdown"); err != nil {
		return err
	}
	stream()
	floor, err := r.check()
	if err != nil {
		return err
	}
	in, err := r.input(cmd.Context(), args)
	if err != nil {
		return err
	}
	done := func() {}
	if !r.live { // which asks
		done = r.progress("reading recordings")
	}
	result, err := r.replay(cmd.Context(), in)
	done()
	if err != nil {
		return err
	}
	if err := unreadable(result); err != nil {
		return err
	}
	o := report.ReplayOptions{Color: r.colored(r.out), Quiet: r.quiet}
	if err := buffered(r.out, func(w io.Writer) error { return report.Replay(w, result, r.format, o) }); err != nil && !isBrokenPipe(err) {
		return err
	}
	if reaches(result, floor) {
		return errFindings
	}
	return nil
}

// check looks at flags that say nothing alone, and returns the lowest severity that counts; lint.Off is none.
func (r *replayCommand) check() (lint.Severity, error) {
	if !r.live && (r.yes || r.allowWrites || r.patterns != nil || r.pointers != nil) {
		return 0, errors.New("--yes, --allow-writes and the masks are for --live")
	}
	if r.failOn == "never" {
		return lint.Off, nil
	}
	floor, err := lint.ParseSeverity(r.failOn)
	if err != nil || floor < lint.Info {
		return 0, fmt.Errorf("--fail-on %s: use error, warning, info or never", r.failOn)
	}
	return floor, nil
}

// replay runs the replay, and writes the calls where they are wanted.
func (r *replayCommand) replay(ctx context.Context, in *replay.Input) (*replay.Report, error) {
	if r.export == "" {
		return replay.Run(ctx, in)
	}
	f, err := os.Create(r.abs(r.export))
	if err != nil {
		return nil, fmt.Errorf("--export: %w", err)
	}
	w := bufio.NewWriter(f)
	in.Export = w
	result, err := replay.Run(ctx, in)
	if err := errors.Join(err, w.Flush(), f.Close()); err != nil {
		return nil, err
	}
	return result, nil
}

// unreadable is an error when no recording could be read.
func unreadable(result *replay.Report) error {
	var faults []error
	if len(result.Recordings) == 0 {
		return errors.New("no file that was found is a recording of a known format")
	}
	for _, rec := range result.Recordings {
		if rec.Fault == "" {
			return nil
		}
		faults = append(faults, fmt.Errorf("%s: %s", rec.File, rec.Fault))
	}
	return errors.Join(faults...)
}

// reaches reports whether there is a finding of a severity or a higher one.
func reaches(result *replay.Report, floor lint.Severity) bool {
	n := result.Counts
	broken := 0
	for _, rec := range result.Recordings {
		if rec.Fault != "" {
			n.Errors++
		}
		for _, note := range rec.Notes {
			if note.Broken {
				broken++
			}
		}
	}
	switch floor {
	case lint.Error:
		return n.Errors > 0
	case lint.Warning:
		return n.Errors+n.Warnings+broken > 0
	case lint.Info:
		return n.Errors+n.Warnings+n.Infos+broken > 0
	}
	return false
}

func (r *replayCommand) input(ctx context.Context, args []string) (*replay.Input, error) {
	in := &replay.Input{Format: recording.Format(r.from), All: r.all}
	if r.from != "" && !slices.Contains(recording.Formats(), r.from) {
		return nil, fmt.Errorf("--from: %w", report.UnknownFormat(r.from, recording.Formats()))
	}
	for _, name := range r.clients {
		c, err := profile.Find(name)
		if err != nil {
			return nil, err
		}
		in.Clients = append(in.Clients, c)
	}
	var err error
	if in.Sources, err = r.sources(args); err != nil {
		return nil, err
	}
	if in.Today, err = r.today(ctx); err != nil {
		return nil, err
	}
	if r.live {
		in.Live, err = r.again(in.Today)
	}
	return in, err
}

// sources returns the recordings that the arguments name.
func (r *replayCommand) sources(args []string) ([]replay.Source, error) {
	var out []replay.Source
	add := func(file string, found bool) {
		out = append(out, replay.Source{Name: workspace.Shown(r.base, file), Open: func() (io.ReadCloser, error) { return os.Open(file) }, Found: found})
	}
	for _, arg := range args {
		if arg == "-" {
			if r.live && !r.yes {
				return nil, errors.New("with --live, a recording on standard input needs --yes: the answers to questions come from there")
			}
			out = append(out, replay.Source{Name: "standard input", Open: func() (io.ReadCloser, error) { return io.NopCloser(r.in), nil }})
			continue
		}
		file := r.abs(arg)
		info, err := os.Stat(file)
		switch {
		case err != nil:
			return nil, fmt.Errorf("cannot read %s: %w", arg, errors.Unwrap(err))
		case !info.IsDir():
			add(file, false)
			continue
		}
		before := len(out)
		err = filepath.WalkDir(file, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && slices.Contains([]string{".jsonl", ".json"}, filepath.Ext(name)) {
				add(name, true)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", arg, err)
		}
		if len(out) == before {
			return nil, fmt.Errorf("%s holds no .jsonl or .json file", arg)
		}
	}
	return out, nil
}

// today returns the tools and skills there are.
func (r *replayCommand) today(ctx context.Context) (*replay.Today, error) {
	dir := r.abs(r.workspace)
	if err := readable(dir); err != nil {
		return nil, fmt.Errorf("--workspace: %w", err)
	}
	configs, err := r.configs(skills.Disk{})
	if err != nil {
		return nil, err
	}
	resolver, err := lint.NewResolver(r.reg, lint.Flags{Clients: r.clients})
	if err != nil {
		return nil, err
	}
	saved, err := r.saved(skills.Disk{}, r.tools)
	if err != nil {
		return nil, err
	}
	s, err := workspace.Load(ctx, workspace.Options{FS: skills.Disk{}, Base: r.base, Paths: []string{dir}, Configs: configs, Resolver: resolver, Saved: saved})
	if err != nil {
		return nil, err
	}
	t := replay.TodayOf(s, dir)
	t.Home, _ = os.UserHomeDir() // without one there are no skills in it
	return t, nil
}

// again returns how calls are made again.
func (r *replayCommand) again(t *replay.Today) (*replay.Live, error) {
	names := slices.DeleteFunc(slices.Clone(r.masks), func(n string) bool { return n == "none" })
	masks, err := replay.NewMasks(names, r.patterns, r.pointers)
	if err != nil {
		return nil, fmt.Errorf("--mask: %w", err)
	}
	known, err := consents()
	if err != nil {
		return nil, err
	}
	var entries []*mcpconfig.Server
	for _, s := range t.Servers {
		if s.Entry != nil {
			entries = append(entries, s.Entry)
		}
	}
	then := " and call its read-only tools"
	if r.allowWrites {
		then = " and call its tools, also those that change something"
	}
	in := bufio.NewReader(r.in)
	launch := func(s *replay.Server) (mcpprobe.Launch, bool, error) {
		if s.Entry == nil {
			return mcpprobe.Launch{}, false, nil
		}
		l := mcpprobe.LaunchOf(s.Entry)
		agreed, err := r.consented(in, l, known, r.yes, then)
		return l, agreed, err
	}
	return &replay.Live{Launch: launch, Options: r.probeOptions(entries, r.timeout), AllowWrites: r.allowWrites, Masks: masks}, nil
}
