package lsp

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// configTable are the keys of a configuration, with what they are for.
var configTable = map[string]string{
	"clients":             "The clients the skills are for.",
	"rules":               "Levels of rules and groups.",
	"exclude":             "Files and folders left out.",
	"overrides":           "What holds for some files only.",
	"overrides.*.files":   "Globs of the files it holds for.",
	"overrides.*.clients": "The clients those are for.",
	"overrides.*.rules":   "Levels of rules and groups in those.",
	"baseline":            "A file that records findings to leave out.",
	"probe":               "Whether MCP servers are asked for their tools.",
}

// pathKeys are those of the keys whose texts are paths, or globs that begin as one.
var pathKeys = []string{"baseline", "exclude", "overrides.*.files"}

func isConfigName(file string) bool { return slices.Contains(lint.ConfigNames, path.Base(file)) }

// belowRules returns the keys below "rules", of the whole file or of an override.
func (k keyPath) belowRules() ([]string, bool) {
	at := k.path
	if len(at) >= 2 && at[0] == "overrides" && at[1] == "*" {
		at = at[2:]
	}
	if len(at) == 0 || at[0] != "rules" {
		return nil, false
	}
	return at[1:], true
}

// configKeys offers the keys of a configuration, the names of rules and groups, and their options.
func (p *page) configKeys(k keyPath) []choice {
	below, inRules := k.belowRules()
	switch {
	case !inRules:
		return tableKeys(configTable)(k)
	case len(below) == 0:
		out := []choice{{text: "all", words: "All rules."}}
		for i, r := range p.reg.Rules() {
			if i == 0 || r.Group() != p.reg.Rules()[i-1].Group() {
				out = append(out, choice{text: r.Group(), words: "All rules of this group."})
			}
		}
		for _, r := range p.reg.Rules() {
			out = append(out, choice{text: r.Name, words: r.Page.What})
		}
		return out
	case len(below) == 1:
		out := []choice{{text: "level", words: "How grave its findings are."}}
		if r := p.reg.Rule(below[0]); r != nil {
			for _, o := range r.Options {
				out = append(out, choice{text: o.Name, words: o.Doc})
			}
		}
		return out
	}
	return nil
}

// levelWords are the levels of rules.
var levelWords = map[string]string{
	"error": "cannot be read as meant", "warning": "lost or changed by a client", "info": "about portability", "hint": "an opinion", "off": "not told",
}

// configValues offers levels, clients and modes.
func (p *page) configValues(k keyPath) []choice {
	below, inRules := k.belowRules()
	last := ""
	for _, key := range k.path {
		if key != "*" {
			last = key
		}
	}
	var out []choice
	switch {
	case inRules && (len(below) == 1 || len(below) == 2 && below[1] == "level"):
		for _, level := range []string{"error", "warning", "info", "hint", "off"} {
			out = append(out, choice{text: level, words: levelWords[level]})
		}
	case last == "clients":
		for _, name := range append([]string{"all"}, slices.Sorted(slices.Values(profile.Names()))...) {
			out = append(out, choice{text: name, words: clientWords(name)})
		}
	case slices.Contains(pathKeys, strings.TrimSuffix(k.dotted(), ".*")):
		return p.pathChoices(filepath.Dir(p.doc.Abs), "", false, k)
	case last == "probe":
		for _, mode := range slices.Sorted(maps.Keys(probeModes)) {
			out = append(out, choice{text: mode, words: probeModes[mode]})
		}
	}
	return out
}

var probeModes = map[string]string{"off": "nothing is started", "trusted": "what the user has agreed to before", "all": "everything"}

func clientWords(name string) string {
	p, err := profile.Find(name)
	if err != nil {
		return "all clients"
	}
	return p.Label
}
