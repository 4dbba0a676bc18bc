package agentsim

import (
	"encoding/json"

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
	Reason      string   // why it is not listed, or what is not known
	Changes     []string // what differs from what the server sends
	Tokens      int
}

// A Rewriter does to a tool what a client does to it besides naming: it may change the description and the schema,
// telling so in Changes, or take the tool from the list, with a Reason.
type Rewriter interface {
	Rewrite(p *profile.Profile, t *Tool)
}

func (s *Simulation) addTools(in *Input) {
	if in.Profile.Name == agentScope2 {
		s.addOwnTools(in)
	}
	for _, server := range in.Servers {
		for _, t := range server.Tools {
			s.addTool(in, server.Name, t)
		}
	}
	for i := range s.Tools {
		if t := &s.Tools[i]; t.Listed {
			t.Tokens = in.Count(t.Name + t.Description + string(t.InputSchema))
			s.Tokens.Tools += t.Tokens
		}
	}
}

func (s *Simulation) addTool(in *Input, server string, t catalog.Tool) {
	out := Tool{Server: server, Tool: t.Name(), Listed: true, Description: t.Description()}
	if schema := t.InputSchema(); schema != nil {
		out.InputSchema = json.RawMessage(schema.Raw())
	}
	name, known := in.Profile.ToolName(server, t.Name())
	out.Name = name.Name
	switch {
	case t.Name() == "":
		out.Listed, out.Reason = false, "the tool has no name"
	case !known:
		out.Reason = "how " + in.Profile.Label + " names tools is not known"
	case name.How == "dropped":
		out.Listed, out.Reason = false, in.Profile.Label+" drops a tool whose name is so long"
	case name.How != "exact":
		out.Changes = append(out.Changes, "name "+name.How)
	}
	if in.Rewrite != nil {
		in.Rewrite.Rewrite(in.Profile, &out)
	}
	s.Tools = append(s.Tools, s.settle(in, out))
}

// settle decides between tools of one name. AgentScope 2 keeps the last, in the place of the first.
func (s *Simulation) settle(in *Input, t Tool) Tool {
	for i := range s.Tools {
		first := &s.Tools[i]
		if !t.Listed || !first.Listed || t.Name == "" || first.Name != t.Name {
			continue
		}
		if in.Profile.Name != agentScope2 {
			t.Changes = append(t.Changes, "has the name of "+first.Tool+" too")
			return t
		}
		*first, t = t, *first
		t.Listed, t.Reason = false, "a later tool has this name too"
		return t
	}
	return t
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
