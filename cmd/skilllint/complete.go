package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// completeWith tells shells the words that flags and arguments take. Paths are the shell's own matter.
func completeWith(root *cobra.Command) {
	words := map[string]func() []string{
		"client":   func() []string { return append(profile.Names(), "all") },
		"color":    fixed("auto", "always", "never"),
		"fail-on":  fixed("error", "warning", "info", "never"),
		"format":   fixed("text", "json", "markdown", "sarif", "github", "gitlab", "junit", "jsonl", "prompt"),
		"ignore":   ruleNames,
		"probe":    fixed("off", "trusted", "all"),
		"select":   ruleNames,
		"severity": func() []string { return each(ruleNames(), "=") },
	}
	for _, cmd := range append(root.Commands(), root) {
		for name, list := range words {
			if cmd.Flag(name) == nil && root.PersistentFlags().Lookup(name) == nil {
				continue
			}
			_ = cmd.RegisterFlagCompletionFunc(name, lastOf(list)) // it fails for a flag of the root that has words already
		}
		if cmd.Name() == "explain" {
			cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return ruleNames(), cobra.ShellCompDirectiveNoFileComp
			}
		}
	}
}

func fixed(words ...string) func() []string { return func() []string { return words } }

func each(words []string, ending string) []string {
	for i := range words {
		words[i] += ending
	}
	return words
}

// ruleNames are those of all rules and groups.
func ruleNames() []string {
	var out []string
	for _, r := range rules.Registry().Rules() {
		group, _, _ := strings.Cut(r.Name, "/")
		out = append(out, r.Name, group)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// lastOf completes the last word of a list with commas.
func lastOf(list func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var out []string
		for _, word := range list() {
			if strings.HasPrefix(before+word, typed) {
				out = append(out, before+word)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}
