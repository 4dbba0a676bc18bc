package model

import (
	"encoding/json"
	"strings"
)

// chat is OpenAI's chat completions. https://platform.openai.com/docs/api-reference/chat
var chat = protocol{
	name:  "openai-chat",
	takes: func(path string) bool { return strings.HasSuffix(path, "/chat/completions") },
	read:  readChat,
	write: writeChat,
}

type chatRequest struct {
	Stream   bool `json:"stream"`
	Messages []struct {
		Role    string `json:"role"`
		Content texts  `json:"content"`
		Call    string `json:"tool_call_id"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
}

func readChat(_ string, body []byte) (*Request, error) {
	var in chatRequest
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	r := &Request{stream: in.Stream}
	for _, m := range in.Messages {
		for _, text := range m.Content {
			r.Parts = append(r.Parts, Part{Role: m.Role, Text: text, Call: m.Call})
		}
	}
	for _, t := range in.Tools {
		f := t.Function
		r.Tools = append(r.Tools, Tool{Name: f.Name, Description: f.Description, InputSchema: f.Parameters})
	}
	return r, nil
}

func writeChat(w *writer, r *Request, a Answer) {
	message := object{"role": "assistant", "content": a.Text}
	reason := "stop"
	if a.Tool != "" {
		call := object{
			"index": 0, "id": a.id, "type": "function",
			"function": object{"name": a.Tool, "arguments": string(a.arguments())},
		}
		message = object{"role": "assistant", "content": nil, "tool_calls": []any{call}}
		reason = "tool_calls"
	}
	usage := object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
	form := func(kind string, choice object) object {
		return object{"id": "chatcmpl-" + a.id, "object": kind, "created": 1, "model": "loopback", "choices": []any{choice}}
	}
	if !r.stream {
		whole := form("chat.completion", object{"index": 0, "message": message, "finish_reason": reason})
		whole["usage"] = usage
		w.json(whole)
		return
	}
	w.data(form("chat.completion.chunk", object{"index": 0, "delta": message, "finish_reason": nil}))
	last := form("chat.completion.chunk", object{"index": 0, "delta": object{}, "finish_reason": reason})
	last["usage"] = usage
	w.data(last)
	w.raw("data: [DONE]\n\n")
}
