package mcpprobe

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// report is the form of `probe --format json`, described by schemas/probe.schema.json.
type report struct {
	Version int            `json:"version"`
	Servers []serverReport `json:"servers"`
}

type serverReport struct {
	Server          string            `json:"server"`
	Status          Status            `json:"status"`
	DurationMS      int64             `json:"duration_ms"`
	Problems        []Problem         `json:"problems"`
	Stderr          []string          `json:"stderr,omitempty"`
	ProtocolVersion string            `json:"protocol_version,omitempty"`
	ServerInfo      *catalog.Info     `json:"server_info,omitempty"`
	Instructions    string            `json:"instructions,omitempty"`
	Tools           []json.RawMessage `json:"tools"`
	Prompts         []json.RawMessage `json:"prompts,omitempty"`
	Resources       []json.RawMessage `json:"resources,omitempty"`
	Templates       []json.RawMessage `json:"resource_templates,omitempty"`
}

const reportVersion = 1

// EncodeReport returns the results as JSON. Definitions of tools are as the server sent them, white space aside.
func EncodeReport(results []Result) ([]byte, error) {
	r := report{reportVersion, []serverReport{}}
	for _, result := range results {
		r.Servers = append(r.Servers, reportOf(result))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	return b.Bytes(), nil
}

func reportOf(r Result) serverReport {
	s := serverReport{
		Server: r.Server, Status: r.Status, DurationMS: r.Duration.Milliseconds(),
		Problems: append([]Problem{}, r.Problems...), Stderr: r.Stderr, Tools: []json.RawMessage{},
	}
	if c := r.Catalog; c != nil {
		s.ProtocolVersion, s.ServerInfo, s.Instructions = c.ProtocolVersion, &c.Info, c.Instructions
		s.Tools = append(s.Tools, raws(c.Tools)...)
		s.Prompts, s.Resources, s.Templates = raws(c.Prompts), raws(c.Resources), raws(c.Templates)
	}
	return s
}

func raws[T interface{ Raw() string }](items []T) []json.RawMessage {
	var out []json.RawMessage
	for _, item := range items {
		out = append(out, json.RawMessage(item.Raw()))
	}
	return out
}
