package rules

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var toolsMCPServer = &lint.Rule{
	Name: "tools/mcp-server", Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "allowed-tools names a tool of an MCP server that no configuration of the project has, and one of nearly that name is configured.",
		Why: "Tools of MCP servers are called mcp__SERVER__TOOL in Claude Code. Names count in their exact case; one that matches nothing grants nothing, without a word. " +
			"A server that is unlike all configured ones may be in the user's own configuration, and is not judged.",
		Bad:     toolsMCPConfig + "-- .claude/skills/demo/SKILL.md --\n" + toolsHead + "mcp__Photos__search" + toolsTail,
		Good:    toolsMCPConfig + "-- .claude/skills/demo/SKILL.md --\n" + toolsHead + "mcp__photos__search" + toolsTail,
		Clients: []string{"claude-code"},
	},
	Run: func(p *lint.Pass) {
		_, tools, _ := allowedTools(p)
		clients, _ := split(granting(p), func(c *profile.Profile) bool { return strings.HasPrefix(c.Tools.Name, mcpPrefix+"{server}__") })
		if len(tools) == 0 || len(clients) == 0 {
			return
		}
		var servers map[string]*mcpconfig.Server
		for i := range tools {
			if name := mcpServerOf(tools[i].NameIn(p.Text())); name != "" {
				if servers == nil {
					servers = configuredServers(p)
				}
				reportMCPServer(p, &tools[i], name, servers)
			}
		}
	},
}

const (
	mcpPrefix      = "mcp__"
	toolsMCPConfig = "-- .mcp.json --\n{\"mcpServers\": {\"photos\": {\"type\": \"http\", \"url\": \"https://photos.example/mcp\"}}}\n"
)

// mcpServerOf returns the server in mcp__SERVER__TOOL, or "" for another tool and for a server of a plugin, whose
// name holds the plugin's.
func mcpServerOf(tool string) string {
	rest, ok := strings.CutPrefix(tool, mcpPrefix)
	server, _, _ := strings.Cut(rest, "__")
	if !ok || strings.HasPrefix(server, "plugin_") || strings.ContainsAny(server, "*?") {
		return ""
	}
	return server
}

// configuredServers returns the servers of the configurations in the skill's project, and of those that belong to
// no project, by the name that stands in the names of their tools.
func configuredServers(p *lint.Pass) map[string]*mcpconfig.Server {
	tree := p.View.Tree()
	project := tree.Root(filepath.Dir(p.Doc().Abs))
	out := map[string]*mcpconfig.Server{}
	for _, f := range p.View.Configs() {
		if f.Scope() == mcpconfig.Project && tree.Root(filepath.Dir(f.Doc.Abs)) != project {
			continue
		}
		for _, s := range f.Servers {
			out[profile.PlainToolName(s.Name)] = s
		}
	}
	return out
}

func reportMCPServer(p *lint.Pass, t *skills.AllowedTool, name string, servers map[string]*mcpconfig.Server) {
	if servers[name] != nil {
		return
	}
	var known []string
	for k := range servers {
		known = append(known, k)
	}
	slices.Sort(known)
	near := lint.Nearest(name, known)
	if near == "" {
		return
	}
	start := t.Name
	start.Start += len(mcpPrefix)
	start.End = start.Start + len(name)
	p.Report(lint.Finding{
		Span:    t.Name,
		Message: fmt.Sprintf("no MCP server named %s is configured: the name grants nothing", name),
		Help:    fmt.Sprintf("did you mean %s? Names count in their exact case", near),
		Related: []lint.Related{{File: servers[near].File.Doc.Path, Span: servers[near].Key, Message: "the server that is configured"}},
		Fixes:   []lint.Fix{{Title: "change to " + near, Edits: []lint.Edit{lint.Replace(start, near)}}},
	})
}
