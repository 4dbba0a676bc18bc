package mcpconfig

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// TestEveryPlace reads a file at each place where a client looks for servers, in a project, in the user's own folder and
// on each system: which client reads it, for whom, and the same two servers whatever the form.
func TestEveryPlace(t *testing.T) {
	const (
		usual  = `{"mcpServers": {"a": {"command": "run", "args": ["x"], "env": {"K": "v"}}, "b": {"type": "http", "url": "https://b.example/mcp", "headers": {"H": "v"}}}}`
		inCode = `{"servers": {"a": {"type": "stdio", "command": "run", "args": ["x"], "env": {"K": "v"}}, "b": {"type": "http", "url": "https://b.example/mcp", "headers": {"H": "v"},},}, /* two */ "inputs": []}`
		zed    = `{"theme": "x", "context_servers": {"a": {"source": "custom", "command": "run", "args": ["x"], "env": {"K": "v"}}, "b": {"url": "https://b.example/mcp", "headers": {"H": "v"}}}}`
		codex  = "model = \"x\"\n[mcp_servers.a]\ncommand = \"run\"\nargs = [\"x\"]\n[mcp_servers.a.env]\nK = \"v\"\n[mcp_servers.b]\nurl = \"https://b.example/mcp\"\nhttp_headers = {H = \"v\"}\n"
		open   = `{"mcp": {"a": {"type": "local", "command": ["run", "x"], "environment": {"K": "v"}}, "b": {"type": "remote", "url": "https://b.example/mcp", "headers": {"H": "v"}}}}`
		goose  = "extensions:\n  a:\n    type: stdio\n    cmd: run\n    args: [x]\n    envs: {K: v}\n  b:\n    type: streamable_http\n    uri: https://b.example/mcp\n    headers:\n      H: v\n"
		gemini = `{"mcpServers": {"a": {"command": "run", "args": ["x"], "env": {"K": "v"}}, "b": {"httpUrl": "https://b.example/mcp", "headers": {"H": "v"}}}}`
		surf   = `{"mcpServers": {"a": {"command": "run", "args": ["x"], "env": {"K": "v"}}, "b": {"serverUrl": "https://b.example/mcp", "headers": {"H": "v"}}}}`
		cline  = `{"mcpServers": {"a": {"transport": {"type": "stdio", "command": "run", "args": ["x"], "env": {"K": "v"}}}, "b": {"type": "streamableHttp", "url": "https://b.example/mcp", "headers": {"H": "v"}}}}`
		scope  = `[{"name": "a", "mcp_config": {"type": "stdio_mcp", "command": "run", "args": ["x"], "env": {"K": "v"}}}, {"name": "b", "mcp_config": {"type": "http_mcp", "url": "https://b.example/mcp", "headers": {"H": "v"}}}]`
	)
	for _, c := range []struct {
		path, src, client string
		scope             Scope
	}{
		{"p/.mcp.json", usual, "claude-code", Project},
		{"h/.claude.json", usual, "claude-code", User},
		{"h/.claude.json", `{"projects": {"/p": ` + usual + `}}`, "claude-code", Local},
		{"h/.claude/plugins/cache/x/.mcp.json", usual, "claude-code", Project},
		{"p/.claude-plugin/plugin.json", `{"name": "x", ` + usual[1:], "claude-code", Project},
		{"Library/Application Support/ClaudeCode/managed-mcp.json", usual, "claude-code", Managed},
		{"etc/claude-code/managed-mcp.json", usual, "claude-code", Managed},
		{"h/Library/Application Support/Claude/claude_desktop_config.json", usual, "claude-desktop", User},
		{"h/.config/Claude/claude_desktop_config.json", usual, "claude-desktop", User},
		{"p/.vscode/mcp.json", inCode, "vscode", Project},
		{"p/x.code-workspace", `{"folders": [], "settings": {"mcp": ` + inCode + `}}`, "vscode", Project},
		{"p/.vscode/settings.json", `{"mcp": ` + inCode + `}`, "vscode", Project},
		{"p/.devcontainer/devcontainer.json", `{"customizations": {"vscode": {"mcp": ` + inCode + `}}}`, "vscode", Project},
		{"p/.devcontainer/go/devcontainer.json", `{"customizations": {"vscode": {"mcp": ` + inCode + `}}}`, "vscode", Project},
		{"h/.config/Code/User/mcp.json", inCode, "vscode", User},
		{"h/.config/Code/User/profiles/1f2e/mcp.json", inCode, "vscode", User},
		{"h/.config/Code/User/settings.json", `{"mcp": ` + inCode + `}`, "vscode", User},
		{"p/.cursor/mcp.json", usual, "cursor", Project},
		{"h/.cursor/mcp.json", usual, "cursor", User},
		{"h/.codeium/windsurf/mcp_config.json", surf, "windsurf", User},
		{"p/.zed/settings.json", zed, "zed", Project},
		{"h/.config/zed/settings.json", zed, "zed", User},
		{"p/.codex/config.toml", codex, "codex", Project},
		{"h/.codex/config.toml", codex, "codex", User},
		{"h/elsewhere/config.toml", codex, "codex", User}, // $CODEX_HOME
		{"p/.gemini/settings.json", "// ours\n" + gemini, "gemini-cli", Project},
		{"h/.gemini/settings.json", gemini, "gemini-cli", User},
		{"p/gemini-extension.json", `{"name": "x", ` + gemini[1:], "gemini-cli", Project},
		{"h/.gemini/antigravity/mcp_config.json", surf, "antigravity", User},
		{"p/opencode.json", open, "opencode", Project},
		{"p/opencode.jsonc", "// ours\n" + open, "opencode", Project},
		{"h/.config/opencode/opencode.json", open, "opencode", User},
		{"h/.config/goose/config.yaml", goose, "goose", User},
		{"AppData/Roaming/Block/goose/config/config.yaml", goose, "goose", User},
		{"h/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json", cline, "cline-vscode", User},
		{"h/.cline/mcp.json", cline, "cline", User},
		{"p/.roo/mcp.json", strings.Replace(usual, `"http"`, `"streamable-http"`, 1), "roo-code", Project},
		{"h/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json", strings.Replace(usual, `"http"`, `"streamable-http"`, 1), "roo-code", User},
		{"p/.junie/mcp/mcp.json", usual, "junie", Project},
		{"h/.junie/mcp/mcp.json", usual, "junie", User},
		{"p/.github/mcp.json", usual, "copilot-cli", Project},
		{"h/.copilot/mcp-config.json", usual, "copilot-cli", User},
		{"p/.kiro/settings/mcp.json", usual, "kiro", Project},
		{"h/.kiro/settings/mcp.json", usual, "kiro", User},
		{"p/.amazonq/mcp.json", usual, "amazon-q", Project},
		{"h/.aws/amazonq/mcp.json", usual, "amazon-q", User},
		{"h/.aws/amazonq/agents/docs.json", `{"name": "docs", ` + usual[1:], "amazon-q", User},
		{"p/.mcp", scope, "agentscope-2", Project},
		{"p/.mcp", `{"version": 2, "mcps": {"agent": {"session": ` + scope + `}}}`, "agentscope-2", Project},
	} {
		t.Run(c.path, func(t *testing.T) {
			abs := filepath.FromSlash("/" + c.path)
			search := &Search{Home: filepath.FromSlash("/h")}
			f := Parse(skills.NewDocument(c.path, abs, c.src), Place{Named: true, Home: search.atHome(Match(abs), abs)})
			if f == nil {
				t.Fatal("no configuration")
			}
			checkSpans(t, f)
			if len(f.Faults) > 0 || len(f.Format.Clients) == 0 || f.Format.Clients[0] != c.client {
				t.Fatalf("faults %v, read by %q, want %s", f.Faults, f.Format.Clients, c.client)
			}
			var got []string
			for _, s := range f.Servers {
				var texts []string
				for _, x := range s.Texts() {
					texts = append(texts, strings.TrimPrefix(x.Name+"="+x.Text, "="))
				}
				got = append(got, fmt.Sprintf("%s %s %s", s.Name, ClientByName(c.client).Transport(s), strings.Join(texts, " ")))
				if s.Scope() != c.scope {
					t.Errorf("%s is for %d, want %d", s.Name, s.Scope(), c.scope)
				}
			}
			remote := "http"
			if c.client == "claude-desktop" {
				remote = "stdio" // which is how it fails
			}
			if want := "a stdio run x K=v|b " + remote + " https://b.example/mcp H=v"; strings.Join(got, "|") != want {
				t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
			}
		})
	}
}
