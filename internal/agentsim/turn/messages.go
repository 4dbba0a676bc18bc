package turn

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/python"
	"github.com/skill-ls/skill-ls/internal/catalog"
)

// writer makes the messages of AgentScope. Ids are numbers and the time stands still, where the program draws the
// one and looks at a clock for the other.
type writer struct {
	clock string
	ids   int
}

func (w *writer) id() string {
	w.ids++
	return fmt.Sprintf("%032x", w.ids)
}

// stamp is the time of a message.
func stamp(clock time.Time, layout string) string {
	if clock.IsZero() {
		clock = time.Unix(0, 0)
	}
	return clock.UTC().Format(layout)
}

// raw encodes a value that has JSON.
func raw(v any) json.RawMessage { return json.RawMessage(python.Node(v).Raw()) }

// msg1 is Msg.to_dict() of 1.x.
type msg1 struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Role      string   `json:"role"`
	Content   any      `json:"content"`
	Metadata  struct{} `json:"metadata"`
	Timestamp string   `json:"timestamp"`
}

type textBlock1 struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type dataBlock1 struct {
	Type   string  `json:"type"`
	Source source1 `json:"source"`
}

type source1 struct {
	Type      string `json:"type"`
	MediaType string `json:"media_type"`
	Data      string `json:"data"`
}

type toolUse1 struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type toolResult1 struct {
	Type   string `json:"type"`
	ID     string `json:"id"`
	Name   string `json:"name"`
	Output any    `json:"output"`
}

func (agentScope1) messages(t *Transcript, in *agentsim.Input) []json.RawMessage {
	w := &writer{clock: stamp(in.Clock, "2006-01-02 15:04:05.000")}
	var out []json.RawMessage
	add := func(name, role string, content any) {
		out = append(out, raw(msg1{ID: w.id(), Name: name, Role: role, Content: content, Timestamp: w.clock}))
	}
	for _, g := range groups(t.Entries) {
		switch e := g[0]; {
		case isModel(e):
			add(t.Agent, "assistant", answer1(g))
		case e.Kind == Spoken, e.Kind == Hint:
			add("user", "user", e.Text)
		case e.Kind == Returned:
			add("system", "system", []any{toolResult1{"tool_result", e.ID, e.Tool, blocks1(e.Output)}})
		}
	}
	return out
}

func answer1(entries []Entry) []any {
	var out []any
	for _, e := range entries {
		if e.Kind == Said {
			out = append(out, textBlock1{"text", e.Text})
		} else {
			out = append(out, toolUse1{"tool_use", e.ID, e.Tool, inputOf(e.Arguments)})
		}
	}
	return out
}

// inputOf are arguments as a dict, an empty one for what is none.
func inputOf(arguments string) json.RawMessage {
	if n, err := catalog.Parse(arguments); err == nil && n.Is(catalog.Object) {
		return json.RawMessage(n.Raw())
	}
	return json.RawMessage("{}")
}

func blocks1(o *Output) []any {
	out := []any{}
	for _, b := range o.Blocks {
		if b.Type == "text" {
			out = append(out, textBlock1{"text", b.Text})
		} else {
			out = append(out, dataBlock1{b.Type, source1{"base64", b.MIME, b.Data}})
		}
	}
	return out
}

// msg2 is Msg.model_dump_json() of 2.x.
type msg2 struct {
	Name             string   `json:"name"`
	Content          []any    `json:"content"`
	Role             string   `json:"role"`
	ID               string   `json:"id"`
	Metadata         struct{} `json:"metadata"`
	CreatedAt        string   `json:"created_at"`
	Usage            *int     `json:"usage"`
	FinishedAt       *string  `json:"finished_at"`
	FinishedReason   *string  `json:"finished_reason"`
	StructuredOutput *string  `json:"structured_output"`
	Error            *string  `json:"error"`
}

// made is what every block of 2.x ends with.
type made struct {
	CreatedAt  string  `json:"created_at"`
	FinishedAt *string `json:"finished_at"`
}

type textBlock2 struct {
	Type string `json:"type"`
	Text string `json:"text"`
	ID   string `json:"id"`
	made
}

type hintBlock2 struct {
	Type string `json:"type"`
	Hint string `json:"hint"`
	ID   string `json:"id"`
	made
}

type dataBlock2 struct {
	Type   string  `json:"type"`
	Source source2 `json:"source"`
	Name   *string `json:"name"`
	ID     string  `json:"id"`
	made
}

type source2 struct {
	Type      string `json:"type"`
	Data      string `json:"data"`
	MediaType string `json:"media_type"`
}

type toolCall2 struct {
	Type      string   `json:"type"`
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Input     string   `json:"input"`
	State     string   `json:"state"`
	Suggested []string `json:"suggested_rules"`
	made
}

type toolResult2 struct {
	Type     string   `json:"type"`
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Output   any      `json:"output"`
	State    string   `json:"state"`
	Metadata struct{} `json:"metadata"`
	made
}

func (agentScope2) messages(t *Transcript, in *agentsim.Input) []json.RawMessage {
	w := &writer{clock: stamp(in.Clock, "2006-01-02T15:04:05")}
	states := callStates(t.Entries)
	var out []msg2
	for _, e := range t.Entries {
		if e.Kind == Notice {
			continue
		}
		if e.Kind == Spoken {
			out = append(out, w.msg2("user", "user", w.text2(e.Text)))
			continue
		}
		block := w.block2(e, states)
		if last := len(out) - 1; last >= 0 && out[last].Role == "assistant" { // one message a reply
			out[last].Content = append(out[last].Content, block)
			continue
		}
		out = append(out, w.msg2(t.Agent, "assistant", block))
	}
	var encoded []json.RawMessage
	for _, m := range out {
		encoded = append(encoded, raw(m))
	}
	return encoded
}

func (w *writer) msg2(name, role string, block any) msg2 {
	return msg2{Name: name, Content: []any{block}, Role: role, ID: w.id(), CreatedAt: w.clock}
}

func (w *writer) made() made { return made{CreatedAt: w.clock} }

func (w *writer) text2(s string) textBlock2 { return textBlock2{"text", s, w.id(), w.made()} }

func (w *writer) block2(e Entry, states map[string]string) any {
	switch e.Kind {
	case Hint:
		return hintBlock2{"hint", e.Text, w.id(), w.made()}
	case Called:
		return toolCall2{"tool_call", e.ID, e.Tool, e.Arguments, states[e.ID], []string{}, w.made()}
	case Returned:
		r := toolResult2{Type: "tool_result", ID: e.ID, Name: e.Tool, State: e.State, made: w.made()}
		if r.Output = e.Text; !e.Output.Plain {
			r.Output = w.blocks2(e.Output)
		}
		return r
	}
	return w.text2(e.Text)
}

func (w *writer) blocks2(o *Output) []any {
	out := []any{}
	for _, b := range o.Blocks {
		if b.Type == "text" {
			out = append(out, w.text2(b.Text))
		} else {
			out = append(out, dataBlock2{"data", source2{"base64", b.Data, b.MIME}, nil, w.id(), w.made()})
		}
	}
	return out
}

// callStates are the states of calls: finished with a result, asking, or still pending.
func callStates(entries []Entry) map[string]string {
	out := map[string]string{}
	for _, e := range entries {
		switch e.Kind {
		case Called:
			out[e.ID] = "pending"
		case Returned:
			out[e.ID] = "finished"
		case Notice:
			if e.ID != "" {
				out[e.ID] = "asking"
			}
		}
	}
	return out
}

// wireMessage is a message as it goes to OpenAI's chat completions.
type wireMessage struct {
	Role    string     `json:"role"`
	CallID  string     `json:"tool_call_id,omitempty"`
	Name    string     `json:"name,omitempty"`
	Content any        `json:"content"`
	Calls   []wireCall `json:"tool_calls,omitempty"`
}

type wireCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func (agentScope1) wire(t *Transcript) []json.RawMessage {
	return named(t, func(e Entry) string { return python.Dumps(python.Node(inputOf(e.Arguments))) }, "user")
}

func (agentScope2) wire(t *Transcript) []json.RawMessage {
	return named(t, func(e Entry) string { return e.Arguments }, "")
}

// named are the messages as AgentScope's formatter for OpenAI makes them. hintName is that of a hint's message.
func named(t *Transcript, argumentsOf func(Entry) string, hintName string) []json.RawMessage {
	out := []json.RawMessage{raw(wireMessage{Role: "system", Name: "system", Content: texts(systemText(t))})}
	for _, g := range groups(t.Entries) {
		m := wireMessage{Name: "user", Role: "user"}
		switch e := g[0]; {
		case e.Kind == Notice:
			continue
		case isModel(e):
			m = answerOf(g, argumentsOf)
			m.Name = t.Agent
		case e.Kind == Returned:
			m = wireMessage{Role: "tool", CallID: e.ID, Name: e.Tool, Content: e.Text}
		case e.Kind == Hint:
			m.Name, m.Content = hintName, texts(e.Text)
		default:
			m.Content = texts(e.Text)
		}
		out = append(out, raw(m))
	}
	return out
}

func texts(s string) []textBlock1 { return []textBlock1{{"text", s}} }

// answerOf is an answer of the model: its texts and its calls.
func answerOf(entries []Entry, argumentsOf func(Entry) string) wireMessage {
	m := wireMessage{Role: "assistant"}
	var said []textBlock1
	for _, e := range entries {
		if e.Kind == Said {
			said = append(said, textBlock1{"text", e.Text})
		} else {
			m.Calls = append(m.Calls, wireCall{e.ID, "function", wireFunction{e.Tool, argumentsOf(e)}})
		}
	}
	if said != nil {
		m.Content = said
	}
	return m
}

// plainWire is the conversation in the same form, as any client might send it.
func plainWire(t *Transcript) []json.RawMessage {
	var out []json.RawMessage
	for _, part := range t.Simulation.Prompt {
		if !part.Left && part.Role != "tool-description" {
			out = append(out, raw(wireMessage{Role: part.Role, Content: part.Text}))
		}
	}
	for _, g := range groups(t.Entries) {
		m := wireMessage{Role: "user", Content: g[0].Text}
		switch e := g[0]; {
		case e.Kind == Notice:
			continue
		case isModel(e):
			m = answerOf(g, func(e Entry) string { return e.Arguments })
			if said, ok := m.Content.([]textBlock1); ok {
				m.Content = joined(said)
			}
		case e.Kind == Returned:
			m = wireMessage{Role: "tool", CallID: e.ID, Content: e.Text}
		}
		out = append(out, raw(m))
	}
	return out
}

func joined(said []textBlock1) string {
	var out []string
	for _, s := range said {
		out = append(out, s.Text)
	}
	return strings.Join(out, "\n")
}
