//go:build !js

package report

import (
	"encoding/json"

	"github.com/skill-ls/skill-ls/internal/agentsim/capture"
)

// schemas/capture.schema.json describes this form.
type jsonCapture struct {
	Version       int                `json:"version"`
	Client        string             `json:"client"`
	Installed     string             `json:"installed_version"`
	ClientVersion string             `json:"client_version"`
	Evidence      string             `json:"evidence"`
	Protocol      string             `json:"protocol"`
	Requests      int                `json:"requests"`
	Agrees        bool               `json:"agrees"`
	Prompt        []jsonPart         `json:"prompt"`
	Listing       jsonListing        `json:"listing"`
	Skills        []jsonCaptureSkill `json:"skills"`
	Tools         []jsonCaptureTool  `json:"tools"`
	Script        []jsonStep         `json:"script"`
	Refused       []string           `json:"refused_hosts"`
	Notes         []string           `json:"notes"`
}

type jsonListing struct {
	Role      string `json:"role"`
	Reordered bool   `json:"reordered"`
}

type jsonCaptureSkill struct {
	Verdict   capture.Verdict `json:"verdict"`
	Name      string          `json:"name"`
	File      string          `json:"file,omitempty"`
	Sent      string          `json:"sent"`
	Predicted string          `json:"predicted"`
	Reason    string          `json:"reason,omitempty"`
}

type jsonCaptureTool struct {
	Verdict   capture.Verdict  `json:"verdict"`
	Name      string           `json:"name"`
	Server    string           `json:"server,omitempty"`
	Tool      string           `json:"tool,omitempty"`
	Sent      *jsonToolContent `json:"sent"`
	Predicted *jsonToolContent `json:"predicted"`
	Differs   []string         `json:"differs"`
}

type jsonToolContent struct {
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
}

type jsonStep struct {
	Call      string         `json:"call,omitempty"`
	Arguments map[string]any `json:"arguments,omitempty"`
	Say       string         `json:"say,omitempty"`
	Offered   bool           `json:"offered"`
	Result    string         `json:"result"`
	Failed    bool           `json:"failed"`
	Reason    string         `json:"reason,omitempty"`
}

func captureToJSON(c *capture.Capture, base string) jsonCapture {
	out := jsonCapture{
		Version: 1, Client: c.Profile.Name, Installed: c.Installed, ClientVersion: c.Profile.Version, Evidence: c.Profile.Evidence.Level,
		Protocol: c.Protocol, Requests: c.Requests, Agrees: c.Agrees(), Prompt: partsToJSON(c.Prompt),
		Listing: jsonListing{c.Place, c.Reordered}, Skills: []jsonCaptureSkill{}, Tools: []jsonCaptureTool{}, Script: []jsonStep{},
		Refused: notNil(c.Refused), Notes: notNil(c.Notes),
	}
	for _, k := range c.Skills {
		out.Skills = append(out.Skills, jsonCaptureSkill{k.Verdict, k.Name, shownFile(base, k.File), k.Sent, k.Predicted, k.Reason})
	}
	for _, k := range c.Tools {
		out.Tools = append(out.Tools, captureToolToJSON(k))
	}
	for _, p := range c.Steps {
		out.Script = append(out.Script, jsonStep{p.Call, p.Arguments, p.Say, p.Offered, p.Result, p.Failed, p.Reason})
	}
	return out
}

func captureToolToJSON(k capture.Tool) jsonCaptureTool {
	out := jsonCaptureTool{Verdict: k.Verdict, Name: k.Name, Server: k.Server, Differs: notNil(k.Differs)}
	if k.Sent != nil {
		out.Sent = &jsonToolContent{k.Sent.Description, k.Sent.InputSchema}
	}
	if k.Predicted != nil {
		out.Tool = k.Predicted.Tool
		out.Predicted = &jsonToolContent{k.Predicted.Description, k.Predicted.InputSchema}
	}
	return out
}
