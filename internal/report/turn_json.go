//go:build !js

package report

import (
	"encoding/json"

	"github.com/skill-ls/skill-ls/internal/agentsim/turn"
)

// schemas/transcript.schema.json describes this form.
type jsonTurn struct {
	Script   string            `json:"script"`
	Agent    string            `json:"agent"`
	Requests int               `json:"requests"`
	End      string            `json:"end"`
	Passed   bool              `json:"passed"`
	Entries  []jsonEntry       `json:"entries"`
	Failures []jsonFailure     `json:"failures"`
	Findings []jsonLost        `json:"findings"`
	Messages []json.RawMessage `json:"messages,omitempty"`
	Wire     []json.RawMessage `json:"wire"`
}

type jsonEntry struct {
	Kind      string      `json:"kind"`
	Line      int         `json:"line,omitempty"`
	Request   int         `json:"request"`
	Text      string      `json:"text"`
	ID        string      `json:"id,omitempty"`
	Name      string      `json:"name,omitempty"`
	Server    string      `json:"server,omitempty"`
	Tool      string      `json:"tool,omitempty"`
	Arguments string      `json:"arguments,omitempty"`
	State     string      `json:"state,omitempty"`
	Blocks    []jsonBlock `json:"blocks,omitempty"`
	Exact     bool        `json:"exact"`
}

type jsonBlock struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	MIMEType string `json:"mime_type,omitempty"`
	Data     string `json:"data,omitempty"`
}

type jsonFailure struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
	Want    string `json:"want,omitempty"`
	Got     string `json:"got,omitempty"`
	Help    string `json:"help,omitempty"`
}

type jsonLost struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Server   string `json:"server,omitempty"`
	Tool     string `json:"tool,omitempty"`
	Message  string `json:"message"`
	Expected bool   `json:"expected"`
}

func turnToJSON(t *turn.Transcript) *jsonTurn {
	out := &jsonTurn{
		Script: t.Script, Agent: t.Agent, Requests: t.Requests, End: t.End, Passed: !t.Failed(),
		Entries: []jsonEntry{}, Failures: []jsonFailure{}, Findings: []jsonLost{}, Messages: t.Messages, Wire: t.Wire,
	}
	for _, e := range t.Entries {
		j := jsonEntry{
			Kind: string(e.Kind), Line: e.Line, Request: e.Round, Text: e.Text, ID: e.ID, Name: e.Tool, Server: e.Server, Tool: e.Original,
			Arguments: e.Arguments, State: e.State, Exact: e.Exact,
		}
		if e.Output != nil {
			for _, b := range e.Output.Blocks {
				j.Blocks = append(j.Blocks, jsonBlock{b.Type, b.Text, b.MIME, b.Data})
			}
		}
		out.Entries = append(out.Entries, j)
	}
	for _, f := range t.Failures {
		out.Failures = append(out.Failures, jsonFailure{t.Script, f.Line, f.Column, f.Message, f.Want, f.Got, f.Help})
	}
	for _, f := range t.Findings {
		out.Findings = append(out.Findings, jsonLost{
			turn.LostOutput, f.Severity.String(), t.Script, f.Line, f.Column, f.Server, f.Tool, f.Message, f.Expected,
		})
	}
	return out
}
