package rules

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/text"
)

// matcher is one alternative of a matcher in the hooks of a skill: a regular expression for the whole name of a tool.
type matcher struct {
	text string
	at   text.Span
}

// pattern reports whether the matcher is more than a name.
func (m matcher) pattern() bool { return regexp.QuoteMeta(m.text) != m.text }

// fits reports whether the matcher takes the name of a tool. One that cannot be read takes all.
func (m matcher) fits(name string) bool {
	expression, err := regexp.Compile("^(?:" + m.text + ")$")
	return err != nil || expression.MatchString(name)
}

// matchers returns what the skill's own hooks match that run before or after a tool.
// https://code.claude.com/docs/en/hooks
func matchers(p *lint.Pass) []matcher {
	f := field(p, "hooks")
	if f == nil {
		return nil
	}
	var out []matcher
	event := ""
	p.Skill.Front.Nodes(p.Text(), f, func(key, value *yaml.Node, at text.Span) {
		switch {
		case key == nil:
		case key.Value == "hooks":
		case value.Kind == yaml.SequenceNode:
			event = key.Value
		case key.Value == "matcher" && value.Kind == yaml.ScalarNode && (strings.Contains(event, "ToolUse") || event == "PermissionRequest"):
			out = append(out, alternatives(p.Text(), value.Value, at)...)
		}
	})
	return out
}

// alternatives splits a matcher at its bars, unless brackets say how they are meant. A part of a value that is not
// written as it is lies on the whole of it.
func alternatives(src, value string, at text.Span) []matcher {
	start := strings.Index(at.In(src), value)
	if start < 0 || strings.ContainsAny(value, "([{\\") {
		return []matcher{{value, at}}
	}
	var out []matcher
	off := at.Start + start
	for _, one := range strings.Split(value, "|") {
		out = append(out, matcher{one, text.Span{Start: off, End: off + len(one)}})
		off += len(one) + 1
	}
	return out
}

// readMatchers takes the tools of MCP servers that hooks of the skill match.
func (t *toolTalk) readMatchers(p *lint.Pass) {
	for _, m := range matchers(p) {
		server, name, tool := strings.Cut(strings.TrimPrefix(m.text, mcpPrefix), "__")
		o := t.roster.servers[server]
		switch {
		case !strings.HasPrefix(m.text, mcpPrefix) || regexp.QuoteMeta(server) != server:
		case o == nil || !m.pattern():
			t.qualified(m.text, mention{at: m.at, named: true})
		case tool && !anyFits(m, o):
			part := text.Span{Start: m.at.End - len(name), End: m.at.End}
			t.mentions = append(t.mentions, mention{at: m.at, server: server, offer: o, name: name, part: part, named: true, pattern: true})
		}
	}
}

func anyFits(m matcher, o *lint.Offer) bool {
	for _, tool := range o.Server.Tools {
		if m.fits(mcpPrefix + profile.PlainToolName(o.Name) + "__" + profile.PlainToolName(tool.Name())) {
			return true
		}
	}
	return false
}

// reportMatchers tells of matchers in the skill's hooks that fit no tool of a client, whatever servers there are: the
// name of a server alone, and a tool of the client in another spelling.
func reportMatchers(p *lint.Pass, clients []*profile.Profile) {
	for _, m := range matchers(p) {
		if wholeServer.MatchString(m.text) {
			p.Report(lint.Finding{
				Span: m.at, Help: "write " + m.text + "__.*",
				Message: fmt.Sprintf("the matcher %s fits no tool: it is a regular expression for the whole name", m.text),
			})
			continue
		}
		for _, c := range clients {
			if near := nearTool(m.text, c.AllowedTools.Names); near != "" {
				p.Report(lint.Finding{
					Span: m.at, Message: fmt.Sprintf("the matcher %s fits no tool: %s calls it %s", m.text, lint.Labels(c), near), Help: fmt.Sprintf("did you mean %s?", near),
				})
			}
		}
	}
}
