package turn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/text"
)

// mostRequests bounds a reply of a model that goes on calling.
const mostRequests = 30

// converse lets the model answer what the user said, and compares what it does with the steps up to the next word of
// the user. What they say of a call, such as a recorded result, goes to the call of the same tool.
func (p *player) converse(ctx context.Context) error {
	wants := p.wants()
	for range mostRequests {
		if p.ended != NotEnded {
			break
		}
		p.ask()
		a, err := p.in.Model.Answer(ctx, NewRequest(p.base.Profile.Activation.Tool, p.t, p.in.Script.Tools))
		if err != nil {
			return fmt.Errorf("ask the model: %w", err)
		}
		if a.Text != "" {
			p.add(Entry{Kind: Said, Text: a.Text, Exact: true})
		}
		if len(a.Calls) == 0 {
			p.close()
			break
		}
		var all []*pending
		for _, c := range a.Calls {
			all = append(all, p.matched(c, wants))
		}
		p.callAll(ctx, all)
	}
	p.tellUnmet(wants)
	return nil
}

// want is a step that the model should come to by itself.
type want struct {
	step Step
	call CallStep
	met  bool
}

// wants takes the steps up to the next one that is not about what the model does.
func (p *player) wants() []*want {
	var out []*want
	for ; p.at < len(p.steps); p.at++ {
		switch s := p.steps[p.at]; s.Kind {
		case User, ExpectEnd:
			return out
		case ExpectSkill:
			p.checkListed(s)
			out = append(out, &want{step: s, call: CallStep{Place: s.Place}})
		case Calls:
			for _, c := range s.Calls {
				out = append(out, &want{step: s, call: c})
			}
		case ExpectResult:
			if last := len(out) - 1; last >= 0 && out[last].call.Expect == nil {
				out[last].call.Expect = s.Expect
			}
		}
	}
	return out
}

// matched is a call of the model with what the script says of the first such call that is still wanted.
func (p *player) matched(c ModelCall, wants []*want) *pending {
	out := &pending{CallStep: CallStep{Tool: c.Tool, Arguments: c.Arguments}, ID: c.ID}
	if out.ID == "" {
		out.ID = p.newID()
	}
	out.skill = p.client.skillOf(p, c)
	for _, w := range wants {
		fits := w.step.Kind == ExpectSkill && out.skill == w.step.Skill.Name || w.step.Kind == Calls && w.call.Tool == c.Tool
		if w.met || !fits {
			continue
		}
		w.met = true
		out.CallStep = w.call
		out.Tool, out.Arguments = c.Tool, c.Arguments
		break
	}
	return out
}

func (p *player) tellUnmet(wants []*want) {
	for _, w := range wants {
		switch {
		case w.met:
		case w.step.Kind == ExpectSkill:
			p.fail(w.step.Place, "the model does not load the skill %q", w.step.Skill.Name)
		default:
			p.fail(w.call.Place, "the model does not call %s", w.call.Tool)
		}
	}
}

// NewRequest is what the model of a client is asked next. Where the client's own tool for skills is not reproduced, one
// of its name stands for it.
func NewRequest(skillTool string, t *Transcript, own []OwnTool) *Request {
	r := &Request{System: systemText(t), Entries: t.Entries}
	for _, tool := range t.Simulation.Tools {
		if tool.Listed && tool.Name != "" {
			r.Tools = append(r.Tools, tool)
		}
	}
	for _, o := range own {
		tool := agentsim.Tool{Name: o.Name, Listed: true, InputSchema: []byte(`{"type": "object", "properties": {}}`)}
		if o.Schema != nil {
			tool.InputSchema = []byte(o.Schema.Raw())
		}
		r.Tools = append(r.Tools, tool)
	}
	if stand := standIn(skillTool, t); stand.Name != "" && !offers(r.Tools, stand.Name) {
		r.Tools = append(r.Tools, stand)
	}
	return r
}

func offers(tools []agentsim.Tool, name string) bool {
	for _, t := range tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

// standIn is a tool that loads skills, as far as it is known. Some clients list skills in its description.
func standIn(skillTool string, t *Transcript) agentsim.Tool {
	param := t.Simulation.Profile.Activation.Param
	description := "Loads the skill of that name: its instructions come back."
	if skillTool == "" || param == "" {
		skillTool, param, description = readTool, "path", "Reads a file."
	}
	var more []string
	for _, part := range t.Simulation.Prompt {
		if part.Role == "tool-description" && !part.Left {
			more = append(more, part.Text)
		}
	}
	if len(more) > 0 {
		description += "\n\n" + strings.Join(more, "\n\n")
	}
	return agentsim.Tool{
		Name: skillTool, Listed: true, Description: description,
		InputSchema: []byte(`{"type": "object", "properties": {` + text.Quote(param) + `: {"type": "string"}}, "required": [` + text.Quote(param) + `]}`),
	}
}

// Message is one message of a request, whatever form a provider wants.
type Message struct {
	Role   string // user, assistant or tool
	Text   string
	Calls  []ModelCall // of an assistant
	CallID string      // of a tool
	Tool   string      // of a tool
}

// Messages are the conversation of a request, without its system prompt.
func (r *Request) Messages() []Message {
	var out []Message
	for _, g := range groups(r.Entries) {
		m := Message{Role: "user", Text: g[0].Text}
		switch e := g[0]; {
		case e.Kind == Notice:
			continue
		case e.Kind == Returned:
			m = Message{Role: "tool", Text: e.Text, CallID: e.ID, Tool: e.Tool}
		case isModel(e):
			m = Message{Role: "assistant"}
			for _, part := range g {
				if part.Kind == Said {
					m.Text += part.Text
				} else {
					m.Calls = append(m.Calls, ModelCall{part.ID, part.Tool, part.Arguments})
				}
			}
		}
		out = append(out, m)
	}
	return out
}

// Picker asks a model which skill it loads first for what a user says. It may be used by several at a time.
type Picker struct {
	in  *Input
	sim *agentsim.Simulation
}

// NewPicker plays the client of an input, whose script may be nil.
func NewPicker(ctx context.Context, in *Input) (*Picker, error) {
	base := *in.Client
	base.Skill, base.Args = "", ""
	sim, err := agentsim.Simulate(ctx, &base)
	if err != nil {
		return nil, err
	}
	return &Picker{in: &Input{Client: &base, Script: &Script{}, Model: in.Model}, sim: sim}, nil
}

// Pick returns the skill that the first call of the model's answer loads, "" when that loads none or there is none.
func (k *Picker) Pick(ctx context.Context, query string) (string, error) {
	sim := *k.sim
	sim.Prompt = slices.Clone(sim.Prompt)
	steps := []Step{{Kind: User, Text: query}}
	p := &player{in: k.in, base: k.in.Client, steps: steps, ended: Completed, t: &Transcript{Simulation: &sim}}
	p.client = clientFor(p)
	p.hear(steps[0])
	a, err := k.in.Model.Answer(ctx, NewRequest(p.base.Profile.Activation.Tool, p.t, nil))
	if err != nil {
		return "", fmt.Errorf("ask the model: %w", err)
	}
	if len(a.Calls) == 0 {
		return "", nil
	}
	return p.client.skillOf(p, a.Calls[0]), nil
}
