package main

import (
	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/report"
)

func newRules(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "rules", Short: "Lists the rules", Args: arguments(0, 0, "rules takes no arguments"),
		RunE: func(*cobra.Command, []string) error {
			if err := a.formatIn("text", "json", "markdown"); err != nil {
				return err
			}
			return report.Rules(a.out, a.reg.Rules(), a.format)
		},
	}
}

func newExplain(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "explain RULE", Short: "Prints the page of a rule", Args: arguments(1, 1, "explain takes one RULE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.formatIn("text", "json", "markdown"); err != nil {
				return err
			}
			rule, err := a.disk().Rule(args[0])
			if err != nil {
				return err
			}
			return report.Rule(a.out, rule, a.format)
		},
	}
}
