package mcpconfig

import (
	"slices"
	"strings"
)

// Client is what one agent client makes of the entry of a server.
type Client struct {
	Name  string // as the profiles of clients call it
	Label string // for people

	Types    []string  // values of the key "type"; none when the client has no such key
	URLAlone Transport // what an entry with a URL and no type is; Stdio: it fails
	Stdio    []string  // keys of a server that is started
	Remote   []string  // keys of a server that is reached by URL
	Shared   []string  // keys of both
	Both     bool      // tries SSE where streamable HTTP fails
	Loose    bool      // the keys are known from third parties only: an unknown one says little
	Strict   bool      // a key of the other transport is an error, not only ignored

	Names    string   // characters a server's name may have, as in a regular expression; empty when unknown or any
	Reserved []string // names that are skipped

	Forms   []Form // the variables it puts in
	Literal bool   // puts in none, which is known; without it, and without Forms, it is not known
	Merges  bool   // an entry may add to one of the same name in another file
	Seconds bool   // timeouts count seconds, else milliseconds
}

// Clients lists what is known of each client. Sources stand in the comments; where a document and the code of a
// client differ, the code counts.
var Clients = []*Client{
	{ // https://code.claude.com/docs/en/mcp, read 2026-08-22
		Name: "claude-code", Label: "Claude Code",
		Types: []string{"stdio", "http", "streamable-http", "sse", "ws"}, URLAlone: Stdio,
		Stdio: []string{"command", "args", "env"}, Remote: []string{"url", "headers", "headersHelper", "oauth"},
		Shared: []string{"type", "timeout", "alwaysLoad"},
		Names:  "A-Za-z0-9_-", Reserved: []string{"workspace", "claude-in-chrome", "computer-use", "Claude Preview", "Claude Browser"},
		Forms: []Form{Braces, Default},
	},
	{
		Name: "claude-desktop", Label: "Claude Desktop",
		Stdio: []string{"command", "args", "env"}, URLAlone: Stdio, Shared: []string{"type"}, Types: []string{"stdio"}, Loose: true,
		Literal: true,
	},
	{ // github/docs add-mcp-servers.md, read 2026-08
		Name: "copilot-cli", Label: "Copilot CLI",
		Types: []string{"local", "stdio", "http", "sse"},
		Stdio: []string{"command", "args", "env", "cwd"}, Remote: []string{"url", "headers", "oauth"}, Shared: []string{"type", "tools", "timeout"},
		Loose: true, Forms: []Form{Braces},
	},
	{ // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration; microsoft/vscode mcpConfiguration.ts
		Name: "vscode", Label: "VS Code", Both: true,
		Types: []string{"stdio", "http", "sse"}, URLAlone: HTTP,
		Stdio:  []string{"command", "args", "cwd", "env", "envFile", "dev", "sandboxEnabled", "sandbox"},
		Remote: []string{"url", "headers", "oauth"}, Shared: []string{"type", "gallery", "version"},
		Forms: []Form{InputForm, EnvForm, WorkspaceForm, UserHome, ConfigForm, CommandForm, DefaultPaths},
	},
	{ // forum.cursor.com/t/63130 and other third parties
		Name: "cursor", Label: "Cursor", Both: true,
		Types: []string{"stdio", "sse", "streamable-http", "http"}, URLAlone: HTTP,
		Stdio: []string{"command", "args", "env", "envFile", "cwd"}, Remote: []string{"url", "headers", "auth"}, Shared: []string{"type"},
		Loose: true, Forms: []Form{EnvForm, UserHome, WorkspaceForm, DefaultPaths},
	},
	{ // https://docs.windsurf.com/windsurf/cascade/mcp
		Name: "windsurf", Label: "Windsurf", URLAlone: HTTP,
		Stdio: []string{"command", "args", "env"}, Remote: []string{"serverUrl", "url", "headers"}, Shared: []string{"disabled", "disabledTools", "alwaysAllow"},
		Loose: true, Forms: []Form{EnvForm, FileForm},
	},
	{
		Name: "antigravity", Label: "Antigravity", URLAlone: HTTP,
		Stdio: []string{"command", "args", "env", "cwd"}, Remote: []string{"serverUrl", "headers"}, Shared: []string{"disabled", "disabledTools"},
		Loose: true,
	},
	{ // https://zed.dev/docs/ai/mcp
		Name: "zed", Label: "Zed", URLAlone: HTTP,
		Stdio: []string{"command", "args", "env"}, Remote: []string{"url", "headers"}, Shared: []string{"source", "enabled", "settings", "timeout"},
		Loose: true,
	},
	{ // openai/codex codex-rs/config/src/mcp_types.rs
		Name: "codex", Label: "Codex CLI", URLAlone: HTTP, Strict: true, Seconds: true, Literal: true, Merges: true,
		Stdio:  []string{"command", "args", "env", "env_vars", "cwd"},
		Remote: []string{"url", "bearer_token_env_var", "http_headers", "env_http_headers", "oauth", "oauth_resource", "scopes"},
		Shared: []string{
			"enabled", "required", "startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec", "enabled_tools", "disabled_tools",
			"default_tools_approval_mode", "tools", "supports_parallel_tool_calls",
		},
		Names: "A-Za-z0-9_-",
	},
	{ // google-gemini/gemini-cli docs/tools/mcp-server.md
		Name: "gemini-cli", Label: "Gemini CLI",
		Types: []string{"stdio", "http", "sse"}, URLAlone: SSE,
		Stdio: []string{"command", "args", "env", "cwd"}, Remote: []string{"url", "httpUrl", "headers", "oauth", "authProviderType", "targetAudience", "targetServiceAccount"},
		Shared: []string{"type", "timeout", "trust", "includeTools", "excludeTools", "description"},
		Forms:  []Form{Braces, Dollar, Percent, ExtensionForm},
	},
	{ // https://opencode.ai/docs/mcp-servers
		Name: "opencode", Label: "OpenCode", Both: true, Merges: true,
		Types: []string{"local", "remote"}, URLAlone: Unknown,
		Stdio: []string{"command", "environment", "cwd"}, Remote: []string{"url", "headers", "oauth"}, Shared: []string{"type", "enabled", "timeout"},
		Forms: []Form{BareEnv, BareFile},
	},
	{ // block/goose crates/goose/src/agents/extension.rs
		Name: "goose", Label: "Goose", Seconds: true,
		Types: []string{"stdio", "streamable_http", "builtin", "platform", "frontend", "inline_python"},
		Stdio: []string{"cmd", "args", "envs", "env_keys"}, Remote: []string{"uri", "headers", "socket"},
		Shared: []string{
			"type", "name", "display_name", "description", "enabled", "bundled", "timeout", "available_tools", "tools", "instructions", "code",
			"dependencies",
		},
		Loose: true,
	},
	{ // cline/cline schemas.ts
		Name: "cline-vscode", Label: "Cline", Seconds: true,
		Types: []string{"stdio", "sse", "streamableHttp", "http"}, URLAlone: SSE,
		Stdio: []string{"command", "args", "env", "cwd"}, Remote: []string{"url", "headers"},
		Shared: []string{"type", "transportType", "transport", "disabled", "autoApprove", "timeout"}, Loose: true,
	},
	{ // as above
		Name: "cline", Label: "Cline CLI", Seconds: true,
		Types: []string{"stdio", "sse", "streamableHttp", "http"}, URLAlone: SSE,
		Stdio: []string{"command", "args", "env", "cwd"}, Remote: []string{"url", "headers"},
		Shared: []string{"type", "transportType", "transport", "disabled", "autoApprove", "timeout"}, Loose: true,
	},
	{ // https://docs.roocode.com/features/mcp/using-mcp-in-roo
		Name: "roo-code", Label: "Roo Code", Seconds: true,
		Types: []string{"stdio", "sse", "streamable-http"}, URLAlone: Stdio,
		Stdio: []string{"command", "args", "env", "cwd"}, Remote: []string{"url", "headers"},
		Shared: []string{"type", "disabled", "alwaysAllow", "disabledTools", "timeout", "watchPaths"}, Forms: []Form{EnvForm, WorkspaceForm}, Loose: true,
	},
	{
		Name: "junie", Label: "Junie", URLAlone: HTTP,
		Stdio: []string{"command", "args", "env"}, Remote: []string{"url", "headers"}, Shared: []string{"type", "enabled", "disabled"}, Loose: true,
	},
	{ // https://kiro.dev/docs/mcp/configuration
		Name: "kiro", Label: "Kiro", URLAlone: HTTP,
		Stdio: []string{"command", "args", "env"}, Remote: []string{"url", "headers", "oauth", "oauthScopes"},
		Shared: []string{"disabled", "autoApprove", "disabledTools", "type", "timeout"}, Loose: true, Forms: []Form{Braces},
	},
	{
		Name: "amazon-q", Label: "Amazon Q", URLAlone: HTTP,
		Stdio: []string{"command", "args", "env"}, Remote: []string{"url", "headers"}, Shared: []string{"type", "timeout", "disabled"}, Loose: true,
	},
	{ // agentscope src/agentscope/mcp/_config.py at da00849f2
		Name: "agentscope-2", Label: "AgentScope", Seconds: true,
		Types: []string{"stdio_mcp", "http_mcp"}, URLAlone: Unknown,
		Stdio: []string{"command", "args", "env", "cwd", "encoding_error_handler"}, Remote: []string{"url", "headers"}, Shared: []string{"type", "timeout"},
		Names: "A-Za-z0-9_-",
	},
}

// ClientByName returns a client by its name, a version behind "@" left out, or nil.
func ClientByName(name string) *Client {
	name, _, _ = strings.Cut(name, "@")
	for _, c := range Clients {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Reads reports whether the client knows a key of a server.
func (c *Client) Reads(key string) bool {
	return slices.Contains(c.Stdio, key) || slices.Contains(c.Remote, key) || slices.Contains(c.Shared, key)
}

// KeyFor returns what the client calls a role, or "".
func (c *Client) KeyFor(role Role) string {
	for _, keys := range [][]string{c.Stdio, c.Remote, c.Shared} {
		for _, k := range keys {
			if roles[k] == role {
				return k
			}
		}
	}
	return ""
}

// Keys returns all keys of a server that the client knows.
func (c *Client) Keys() []string { return slices.Concat(c.Stdio, c.Remote, c.Shared) }

// Transport returns how the client reaches a server. Unknown: it cannot, or it is not known what it does.
func (c *Client) Transport(s *Server) Transport {
	switch m := s.Field(Type); {
	case m != nil && m.Value.Is(String) && slices.Contains(c.Types, m.Value.Text) && c.Reads(m.Name):
		return transports[m.Value.Text]
	case s.Command != nil:
		return Stdio
	case s.URL == nil:
		return Unknown
	case c.Name == "gemini-cli" && s.Node.Member("httpUrl") != nil:
		return HTTP
	}
	return c.URLAlone
}

// Overrides reports whether the client takes s and leaves o out where it has both: they have one name, count in one
// project, and s is from the narrower scope. Of two in one scope it is not known which one is taken.
func (s *Server) Overrides(o *Server) bool {
	return s.Name == o.Name && s.Scope() < o.Scope() && s.Meets(o)
}

// Meets reports whether there is a project in which both servers count.
func (s *Server) Meets(o *Server) bool {
	a, b := s.Project(), o.Project()
	return a == "" || b == "" || a == b
}

// TransportOf returns the transport that a value of "type" stands for, whatever the client.
func TransportOf(typ string) Transport { return transports[typ] }
