package lsp

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// effects says in words what a client makes of a key: what it takes it for, what it asks of it and what follows.
func effects(c *profile.Profile, key string) []string {
	out := append(taken(c, key), demands(c, key)...)
	for _, h := range c.Hide {
		switch {
		case !slices.Contains(h.Keys, key) || h.Sidecar != "":
		case len(h.Is) > 0:
			out = append(out, "keeps the skill from the model when it is "+strings.Join(h.Is, ", "))
		default:
			out = append(out, "keeps the skill from the model while it holds something")
		}
	}
	if slices.Contains(c.AllowedTools.Keys, key) {
		out = append(out, toolEffects[c.AllowedTools.Effect])
	}
	return out
}

var toolEffects = map[string]string{
	"grant": "uses these tools without asking", "show": "shows them to the model", "none": "reads it and does nothing with it",
}

// taken says for what a client takes a key, and what stands in for it.
func taken(c *profile.Profile, key string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(c.Fields)) {
		f := c.Fields[name]
		switch {
		case !c.Known("fields." + name):
			continue
		case name != key && slices.Contains(f.Keys, key):
			out = append(out, "reads it as its "+strings.ReplaceAll(name, "_", " "))
		case name != key:
		case len(f.Keys) > 0 && !slices.Contains(f.Keys, key) || len(f.Keys) == 0 && len(f.Else) > 0:
			out = append(out, "takes "+standIn(f.Else)+" in its place")
		case len(f.Else) > 0:
			out = append(out, "takes "+standIn(f.Else)+" without it")
		}
		for _, t := range f.Transform {
			if name == key && t.Do == "cut" {
				out = append(out, fmt.Sprintf("cuts it to %d %s", t.Max, unit(t.Unit)))
			}
		}
		if name == key && f.Append != "" {
			out = append(out, "adds to it: "+strings.TrimSpace(f.Append))
		}
	}
	return out
}

// standIn says what a client takes when a key has no value.
func standIn(from []string) string {
	words := map[string]string{
		"folder": "the name of the folder", "body-line": "the first line of the text", "body-content": "the first line of the text",
		"body-heading": "the first line of the text", "body-text": "the first line that is no heading", "body-paragraph": "the first paragraph of the text",
	}
	var out []string
	for _, x := range from {
		if fixed, ok := strings.CutPrefix(x, "="); ok {
			out = append(out, fmt.Sprintf("%q", fixed))
		} else if words[x] != "" {
			out = append(out, words[x])
		}
	}
	return strings.Join(out, " or ")
}

// demands says what a client asks of a value, and what comes of another one.
func demands(c *profile.Profile, key string) []string {
	var out []string
	for _, action := range []struct{ name, words string }{
		{"drop", "drops the skill"}, {"root", "loses all skills of the folder"}, {"crash", "loses all skills"}, {"warn", "warns"},
	} {
		var wants []string
		for _, check := range c.Checks {
			if words := demand(check); check.On == key && words != "" && cmp.Or(check.Action, "drop") == action.name && !slices.Contains(wants, words) {
				wants = append(wants, words)
			}
		}
		if len(wants) > 0 {
			out = append(out, action.words+" unless it "+strings.Join(wants, ", "))
		}
	}
	return out
}

// demand says what a check asks of a value; "" for one that is hard to put in words.
func demand(c profile.Check) string {
	switch c.Rule {
	case "required":
		return "is there"
	case "max":
		return fmt.Sprintf("has at most %d %s", c.Max, unit(c.Unit))
	case "min":
		return fmt.Sprintf("has at least %d %s", c.Max, unit(c.Unit))
	case "folder", "folder-fold":
		return "is the name of the folder"
	case "pattern":
		return "fits `" + c.Match + "`"
	case "deny":
		return "holds nothing like `" + c.Match + "`"
	case "one-of":
		return "is one of " + strings.Join(c.Values, ", ")
	}
	return ""
}

func unit(of string) string {
	if of == "bytes" {
		return of
	}
	return "characters"
}
