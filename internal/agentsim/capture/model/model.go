// Package model is a scripted model on this machine: it speaks the four protocols that agent clients speak with their
// models, keeps what they send, and answers from a script. It needs no key, and binds loopback addresses only.
package model

import "encoding/json"

// Request is what a client sent to its model.
type Request struct {
	Protocol string // anthropic-messages, openai-chat, openai-responses or gemini
	Path     string
	Agent    string // the client's User-Agent
	Parts    []Part // of the prompt, in their order
	Tools    []Tool // in their order
	Body     json.RawMessage

	stream bool
}

// Part is one text of a prompt.
type Part struct {
	Role string // system, developer, user, assistant, or tool: the result of a call
	Text string
	Call string // tool: the id of the call, where the protocol has one
}

// Tool is a tool that the model may call.
type Tool struct {
	Name        string // with "::" between a namespace and a name
	Description string
	InputSchema json.RawMessage // nil for a tool that has none

	freeform bool // takes a text, not an object
}

// Answer is what the model says: a text, or a call of a tool when Tool is set.
type Answer struct {
	Text      string
	Tool      string
	Arguments json.RawMessage
	id        string
}

// protocol is one way in which clients speak with models.
type protocol struct {
	name string
	// takes reports whether a request to that path is one for an answer.
	takes func(path string) bool
	read  func(path string, body []byte) (*Request, error)
	write func(w *writer, r *Request, a Answer)
}

// protocols are all there are. The paths of no two overlap.
var protocols = []protocol{anthropic, chat, responses, gemini}

// texts is a content that is a string, or a list of parts of which some hold text.
type texts []string

func (t *texts) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = texts{one}
		return nil
	}
	var parts []struct {
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		if p.Text != nil {
			*t = append(*t, *p.Text)
		}
	}
	return nil
}

// object is JSON that is written with its keys sorted.
type object = map[string]any

// mustJSON encodes what is known to have a form in JSON.
func mustJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// arguments are those of a call, an empty object when it has none.
func (a Answer) arguments() json.RawMessage {
	if len(a.Arguments) == 0 {
		return json.RawMessage("{}")
	}
	return a.Arguments
}
