package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/rerun"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/version"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// lintCommand is one call of the lint command.
type lintCommand struct {
	*app
	choice        lint.Flags
	severities    []string
	failOn        string
	fix           bool
	unsafe        bool
	diff          bool
	baseline      string
	writeBaseline string
	since         string
	stdin         bool
	stdinFilename string
	jobs          int
	watch         bool
	statistics    bool
	exclude       []string
	output        string
	tools         []string
	probe         string
	probeTimeout  time.Duration
	bulkFlags
	cache cacheFlags

	write report.Writer
}

func newLint(a *app) *cobra.Command {
	l := &lintCommand{app: a}
	c := &cobra.Command{Use: "lint [flags] [PATH…]", Short: "Finds faults in skills", Args: cobra.ArbitraryArgs, RunE: l.run}
	l.flags(c.Flags())
	return c
}

func (l *lintCommand) flags(f *pflag.FlagSet) {
	f.StringSliceVar(&l.choice.Select, "select", nil, "run only these rules, hints included: `RULE|GROUP,…`")
	f.StringSliceVar(&l.choice.Ignore, "ignore", nil, "do not run these: `RULE|GROUP,…`")
	f.StringSliceVar(&l.severities, "severity", nil, "give a rule or group a level: `RULE=LEVEL,…`")
	f.StringVar(&l.failOn, "fail-on", "error", "exit 1 from this `LEVEL` on: error, warning, info or never")
	f.BoolVar(&l.fix, "fix", false, "apply the safe fixes")
	f.BoolVar(&l.unsafe, "unsafe", false, "with --fix or --diff: also fixes that may not be what you meant")
	f.BoolVar(&l.diff, "diff", false, "print what --fix would change, change nothing; exit 1 if there is anything")
	f.StringVar(&l.baseline, "baseline", "", "leave out the findings recorded in `FILE`")
	f.StringVar(&l.writeBaseline, "write-baseline", "", "record all findings in `FILE`")
	f.StringVar(&l.since, "since", "", "only skills changed since the Git revision `REV`")
	f.BoolVar(&l.stdin, "stdin", false, "check the text on standard input; with --fix print it fixed")
	f.StringVar(&l.stdinFilename, "stdin-filename", "", "the `PATH` that the text on standard input is for")
	f.IntVar(&l.jobs, "jobs", 0, "work on `N` skills at once; 0 for one a core")
	f.BoolVar(&l.watch, "watch", false, "check again when a file changes")
	f.BoolVar(&l.statistics, "statistics", false, "also say how often each rule fired")
	f.StringSliceVar(&l.exclude, "exclude", nil, "leave out the files and folders that match `GLOB`")
	f.StringArrayVar(&l.tools, "tools", nil, "check the tools of a saved tools/list result: `SERVER=FILE`")
	f.StringVar(&l.probe, "probe", "off", "ask MCP servers for their tools: `WHICH` is off, trusted (those you have consented to) or all (starts every server)")
	f.DurationVar(&l.probeTimeout, "probe-timeout", 0, "how long one server may take; 30s unless set, 120s for npx, uvx and docker")
	f.StringVarP(&l.output, "output", "o", "", "write the report to `FILE`")
	f.StringVar(&l.filesFrom, "files-from", "", "check each skill of the list in `FILE`, - for standard input, by itself; with --format jsonl")
	f.BoolVarP(&l.null, "null", "0", false, "the paths of --files-from end with a NUL each, not with a line")
	f.StringVar(&l.shardText, "shard", "", "only the skills of --files-from whose content belongs to shard `I/N`, such as 2/8")
	f.StringVar(&l.remoteCache, "remote-cache", "", "keep results of --files-from also in the cache at `URL`, which speaks Bazel's HTTP protocol")
	l.cache.flags(f)
}

func (l *lintCommand) run(cmd *cobra.Command, args []string) error {
	if err := l.check(args); err != nil {
		return err
	}
	if l.filesFrom != "" {
		return l.list(cmd)
	}
	store, err := l.cache.open(l.abs)
	if err != nil {
		return err
	}
	if store != nil {
		return errors.Join(l.cached(cmd, args, store), store.Prune())
	}
	job, err := l.job(cmd, args, l.machine())
	if err != nil {
		return err
	}
	return l.work(cmd.Context(), job)
}

// work does what the flags ask for.
func (l *lintCommand) work(ctx context.Context, job *workspace.Job) error {
	switch {
	case l.watch:
		return l.watchFiles(ctx, job, time.Tick(watchInterval))
	case l.stdin && (l.fix || l.diff):
		return l.fixStdin(ctx, job)
	case l.diff:
		return l.printDiff(ctx, job)
	case l.fix:
		return l.applyFixes(ctx, job)
	}
	return l.once(ctx, job)
}

// check refuses flags that make no sense, alone or together.
func (l *lintCommand) check(args []string) error {
	var err error
	if l.write, err = report.For(l.format); err != nil && l.format != report.Lines {
		return fmt.Errorf("--format: %w", err)
	}
	if err := l.bulkFlags.check(); err != nil {
		return err
	}
	if !slices.Contains([]string{"error", "warning", "info", "never"}, l.failOn) {
		return fmt.Errorf("--fail-on %s: use error, warning, info or never", l.failOn)
	}
	if !slices.Contains([]string{"off", "trusted", "all"}, l.probe) {
		return fmt.Errorf("--probe %s: use off, trusted or all", l.probe)
	}
	if l.jobs < 0 {
		return fmt.Errorf("--jobs %d: must be 0 or more", l.jobs)
	}
	for _, g := range l.exclude {
		if !workspace.CheckGlob(g) {
			return fmt.Errorf("--exclude: %q is not a valid glob", g)
		}
	}
	for _, c := range slices.Concat(l.bulkConflicts(args), l.conflicts(args)) {
		if c.found {
			return errors.New(c.message)
		}
	}
	return nil
}

type conflict struct {
	found   bool
	message string
}

func (l *lintCommand) conflicts(args []string) []conflict {
	changes := l.fix || l.diff
	return []conflict{
		{l.unsafe && !changes, "--unsafe needs --fix or --diff"},
		{l.stdin && l.stdinFilename == "", "--stdin needs --stdin-filename: what is found depends on where the file lies"},
		{!l.stdin && l.stdinFilename != "", "--stdin-filename needs --stdin"},
		{l.stdin && len(args) > 0, "--stdin checks one text; leave out the paths"},
		{l.stdin && l.since != "", "--since compares files; it cannot be used with --stdin"},
		{l.watch && (changes || l.stdin), "--watch cannot be used with --fix, --diff or --stdin"},
		{l.writeBaseline != "" && (changes || l.watch || l.baseline != ""), "--write-baseline records what is found as it is; use it alone"},
		{l.probe != "off" && (changes || l.watch || l.stdin), "--probe starts servers; it cannot be used with --fix, --diff, --watch or --stdin"},
		{l.diff && l.output != "", "--diff prints to standard output; -o does not go with it"},
	}
}

// machine returns the one this program runs on.
func (l *lintCommand) machine() *rerun.Machine {
	return &rerun.Machine{FS: skills.Disk{}, HasEnv: workspace.HasEnv, HasProgram: func(command, path string) bool {
		return workspace.HasProgram(l.base, command, path)
	}}
}

// job says what is to be linted, and how.
func (l *lintCommand) job(cmd *cobra.Command, args []string, m *rerun.Machine) (*workspace.Job, error) {
	fsys, paths, err := l.files(cmd, args, m.FS)
	if err != nil {
		return nil, err
	}
	resolver, err := l.resolver()
	if err != nil {
		return nil, err
	}
	configs, err := l.configs(fsys)
	if err != nil {
		return nil, err
	}
	saved, err := l.saved(fsys, l.tools)
	if err != nil {
		return nil, err
	}
	return &workspace.Job{
		Options: workspace.Options{
			FS: fsys, Base: l.base, Paths: paths, Exclude: l.exclude, Configs: configs, Resolver: resolver, Workers: l.jobs, Saved: saved,
			HasEnv: m.HasEnv, HasProgram: m.HasProgram,
		},
		Engine:  lint.NewEngine(l.reg),
		Filters: l.filters(),
		Ask:     l.asks(),
	}, nil
}

// files returns the file system and the paths to look in. Standard input is laid over the file it is for.
func (l *lintCommand) files(cmd *cobra.Command, args []string, disk skills.FS) (skills.FS, []string, error) {
	if !l.stdin {
		paths, err := l.paths(cmd, args)
		return disk, paths, err
	}
	src, err := io.ReadAll(l.in)
	if err != nil {
		return nil, nil, fmt.Errorf("read standard input: %w", err)
	}
	name := l.abs(l.stdinFilename)
	return workspace.NewOverlay(disk, map[string]string{name: string(src)}), []string{name}, nil
}

func (l *lintCommand) resolver() (*lint.Resolver, error) {
	l.choice.Clients, l.choice.Levels = l.clients, nil
	for _, s := range l.severities {
		name, level, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("--severity %s: write RULE=LEVEL", s)
		}
		severity, err := lint.ParseSeverity(level)
		if err != nil {
			return nil, fmt.Errorf("--severity %s: %w", s, err)
		}
		l.choice.Levels = append(l.choice.Levels, lint.Setting{Name: name, Level: severity, HasLvl: true, Source: "--severity"})
	}
	return lint.NewResolver(l.reg, l.choice)
}

func (l *lintCommand) filters() []workspace.Filter {
	var out []workspace.Filter
	if l.since != "" {
		out = append(out, workspace.SinceFilter(l.since))
	}
	switch {
	case l.writeBaseline != "":
	case l.baseline != "":
		out = append(out, workspace.BaselineFilter(l.abs(l.baseline)))
	default:
		out = append(out, workspace.ConfiguredBaselines)
	}
	return out
}

// once lints and reports.
func (l *lintCommand) once(ctx context.Context, job *workspace.Job) error {
	r, err := l.result(ctx, job)
	if err != nil {
		return err
	}
	if l.writeBaseline != "" {
		return l.record(r)
	}
	return l.report(r)
}

func (l *lintCommand) result(ctx context.Context, job *workspace.Job) (*workspace.Result, error) {
	defer l.progress("checking skills")()
	return job.Run(ctx)
}

// report prints a result and returns errFindings when it must fail.
func (l *lintCommand) report(r *workspace.Result) error { return l.finish(l.outcome(r)) }

// outcome is what a run ends with.
type outcome struct {
	empty bool          // there was nothing to look at
	worst lint.Severity // of the findings
	print func(io.Writer) error
}

func (l *lintCommand) outcome(r *workspace.Result) outcome {
	worst := lint.Off
	for _, f := range r.Findings {
		worst = max(worst, f.Severity)
	}
	o := report.Options{Version: version.Number(), Color: l.reportColored(), Quiet: l.quiet, Statistics: l.statistics}
	return outcome{
		empty: len(r.Skills)+len(r.Configs)+len(l.tools) == 0,
		worst: worst,
		print: func(w io.Writer) error { return l.write(w, r, o) },
	}
}

// reportColored decides on the colour of the report. A file has none unless asked for.
func (l *lintCommand) reportColored() bool {
	if l.output != "" {
		return l.color == "always"
	}
	return l.colored(l.out)
}

// finish prints an outcome and returns errFindings when it must fail.
func (l *lintCommand) finish(o outcome) error {
	if o.empty && !l.quiet && l.since == "" {
		fmt.Fprintln(l.err, "skilllint: no skill found, nor an MCP configuration; a skill is a folder with a SKILL.md")
	}
	if err := l.print(o); err != nil && !isBrokenPipe(err) {
		return fmt.Errorf("write the report: %w", err)
	}
	return l.statusOf(o.worst)
}

// statusOf returns errFindings when the worst of the findings is at or above --fail-on.
func (l *lintCommand) statusOf(worst lint.Severity) error {
	least, err := lint.ParseSeverity(l.failOn)
	if err == nil && worst >= least { // it fails for never
		return errFindings
	}
	return nil
}

func (l *lintCommand) print(o outcome) error {
	if l.output == "" {
		return buffered(l.out, o.print)
	}
	file, err := os.Create(l.abs(l.output))
	if err != nil {
		return err
	}
	return errors.Join(buffered(file, o.print), file.Close())
}

// record writes the baseline.
func (l *lintCommand) record(r *workspace.Result) error {
	file := l.abs(l.writeBaseline)
	data, err := workspace.EncodeBaseline(l.base, file, r)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return fmt.Errorf("write the baseline: %w", err)
	}
	if !l.quiet {
		fmt.Fprintf(l.err, "recorded %s in %s\n", report.Plural(len(r.Findings), "finding"), l.writeBaseline)
	}
	return nil
}
