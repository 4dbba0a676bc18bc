package rules

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// specKeys are the keys of the Agent Skills text. https://agentskills.io/specification
var specKeys = []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}

// clientKeys are the keys beyond the text that each client gives a meaning, from its documentation or code.
// Keys that are only kept as a label, such as version, author or tags, are left out.
var clientKeys = map[string][]string{
	"claude-code": {
		"when_to_use", "argument-hint", "arguments", "disable-model-invocation", "user-invocable", "disallowed-tools", "model",
		"effort", "context", "agent", "background", "hooks", "paths", "shell",
	},
	"vscode":       {"argument-hint", "disable-model-invocation", "user-invocable", "context"},
	"copilot-cli":  {"argument-hint", "disable-model-invocation", "user-invocable"},
	"cursor":       {"disable-model-invocation", "paths"},
	"qwen-code":    {"allowedTools", "when_to_use", "argument-hint", "disable-model-invocation", "user-invocable", "model", "hooks", "paths", "priority"},
	"kimi-code":    {"type", "when_to_use", "disable-model-invocation", "arguments", "has-sub-skill"},
	"kimi-cli":     {"type"},
	"crush":        {"disable-model-invocation", "user-invocable"},
	"pi":           {"disable-model-invocation"},
	"letta-code":   {"id", "when_to_use", "argument-hint", "disable-model-invocation", "user-invocable"},
	"roo-code":     {"mode", "modeSlugs"},
	"cline":        {"disabled", "enabled"},
	"openhands":    {"triggers", "paths", "inputs", "disable-model-invocation"},
	"mux":          {"argument-hint", "when_to_use", "disable-model-invocation", "user-invocable", "advertise"},
	"mistral-vibe": {"user-invocable"},
	"agent-zero":   {"skill", "summary", "when_to_use", "allowed_tools", "tools", "triggers"},
}

// knownKeys are all keys that the text or any client knows.
var knownKeys = func() []string {
	all := slices.Clone(specKeys)
	for _, keys := range clientKeys {
		all = append(all, keys...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}()

// readers returns the clients that give a key beyond the text a meaning, sorted. The list is shared.
func readers(key string) []string { return readersOf()[key] }

var readersOf = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, client := range slices.Sorted(maps.Keys(clientKeys)) {
		for _, key := range clientKeys[client] {
			if !slices.Contains(out[key], client) {
				out[key] = append(out[key], client)
			}
		}
	}
	return out
})

// clientName returns the name of a client without its version.
func clientName(spec string) string {
	name, _, _ := strings.Cut(spec, "@")
	return name
}

// requiredFor returns the required key that a field stands for in another spelling, when that key is not
// there itself, and whether only the case differs.
func requiredFor(p *lint.Pass, f *skills.Field) (key string, caseOnly bool) {
	if slices.Contains(knownKeys, f.Name) {
		return "", false
	}
	for _, required := range absentKeys(p).required {
		if strings.EqualFold(f.Name, required) {
			return required, true
		}
		if short := len(f.Name) >= len("desc") && strings.HasPrefix(required, f.Name); short {
			return required, false
		}
		if d := lint.Distance(f.Name, required); d == 1 || d == 2 && len(required) >= 8 {
			return required, false
		}
	}
	return "", false
}

// optionalFor returns the optional key that a field stands for in another spelling, or "". Measured on 13,625
// published front matters, only another case or hyphenation of a known key, a single slip in a long one, and two in a
// very long one, are typing errors: `tools` is not `hooks`, `models` is not `model`.
func optionalFor(p *lint.Pass, f *skills.Field) string {
	known := slices.Contains(knownKeys, f.Name)
	if f.Name == "" || known && !otherSpelling(p, f.Name) {
		return ""
	}
	folded := foldKey(f.Name)
	for _, k := range absentKeys(p).optional {
		same := k.folded == folded && f.Name != k.name
		if same && (!known || k.spec) || !known && slip(folded, k) {
			return k.name
		}
	}
	return ""
}

// slip reports whether a key that nobody knows is a typing error for k.
func slip(folded string, k foldedKey) bool {
	shortest := min(len(folded), len(k.folded))
	if shortest < 7 || shortest < 8 && !k.spec {
		return false
	}
	d := lint.Distance(folded, k.folded)
	return d == 1 || d == 2 && shortest >= 10
}

// otherSpelling reports whether a key means something to agents alone that the skill is not for: allowed_tools is one of
// Agent Zero's.
func otherSpelling(p *lint.Pass, key string) bool {
	who := readers(key)
	return len(who) > 0 && !slices.Contains(specKeys, key) &&
		!slices.ContainsFunc(judges(p), func(c *profile.Profile) bool { return slices.Contains(who, c.Name) })
}

// absent are the known keys that front matter does not have.
type absent struct {
	required []string
	optional []foldedKey
}

type foldedKey struct {
	name, folded string
	spec         bool
}

type absentKey struct{}

// absentKeys looks once for all fields: front matter may have very many.
func absentKeys(p *lint.Pass) absent {
	return lint.Shared(p, absentKey{}, func(p *lint.Pass) absent {
		var out absent
		for _, k := range []string{"name", "description"} {
			if p.Skill.Front.Field(k) == nil {
				out.required = append(out.required, k)
			}
		}
		for _, k := range knownKeys {
			if !isRequired(k) && p.Skill.Front.Field(k) == nil {
				out.optional = append(out.optional, foldedKey{k, foldKey(k), slices.Contains(specKeys, k)})
			}
		}
		return out
	})
}

func isRequired(key string) bool { return key == "name" || key == "description" }

func foldKey(s string) string { return strings.ToLower(foldedMarks.Replace(s)) }

var foldedMarks = strings.NewReplacer("-", "", "_", "", " ", "")

// renameKey offers to write a key in another spelling.
func renameKey(f *skills.Field, to string, safe bool) []lint.Fix {
	return []lint.Fix{{Title: "rename the key to " + to, Safe: safe, Edits: []lint.Edit{lint.Replace(f.Key, to)}}}
}
