package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// callHead is a saved answer, and the start of a skill that speaks of its tools, for the pages.
var callHead = goodTools + "-- .claude/skills/demo/SKILL.md --\n---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n"

const callBody = "---\n\n# Steps\n\n"

var toolsUnknownTool = &lint.Rule{
	Name: "tools/unknown-tool", Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "The skill names a tool of an MCP server that the server does not have.",
		Why: "A model that is told to call it fails or makes something up; in allowed-tools the name grants nothing. Known are the tools of mcp-tools.lock.json, of a probe, or of `--tools`. " +
			"Judged are names with their server, such as mcp__docs__search, docs:search and \"the `search` tool of the docs server\".",
		Bad:  callHead + callBody + "Call mcp__docs__search_manuel with the word.\n",
		Good: callHead + callBody + "Call mcp__docs__search_manual with the word.\n",
	},
	Run: withTools(func(p *lint.Pass, t *toolTalk) {
		for i := range t.mentions {
			if m := &t.mentions[i]; m.tool == nil {
				reportUnknownName(p, t.roster, m)
			}
		}
	}),
}

func reportUnknownName(p *lint.Pass, r *roster, m *mention) {
	known := toolNames(m.offer)
	near := lint.Nearest(m.name, known)
	elsewhere := r.elsewhere(m)
	if m.weak && near == "" && elsewhere == nil {
		return // another word with a colon
	}
	f := lint.Finding{Span: m.part, Server: m.offer.Name, Message: fmt.Sprintf("server %q has no tool %q", m.offer.Name, m.name)}
	switch {
	case m.pattern:
		f.Message = fmt.Sprintf("no tool of server %q fits the matcher %s", m.offer.Name, m.name)
		near = ""
	case elsewhere != nil:
		f.Message += fmt.Sprintf(": server %q has it", elsewhere.Name)
	case gone(m):
		f.Message += fmt.Sprintf(" any more: it had when the lock was written%s", lint.Suggest(m.name, known))
	default:
		f.Message += lint.Suggest(m.name, known)
	}
	if near != "" && elsewhere == nil {
		f.Fixes = []lint.Fix{{Title: "change to " + near, Edits: []lint.Edit{lint.Replace(m.part, near)}}}
	}
	p.Report(f)
}

func toolNames(o *lint.Offer) []string {
	var out []string
	for _, tool := range o.Server.Tools {
		out = append(out, tool.Name())
	}
	return out
}

// gone reports whether the lock file has a tool that the server has no more.
func gone(m *mention) bool {
	if m.offer.Locked == nil {
		return false
	}
	_, had := m.offer.Locked.Tool(m.name)
	return had
}

// elsewhere returns another server that has a tool of that name, the first by name.
func (r *roster) elsewhere(m *mention) *lint.Offer {
	var out *lint.Offer
	for _, o := range r.servers {
		if o != m.offer && find(o, m.name) != nil && (out == nil || o.Name < out.Name) {
			out = o
		}
	}
	return out
}

var toolsUnknownServer = &lint.Rule{
	Name: "tools/unknown-server", Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "The skill names a tool of an MCP server that there is none of, and there is one of nearly that name.",
		Why:  "Names count in their exact case. A server that is unlike all known ones may be in the user's own configuration, and is not judged.",
		Bad:  callHead + callBody + "Call mcp__doks__search_manual with the word.\n",
		Good: callHead + callBody + "Call mcp__docs__search_manual with the word.\n",
	},
	Run: withTools(func(p *lint.Pass, t *toolTalk) {
		var known []string
		for name := range t.roster.servers {
			known = append(known, name)
		}
		slices.Sort(known)
		for _, m := range t.strange {
			near := lint.Nearest(m.server, known)
			if near == "" || m.listed { // tools/mcp-server tells those in allowed-tools
				continue
			}
			p.Report(lint.Finding{
				Span: m.part, Message: fmt.Sprintf("no MCP server is called %q; did you mean %q?", m.server, near),
				Fixes: []lint.Fix{{Title: "change to " + near, Edits: []lint.Edit{lint.Replace(m.part, near)}}},
			})
		}
	}),
}

var toolsNotAllowed = &lint.Rule{
	Name: "tools/not-allowed", Severity: lint.Info, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "The skill speaks of a tool of an MCP server, and its allowed-tools has other tools of that server only.",
		Why:  "The client asks the user for this one, and not for the others. Told when the list names tools of the server one by one; a list without any grants by other means.",
		Bad: toolsExample(toolExample("search_manual", goodSchema), toolExample("list_pages", goodSchema)) + "-- .claude/skills/demo/SKILL.md --\n" + toolsHead + "mcp__docs__search_manual" +
			callBodyAfter + "Call mcp__docs__list_pages, then mcp__docs__search_manual.\n",
		Good: toolsExample(toolExample("search_manual", goodSchema), toolExample("list_pages", goodSchema)) + "-- .claude/skills/demo/SKILL.md --\n" + toolsHead +
			"mcp__docs__search_manual mcp__docs__list_pages" + callBodyAfter + "Call mcp__docs__list_pages, then mcp__docs__search_manual.\n",
		Clients: []string{"claude-code"},
	},
	Run: withTools(func(p *lint.Pass, t *toolTalk) {
		if len(granting(p)) == 0 {
			return
		}
		granted, servers := t.granted(p)
		told := map[string]bool{}
		for i := range t.mentions {
			m := &t.mentions[i]
			if m.listed || m.named || m.tool == nil || m.server == "" || !servers[m.offer.Name] || granted(m.tool) || told[m.tool.key()] {
				continue
			}
			told[m.tool.key()] = true
			p.Report(lint.Finding{
				Span: m.at, Server: m.offer.Name, Tool: m.tool.tool.Name(),
				Message: fmt.Sprintf("tool %q of server %q exists but is not in allowed-tools, where others of that server are", m.tool.tool.Name(), m.offer.Name),
				Help:    "add " + mcpPrefix + profile.PlainToolName(m.offer.Name) + "__" + profile.PlainToolName(m.tool.tool.Name()),
			})
		}
	}),
}

const callBodyAfter = "\n---\n\n# Steps\n\n"

// granted returns what tells whether allowed-tools grants a tool, and the servers of which it names tools one by one.
func (t *toolTalk) granted(p *lint.Pass) (func(*toolOf) bool, map[string]bool) {
	_, tools, _ := allowedTools(p)
	var patterns []string
	for i := range tools {
		patterns = append(patterns, tools[i].NameIn(p.Text()))
	}
	servers := map[string]bool{}
	for i := range t.mentions {
		m := &t.mentions[i]
		if !m.listed {
			continue
		}
		servers[m.offer.Name] = true
		if near := lint.Nearest(m.name, toolNames(m.offer)); m.tool == nil && near != "" {
			patterns = append(patterns, mcpPrefix+profile.PlainToolName(m.offer.Name)+"__"+profile.PlainToolName(near)) // meant, and told as misspelt
		}
	}
	return func(tool *toolOf) bool {
		return slices.ContainsFunc(patterns, func(entry string) bool { return profile.Covers(entry, tool.offer.Name, tool.tool.Name()) })
	}, servers
}

var toolsUnused = &lint.Rule{
	Name: "tools/unused", Severity: lint.Hint, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "allowed-tools has a tool of an MCP server that the text never speaks of.",
		Why:  "What is not needed need not be granted. The model may find the tool by itself all the same.",
		Bad:  goodTools + "-- .claude/skills/demo/SKILL.md --\n" + toolsHead + "mcp__docs__search_manual" + toolsTail,
		Good: goodTools + "-- .claude/skills/demo/SKILL.md --\n" + toolsHead + "mcp__docs__search_manual" + callBodyAfter + "Call mcp__docs__search_manual.\n",
	},
	Run: withTools(func(p *lint.Pass, t *toolTalk) {
		body := p.Text()[bodyStart(p.Skill):] + p.Skill.Description()
		for i := range t.mentions {
			m := &t.mentions[i]
			if !m.listed || m.tool == nil || strings.Contains(body, m.tool.tool.Name()) || strings.Contains(body, m.name) {
				continue
			}
			p.Report(lint.Finding{
				Span: m.at, Server: m.offer.Name, Tool: m.tool.tool.Name(),
				Message: fmt.Sprintf("the text never speaks of tool %q of server %q", m.tool.tool.Name(), m.offer.Name),
			})
		}
	}),
}
