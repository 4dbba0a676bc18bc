package lsp

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/text"
)

// offeredByVSCode are the keys that VS Code completes and explains in a SKILL.md by itself, seen in version 1.139.
var offeredByVSCode = []string{
	"name", "description", "argument-hint", "compatibility", "context", "disable-model-invocation", "license", "metadata", "user-invocable",
}

// knownToEditor reports whether the editor itself completes a key and says what it is for.
func (p *page) knownToEditor(key string) bool {
	return p.can.completesKeys && slices.Contains(offeredByVSCode, key)
}

// frontItems completes keys and values of front matter. before is the line up to the cursor.
func (p *page) frontItems(before string, off int) []protocol.CompletionItem {
	key, value, isValue := strings.Cut(before, ":")
	switch {
	case !isValue && strings.TrimLeft(before, " \t") == before && !strings.HasPrefix(before, "-"):
		return p.keyItems(off)
	case isValue && strings.TrimLeft(key, " \t") == key:
		return p.valueItems(strings.TrimSpace(key), strings.TrimLeft(value, " "), off)
	}
	if f := p.fieldAt(off); f != nil { // an item of a list below its key
		return p.valueItems(f.Name, strings.TrimLeft(before, " -"), off)
	}
	return nil
}

// keyItems offers the keys that some of the judging clients read and that do not stand there yet.
func (p *page) keyItems(off int) []protocol.CompletionItem {
	at := wordAt(p.text(), off)
	judges := p.judges()
	var out []protocol.CompletionItem
	for _, key := range rules.Keys() {
		readers := readersOf(key, judges)
		f := p.front.Field(key.Name)
		switch {
		case f != nil && !touches(f.Key, text.At(off)), !key.Spec && len(readers) == 0, p.knownToEditor(key.Name):
			continue
		}
		detail := "read by " + labels(readers)
		switch {
		case key.Spec && len(readers) == 0:
			detail = "Agent Skills"
		case key.Spec && len(readers) == len(judges):
			detail = "Agent Skills; read by all clients"
		}
		it := p.item(key.Name, detail, protocol.CompletionItemKindProperty, at)
		if text := keyTexts[key.Name]; text != "" {
			it.Documentation = protocol.String(text)
		}
		if f == nil {
			p.insert(&it, p.keySnippet(key.Name))
		}
		out = append(out, it)
	}
	return out
}

// keySnippet is a key with what usually follows it.
func (p *page) keySnippet(key string) string {
	switch {
	case key == "name":
		return "name: " + p.skill.Folder
	case key == "metadata":
		return "metadata:\n  $0"
	case slices.Equal(keyValues[key], []string{"true", "false"}):
		return key + ": true"
	case key == "context":
		return "context: fork"
	}
	return key + ": $0"
}

// valueItems offers the values of a key.
func (p *page) valueItems(key, typed string, off int) []protocol.CompletionItem {
	switch key {
	case "name":
		at := text.Span{Start: off - len(typed), End: wordAt(p.text(), off).End}
		return []protocol.CompletionItem{p.item(p.skill.Folder, "the name of the folder", protocol.CompletionItemKindValue, at)}
	case "allowed-tools", "disallowed-tools":
		return p.toolItems(off)
	}
	var out []protocol.CompletionItem
	at := tokenAt(p.text(), off, func(c byte) bool { return isNameByte(c) || c == '.' })
	for _, v := range keyValues[key] {
		out = append(out, p.item(v, "", protocol.CompletionItemKindValue, at))
	}
	return out
}

// toolItems offers the tools of the judging clients and those of MCP servers.
func (p *page) toolItems(off int) []protocol.CompletionItem {
	at := wordAt(p.text(), off)
	var out []protocol.CompletionItem
	have := map[string]bool{}
	for _, c := range p.judges() {
		for _, tool := range c.AllowedTools.Names {
			if !have[tool] {
				out = append(out, p.item(tool, "a tool of "+c.Label, protocol.CompletionItemKindFunction, at))
			}
			have[tool] = true
		}
	}
	return append(out, p.mcpToolItems(p.judges(), at)...)
}
