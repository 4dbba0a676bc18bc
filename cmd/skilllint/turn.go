package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/route"
	"github.com/skill-ls/skill-ls/internal/agentsim/turn"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// playScript is simulate with a script.
func (s *simulateCommand) playScript(cmd *cobra.Command, in *agentsim.Input) error {
	file := s.abs(s.script)
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--script: %w", err)
	}
	script, err := turn.ParseScript(workspace.Shown(s.base, file), data)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	model, err := s.model(s.live)
	if err != nil {
		return err
	}
	input := &turn.Input{Client: in, Script: script, Rank: s.rank(ctx, in), Model: model}
	if s.call {
		servers, err := s.open(ctx, in, script)
		if err != nil {
			return err
		}
		defer servers.close()
		input.Call = servers.call
	}
	done := s.progress("playing the turn")
	t, err := turn.Play(ctx, input)
	done()
	if err != nil {
		return err
	}
	o := report.SimulateOptions{Base: s.base, Color: s.colored(s.out)}
	if err := buffered(s.out, func(w io.Writer) error { return report.Turn(w, t, s.format, o) }); err != nil {
		return err
	}
	if t.Failed() {
		return errFindings
	}
	return nil
}

// rank orders skills by the words that the client shows of them.
func (s *simulateCommand) rank(ctx context.Context, in *agentsim.Input) func(string) []string {
	var index *route.Index
	return func(query string) []string {
		if index == nil {
			list := *in
			list.Skill, list.Args = "", ""
			sim, err := agentsim.Simulate(ctx, &list)
			if err != nil {
				return nil
			}
			var skills []route.Skill
			for _, k := range sim.Skills {
				if k.Listed {
					skills = append(skills, route.Skill{ID: k.Name, Name: k.Name, Description: k.Description})
				}
			}
			index = route.New(skills)
		}
		var out []string
		for _, h := range index.Rank(query) {
			out = append(out, h.Skill.Name)
		}
		return out
	}
}

// servers are those that calls go to.
type servers struct {
	app     *app
	entries []*mcpconfig.Server
	agreed  []mcpprobe.Launch
	open    map[string]*mcpprobe.Conversation
}

// open starts the configured servers that there is consent for, and takes their tools in place of those in the lock.
// What --tools gives stays as it is.
func (s *simulateCommand) open(ctx context.Context, in *agentsim.Input, script *turn.Script) (*servers, error) {
	p := &probeCommand{app: s.app}
	targets, err := p.configuredTargets(ctx, in.Paths)
	if err != nil {
		return nil, err
	}
	known, err := consents()
	if err != nil {
		return nil, err
	}
	out := &servers{app: s.app, open: map[string]*mcpprobe.Conversation{}}
	ask := bufio.NewReader(s.in)
	for _, t := range targets {
		if slices.ContainsFunc(out.agreed, func(l mcpprobe.Launch) bool { return l.Name == t.launch.Name }) {
			continue // of two servers of one name the first counts
		}
		if script.Sessions[t.launch.Name] == "stateless" && t.launch.Command != "" {
			out.close()
			return nil, fmt.Errorf("%s: the server %s is a process, and no client has stateless sessions with one", script.File, t.launch.Name)
		}
		out.entries = append(out.entries, t.entry)
		agreed, err := s.app.consented(ask, t.launch, known, s.yes, "")
		if err != nil {
			out.close()
			return nil, err
		}
		if !agreed {
			continue
		}
		out.agreed = append(out.agreed, t.launch)
		c, err := out.start(ctx, t.launch)
		if err != nil {
			out.close()
			return nil, err
		}
		out.open[t.launch.Name] = c
		if len(s.tools) == 0 {
			in.Servers = withServer(in.Servers, s.seenOf(in.Profile, c))
		}
	}
	return out, nil
}

// seenOf is a server with the tools that a client asks for.
func (a *app) seenOf(p *profile.Profile, c *mcpprobe.Conversation) *catalog.Server {
	if !p.FirstPage || len(c.FirstPage) >= len(c.Server.Tools) {
		return c.Server
	}
	out := *c.Server
	out.Tools = out.Tools[:len(c.FirstPage)]
	if !a.quiet {
		fmt.Fprintf(a.err, "skilllint: %s asks for the first page of tools only: of %s it gets %d of %d\n", p.Label, out.Name, len(out.Tools), len(c.Server.Tools))
	}
	return &out
}

// withServer puts a server in the place of the one of its name, or behind the others.
func withServer(list []*catalog.Server, server *catalog.Server) []*catalog.Server {
	out := slices.Clone(list)
	if i := slices.IndexFunc(out, func(s *catalog.Server) bool { return s.Name == server.Name }); i >= 0 {
		out[i] = server
		return out
	}
	return append(out, server)
}

func (s *servers) start(ctx context.Context, l mcpprobe.Launch) (*mcpprobe.Conversation, error) {
	o := s.app.probeOptions(s.entries, 0)
	o.Mode = mcpprobe.All // there is consent
	c, result := mcpprobe.Open(ctx, l, o)
	if c != nil {
		return c, nil
	}
	err := errors.New("does not answer")
	if len(result.Problems) > 0 {
		err = errors.New(result.Problems[len(result.Problems)-1].Message)
	}
	return nil, fmt.Errorf("--call: the server %s %w", l.Name, err)
}

// call makes a call, in a session of its own when it is to be fresh.
func (s *servers) call(ctx context.Context, server, tool string, arguments json.RawMessage, fresh bool) (*catalog.Node, error) {
	if c := s.open[server]; c != nil && !fresh {
		return c.Call(ctx, tool, arguments)
	}
	i := slices.IndexFunc(s.agreed, func(l mcpprobe.Launch) bool { return l.Name == server })
	if i < 0 {
		return nil, fmt.Errorf("no configuration names the server %s, or there is no consent to start it", server)
	}
	c, err := s.start(ctx, s.agreed[i])
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.Call(ctx, tool, arguments)
}

func (s *servers) close() {
	for _, c := range s.open {
		c.Close()
	}
}
