package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/mcpserve"
)

func newMCP(a *app) *cobra.Command {
	var roots []string
	c := &cobra.Command{
		Use: "mcp [flags]", Short: "Answers agents, as an MCP server", Args: arguments(0, 0, "mcp takes no paths; --root names the folders that agents may ask about"),
		Long: "mcp serves lint, clients, simulate, route and explain as tools to agents, over standard input and output. The tools\n" +
			"read the folders of --root and nothing else, write nothing, start nothing and contact nobody. A client is told to\n" +
			"start it with the command skilllint and the argument mcp.",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), roots) },
	}
	c.Flags().StringArrayVar(&roots, "root", nil, "agents may ask about this `DIR` and what lies below it; the working directory when not given; may be repeated")
	_ = c.MarkFlagDirname("root") // it fails for a flag that is not there
	return c
}

func (a *app) serve(ctx context.Context, roots []string) error {
	if len(roots) == 0 {
		roots = []string{"."}
	}
	o := mcpserve.Options{Registry: a.reg, Clients: a.clients}
	if a.noConfig || a.config != "" { // the user's word, wherever the file lies
		o.Configs = a.disk().Configs
	}
	for _, dir := range roots {
		o.Roots = append(o.Roots, a.abs(dir))
	}
	if a.format != "text" {
		return fmt.Errorf("--format %s: the answers of mcp are text", a.format)
	}
	err := mcpserve.Serve(ctx, o, a.in, a.out, a.err)
	if errors.Is(err, context.Canceled) {
		return nil // the client has ended it, as it may
	}
	return err
}
