package mcpconfig

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// Syntax is how a file is written.
type Syntax uint8

const (
	JSON     Syntax = iota // strict: a comment or a trailing comma makes clients refuse the whole file
	Comments               // JSON whose comments are taken out before it is read; trailing commas are refused
	JSONC                  // JSON with comments and trailing commas
	TOML
	YAML
)

// Scope is whom a server is for. Of two servers of one name the one from the scope with the smaller value is used whole;
// nothing is merged.
type Scope int8

const (
	Managed Scope = iota - 2 // all users of a machine, whatever they say themselves
	Local                    // one user in one project
	Project                  // everybody who works on a project
	User                     // all projects of a user
)

// Format is one place where clients look for servers.
type Format struct {
	Path       string   // the last parts of the file's path, with slashes; "*" within a part
	Clients    []string // who reads it; nobody when empty
	Scope      Scope    // User although the path is that of a project, too: see File.Scope
	Syntax     Syntax
	Key        []string   // path of keys to the servers
	Also       [][]string // other paths that are read too
	Each       []string   // a path to further servers, with "*" for every key
	Settings   bool       // holds other settings as well: without servers it is no configuration of MCP
	ByShape    bool       // the name alone says nothing
	Loose      bool       // lies in projects too, although its clients read it in the user's folders only
	AgentScope bool       // lists of servers below agents and sessions
	Extra      []string   // keys of settings that are about MCP, or about what runs without asking, though they hold no servers
	Container  bool       // its servers run in a container, not on this machine
	Belongs    string     // for a place that nobody reads: the file meant, relative to the project or "" when open
}

// Formats lists all places. The first that matches a path counts; the last stands for any JSON file. Sources: the documentation of each client, and
// the list of well-known paths in snyk/agent-scan (well_known_clients.py), read 2026-11.
var Formats = []Format{
	{Path: ".claude/.mcp.json", Key: mcpServers, Belongs: ".mcp.json"},
	{Path: ".claude/mcp.json", Key: mcpServers, Belongs: ".mcp.json"},
	{Path: ".claude/settings.json", Key: mcpServers, Settings: true, Belongs: ".mcp.json", Extra: claudeSettings},
	{Path: ".claude/settings.local.json", Key: mcpServers, Settings: true, Belongs: ".mcp.json", Extra: claudeSettings},
	{Path: ".claude-plugin/plugin.json", Clients: []string{"claude-code"}, Key: mcpServers, Settings: true, Extra: []string{"hooks"}},
	{Path: "hooks/hooks.json", Clients: []string{"claude-code"}, Key: mcpServers, Settings: true, Extra: []string{"hooks"}},
	{Path: ".github/mcp.json", Clients: []string{"copilot-cli"}, Key: mcpServers},
	{Path: ".copilot/mcp-config.json", Clients: []string{"copilot-cli"}, Scope: User, Key: mcpServers},
	{Path: ".mcp.json", Clients: []string{"claude-code", "copilot-cli"}, Key: mcpServers},
	{Path: ".claude.json", Clients: []string{"claude-code"}, Scope: User, Key: mcpServers, Each: []string{"projects", "*", "mcpServers"}, Settings: true},
	{Path: "managed-mcp.json", Clients: []string{"claude-code"}, Scope: Managed, Key: mcpServers, Loose: true},
	{Path: "claude_desktop_config.json", Clients: []string{"claude-desktop"}, Scope: User, Key: mcpServers, Loose: true},
	{Path: ".vscode/mcp.json", Clients: []string{"vscode"}, Syntax: JSONC, Key: []string{"servers"}},
	{Path: "Code/User/mcp.json", Clients: []string{"vscode"}, Scope: User, Syntax: JSONC, Key: []string{"servers"}},
	{Path: "Code - Insiders/User/mcp.json", Clients: []string{"vscode"}, Scope: User, Syntax: JSONC, Key: []string{"servers"}},
	{Path: "VSCodium/User/mcp.json", Clients: []string{"vscode"}, Scope: User, Syntax: JSONC, Key: []string{"servers"}},
	{Path: "User/profiles/*/mcp.json", Clients: []string{"vscode"}, Scope: User, Syntax: JSONC, Key: []string{"servers"}},
	{Path: "Code/User/settings.json", Clients: []string{"vscode"}, Scope: User, Syntax: JSONC, Key: []string{"mcp", "servers"}, Also: [][]string{{"mcp.servers"}}, Settings: true},
	{Path: ".vscode/settings.json", Clients: []string{"vscode"}, Syntax: JSONC, Key: []string{"mcp", "servers"}, Also: [][]string{{"mcp.servers"}}, Settings: true, Extra: []string{"chat.tools.autoApprove", "chat.tools.global.autoApprove", "chat.tools.terminal.autoApprove"}},
	{Path: "*.code-workspace", Clients: []string{"vscode"}, Syntax: JSONC, Key: []string{"settings", "mcp", "servers"}, Also: [][]string{{"settings", "mcp.servers"}}, Settings: true},
	{Path: ".devcontainer/devcontainer.json", Clients: []string{"vscode"}, Syntax: JSONC, Key: []string{"customizations", "vscode", "mcp", "servers"}, Settings: true, Container: true},
	{Path: ".devcontainer/*/devcontainer.json", Clients: []string{"vscode"}, Syntax: JSONC, Key: []string{"customizations", "vscode", "mcp", "servers"}, Settings: true, Container: true},
	{Path: ".devcontainer.json", Clients: []string{"vscode"}, Syntax: JSONC, Key: []string{"customizations", "vscode", "mcp", "servers"}, Settings: true, Container: true},
	{Path: ".cursor/mcp.json", Clients: []string{"cursor"}, Key: mcpServers},
	{Path: "windsurf/mcp_config.json", Clients: []string{"windsurf"}, Scope: User, Key: mcpServers},
	{Path: "antigravity/mcp_config.json", Clients: []string{"antigravity"}, Scope: User, Key: mcpServers},
	{Path: ".zed/settings.json", Clients: []string{"zed"}, Syntax: JSONC, Key: []string{"context_servers"}, Settings: true},
	{Path: "zed/settings.json", Clients: []string{"zed"}, Scope: User, Syntax: JSONC, Key: []string{"context_servers"}, Settings: true},
	{Path: ".codex/config.toml", Clients: []string{"codex"}, Syntax: TOML, Key: []string{"mcp_servers"}, Settings: true, Extra: []string{"approval_policy", "sandbox_mode", "notify"}},
	{Path: ".gemini/settings.json", Clients: []string{"gemini-cli"}, Syntax: Comments, Key: mcpServers, Settings: true, Extra: []string{"autoAccept", "tools", "hooks"}},
	{Path: "gemini-extension.json", Clients: []string{"gemini-cli"}, Syntax: JSON, Key: mcpServers, Settings: true},
	{Path: ".config/opencode/opencode.json", Clients: []string{"opencode"}, Scope: User, Syntax: JSONC, Key: []string{"mcp"}, Settings: true},
	{Path: ".config/opencode/opencode.jsonc", Clients: []string{"opencode"}, Scope: User, Syntax: JSONC, Key: []string{"mcp"}, Settings: true},
	{Path: "opencode.json", Clients: []string{"opencode"}, Syntax: JSONC, Key: []string{"mcp"}, Settings: true, Extra: []string{"permission"}},
	{Path: "opencode.jsonc", Clients: []string{"opencode"}, Syntax: JSONC, Key: []string{"mcp"}, Settings: true, Extra: []string{"permission"}},
	{Path: "goose/config.yaml", Clients: []string{"goose"}, Scope: User, Syntax: YAML, Key: []string{"extensions"}, Settings: true},
	{Path: "goose/config/config.yaml", Clients: []string{"goose"}, Scope: User, Syntax: YAML, Key: []string{"extensions"}, Settings: true},
	{Path: "cline_mcp_settings.json", Clients: []string{"cline-vscode"}, Scope: User, Key: mcpServers, Loose: true},
	{Path: ".cline/mcp.json", Clients: []string{"cline"}, Scope: User, Key: mcpServers},
	{Path: ".roo/mcp.json", Clients: []string{"roo-code"}, Key: mcpServers},
	{Path: "settings/mcp_settings.json", Clients: []string{"roo-code"}, Scope: User, Key: mcpServers},
	{Path: ".junie/mcp/mcp.json", Clients: []string{"junie"}, Key: mcpServers},
	{Path: ".kiro/settings/mcp.json", Clients: []string{"kiro"}, Key: mcpServers},
	{Path: ".amazonq/mcp.json", Clients: []string{"amazon-q"}, Key: mcpServers},
	{Path: "amazonq/mcp.json", Clients: []string{"amazon-q"}, Scope: User, Key: mcpServers},
	{Path: "amazonq/agents/*.json", Clients: []string{"amazon-q"}, Scope: User, Key: mcpServers, Settings: true},
	{Path: ".mcp", Clients: []string{"agentscope-2"}, AgentScope: true},
	{Path: "mcp.json", Key: mcpServers, Also: [][]string{{"servers"}}, Syntax: JSONC, ByShape: true},
}

// codexHome is Codex's file in the folder that the variable CODEX_HOME names.
var codexHome = Format{Clients: []string{"codex"}, Scope: User, Syntax: TOML, Key: []string{"mcp_servers"}, Settings: true}

var (
	mcpServers     = []string{"mcpServers"}
	claudeSettings = []string{
		"enableAllProjectMcpServers", "enabledMcpjsonServers", "disabledMcpjsonServers", "hooks", "permissions", "env", "apiKeyHelper", "skipDangerousModePermissionPrompt",
	}
)

// inputs returns the path of keys to the list of inputs, which stands beside the servers.
func (f *Format) inputs() []string {
	if len(f.Key) == 0 {
		return []string{"inputs"}
	}
	return append(slices.Clone(f.Key[:len(f.Key)-1]), "inputs")
}

// Match returns the format of the file at a path, by the last parts of it, or nil.
func Match(file string) *Format {
	file = strings.ReplaceAll(file, `\`, "/")
	for _, f := range byName().of(path.Base(file)) {
		if matches(f.Path, file) {
			return f
		}
	}
	return nil
}

// MayBe reports whether a search of a project has to look at a file of that name. It is fast: it is asked for
// every file.
func MayBe(name string) bool { return slices.ContainsFunc(byName().of(name), (*Format).Searched) }

// nameTable finds formats by the last part of their path. A "*" stands at its start only.
type nameTable struct {
	exact map[string][]*Format
	globs []*Format
	ends  []string // what follows the "*" of each of globs
}

var byName = sync.OnceValue(func() nameTable {
	t := nameTable{exact: map[string][]*Format{}}
	for i := range Formats {
		f := &Formats[i]
		name := path.Base(f.Path)
		if end, ok := strings.CutPrefix(name, "*"); ok {
			t.globs, t.ends = append(t.globs, f), append(t.ends, end)
		} else {
			t.exact[name] = append(t.exact[name], f)
		}
	}
	return t
})

// of returns the formats that a file of that name can have.
func (t nameTable) of(name string) []*Format {
	if found := t.exact[name]; found != nil {
		return found
	}
	for i, end := range t.ends {
		if strings.HasSuffix(name, end) {
			return t.globs[i : i+1]
		}
	}
	return nil
}

// matches compares the last parts of a path with a pattern.
func matches(pattern, file string) bool {
	want, have := strings.Split(pattern, "/"), strings.Split(file, "/")
	if len(have) < len(want) {
		return false
	}
	for i, part := range have[len(have)-len(want):] {
		if ok, err := path.Match(want[i], part); err != nil || !ok {
			return false
		}
	}
	return true
}

// Searched reports whether a search of a project reads the file: those in a user's own folders are read only
// when they are named.
func (f *Format) Searched() bool { return f.Scope == Project || f.Loose }
