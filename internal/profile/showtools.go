package profile

import (
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile/toolschema"
)

// ShownTool is what a client makes of one tool of an MCP server.
type ShownTool struct {
	Server string
	Tool   catalog.Tool
	Listed bool
	Name   ToolName // as the model sees it; empty when that is not known
	Known  bool     // whether it is known how the client names tools

	// Shown is what is sent. Without rules for the client it is the server's.
	toolschema.Shown

	Reason  string           // why it is not listed
	Loss    *toolschema.Loss // the trait it is not listed for; nil for other reasons
	Culprit string           // the tool with that trait when it is another one
	Twin    string           // the tool that has the same name for the model; it is listed in place of this one
	TwinOf  string           // the server of that
}

// Alone reports whether the client lists the tool, other tools of its server aside.
func (t *ShownTool) Alone() bool { return t.Listed || t.Culprit != "" }

// ShowTools returns what the client makes of the tools of servers, in their order.
func (p *Profile) ShowTools(servers []*catalog.Server) []ShownTool {
	var out []ShownTool
	for _, s := range servers {
		from := len(out)
		for _, t := range s.Tools {
			out = append(out, p.showTool(s.Name, t))
		}
		p.loseServer(out[from:])
	}
	p.settle(out)
	return out
}

func (p *Profile) showTool(server string, t catalog.Tool) ShownTool {
	out := ShownTool{Server: server, Tool: t, Listed: true}
	if t.Name() == "" {
		out.Listed, out.Reason = false, "the tool has no name"
		return out
	}
	out.Name, out.Known = p.ToolName(server, t.Name())
	rules := p.Schema
	if rules == nil {
		rules = new(toolschema.Rules)
	}
	out.Shown = rules.Rewrite(t)
	if out.Loss = rules.Loses(t); out.Loss != nil {
		out.Listed, out.Reason = false, out.Loss.Reason
	} else if out.Name.How == "dropped" {
		out.Listed, out.Reason = false, "its name is too long"
	}
	return out
}

// loseServer takes all tools of a server from the list when one of them makes the client refuse it.
func (p *Profile) loseServer(tools []ShownTool) {
	for i := range tools {
		l := tools[i].Loss
		if l == nil || !l.Server {
			continue
		}
		for j := range tools {
			if t := &tools[j]; t.Loss == nil { // one that is lost by itself says so
				t.Listed, t.Loss, t.Culprit = false, l, tools[i].Tool.Name()
				t.Reason = "another tool makes the client refuse the whole server: " + l.Reason
			}
		}
		return
	}
}

// settle keeps one of several tools that have one name for the model.
func (p *Profile) settle(tools []ShownTool) {
	last := p.Schema != nil && p.Schema.Duplicate == "last"
	first := map[string]int{}
	for i := range tools {
		t := &tools[i]
		if !t.Listed || t.Name.Name == "" {
			continue
		}
		before, twice := first[t.Name.Name]
		switch {
		case !twice:
			first[t.Name.Name] = i
		case last:
			// The later one stands in the place of the first.
			tools[before], tools[i] = tools[i], tools[before]
			tools[i].yield(&tools[before])
		default:
			t.yield(&tools[before])
		}
	}
}

func (t *ShownTool) yield(to *ShownTool) {
	t.Listed, t.Twin, t.TwinOf = false, to.Tool.Name(), to.Server
	t.Reason = "another tool has this name too"
}
