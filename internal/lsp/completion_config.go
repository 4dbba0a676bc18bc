package lsp

import (
	"maps"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// configKeys are the keys of a configuration, with what they are for.
var configKeys = map[string]string{
	"clients":   "the clients the skills are for",
	"rules":     "levels of rules and groups",
	"exclude":   "files and folders left out",
	"overrides": "what holds for some files only",
	"baseline":  "a file that records findings to leave out",
	"probe":     "whether MCP servers are asked for their tools",
}

func isConfigName(file string) bool { return slices.Contains(lint.ConfigNames, path.Base(file)) }

// configItems completes a configuration in YAML: keys, names of rules and groups, levels, clients.
func (p *page) configItems(before string, off int) []protocol.CompletionItem {
	if path.Ext(p.p.file) == ".json" {
		return nil
	}
	indent := len(before) - len(strings.TrimLeft(before, " "))
	parent := p.configParent(off, indent)
	key, _, isValue := strings.Cut(strings.TrimSpace(before), ":")
	at := tokenAt(p.text(), off, isRuleByte)
	var out []protocol.CompletionItem
	add := func(label, detail string, kind protocol.CompletionItemKind, suffix string) {
		it := p.item(label, detail, kind, at)
		p.insert(&it, label+suffix)
		out = append(out, it)
	}
	switch {
	case parent == "" && !isValue:
		for _, k := range slices.Sorted(maps.Keys(configKeys)) {
			add(k, configKeys[k], protocol.CompletionItemKindProperty, ":")
		}
	case parent == "rules" && isValue, key == "level" && isValue:
		for _, level := range []string{"error", "warning", "info", "hint", "off"} {
			add(level, "", protocol.CompletionItemKindEnumMember, "")
		}
	case parent == "rules":
		for _, r := range p.reg.Rules() {
			add(r.Name, r.Page.What, protocol.CompletionItemKindConstant, ": ")
		}
	case parent == "clients", key == "clients" && isValue:
		for _, name := range profile.Names() {
			add(name, "", protocol.CompletionItemKindValue, "")
		}
	case key == "probe" && isValue:
		for _, v := range []string{"off", "trusted", "all"} {
			add(v, "", protocol.CompletionItemKindEnumMember, "")
		}
	}
	return out
}

// configParent returns the key that the line of an offset is indented below.
func (p *page) configParent(off, indent int) string {
	for n := p.lines.OffsetLine(off) - 1; n >= 0 && indent > 0; n-- {
		line := p.lines.Line(n).In(p.text())
		trimmed := strings.TrimLeft(line, " -")
		if key, _, ok := strings.Cut(trimmed, ":"); ok && len(line)-len(trimmed) < indent {
			return key
		}
	}
	return ""
}
