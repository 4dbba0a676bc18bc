package lsp

import (
	"slices"

	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// keyTexts says what the keys of front matter are for. Origin: https://agentskills.io/specification and the
// documentation of the clients that read them.
var keyTexts = map[string]string{
	"name":                     "What the skill is called: lower-case letters, digits and hyphens, at most 64, the same as its folder.",
	"description":              "What the skill does and when to use it. It is all a model sees before it picks the skill; at most 1024 characters.",
	"license":                  "The licence of the skill: a name, or a file in its folder.",
	"compatibility":            "What the skill needs to work: products, system packages, network. At most 500 characters.",
	"metadata":                 "Values of your own: a mapping of names to texts.",
	"allowed-tools":            "The tools that may be used without asking while the skill is active, separated by blanks.",
	"when_to_use":              "More about when to use the skill; added to the description.",
	"argument-hint":            "What is shown behind the skill's name when a user calls it.",
	"arguments":                "Names for the arguments of a call, to be used as $name in the text.",
	"disable-model-invocation": "Only users call the skill; models do not see it.",
	"user-invocable":           "Whether users can call the skill by its name.",
	"disallowed-tools":         "Tools that may not be used while the skill is active.",
	"model":                    "The model that is used while the skill is active.",
	"effort":                   "How hard the model thinks while the skill is active.",
	"context":                  "fork runs the skill apart from the conversation, by an agent of its own.",
	"agent":                    "Which agent runs a skill with context: fork.",
	"hooks":                    "Commands that run at certain moments while the skill is active.",
	"paths":                    "The skill is offered only once a file that matches one of these globs is touched.",
	"shell":                    "The shell that runs the commands in the text.",
	"background":               "Whether the skill runs beside the conversation.",
}

// keyValues are the values that a key takes, where they are few.
var keyValues = map[string][]string{
	"disable-model-invocation": {"true", "false"},
	"user-invocable":           {"true", "false"},
	"background":               {"true", "false"},
	"advertise":                {"true", "false"},
	"has-sub-skill":            {"true", "false"},
	"enabled":                  {"true", "false"},
	"disabled":                 {"true", "false"},
	"context":                  {"fork"},
	"model":                    {"inherit", "opus", "sonnet", "haiku"},
	"effort":                   {"low", "medium", "high", "max"},
	"shell":                    {"bash", "powershell"},
	"license":                  {"Apache-2.0", "BSD-3-Clause", "CC-BY-4.0", "GPL-3.0-or-later", "MIT", "Proprietary"},
}

// readersOf returns those clients that give a key a meaning: by its profile, or by what is known of the key.
func readersOf(key rules.Key, clients []*profile.Profile) []*profile.Profile {
	var out []*profile.Profile
	for _, p := range clients {
		if slices.Contains(key.Clients, p.Name) || reads(p, key.Name) {
			out = append(out, p)
		}
	}
	return out
}

// reads reports whether a client's profile takes anything from a key.
func reads(p *profile.Profile, key string) bool {
	for _, f := range p.Fields {
		if slices.Contains(f.Keys, key) {
			return true
		}
	}
	for _, h := range p.Hide {
		if slices.Contains(h.Keys, key) && h.Sidecar == "" {
			return true
		}
	}
	return slices.Contains(p.AllowedTools.Keys, key)
}
