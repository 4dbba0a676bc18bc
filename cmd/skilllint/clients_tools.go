package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// lockedTools is the value of a --tools without one.
const lockedTools = "lock"

// toolTable prints what each client makes of the tools of MCP servers.
func (c *clientsCommand) toolTable(cmd *cobra.Command, args []string) error {
	// The value of --tools may stand behind a blank, where it looks like a path.
	flags := slices.DeleteFunc(slices.Clone(c.tools), func(s string) bool { return s == lockedTools })
	args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool {
		given := strings.Contains(arg, "=") && readable(c.abs(arg)) != nil
		if given {
			flags = append(flags, arg)
		}
		return given
	})
	saved, err := c.saved(skills.Disk{}, flags)
	if err != nil {
		return err
	}
	paths, err := c.paths(cmd, args)
	if err != nil {
		return err
	}
	offers, err := c.disk().Offers(cmd.Context(), paths, c.clients, saved)
	if err != nil {
		return err
	}
	table := toolTable(offers, c.clients)
	if len(table) == 0 && !c.quiet {
		fmt.Fprintln(c.err, "skilllint: no tools are known; write a lock with skilllint probe --write-lock, or name a saved tools/list result with --tools SERVER=FILE")
	}
	return buffered(c.out, func(w io.Writer) error { return report.ToolTable(w, table, c.format, c.look()) })
}

// toolTable plays the clients, each on the tools of all configurations it reads.
func toolTable(offers []*lint.Offers, named []string) []report.ClientTools {
	var out []report.ClientTools
	for _, o := range offers {
		servers := o.Catalog()
		if len(servers) == 0 {
			continue
		}
		for _, p := range o.Judges(named) {
			i := slices.IndexFunc(out, func(have report.ClientTools) bool { return have.Profile == p })
			if i < 0 {
				i = len(out)
				out = append(out, report.ClientTools{Profile: p})
			}
			out[i].Tools = append(out[i].Tools, agentsim.Tools(p, servers, tokens.Estimate)...)
		}
	}
	slices.SortStableFunc(out, func(a, b report.ClientTools) int { return byTier(a.Profile, b.Profile) })
	return out
}

// byTier orders clients by tier, then by name.
func byTier(a, b *profile.Profile) int {
	if a.Tier != b.Tier {
		return a.Tier - b.Tier
	}
	return strings.Compare(a.Name, b.Name)
}
