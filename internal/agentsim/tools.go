package agentsim

import (
	"encoding/json"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// Tool is a tool as a client shows it to the model.
type Tool struct {
	Server string // "" for one of the client's own
	Tool   string // as the server calls it
	Listed bool
	Name   string // as the model sees it; "" when that is not known
	// Description and InputSchema are what the model sees. The schema is JSON as the server wrote it, unless
	// Changes tells otherwise.
	Description string
	InputSchema json.RawMessage
	Written     Written  // as the server offers it
	Reason      string   // why it is not listed, or what is not known
	Changes     []string // what differs from what the server sends
	// Line is what the prompt says of a tool that the model has to ask for; "" for one that is sent.
	Line   string
	Tokens int // of what is in the prompt
}

// Written is what of a tool a client may change before the model sees it.
type Written struct {
	Description string
	InputSchema json.RawMessage
}

func (s *Simulation) addTools(in *Input) {
	if in.Profile.Name == agentScope2 {
		s.addOwnTools(in)
	}
	s.addDeferred(in)
	s.Tools = append(count(s.Tools, in.Count), Tools(in.Profile, in.Servers, in.Count)...)
	for _, t := range s.Tools {
		s.Tokens.Tools += t.Tokens
	}
}

// addDeferred adds the list of tools that the model has to ask for.
func (s *Simulation) addDeferred(in *Input) {
	d := in.Profile.Tools.Deferred
	if d == nil || len(in.Servers) == 0 {
		return
	}
	if d.When != "" {
		s.note("When %s, %s tells its model only the names of these tools, and sends one when the model asks for it with %s; here they are as they are sent otherwise.", d.When, in.Profile.Label, d.Search)
		return
	}
	if text := d.List(in.Profile.ShowTools(in.Servers)); text != "" {
		s.note("%s sends tools of MCP servers when its model asks for them with %s; its prompt lists them.", in.Profile.Label, d.Search)
		s.add(in, Part{Role: d.Role, Text: text, Exact: in.Profile.Evidence.Level == "observed"})
	}
}

// Tools returns what a client makes of the tools of servers, and what each costs as tokens counts it; nil counts
// nothing.
func Tools(p *profile.Profile, servers []*catalog.Server, tokens func(string) int) []Tool {
	var out []Tool
	for _, t := range p.ShowTools(servers) {
		out = append(out, toolOf(p, t))
	}
	return count(out, tokens)
}

// count sets the tokens of the tools that are listed.
func count(tools []Tool, tokens func(string) int) []Tool {
	for i := range tools {
		if t := &tools[i]; t.Listed && tokens != nil {
			if t.Tokens = tokens(t.Line); t.Line == "" {
				t.Tokens = tokens(t.Name + t.Description + string(t.InputSchema))
			}
		}
	}
	return tools
}

func toolOf(p *profile.Profile, t profile.ShownTool) Tool {
	out := Tool{
		Server: t.Server, Tool: t.Tool.Name(), Listed: t.Listed, Name: t.Name.Name, Description: t.Description, Reason: t.Reason,
	}
	if schema := t.Schema(); schema != "" {
		out.InputSchema = json.RawMessage(schema)
	}
	out.Written.Description = t.Tool.Description()
	if schema := t.Tool.InputSchema(); schema != nil {
		out.Written.InputSchema = json.RawMessage(schema.Raw())
	}
	if !t.Listed {
		return out
	}
	switch {
	case !t.Known:
		out.Reason = "how " + p.Label + " names tools is not known"
	case t.Name.How != "exact":
		out.Changes = append(out.Changes, "name "+t.Name.How)
	}
	for _, c := range t.Changes {
		out.Changes = append(out.Changes, c.String())
	}
	if d := p.Tools.Deferred; d != nil && d.When == "" {
		out.Line = strings.TrimPrefix(d.Line(&t), "\n")
		out.Changes = append(out.Changes, "sent when the model asks for it with "+d.Search)
	}
	if p.Schema == nil {
		out.Changes = append(out.Changes, "what "+p.Label+" does to descriptions and schemas is not known")
	}
	return out
}

// skillTool is the tool of AgentScope 2 for skills; it is there when a skill is listed.
var skillTool = Tool{
	Tool: "Skill", Name: "Skill", Listed: true,
	Description: "Retrieve a skill within the conversation. When users asks you to perform tasks, check if any of the available skills match. Skills provide specialized capabilities and domain knowledge.",
	InputSchema: json.RawMessage(`{"type":"object","properties":{"skill":{"type":"string","description":"The exact name of the skill to view. "}},"required":["skill"]}`),
}

// addOwnTools adds those that AgentScope 2 has because of skills and groups, in its order.
func (s *Simulation) addOwnTools(in *Input) {
	for _, skill := range s.Skills {
		if skill.Listed {
			s.Tools = append(s.Tools, skillTool)
			break
		}
	}
	if len(in.Groups) > 0 {
		s.Tools = append(s.Tools, Tool{
			Tool: "reset_tools", Name: "reset_tools", Listed: true, Reason: "its description and schema are not reproduced: one boolean for each group",
		})
	}
}
