//go:build !js

package live

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/turn"
)

// object is JSON that is written by hand.
type object = map[string]any

// schemaOf is the schema of a tool; a tool without one takes nothing.
func schemaOf(t agentsim.Tool) json.RawMessage {
	if len(t.InputSchema) == 0 {
		return json.RawMessage(`{"type": "object", "properties": {}}`)
	}
	return t.InputSchema
}

// dict is the arguments of a call as an object, an empty one for what is none.
func dict(arguments string) json.RawMessage {
	if trimmed := strings.TrimSpace(arguments); strings.HasPrefix(trimmed, "{") && json.Valid([]byte(trimmed)) {
		return json.RawMessage(trimmed)
	}
	return json.RawMessage("{}")
}

func functions(tools []agentsim.Tool) []object {
	var out []object
	for _, t := range tools {
		out = append(out, object{"type": "function", "function": object{"name": t.Name, "description": t.Description, "parameters": schemaOf(t)}})
	}
	return out
}

// openAI is https://platform.openai.com/docs/api-reference/chat.
var openAI = provider{
	base: "https://api.openai.com/v1", baseVar: "OPENAI_BASE_URL", keyVar: "OPENAI_API_KEY", path: "/chat/completions",
	headers: func(key string) map[string]string {
		if key == "" {
			return nil
		}
		return map[string]string{"Authorization": "Bearer " + key}
	},
	encode: func(model string, r *turn.Request) any {
		messages := []object{{"role": "system", "content": r.System}}
		for _, m := range r.Messages() {
			out := object{"role": m.Role, "content": m.Text}
			if m.CallID != "" {
				out["tool_call_id"] = m.CallID
			}
			var calls []object
			for _, c := range m.Calls {
				calls = append(calls, object{"id": c.ID, "type": "function", "function": object{"name": c.Tool, "arguments": c.Arguments}})
			}
			if calls != nil {
				out["tool_calls"] = calls
			}
			messages = append(messages, out)
		}
		return withTools(object{"model": model, "messages": messages}, functions(r.Tools))
	},
	decode: func(body []byte) (*turn.Answer, error) {
		var in struct {
			Choices []struct {
				Message struct {
					Content   string
					ToolCalls []struct {
						ID       string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
			}
		}
		if err := json.Unmarshal(body, &in); err != nil {
			return nil, err
		}
		if len(in.Choices) == 0 {
			return nil, errors.New("there are no choices")
		}
		out := &turn.Answer{Text: in.Choices[0].Message.Content}
		for _, c := range in.Choices[0].Message.ToolCalls {
			out.Calls = append(out.Calls, turn.ModelCall{ID: c.ID, Tool: c.Function.Name, Arguments: c.Function.Arguments})
		}
		return out, nil
	},
}

func withTools(request object, tools []object) object {
	if len(tools) > 0 {
		request["tools"] = tools
	}
	return request
}

// mostTokens is what Anthropic wants to be told of the longest answer.
const mostTokens = 2048

// anthropic is https://docs.claude.com/en/api/messages.
var anthropic = provider{
	base: "https://api.anthropic.com", baseVar: "ANTHROPIC_BASE_URL", keyVar: "ANTHROPIC_API_KEY", path: "/v1/messages",
	headers: func(key string) map[string]string {
		return map[string]string{"X-Api-Key": key, "Anthropic-Version": "2023-06-01"}
	},
	encode: func(model string, r *turn.Request) any {
		var tools []object
		for _, t := range r.Tools {
			tools = append(tools, object{"name": t.Name, "description": t.Description, "input_schema": schemaOf(t)})
		}
		request := object{"model": model, "max_tokens": mostTokens, "messages": anthropicMessages(r.Messages())}
		if r.System != "" {
			request["system"] = r.System
		}
		return withTools(request, tools)
	},
	decode: func(body []byte) (*turn.Answer, error) {
		var in struct {
			Content []struct {
				Type, Text, ID, Name string
				Input                json.RawMessage
			}
		}
		if err := json.Unmarshal(body, &in); err != nil {
			return nil, err
		}
		if in.Content == nil {
			return nil, errors.New("there is no content")
		}
		out := &turn.Answer{}
		for _, b := range in.Content {
			switch b.Type {
			case "text":
				out.Text += b.Text
			case "tool_use":
				out.Calls = append(out.Calls, turn.ModelCall{ID: b.ID, Tool: b.Name, Arguments: string(b.Input)})
			}
		}
		return out, nil
	},
}

// anthropicMessages puts what stands together into one message: roles must take turns, and results are the user's.
func anthropicMessages(messages []turn.Message) []object {
	var out []object
	add := func(role string, blocks ...object) {
		if last := len(out) - 1; last >= 0 && out[last]["role"] == role {
			out[last]["content"] = append(out[last]["content"].([]object), blocks...)
			return
		}
		out = append(out, object{"role": role, "content": blocks})
	}
	for _, m := range messages {
		switch {
		case m.Role == "tool":
			add("user", object{"type": "tool_result", "tool_use_id": m.CallID, "content": m.Text})
		default:
			var blocks []object
			if m.Text != "" {
				blocks = append(blocks, object{"type": "text", "text": m.Text})
			}
			for _, c := range m.Calls {
				blocks = append(blocks, object{"type": "tool_use", "id": c.ID, "name": c.Tool, "input": dict(c.Arguments)})
			}
			add(m.Role, blocks...)
		}
	}
	return out
}

// ollama is https://docs.ollama.com/api/chat.
var ollama = provider{
	base: "http://127.0.0.1:11434", baseVar: "OLLAMA_HOST", path: "/api/chat",
	headers: func(string) map[string]string { return nil },
	encode: func(model string, r *turn.Request) any {
		messages := []object{{"role": "system", "content": r.System}}
		for _, m := range r.Messages() {
			out := object{"role": m.Role, "content": m.Text}
			if m.Tool != "" {
				out["tool_name"] = m.Tool
			}
			var calls []object
			for _, c := range m.Calls {
				calls = append(calls, object{"function": object{"name": c.Tool, "arguments": dict(c.Arguments)}})
			}
			if calls != nil {
				out["tool_calls"] = calls
			}
			messages = append(messages, out)
		}
		return withTools(object{"model": model, "stream": false, "messages": messages}, functions(r.Tools))
	},
	decode: func(body []byte) (*turn.Answer, error) {
		var in struct {
			Message *struct {
				Content   string
				ToolCalls []struct {
					Function struct {
						Name      string
						Arguments json.RawMessage
					}
				} `json:"tool_calls"`
			}
		}
		if err := json.Unmarshal(body, &in); err != nil {
			return nil, err
		}
		if in.Message == nil {
			return nil, errors.New("there is no message")
		}
		out := &turn.Answer{Text: in.Message.Content}
		for _, c := range in.Message.ToolCalls { // they have no ids
			out.Calls = append(out.Calls, turn.ModelCall{Tool: c.Function.Name, Arguments: string(c.Function.Arguments)})
		}
		return out, nil
	},
}
