package model

import (
	"encoding/json"
	"strings"
)

// gemini is Google's generateContent. https://ai.google.dev/api/generate-content
var gemini = protocol{
	name: "gemini",
	takes: func(path string) bool {
		return strings.HasSuffix(path, ":generateContent") || strings.HasSuffix(path, ":streamGenerateContent")
	},
	read:  readGemini,
	write: writeGemini,
}

type geminiContent struct {
	Role  string `json:"role"`
	Parts []struct {
		Text     *string `json:"text"`
		Response *struct {
			ID       string          `json:"id"`
			Response json.RawMessage `json:"response"`
		} `json:"functionResponse"`
	} `json:"parts"`
}

type geminiRequest struct {
	System   geminiContent   `json:"systemInstruction"`
	Contents []geminiContent `json:"contents"`
	Tools    []struct {
		Functions []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"` // in Google's own form
			JSONSchema  json.RawMessage `json:"parametersJsonSchema"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
}

func readGemini(path string, body []byte) (*Request, error) {
	var in geminiRequest
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	r := &Request{stream: strings.HasSuffix(path, ":streamGenerateContent")}
	in.System.Role = "system"
	for _, c := range append([]geminiContent{in.System}, in.Contents...) {
		r.Parts = append(r.Parts, geminiParts(c)...)
	}
	for _, t := range in.Tools {
		for _, f := range t.Functions {
			schema := f.JSONSchema
			if schema == nil {
				schema = f.Parameters
			}
			r.Tools = append(r.Tools, Tool{Name: f.Name, Description: f.Description, InputSchema: schema})
		}
	}
	return r, nil
}

func geminiParts(c geminiContent) []Part {
	role := c.Role
	if role == "model" {
		role = "assistant"
	}
	var out []Part
	for _, p := range c.Parts {
		switch {
		case p.Text != nil:
			out = append(out, Part{Role: role, Text: *p.Text})
		case p.Response != nil:
			out = append(out, Part{Role: "tool", Text: geminiOutput(p.Response.Response), Call: p.Response.ID})
		}
	}
	return out
}

// geminiOutput is the text of a function's response, which is an object. Clients put a text into "output" or "error".
func geminiOutput(response json.RawMessage) string {
	var fields map[string]any
	if json.Unmarshal(response, &fields) == nil && len(fields) == 1 {
		for _, v := range fields {
			if text, ok := v.(string); ok {
				return text
			}
		}
	}
	return string(response)
}

func writeGemini(w *writer, r *Request, a Answer) {
	part := object{"text": a.Text}
	if a.Tool != "" {
		part = object{"functionCall": object{"id": a.id, "name": a.Tool, "args": a.arguments()}}
	}
	answer := object{
		"candidates":    []any{object{"content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		"modelVersion":  "loopback",
	}
	if r.stream {
		w.data(answer)
		return
	}
	w.json(answer)
}
