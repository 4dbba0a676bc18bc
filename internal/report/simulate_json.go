package report

import (
	"encoding/json"

	"github.com/skill-ls/skill-ls/internal/agentsim"
)

// schemas/simulate.schema.json describes this form.
type jsonSimulation struct {
	Version       int             `json:"version"`
	Client        string          `json:"client"`
	ClientVersion string          `json:"client_version"`
	Evidence      string          `json:"evidence"`
	Prompt        []jsonPart      `json:"prompt"`
	Skills        []jsonSimSkill  `json:"skills"`
	Budget        jsonBudget      `json:"budget"`
	Activation    *jsonActivation `json:"activation,omitempty"`
	Tools         []jsonSimTool   `json:"tools"`
	Tokens        jsonTokens      `json:"tokens"`
	Tokenizer     string          `json:"tokenizer"`
	Notes         []string        `json:"notes"`
	Turn          any             `json:"turn,omitempty"` // a jsonTurn
}

type jsonPart struct {
	Role   string `json:"role"`
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
	Exact  bool   `json:"exact"`
	Left   bool   `json:"placeholder,omitempty"`
	Before int    `json:"before,omitempty"`
	After  int    `json:"after,omitempty"`
}

type jsonSimSkill struct {
	File        string        `json:"file"`
	Listed      bool          `json:"listed"`
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Location    string        `json:"location"`
	Loaded      jsonSimLoaded `json:"loaded"`
	Status      string        `json:"status"`
	Reason      string        `json:"reason,omitempty"`
	Entry       string        `json:"entry,omitempty"`
	Characters  int           `json:"characters"`
	Tokens      int           `json:"tokens"`
	Cumulative  int           `json:"cumulative"`
}

type jsonSimLoaded struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type jsonBudget struct {
	Limit              int      `json:"limit"`
	Used               int      `json:"used"`
	Unit               string   `json:"unit"`
	WithoutDescription []string `json:"without_description"`
	Omitted            []string `json:"omitted"`
}

type jsonActivation struct {
	Skill     string     `json:"skill"`
	File      string     `json:"file,omitempty"`
	Via       []string   `json:"via"`
	Tool      string     `json:"tool,omitempty"`
	Parts     []jsonPart `json:"parts"`
	Truncated bool       `json:"truncated"`
	Notes     []string   `json:"notes"`
}

type jsonSimTool struct {
	Server      string          `json:"server"`
	Tool        string          `json:"tool"`
	Listed      bool            `json:"listed"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
	Original    *jsonOriginal   `json:"original,omitempty"`
	Reason      string          `json:"reason,omitempty"`
	Changes     []string        `json:"changes"`
	Tokens      int             `json:"tokens"`
}

// jsonOriginal is a tool as its server offers it.
type jsonOriginal struct {
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
}

type jsonTokens struct {
	Listing    int `json:"listing"`
	Activation int `json:"activation"`
	Tools      int `json:"tools"`
}

func simulationToJSON(s *agentsim.Simulation, o SimulateOptions) jsonSimulation {
	out := jsonSimulation{
		Version: 1, Client: s.Profile.Name, ClientVersion: s.Profile.Version, Evidence: s.Profile.Evidence.Level,
		Prompt: partsToJSON(s.Prompt), Skills: []jsonSimSkill{}, Tools: []jsonSimTool{},
		Budget:    jsonBudget{s.Budget.Limit, s.Budget.Used, s.Budget.Unit, notNil(s.Budget.Bare), notNil(s.Budget.Omitted)},
		Tokens:    jsonTokens(s.Tokens),
		Tokenizer: s.Tokenizer, Notes: notNil(s.Notes),
	}
	for _, k := range s.Skills {
		out.Skills = append(out.Skills, jsonSimSkill{
			o.name(k.File), k.Listed, k.Name, k.Description, k.Location,
			jsonSimLoaded{k.Loaded.Name, k.Loaded.Description},
			string(k.Status), k.Reason, k.Entry, k.Characters, k.Tokens, k.Cumulative,
		})
	}
	if s.Activation != nil {
		out.Activation = new(activationToJSON(s.Activation, o))
	}
	for _, k := range s.Tools {
		out.Tools = append(out.Tools, jsonSimTool{
			k.Server, k.Tool, k.Listed, k.Name, k.Description, k.InputSchema, originalOf(k), k.Reason, notNil(k.Changes), k.Tokens,
		})
	}
	return out
}

func activationToJSON(a *agentsim.Activation, o SimulateOptions) jsonActivation {
	return jsonActivation{a.Skill, o.name(a.File), notNil(a.Via), a.Tool, partsToJSON(a.Parts), a.Cut, notNil(a.Notes)}
}

// originalOf returns a tool as its server offers it, where the client shows something else; else nil. A client's own
// tools have no other form.
func originalOf(k agentsim.Tool) *jsonOriginal {
	if k.Server == "" || k.Written.Description == k.Description && string(k.Written.InputSchema) == string(k.InputSchema) {
		return nil
	}
	return &jsonOriginal{k.Written.Description, k.Written.InputSchema}
}

func partsToJSON(parts []agentsim.Part) []jsonPart {
	out := make([]jsonPart, 0, len(parts))
	for _, p := range parts {
		out = append(out, jsonPart(p))
	}
	return out
}

// notNil keeps an empty list from being null.
func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
