package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// clientsCommand is one call of the clients command.
type clientsCommand struct {
	*app
	explain string
	tools   []string
}

func newClients(a *app) *cobra.Command {
	c := &clientsCommand{app: a}
	cmd := &cobra.Command{
		Use: "clients [flags] [PATH…]", Short: "Shows what each client makes of each skill", Args: cobra.ArbitraryArgs, RunE: c.run,
		Long: "clients plays agent clients on skills: is each skill listed, as what, and if not why. Without --client they are the\n" +
			"usual ones, and those whose folders are there.",
	}
	f := cmd.Flags()
	f.StringArrayVar(&c.tools, "tools", nil, "show the tools of MCP servers instead: those of lock files, and of saved tools/list results `SERVER=FILE`")
	f.Lookup("tools").NoOptDefVal = lockedTools
	cmd.Flags().StringVar(&c.explain, "explain", "", "tell stage by stage what becomes of one `SKILL`: its path or name")
	return cmd
}

func (c *clientsCommand) run(cmd *cobra.Command, args []string) error {
	if err := c.formatIn("text", "json", "markdown"); err != nil {
		return err
	}
	if len(c.tools) > 0 {
		return c.toolTable(cmd, args)
	}
	paths, err := c.paths(cmd, args)
	if err != nil {
		return err
	}
	done := c.progress("playing clients")
	r, err := c.disk().Roster(cmd.Context(), paths, c.clients)
	done()
	if err != nil {
		return err
	}
	if c.explain != "" {
		return c.explainSkill(r)
	}
	if len(r.Skills) == 0 && !c.quiet {
		fmt.Fprintln(c.err, "skilllint: no skill found; a skill is a folder with a SKILL.md")
	}
	return buffered(c.out, func(w io.Writer) error { return report.Clients(w, r, c.format, c.look()) })
}

func (c *clientsCommand) explainSkill(r *workspace.Roster) error {
	s, err := r.Find(c.explain)
	if err != nil {
		return fmt.Errorf("--explain: %w", err)
	}
	return buffered(c.out, func(w io.Writer) error { return report.ExplainClients(w, r, s, c.format, c.look()) })
}

// look says what the terminal can show.
func (c *clientsCommand) look() report.ClientsOptions {
	return report.ClientsOptions{Color: c.colored(c.out), Quiet: c.quiet, ASCII: !utf8Locale(os.Getenv), Width: c.width()}
}

// defaultWidth is the width in columns of output that goes to no terminal.
const defaultWidth = 100

func (c *clientsCommand) width() int {
	if f, ok := c.out.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return defaultWidth
}

// utf8Locale reports whether the locale's characters are Unicode, as they are when none is set: then nobody has
// chosen. The first of these variables that is not empty holds.
// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html
func utf8Locale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}
