package turn

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/agentsim/python"
)

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

func (agentScope1) messages(p *player) []json.RawMessage {
	t, clock := p.t, stamp(p.base.Clock, "2006-01-02 15:04:05.000")
	var out []json.RawMessage
	add := func(name, role string, content any) {
		out = append(out, raw(msg1{ID: p.ids.id(), Name: name, Role: role, Content: content, Timestamp: clock}))
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

// inputOf are arguments as a dict.
func inputOf(arguments string) json.RawMessage {
	args, _ := repaired1(arguments)
	return json.RawMessage(args.Raw())
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
	Type      string  `json:"type"`
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Input     string  `json:"input"`
	State     string  `json:"state"`
	Suggested []rule2 `json:"suggested_rules"`
	made
}

// rule2 is the rule that the user is offered with a question.
type rule2 struct {
	Tool     string  `json:"tool_name"`
	Content  *string `json:"rule_content"`
	Behavior string  `json:"behavior"`
	Source   string  `json:"source"`
}

func suggested(e Entry) []rule2 {
	if !e.Asked {
		return []rule2{}
	}
	return []rule2{{Tool: e.Tool, Behavior: allowed, Source: "suggested"}}
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

func (agentScope2) messages(p *player) []json.RawMessage {
	w := &writer2{made{CreatedAt: stamp(p.base.Clock, "2006-01-02T15:04:05")}, callStates(p.t.Entries)}
	var out []msg2
	for _, e := range p.t.Entries {
		last := len(out) - 1
		switch {
		case e.Kind == Notice:
		case e.Kind == Spoken:
			out = append(out, w.message("user", "user", e))
		case last < 0 || out[last].Role != "assistant": // one message a reply
			out = append(out, w.message(p.t.Agent, "assistant", e))
		default:
			out[last].Content = append(out[last].Content, w.block(e))
		}
	}
	var encoded []json.RawMessage
	for _, m := range out {
		encoded = append(encoded, raw(m))
	}
	return encoded
}

// writer2 writes messages of 2.x. The time stands still, where the program looks at a clock.
type writer2 struct {
	made
	states map[string]string // of calls, by id
}

func (w *writer2) message(name, role string, e Entry) msg2 {
	return msg2{Name: name, Content: []any{w.block(e)}, Role: role, ID: e.message, CreatedAt: w.CreatedAt}
}

func (w *writer2) block(e Entry) any {
	switch e.Kind {
	case Hint:
		return hintBlock2{"hint", e.Text, e.block, w.made}
	case Called:
		return toolCall2{"tool_call", e.ID, e.Tool, e.Arguments, w.states[e.ID], suggested(e), w.made}
	case Returned:
		r := toolResult2{Type: "tool_result", ID: e.ID, Name: e.Tool, State: e.State, made: w.made}
		if r.Output = e.Text; !e.Output.Plain {
			r.Output = w.blocks(e.Output)
		}
		return r
	}
	return textBlock2{"text", e.Text, e.block, w.made}
}

func (w *writer2) blocks(o *Output) []any {
	out := []any{}
	for _, b := range o.Blocks {
		if b.Type == "text" {
			out = append(out, textBlock2{"text", b.Text, b.id, w.made})
		} else {
			out = append(out, dataBlock2{"data", source2{"base64", b.Data, b.MIME}, nil, b.id, w.made})
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

// textPart and dataPart are parts of a message with more than text.
type textPart = textBlock1

type dataPart struct {
	Type  string     `json:"type"`
	Image *imageURL  `json:"image_url,omitempty"`
	Audio *inputData `json:"input_audio,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

type inputData struct {
	Data   string `json:"data"`
	Format string `json:"format"`
}

// presented is the message behind a result that shows its data; nil when there is none to show.
func presented(o *Output) []any {
	var parts []any
	for _, b := range o.Blocks {
		if !b.shown {
			continue
		}
		kind, form, _ := strings.Cut(b.MIME, "/")
		data := dataPart{Type: "image_url", Image: &imageURL{"data:" + b.MIME + ";base64," + b.Data}}
		if kind == "audio" {
			data = dataPart{Type: "input_audio", Audio: &inputData{b.Data, form}}
		}
		parts = append(parts, textPart{"text", "- " + b.id + " (" + kind + " file): "}, data)
	}
	if parts == nil {
		return nil
	}
	first := textPart{"text", "<system-reminder>The multimodal data and their identifiers are listed as follows:"}
	return append(append([]any{first}, parts...), textPart{"text", "</system-reminder>"})
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
		if e := g[0]; e.Kind == Returned {
			if parts := presented(e.Output); parts != nil {
				out = append(out, raw(wireMessage{Role: "user", Name: "system-reminder", Content: parts}))
			}
		}
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
