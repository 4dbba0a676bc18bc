package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// probeCommand is one call of the probe command.
type probeCommand struct {
	*app
	yes       bool
	writeLock bool
	timeout   time.Duration
	name      string
	servers   []string
	forget    bool

	// named has the servers of all configurations that share a lock file, turned off or not, by that file. A lock file
	// in a folder that was not looked through as a whole is not there: who knows what else is configured.
	named map[string][]string
}

func newProbe(a *app) *cobra.Command {
	p := &probeCommand{app: a}
	c := &cobra.Command{
		Use: "probe [flags] [PATH…|URL] [-- COMMAND ARG…]", Short: "Starts MCP servers and lists their tools", Args: cobra.ArbitraryArgs, RunE: p.run,
		Long: "probe starts the servers of MCP configurations, or the one that a command or a URL stands for, asks what they offer and\n" +
			"stops them. It shows what would run and asks before. Nothing is ever called; exit status 1 says that a server failed.",
	}
	f := c.Flags()
	f.BoolVar(&p.yes, "yes", false, "start everything without asking, this once")
	f.BoolVar(&p.writeLock, "write-lock", false, "record what the servers offer in "+catalog.LockName)
	f.DurationVar(&p.timeout, "probe-timeout", 0, "how long one server may take; 30s unless set, 120s for npx, uvx and docker")
	f.BoolVar(&p.forget, "forget", false, "take back the consent given with always, and start nothing")
	f.StringVar(&p.name, "name", "server", "what to call the server of a command or a URL: `NAME`")
	f.StringSliceVar(&p.servers, "server", nil, "only these servers: `NAME,…`")
	return c
}

func (p *probeCommand) run(cmd *cobra.Command, args []string) error {
	if err := p.formatIn("text", "json", "markdown"); err != nil {
		return err
	}
	targets, err := p.targets(cmd, args)
	if err != nil {
		return err
	}
	if len(targets) == 0 && !p.quiet {
		fmt.Fprintln(p.err, "skilllint: no MCP server is configured here")
	}
	if p.forget {
		return p.revoke(targets)
	}
	results, err := p.ask(cmd.Context(), targets)
	if err != nil {
		return err
	}
	if err := buffered(p.out, func(w io.Writer) error {
		return report.Probe(w, results, p.format, report.ProbeOptions{Color: p.colored(p.out), Quiet: p.quiet})
	}); err != nil {
		return err
	}
	if p.writeLock {
		if err := p.record(targets, results); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(results, broken) {
		return errFindings
	}
	return nil
}

// broken reports whether a server has no tools to show, though nobody hinders it, or shows them with errors.
func broken(r mcpprobe.Result) bool {
	return r.Status == mcpprobe.Failed || slices.ContainsFunc(r.Problems, func(p mcpprobe.Problem) bool { return p.Severity == mcpprobe.Error })
}

// target is a server to probe. entry is nil when no configuration names it.
type target struct {
	entry  *mcpconfig.Server
	launch mcpprobe.Launch
	lock   string // absolute path of its lock file
}

// targets returns the servers that the arguments stand for.
func (p *probeCommand) targets(cmd *cobra.Command, args []string) ([]target, error) {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		if dash > 0 || len(args) == 0 {
			return nil, errors.New("write probe -- COMMAND ARG…, without a path before it")
		}
		l := mcpprobe.Launch{Name: p.name, Command: args[0], Args: args[1:], Cwd: p.base}
		return []target{{launch: l, lock: filepath.Join(p.base, catalog.LockName)}}, nil
	}
	if len(args) == 1 && (strings.HasPrefix(args[0], "http://") || strings.HasPrefix(args[0], "https://")) {
		return []target{{launch: mcpprobe.Launch{Name: p.name, URL: args[0]}, lock: filepath.Join(p.base, catalog.LockName)}}, nil
	}
	paths, err := p.paths(cmd, args)
	if err != nil {
		return nil, err
	}
	return p.configuredTargets(cmd.Context(), paths)
}

// configuredTargets returns the servers of the configurations on the paths, and notes which lock files they cover.
func (p *probeCommand) configuredTargets(ctx context.Context, paths []string) ([]target, error) {
	configs, err := p.configs(skills.Disk{})
	if err != nil {
		return nil, err
	}
	resolver, err := lint.NewResolver(p.reg, lint.Flags{Clients: p.clients})
	if err != nil {
		return nil, err
	}
	s, err := workspace.Load(ctx, workspace.Options{FS: skills.Disk{}, Base: p.base, Paths: paths, Configs: configs, Resolver: resolver})
	if err != nil {
		return nil, err
	}
	p.named = s.LockedNames()
	var out []target
	for _, e := range mcpprobe.Configured(s.Configs()) {
		if len(p.servers) == 0 || slices.Contains(p.servers, e.Name) {
			out = append(out, target{e, mcpprobe.LaunchOf(e), s.LockFile(e.File)})
		}
	}
	return out, nil
}

// ask probes those servers that there is consent for.
func (p *probeCommand) ask(ctx context.Context, targets []target) ([]mcpprobe.Result, error) {
	known, err := consents()
	if err != nil {
		return nil, err
	}
	var entries []*mcpconfig.Server
	for _, t := range targets {
		if t.entry != nil {
			entries = append(entries, t.entry)
		}
	}
	agreed := make([]bool, len(targets))
	in := bufio.NewReader(p.in)
	for i, t := range targets {
		if agreed[i], err = p.consented(in, t.launch, known, p.yes, ""); err != nil {
			return nil, err
		}
	}
	o := p.probeOptions(entries, p.timeout)
	results := make([]mcpprobe.Result, len(targets))
	for _, mode := range []mcpprobe.Mode{mcpprobe.Off, mcpprobe.All} {
		var at []int
		var some []mcpprobe.Launch
		for i, t := range targets {
			if agreed[i] == (mode == mcpprobe.All) {
				at, some = append(at, i), append(some, t.launch)
			}
		}
		o.Mode = mode
		for i, r := range mcpprobe.Probe(ctx, some, o) {
			results[at[i]] = r
		}
	}
	return results, ctx.Err()
}

// consented reports whether a server may be started: because of --yes, because the user has agreed before, or because
// the answer to the question is yes. No answer is a no. then says what else is going to be done.
func (a *app) consented(in *bufio.Reader, l mcpprobe.Launch, known *mcpprobe.Consents, yes bool, then string) (bool, error) {
	if yes || known.Has(l) {
		return true, nil
	}
	verb := "Start"
	if l.Command == "" {
		verb = "Ask"
	}
	fmt.Fprintf(a.err, "%s%s this server%s? It can do whatever you can. [y]es, [a]lways, [N]o: ", l.Describe(), verb, then)
	answer, err := in.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read the answer: %w", err)
	}
	fmt.Fprintln(a.err)
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	case "a", "always":
		return true, known.Grant(l, time.Now())
	}
	return false, nil
}

// revoke takes consent back.
func (p *probeCommand) revoke(targets []target) error {
	known, err := consents()
	if err != nil {
		return err
	}
	for _, t := range targets {
		if err := known.Revoke(t.launch); err != nil {
			return err
		}
	}
	return nil
}

func consents() (*mcpprobe.Consents, error) {
	file, err := mcpprobe.ConsentFile()
	if err != nil {
		return nil, err
	}
	return mcpprobe.LoadConsents(file)
}

// probeOptions bounds a probe. Programs that a bare name finds in the working directory are not started.
func (a *app) probeOptions(entries []*mcpconfig.Server, timeout time.Duration) mcpprobe.Options {
	home, _ := os.UserHomeDir() // without one there is none to put in
	o := mcpprobe.Options{Timeout: timeout, Workspace: a.base, Expand: mcpprobe.Expander(entries, os.LookupEnv, home)}
	if !a.quiet && isTerminal(a.err) {
		o.Progress = func(e mcpprobe.Event) {
			fmt.Fprint(a.err, "\r\x1b[K")
			if e.Phase != mcpprobe.Done {
				fmt.Fprintf(a.err, "%q: %s", e.Server, e.Phase)
			}
		}
	}
	return o
}

// record writes the lock files. What they say of servers that did not answer is kept, and what they say of those that
// are not configured any more is dropped.
func (p *probeCommand) record(targets []target, results []mcpprobe.Result) error {
	byLock := map[string][]mcpprobe.Result{}
	for i, r := range results {
		byLock[targets[i].lock] = append(byLock[targets[i].lock], r)
	}
	for _, file := range slices.Sorted(maps.Keys(byLock)) {
		w, err := workspace.WriteLock(file, p.named[file], byLock[file])
		if err != nil {
			return err
		}
		if !p.quiet && !w.Empty() {
			tellRecorded(p.err, workspace.Shown(p.base, file), w)
		}
	}
	return nil
}

// tellRecorded prints what was written into a lock file and what it says otherwise than before.
func tellRecorded(w io.Writer, shown string, lock *workspace.WrittenLock) {
	for _, name := range lock.Kept {
		fmt.Fprintf(w, "server %q kept as it was recorded: it listed no tools this time\n", name)
	}
	fmt.Fprintf(w, "recorded %s in %s\n", report.Plural(lock.Answered, "server"), shown)
	for _, c := range lock.Changes() {
		fmt.Fprintln(w, c)
	}
}
