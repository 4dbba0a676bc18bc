package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/lint"
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
			rule := a.reg.Rule(args[0])
			if rule == nil {
				return unknownRule(a.reg, args[0])
			}
			return report.Rule(a.out, rule, a.format)
		},
	}
}

func unknownRule(reg *lint.Registry, name string) error {
	names := make([]string, 0, len(reg.Rules()))
	for _, r := range reg.Rules() {
		if r.Group() == name {
			return fmt.Errorf("%s is a group; name one of its rules, such as %s", name, r.Name)
		}
		names = append(names, r.Name)
	}
	return fmt.Errorf("no rule is called %q%s", name, lint.Suggest(name, names))
}
