package mcpconfig

import "slices"

// Entries returns the paths of keys to the entry of a server, with "*" for any key and for any item of a list.
func (f *Format) Entries() [][]string {
	if f.AgentScope {
		return [][]string{{"mcps", "*", "*", "*", "mcp_config"}, {"*", "mcp_config"}}
	}
	var out [][]string
	for _, path := range append([][]string{f.Key, f.Each}, f.Also...) {
		if len(path) > 0 {
			out = append(out, append(slices.Clone(path), "*"))
		}
	}
	return out
}

// Inputs returns the path to an entry of the list of inputs, which VS Code asks the user for; nil for other clients.
func (f *Format) Inputs() []string {
	if !slices.Contains(f.Clients, "vscode") {
		return nil
	}
	return append(f.inputs(), "*")
}

// Readers returns the clients that read the file, in the order of the table.
func (f *Format) Readers() []*Client {
	var out []*Client
	for _, name := range f.Clients {
		out = append(out, ClientByName(name))
	}
	return out
}

// switches are keys of a server that are true or false, besides those that turn it on and off.
var switches = []string{"required", "alwaysLoad", "supports_parallel_tool_calls", "sandboxEnabled", "bundled"}

// words are the values that keys of one client take, where they are few. Sources: those of Clients, and of AgentScope's
// encoding_error_handler the Python SDK of MCP, mcp/client/stdio.
var words = map[string]map[string][]string{
	"codex":        {"default_tools_approval_mode": {"auto", "prompt", "approve"}},
	"zed":          {"source": {"custom"}},
	"agentscope-2": {"encoding_error_handler": {"strict", "ignore", "replace"}},
}

// Values returns the values that a key of a server takes when they are few: words, or true and false, which are no
// texts. It is nil for any other key, and for one that the client does not read.
func (c *Client) Values(key string) []string {
	role := roles[key]
	switch {
	case !c.Reads(key):
		return nil
	case role == Type:
		return c.Types
	case role == Disabled, role == Enabled, slices.Contains(switches, key), key == "trust":
		return []string{"true", "false"}
	}
	return words[c.Name][key]
}

// CommonKeys returns the keys of a server that most clients know, for a file of which nobody knows who reads it.
func CommonKeys() []string {
	count := map[string]int{}
	for _, c := range Clients {
		for _, key := range c.Keys() {
			count[key]++
		}
	}
	var out []string
	for _, key := range ClientByName("claude-code").Keys() {
		if 2*count[key] > len(Clients) {
			out = append(out, key)
		}
	}
	return out
}
