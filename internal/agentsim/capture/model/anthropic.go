package model

import (
	"encoding/json"
	"strings"
)

// anthropic is Anthropic's messages. https://docs.anthropic.com/en/api/messages
var anthropic = protocol{
	name:  "anthropic-messages",
	takes: func(path string) bool { return strings.HasSuffix(path, "/messages") },
	read:  readAnthropic,
	write: writeAnthropic,
}

type anthropicRequest struct {
	Stream   bool  `json:"stream"`
	System   texts `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"input_schema"`
	} `json:"tools"`
}

type anthropicBlock struct {
	Type    string `json:"type"`
	Text    string `json:"text"`
	ID      string `json:"tool_use_id"`
	Content texts  `json:"content"`
}

func readAnthropic(_ string, body []byte) (*Request, error) {
	var in anthropicRequest
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	r := &Request{stream: in.Stream}
	for _, text := range in.System {
		r.Parts = append(r.Parts, Part{Role: "system", Text: text})
	}
	for _, m := range in.Messages {
		parts, err := anthropicParts(m.Role, m.Content)
		if err != nil {
			return nil, err
		}
		r.Parts = append(r.Parts, parts...)
	}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, Tool{Name: t.Name, Description: t.Description, InputSchema: t.InputSchema})
	}
	return r, nil
}

func anthropicParts(role string, content json.RawMessage) ([]Part, error) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []Part{{Role: role, Text: text}}, nil
	}
	var blocks []anthropicBlock
	if err := json.Unmarshal(content, &blocks); err != nil {
		return nil, err
	}
	var out []Part
	for _, b := range blocks {
		switch b.Type {
		case "text":
			out = append(out, Part{Role: role, Text: b.Text})
		case "tool_result":
			out = append(out, Part{Role: "tool", Text: strings.Join(b.Content, "\n"), Call: b.ID})
		}
	}
	return out, nil
}

func writeAnthropic(w *writer, r *Request, a Answer) {
	block := object{"type": "text", "text": a.Text}
	delta := object{"type": "text_delta", "text": a.Text}
	start := object{"type": "text", "text": ""}
	reason := "end_turn"
	if a.Tool != "" {
		block = object{"type": "tool_use", "id": a.id, "name": a.Tool, "input": a.arguments()}
		delta = object{"type": "input_json_delta", "partial_json": string(a.arguments())}
		start = object{"type": "tool_use", "id": a.id, "name": a.Tool, "input": object{}}
		reason = "tool_use"
	}
	message := object{
		"id": "msg_" + a.id, "type": "message", "role": "assistant", "model": "loopback", "content": []any{block},
		"stop_reason": reason, "stop_sequence": nil, "usage": object{"input_tokens": 1, "output_tokens": 1},
	}
	if !r.stream {
		w.json(message)
		return
	}
	message["content"], message["stop_reason"] = []any{}, nil
	w.event("message_start", object{"message": message})
	w.event("content_block_start", object{"index": 0, "content_block": start})
	w.event("content_block_delta", object{"index": 0, "delta": delta})
	w.event("content_block_stop", object{"index": 0})
	w.event("message_delta", object{"delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": object{"output_tokens": 1}})
	w.event("message_stop", object{})
}
