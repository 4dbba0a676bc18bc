package model

import (
	"encoding/json"
	"strings"
)

// responses is OpenAI's responses. https://platform.openai.com/docs/api-reference/responses
var responses = protocol{
	name:  "openai-responses",
	takes: func(path string) bool { return strings.HasSuffix(path, "/responses") },
	read:  readResponses,
	write: writeResponses,
}

type responsesRequest struct {
	Stream       bool            `json:"stream"`
	Instructions string          `json:"instructions"`
	Input        json.RawMessage `json:"input"`
	Tools        []responsesTool `json:"tools"`
}

type responsesItem struct {
	Type    string `json:"type"`
	Role    string `json:"role"`
	Content texts  `json:"content"`
	Call    string `json:"call_id"`
	Output  texts  `json:"output"`
}

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Tools       []responsesTool `json:"tools"` // of a namespace
}

func readResponses(_ string, body []byte) (*Request, error) {
	var in responsesRequest
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	r := &Request{stream: in.Stream}
	if in.Instructions != "" {
		r.Parts = append(r.Parts, Part{Role: "system", Text: in.Instructions})
	}
	items, err := responsesItems(in.Input)
	if err != nil {
		return nil, err
	}
	for _, i := range items {
		switch {
		case strings.HasSuffix(i.Type, "_call_output"):
			r.Parts = append(r.Parts, Part{Role: "tool", Text: strings.Join(i.Output, "\n"), Call: i.Call})
		case i.Role != "":
			for _, text := range i.Content {
				r.Parts = append(r.Parts, Part{Role: i.Role, Text: text})
			}
		}
	}
	r.Tools = responsesTools("", in.Tools)
	return r, nil
}

func responsesItems(input json.RawMessage) ([]responsesItem, error) {
	var text string
	if json.Unmarshal(input, &text) == nil {
		return []responsesItem{{Role: "user", Content: texts{text}}}, nil
	}
	var items []responsesItem
	return items, json.Unmarshal(input, &items)
}

// responsesTools flattens namespaces. A tool that the service itself runs has no name but its type.
func responsesTools(namespace string, tools []responsesTool) []Tool {
	var out []Tool
	for _, t := range tools {
		name := t.Name
		if name == "" {
			name = t.Type
		}
		if t.Type == "namespace" {
			out = append(out, responsesTools(name+"::", t.Tools)...)
			continue
		}
		out = append(out, Tool{
			Name: namespace + name, Description: t.Description, InputSchema: t.Parameters, freeform: t.Type == "custom",
		})
	}
	return out
}

func writeResponses(w *writer, r *Request, a Answer) {
	item := responsesAnswer(r, a)
	response := object{
		"id": "resp_" + a.id, "object": "response", "created_at": 1, "status": "completed", "model": "loopback", "output": []any{item},
		"usage": object{
			"input_tokens": 1, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": 1, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 2,
		},
	}
	if !r.stream {
		w.json(response)
		return
	}
	w.event("response.created", object{"response": object{
		"id": response["id"], "object": "response", "created_at": 1, "status": "in_progress", "model": "loopback", "output": []any{},
	}})
	w.event("response.output_item.added", object{"output_index": 0, "item": item})
	if a.Tool == "" {
		at := func(more object) object {
			more["item_id"], more["output_index"], more["content_index"] = item["id"], 0, 0
			return more
		}
		w.event("response.output_text.delta", at(object{"delta": a.Text}))
		w.event("response.output_text.done", at(object{"text": a.Text}))
	}
	w.event("response.output_item.done", object{"output_index": 0, "item": item})
	w.event("response.completed", object{"response": response})
}

// responsesAnswer is the item that holds an answer.
func responsesAnswer(r *Request, a Answer) object {
	if a.Tool == "" {
		return object{
			"type": "message", "id": "msg_" + a.id, "role": "assistant", "status": "completed",
			"content": []any{object{"type": "output_text", "text": a.Text, "annotations": []any{}}},
		}
	}
	call := object{"id": "fc_" + a.id, "call_id": a.id, "status": "completed", "name": a.Tool}
	if namespace, name, ok := strings.Cut(a.Tool, "::"); ok {
		call["namespace"], call["name"] = namespace, name
	}
	for _, t := range r.Tools {
		if t.Name == a.Tool && t.freeform {
			call["type"], call["input"] = "custom_tool_call", freeText(a.arguments())
			return call
		}
	}
	call["type"], call["arguments"] = "function_call", string(a.arguments())
	return call
}

// freeText is the text for a tool that takes one: that of the argument input, else all arguments.
func freeText(arguments json.RawMessage) string {
	var one struct {
		Input *string `json:"input"`
	}
	if json.Unmarshal(arguments, &one) == nil && one.Input != nil {
		return *one.Input
	}
	return string(arguments)
}
