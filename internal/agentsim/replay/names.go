package replay

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// target is what a recorded name stands for today.
type target struct {
	server *Server // nil when it is no tool of a known server
	called string  // the server's name as recorded, where server is nil and the name says that it is an MCP tool
	name   string  // the tool's own name
	tool   catalog.Tool
	found  bool // server has the tool
	mcp    bool // it is a tool of an MCP server, known or not
}

// place is a tool of a server.
type place struct {
	server *Server
	tool   catalog.Tool
}

// names tell what the names that clients show for tools stand for.
type names struct {
	shown map[string][]place
	heads []head // the longest first
	today *Today
}

// head is what stands before the tool in the names of a server's tools.
type head struct {
	text   string
	server *Server
}

// plainHead stands before MCP tools in several clients.
const plainHead = "mcp__"

// nameFor prepares the names of some clients. loose says that nobody knows which of them it was.
func namesFor(clients []*profile.Profile, loose bool, t *Today) *names {
	n := &names{shown: map[string][]place{}, today: t}
	for _, s := range t.Servers {
		n.addHead(plainHead+profile.PlainToolName(s.Name)+"__", s)
		for _, c := range clients {
			// One underscore may stand in any name: only who is known to write so is taken to.
			if h := headOf(c, s.Name); h != "" && (!loose || strings.Contains(h, "__") || strings.Contains(h, "::")) {
				n.addHead(h, s)
			}
		}
		if s.Now == nil {
			continue
		}
		for _, tool := range s.Now.Tools {
			n.put(plainHead+profile.PlainToolName(s.Name)+"__"+profile.PlainToolName(tool.Name()), place{s, tool})
			for _, c := range clients {
				if shown, known := c.ToolName(s.Name, tool.Name()); known {
					n.put(shown.Name, place{s, tool})
				}
			}
			if loose {
				n.put(tool.Name(), place{s, tool})
			}
		}
	}
	slices.SortStableFunc(n.heads, func(a, b head) int { return len(b.text) - len(a.text) })
	return n
}

// headOf returns what a client puts before the names of a server's tools, "" for nothing or nothing known.
func headOf(c *profile.Profile, server string) string {
	const probe = "x"
	shown, known := c.ToolName(server, probe)
	h, ok := strings.CutSuffix(shown.Name, probe)
	if !known || !ok {
		return ""
	}
	return h
}

func (n *names) addHead(text string, s *Server) { n.heads = append(n.heads, head{text, s}) }

func (n *names) put(name string, p place) {
	if name != "" && !slices.ContainsFunc(n.shown[name], func(have place) bool { return have.server == p.server && have.tool.Name() == p.tool.Name() }) {
		n.shown[name] = append(n.shown[name], p)
	}
}

// resolve returns what a call is of. raw says that the recording holds calls of MCP servers only.
func (n *names) resolve(c *recording.Call, raw bool) target {
	if c.Server != "" || raw {
		return n.recorded(c)
	}
	if list := n.shown[c.Name]; len(list) > 0 {
		p := fitting(list, c.Arguments)
		return target{server: p.server, name: p.tool.Name(), tool: p.tool, found: true, mcp: true}
	}
	for _, h := range n.heads {
		if rest, ok := strings.CutPrefix(c.Name, h.text); ok && rest != "" {
			return toolIn(h.server, rest)
		}
	}
	return n.plain(c.Name)
}

// fitting returns the one of several tools of a name whose schema takes the arguments, else the first.
func fitting(list []place, arguments *catalog.Node) place {
	if len(list) > 1 && arguments != nil {
		for _, p := range list {
			if s, err := catalog.CompileSchema(p.tool.InputSchema(), ""); err == nil && len(s.Violations(arguments)) == 0 {
				return p
			}
		}
	}
	return list[0]
}

// toolIn looks for a tool of a server by its name, as it is or as clients write it.
func toolIn(s *Server, name string) target {
	t := target{server: s, name: name, mcp: true}
	if s.Now == nil {
		return t
	}
	for _, tool := range s.Now.Tools {
		if tool.Name() == name || profile.PlainToolName(tool.Name()) == name {
			t.tool, t.name, t.found = tool, tool.Name(), true
			return t
		}
	}
	return t
}

// plain takes mcp__SERVER__TOOL of a server that is not known by that name. Claude Code puts the name of a plugin, or of
// an account, before that of the server.
func (n *names) plain(name string) target {
	rest, ok := strings.CutPrefix(name, plainHead)
	if !ok {
		return target{name: name}
	}
	server, tool, ok := strings.Cut(strings.ReplaceAll(rest, "::", "__"), "__")
	if !ok || tool == "" {
		return target{name: name}
	}
	for _, s := range n.today.Servers {
		if strings.HasSuffix(server, "_"+profile.PlainToolName(s.Name)) && (strings.HasPrefix(server, "plugin_") || strings.HasPrefix(server, "claude_ai_")) {
			return toolIn(s, tool)
		}
	}
	return target{called: server, name: tool, mcp: true}
}

// recorded takes a call of which the recording tells the server, or at least that it is one.
func (n *names) recorded(c *recording.Call) target {
	tool := c.Tool
	if tool == "" {
		tool = c.Name
	}
	if s := n.serverCalled(c.Server); s != nil {
		return toolIn(s, tool)
	}
	var has []*Server
	for _, s := range n.today.Servers {
		if toolIn(s, tool).found {
			has = append(has, s)
		}
	}
	switch {
	case len(has) == 1:
		return toolIn(has[0], tool)
	case c.Server == "" && len(n.today.Servers) == 1:
		return toolIn(n.today.Servers[0], tool)
	}
	return target{called: c.Server, name: tool, mcp: true}
}

// serverCalled returns the server of a name in a recording: that of the configuration, in any client's spelling, or what
// the server calls itself.
func (n *names) serverCalled(name string) *Server {
	if name == "" {
		return nil
	}
	for _, s := range n.today.Servers {
		if s.Name == name || profile.PlainToolName(s.Name) == name {
			return s
		}
	}
	var found *Server
	for _, s := range n.today.Servers {
		if s.Now != nil && s.Now.Info.Name == name {
			if found != nil {
				return nil // two of a kind
			}
			found = s
		}
	}
	return found
}
