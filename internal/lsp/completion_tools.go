package lsp

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/text"
)

// mcpPrefix begins the names of tools of MCP servers in most clients.
const mcpPrefix = "mcp__"

// mcpToolItems offers the tools of known MCP servers, under the names that clients give them, and the servers.
func (p *page) mcpToolItems(clients []*profile.Profile, at text.Span) []protocol.CompletionItem {
	var out []protocol.CompletionItem
	done := map[string]bool{}
	add := func(label, detail string, kind protocol.CompletionItemKind, words string) {
		if done[label] {
			return
		}
		done[label] = true
		it := p.item(label, detail, kind, at)
		if words != "" {
			it.Documentation = protocol.String(words)
		}
		out = append(out, it)
	}
	for _, o := range rules.ToolOffers(p.skill, p.live()) {
		for _, c := range clients {
			if strings.HasPrefix(c.Tools.Name, mcpPrefix) && slices.Contains(c.AllowedTools.Keys, "allowed-tools") {
				add(mcpPrefix+rules.ToolServerName(o.Name), "all tools of the MCP server "+o.Name, protocol.CompletionItemKindModule, "")
			}
			for _, t := range o.Server.Tools {
				if name, known := c.ToolName(o.Name, t.Name()); known && name.Name != "" {
					add(name.Name, "a tool of the MCP server "+o.Name, protocol.CompletionItemKindFunction, short(t.Description()))
				}
			}
		}
	}
	return out
}

// parameterItems offers the parameters of a tool in an example call, and their values where they are few. It reports
// whether the cursor stands in such a call.
func (p *page) parameterItems(off int) ([]protocol.CompletionItem, bool) {
	c, ok := p.callAt(off)
	if !ok {
		return nil, false
	}
	if m := valueTyped.FindStringSubmatch(c.typed); m != nil {
		return p.argumentValues(c, m[1], off), true
	}
	m := nameTyped.FindStringSubmatch(c.typed)
	if m == nil {
		return nil, true
	}
	at := text.Span{Start: off - len(m[1]), End: off}
	for at.End < len(p.text()) && isNameByte(p.text()[at.End]) {
		at.End++
	}
	json := strings.HasPrefix(m[1], `"`) || c.quoted
	if json && at.End < len(p.text()) && p.text()[at.End] == '"' {
		at.End++
	}
	var out []protocol.CompletionItem
	for _, x := range parametersOf(c.tool) {
		it := p.item(x.name, x.kind(), protocol.CompletionItemKindField, at)
		if words := x.schema.Get("description").Text(); words != "" {
			it.Documentation = protocol.String(words)
		}
		name := x.name
		if json {
			name = quoted(x.name)
		}
		it.FilterText = protocol.NewOptional(name)
		if rest := strings.TrimLeft(p.text()[at.End:], " "); !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "=") {
			name += map[bool]string{true: ": ", false: "="}[json]
		}
		p.insert(&it, name)
		out = append(out, it)
	}
	return out, true
}

var (
	nameTyped  = regexp.MustCompile(`^\s*("?[A-Za-z0-9_-]*)$`)
	valueTyped = regexp.MustCompile(`^\s*"?([A-Za-z0-9_-]+)"?\s*[=:]\s*("?[A-Za-z0-9_-]*)$`)
)

// argumentValues offers the values of an argument.
func (p *page) argumentValues(c exampleCall, name string, off int) []protocol.CompletionItem {
	at := tokenAt(p.text(), off, func(b byte) bool { return isNameByte(b) || b == '"' })
	var out []protocol.CompletionItem
	for _, x := range parametersOf(c.tool) {
		if x.name != name {
			continue
		}
		for _, v := range x.values() {
			it := p.item(v, "", protocol.CompletionItemKindEnumMember, at)
			it.FilterText = protocol.NewOptional(v)
			out = append(out, it)
		}
	}
	return out
}

func quoted(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return `"` + s + `"`
	}
	return string(raw)
}

// exampleCall is a call that the cursor stands in.
type exampleCall struct {
	tool   catalog.Tool
	typed  string // of the argument at the cursor
	quoted bool   // names stand in quotes, as in JSON
}

// callAt finds the call of a tool that an offset lies in: the parentheses behind its name, or an object of JSON with
// its name and its arguments.
func (p *page) callAt(off int) (exampleCall, bool) {
	mentions := p.toolMentions()
	for _, m := range slices.Backward(mentions) {
		if m.Tool.Node == nil || m.Span.End >= off {
			continue
		}
		if c, ok := parenthesised(p.text()[m.Span.End:off]); ok {
			c.tool = m.Tool
			return c, true
		}
		break
	}
	for _, f := range p.body.Fences {
		if f.Content.Start <= off && off <= f.Content.End && strings.HasPrefix(strings.ToLower(f.Info.In(p.text())), "json") {
			return p.jsonCall(mentions, f.Content, off)
		}
	}
	return exampleCall{}, false
}

// parenthesised reads what stands between the name of a tool and the cursor.
func parenthesised(s string) (exampleCall, bool) {
	if !strings.HasPrefix(s, "(") || strings.Contains(s, "\n\n") {
		return exampleCall{}, false
	}
	open := brackets(s)
	switch {
	case len(open) == 1:
		return exampleCall{typed: s[open[0].last:]}, true
	case len(open) == 2 && s[open[1].at] == '{' && strings.TrimSpace(s[1:open[1].at]) == "":
		return exampleCall{typed: s[open[1].last:], quoted: true}, true
	}
	return exampleCall{}, false
}

// bracket is one that is open at the end of a text.
type bracket struct {
	at   int // where it stands
	last int // where the entry begins that the end of the text lies in
}

// brackets returns those that are open at the end of a text, texts in quotes passed over.
func brackets(s string) []bracket {
	var open []bracket
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'':
			end := closingQuote(s, i)
			if end < 0 {
				return open // the text is open itself
			}
			i = end
		case '(', '[', '{':
			open = append(open, bracket{i, i + 1})
		case ')', ']', '}':
			if len(open) == 0 {
				return nil
			}
			open = open[:len(open)-1]
		case ',':
			if len(open) > 0 {
				open[len(open)-1].last = i + 1
			}
		}
	}
	return open
}

func closingQuote(s string, at int) int {
	for i := at + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[at]:
			return i
		case '\n':
			return -1
		}
	}
	return -1
}

// argumentsKey is the key before an object that holds the arguments of a call.
var argumentsKey = regexp.MustCompile(`"(?:arguments|args|input|parameters|params|tool_input)"\s*:\s*$`)

// jsonCall finds the call whose arguments an offset in a block of JSON lies in: the tool is the one that is named
// nearest in the block.
func (p *page) jsonCall(mentions []rules.ToolMention, block text.Span, off int) (exampleCall, bool) {
	s := p.text()[block.Start:off]
	open := brackets(s)
	if len(open) == 0 || s[open[len(open)-1].at] != '{' || !argumentsKey.MatchString(s[:open[len(open)-1].at]) {
		return exampleCall{}, false
	}
	c := exampleCall{typed: s[open[len(open)-1].last:], quoted: true}
	found := false
	for _, m := range mentions {
		if m.Tool.Node != nil && block.Covers(m.Span) && (m.Span.Start < off || !found) {
			c.tool, found = m.Tool, true
		}
	}
	return c, found
}
