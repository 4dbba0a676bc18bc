package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/profile"
)

var toolsMCPPattern = &lint.Rule{
	Name: "tools/mcp-pattern", Severity: lint.Warning, Scope: lint.FrontScope, Since: since,
	Page: lint.Page{
		What: "allowed-tools has a wildcard where the name of an MCP server stands, or a hook of the skill matches no tool.",
		Why: "Claude Code passes over such a rule when it allows something, and says so in its log only: `mcp__*` grants nothing. Behind the server's name wildcards hold: " +
			"`mcp__photos__*`, `mcp__photos__get_*`. The matcher of a hook is a regular expression for the whole name of a tool: `mcp__photos` fits none, `mcp__photos__.*` all of the server's, " +
			"and `edit` is not Edit. https://code.claude.com/docs/en/permissions https://code.claude.com/docs/en/hooks",
		Bad:     toolsHead + "mcp__*" + toolsTail,
		Good:    toolsHead + "mcp__photos__*" + toolsTail,
		Clients: []string{"claude-code"},
	},
	Run: func(p *lint.Pass) {
		_, tools, _ := allowedTools(p)
		clients, _ := split(granting(p), func(c *profile.Profile) bool { return c.Name == "claude-code" })
		if len(clients) == 0 {
			return
		}
		reportMatchers(p, clients)
		for i := range tools {
			if name := tools[i].NameIn(p.Text()); anyServer(name) {
				p.Report(lint.Finding{
					Span: tools[i].Name, Help: "name the servers: mcp__SERVER__*",
					Message: fmt.Sprintf("%s grants nothing: %s takes no wildcard in the name of a server", name, lint.Labels(clients...)),
				})
			}
		}
	},
}

// anyServer reports whether a rule about tools has a wildcard in the name of the server.
func anyServer(rule string) bool {
	rest, ok := strings.CutPrefix(rule, mcpPrefix)
	server, _, _ := strings.Cut(rest, "__")
	return ok && strings.Contains(server, "*")
}

var mcpToolPatternInSettings = &lint.Rule{
	Name: "mcp-config/tool-pattern", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A rule for MCP tools in Claude Code's settings matches nothing.",
		Why: "An allow rule with a wildcard in the name of the server is passed over, though a deny rule may have one. The matcher of a hook is a regular expression for the whole name: " +
			"`mcp__docs` fits no tool, `mcp__docs__.*` all of the server's. https://code.claude.com/docs/en/hooks",
		Bad:  "-- .claude/settings.json --\n{\"permissions\": {\"allow\": [\"mcp__*\"]}}\n",
		Good: "-- .claude/settings.json --\n{\"permissions\": {\"allow\": [\"mcp__docs__*\"], \"deny\": [\"mcp__*\"]}}\n",
	},
	Run: func(p *lint.Pass) {
		if f := p.Config.Format; !strings.HasPrefix(f.Path, ".claude/") && !slices.Contains(f.Clients, "claude-code") {
			return
		}
		if allow := p.Config.Root.Get("permissions", "allow"); allow != nil {
			for _, rule := range allow.Items {
				if anyServer(rule.Text) {
					p.Report(lint.Finding{
						Span: rule.Span, Clients: []string{"claude-code"}, Help: "name the servers: mcp__SERVER__*",
						Message: fmt.Sprintf("%s allows nothing: Claude Code takes no wildcard in the name of a server", rule.Text),
					})
				}
			}
		}
		if hooks := p.Config.Root.Get("hooks"); hooks != nil {
			for _, event := range hooks.Members {
				for _, group := range event.Value.Items {
					reportMatcher(p, group.Get("matcher"))
				}
			}
		}
	},
}

var wholeServer = lazyregexp.New(`^mcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$`)

// reportMatcher tells of the alternatives in the matcher of a hook that name a server and no tool.
func reportMatcher(p *lint.Pass, matcher *mcpconfig.Node) {
	if !matcher.Is(mcpconfig.String) {
		return
	}
	at := 0
	for _, one := range strings.Split(matcher.Text, "|") {
		if wholeServer.MatchString(one) {
			p.Report(lint.Finding{
				Span: matcher.Part(at, at+len(one)), Clients: []string{"claude-code"}, Help: "write " + one + "__.*",
				Message: fmt.Sprintf("the matcher %s fits no tool: it is a regular expression for the whole name", one),
			})
		}
		at += len(one) + 1
	}
}
