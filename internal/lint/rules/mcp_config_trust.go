package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
)

var mcpBroadTrust = &lint.Rule{
	Name: "mcp-config/broad-trust", Severity: lint.Info, Scope: lint.ConfigScope, Since: since,
	Risk: &lint.Risk{CWE: []int{862}, OWASP: []string{"AST03"}},
	Page: lint.Page{
		What: "All tools of a server run without asking, or all servers of a project start without asking.",
		Why: "What stands in a repository decides for everybody who opens it. Claude Code ignores `enableAllProjectMcpServers` from a repository until the folder is trusted " +
			"(CVE-2025-59536 came before that).",
		Bad:  "-- .kiro/settings/mcp.json --\n" + mcpServersJSON(`"docs": {"url": "https://docs.example/mcp", "autoApprove": ["*"]}`),
		Good: "-- .kiro/settings/mcp.json --\n" + mcpServersJSON(`"docs": {"url": "https://docs.example/mcp", "autoApprove": ["search"]}`),
	},
	Run: func(p *lint.Pass) {
		if all := p.Config.Root.Member("enableAllProjectMcpServers"); all != nil && all.Value.Text == "true" && len(p.Config.Format.Extra) > 0 && p.Config.Shared() {
			p.Report(lint.Finding{
				Span: all.Key, Message: "all servers of the project are started without asking: whoever changes .mcp.json starts programs on every machine",
				Help: "name the servers in enabledMcpjsonServers, in .claude/settings.local.json",
			})
		}
		for _, s := range p.Config.Servers {
			for _, m := range s.Node.Members {
				if mcpconfig.RoleOf(m.Name) == mcpconfig.Trust && trustsAll(m.Value) && len(blamed(p, func(c *mcpconfig.Client) bool { return c.Reads(m.Name) })) > 0 {
					p.Report(inServer(s, lint.Finding{
						Span: m.Key, Message: fmt.Sprintf("%s lets every tool of the server run without asking, those to come included", m.Name),
						Help: "name the tools that only read",
					}))
				}
			}
		}
	},
}

func trustsAll(n *mcpconfig.Node) bool {
	return n.Is(mcpconfig.Bool) && n.Text == "true" || n.Is(mcpconfig.String) && n.Text == "*" ||
		slices.ContainsFunc(n.Items, func(x *mcpconfig.Node) bool { return x.Text == "*" })
}

var mcpToolLists = &lint.Rule{
	Name: "mcp-config/tool-lists", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A tool stands both in the list of tools to offer and in that of tools to leave out.",
		Why:  "One of the two has no effect: Gemini CLI leaves the tool out, AgentScope refuses the entry.",
		Bad:  "-- .gemini/settings.json --\n" + mcpServersJSON(`"docs": {"httpUrl": "https://docs.example/mcp", "includeTools": ["search"], "excludeTools": ["search"]}`),
		Good: "-- .gemini/settings.json --\n" + mcpServersJSON(`"docs": {"httpUrl": "https://docs.example/mcp", "includeTools": ["search"]}`),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		in, out := s.Field(mcpconfig.Include), s.Field(mcpconfig.Exclude)
		if in == nil || out == nil {
			return
		}
		for _, tool := range out.Value.Items {
			if slices.ContainsFunc(in.Value.Items, func(x *mcpconfig.Node) bool { return x.Is(mcpconfig.String) && x.Text == tool.Text }) {
				p.Report(inServer(s, lint.Finding{
					Span: tool.Span, Message: fmt.Sprintf("the tool %s stands in both %s and %s: one of them has no effect", tool.Text, in.Name, out.Name),
					Help: "delete it from one of the lists",
				}))
			}
		}
	}),
}

var mcpTimeout = &lint.Rule{
	Name: "mcp-config/timeout", Severity: lint.Warning, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A timeout looks like seconds where the client counts milliseconds, or the other way round.",
		Why: "Claude Code, Gemini CLI and OpenCode count milliseconds, Cline, Roo Code, Goose and Codex seconds. Claude Code ignores a value below 1000; " +
			"60000 seconds are 16 hours.",
		Bad:  mcpExample(goodRemote + `, "timeout": 60`),
		Good: mcpExample(goodRemote + `, "timeout": 60000`),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		m := s.Field(mcpconfig.Timeout)
		if m == nil || !m.Value.Is(mcpconfig.Number) {
			return
		}
		n, err := strconv.ParseFloat(m.Value.Text, 64)
		counts := blamed(p, func(c *mcpconfig.Client) bool { return c.Reads(m.Name) && !(c.Loose && !c.Seconds) })
		if err != nil || len(counts) == 0 || n <= 0 {
			return
		}
		c := counts[0]
		f := lint.Finding{Span: m.Value.Span, Clients: []string{c.Name}}
		switch {
		case !c.Seconds && n < 1000 && c.Name == "claude-code":
			f.Message = fmt.Sprintf("%s is %s milliseconds: Claude Code ignores less than 1000", m.Name, m.Value.Text)
		case !c.Seconds && n < 1000:
			f.Severity, f.Message = lint.Info, fmt.Sprintf("%s is %s milliseconds to %s, less than most servers need", m.Name, m.Value.Text, c.Label)
		case c.Seconds && n >= 10000 && strings.Trim(m.Value.Text, "0123456789") == "":
			f.Severity, f.Message = lint.Info, fmt.Sprintf("%s is %s seconds to %s, which is %.0f hours", m.Name, m.Value.Text, c.Label, n/3600)
		default:
			return
		}
		p.Report(inServer(s, f))
	}),
}

var mcpHeadersHelper = &lint.Rule{
	Name: "mcp-config/headers-helper", Severity: lint.Info, Scope: lint.ConfigScope, Since: since,
	Risk: &lint.Risk{CWE: []int{78}, OWASP: []string{"AST03"}},
	Page: lint.Page{
		What: "A file that others get names a shell command that makes the headers.",
		Why:  "Claude Code runs it on the machine of everybody who trusts the folder, each time it connects.",
		Bad:  mcpExample(goodRemote + `, "headersHelper": "scripts/headers.sh"`),
		Good: mcpExample(goodRemote),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		if m := s.Node.Member("headersHelper"); m != nil && p.Config.Shared() && !p.Config.Place.Plugin {
			p.Report(inServer(s, lint.Finding{
				Span: m.Key, Message: "headersHelper runs a shell command on the machine of everybody who gets the file",
				Help: "take the headers from variables, or keep the entry in your own configuration",
			}))
		}
	}),
}

// loaderNames are variables that change which code a program loads. Goose refuses an entry that sets one of them.
// https://github.com/block/goose crates/goose/src/agents/extension.rs
var loaderNames = []string{
	"PATH", "PATHEXT", "SystemRoot", "windir", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "LD_DEBUG", "LD_BIND_NOW", "LD_ASSUME_KERNEL",
	"DYLD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "DYLD_FRAMEWORK_PATH", "PYTHONPATH", "PYTHONHOME", "NODE_OPTIONS", "RUBYOPT", "GEM_PATH",
	"GEM_HOME", "CLASSPATH", "GO111MODULE", "GOROOT", "APPINIT_DLLS", "SESSIONNAME", "ComSpec", "TEMP", "TMP", "LOCALAPPDATA", "USERPROFILE",
	"HOMEDRIVE", "HOMEPATH",
}

var mcpLoaderEnv = &lint.Rule{
	Name: "mcp-config/loader-env", Severity: lint.Hint, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "env sets a variable that decides which code a program loads.",
		Why:  "PATH, LD_PRELOAD, NODE_OPTIONS or PYTHONPATH put other code into the server, or into the programs it starts. Goose refuses such an entry.",
		Bad:  mcpExample(goodStdio + `, "env": {"NODE_OPTIONS": "--max-old-space-size=4096"}`),
		Good: mcpExample(goodStdio),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		goose := blamed(p, func(c *mcpconfig.Client) bool { return c.Name == "goose" })
		for _, m := range s.Env {
			f := lint.Finding{Span: m.Key, Message: fmt.Sprintf("%s decides which code the server loads", m.Name)}
			switch {
			case !slices.Contains(loaderNames, m.Name):
				continue
			case len(goose) > 0:
				f.Severity, f.Clients = lint.Warning, clientNames(goose)
				f.Message += ": Goose refuses the entry"
			case strings.HasPrefix(m.Name, "LD_") || strings.HasPrefix(m.Name, "DYLD_"):
				f.Severity = lint.Info
			}
			p.Report(inServer(s, f))
		}
	}),
}

var mcpEmptyEnv = &lint.Rule{
	Name: "mcp-config/empty-env", Severity: lint.Hint, Scope: lint.ConfigScope, Since: since,
	Page: lint.Page{
		What: "A variable in env is empty.",
		Why:  "Some servers take \"\" for a value that was set, and refuse it.",
		Bad:  mcpExample(goodStdio + `, "env": {"LEVEL": ""}`),
		Good: mcpExample(goodStdio),
	},
	Run: eachServer(func(p *lint.Pass, s *mcpconfig.Server) {
		for _, m := range s.Env {
			if m.Value.Is(mcpconfig.String) && m.Value.Text == "" {
				p.Report(inServer(s, lint.Finding{Span: m.Extent(), Message: fmt.Sprintf("the variable %s is empty: some servers take that for a value", m.Name), Help: "delete it"}))
			}
		}
	}),
}
