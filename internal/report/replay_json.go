//go:build !js

package report

import (
	"encoding/json"

	"github.com/skill-ls/skill-ls/internal/agentsim/replay"
)

// schemas/replay.schema.json describes this form.
type jsonReplay struct {
	Version    int               `json:"version"`
	Recordings []jsonRecording   `json:"recordings"`
	Calls      []jsonCall        `json:"calls"`
	Tools      []jsonCalledTool  `json:"tools"`
	Changes    []jsonToolChange  `json:"changes"`
	Notes      []string          `json:"notes"`
	Summary    jsonReplaySummary `json:"summary"`
}

type jsonRecording struct {
	File          string        `json:"file"`
	Format        string        `json:"format,omitempty"`
	Client        string        `json:"client,omitempty"`
	ClientVersion string        `json:"client_version,omitempty"`
	Lines         int           `json:"lines"`
	Calls         int           `json:"calls"`
	Repeated      int           `json:"repeated,omitempty"`
	Lost          int           `json:"results_without_call,omitempty"`
	Error         string        `json:"error,omitempty"`
	Notes         []jsonRecNote `json:"notes"`
}

type jsonRecNote struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
	Count   int    `json:"count"`
	Broken  bool   `json:"broken"`
}

type jsonCall struct {
	File       string              `json:"file"`
	Line       int                 `json:"line"`
	ResultLine int                 `json:"result_line,omitempty"`
	Session    string              `json:"session,omitempty"`
	Time       string              `json:"time,omitempty"`
	Name       string              `json:"name"`
	Server     string              `json:"server,omitempty"`
	Tool       string              `json:"tool,omitempty"`
	Arguments  json.RawMessage     `json:"arguments,omitempty"`
	Text       string              `json:"arguments_text,omitempty"`
	Failed     bool                `json:"failed"`
	Findings   []jsonReplayFinding `json:"findings"`
	Live       *jsonLive           `json:"live,omitempty"`
}

type jsonReplayFinding struct {
	Kind     string `json:"kind"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Pointer  string `json:"pointer,omitempty"`
	Help     string `json:"help,omitempty"`
}

type jsonLive struct {
	Status      string           `json:"status"`
	Reason      string           `json:"reason,omitempty"`
	Differences []jsonDifference `json:"differences,omitempty"`
}

type jsonDifference struct {
	Op      string `json:"op"`
	Pointer string `json:"pointer"`
	Was     string `json:"was,omitempty"`
	Now     string `json:"now,omitempty"`
}

type jsonCalledTool struct {
	Server   string `json:"server,omitempty"`
	Tool     string `json:"tool"`
	Calls    int    `json:"calls"`
	Failed   int    `json:"failed"`
	Findings int    `json:"findings"`
}

type jsonToolChange struct {
	Since       string           `json:"since"`
	Server      string           `json:"server"`
	Tool        string           `json:"tool"`
	Op          string           `json:"op"`
	Differences []jsonDifference `json:"differences,omitempty"`
}

type jsonReplaySummary struct {
	Calls     int `json:"calls"`
	MCP       int `json:"mcp"`
	Unchecked int `json:"unchecked"`
	NoResult  int `json:"no_result"`
	Failed    int `json:"failed"`
	More      int `json:"more"`
	Errors    int `json:"errors"`
	Warnings  int `json:"warnings"`
	Infos     int `json:"infos"`

	Live *jsonLiveSummary `json:"live,omitempty"`
}

type jsonLiveSummary struct {
	Same    int `json:"same"`
	Differ  int `json:"differs"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

func replayToJSON(r *replay.Report, name func(string) string) jsonReplay {
	out := jsonReplay{
		Version: 1, Recordings: []jsonRecording{}, Calls: []jsonCall{}, Tools: []jsonCalledTool{}, Changes: []jsonToolChange{},
		Notes: notNil(r.Notes), Summary: replaySummary(r),
	}
	for _, rec := range r.Recordings {
		out.Recordings = append(out.Recordings, recordingToJSON(rec, name))
	}
	for _, c := range r.Calls {
		out.Calls = append(out.Calls, callToJSON(c, name))
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, jsonCalledTool(*t))
	}
	for _, c := range r.Changes {
		change := jsonToolChange{Since: c.Since, Server: c.Server, Tool: c.Tool, Op: string(c.Op)}
		for _, e := range c.Edits {
			change.Differences = append(change.Differences, jsonDifference{string(e.Op), e.Pointer, e.Old.Raw(), e.New.Raw()})
		}
		out.Changes = append(out.Changes, change)
	}
	return out
}

func replaySummary(r *replay.Report) jsonReplaySummary {
	n := r.Counts
	out := jsonReplaySummary{
		Calls: n.Calls, MCP: n.MCP, Unchecked: n.Unchecked, NoResult: n.NoResult, Failed: n.Failed, More: r.More,
		Errors: n.Errors, Warnings: n.Warnings, Infos: n.Infos,
	}
	if n.Live != (replay.LiveCounts{}) {
		live := jsonLiveSummary(n.Live)
		out.Live = &live
	}
	return out
}

func recordingToJSON(r *replay.Recording, name func(string) string) jsonRecording {
	out := jsonRecording{
		File: name(r.File), Format: string(r.Format), Client: r.Client, ClientVersion: r.Version, Lines: r.Lines, Calls: r.Summary.Calls,
		Repeated: r.Again, Lost: r.Lost, Error: r.Fault, Notes: []jsonRecNote{},
	}
	for _, n := range r.Notes {
		out.Notes = append(out.Notes, jsonRecNote(n))
	}
	return out
}

func callToJSON(c *replay.Call, name func(string) string) jsonCall {
	out := jsonCall{
		File: name(c.File), Line: c.Line, ResultLine: c.ResultLine, Session: c.Session, Time: c.Time, Name: c.Name, Server: c.Server, Tool: c.Tool,
		Failed: c.Failed, Findings: []jsonReplayFinding{},
	}
	if c.Whole {
		out.Arguments = json.RawMessage(c.Arguments)
	} else {
		out.Text = c.Arguments
	}
	for _, f := range c.Findings {
		out.Findings = append(out.Findings, jsonReplayFinding{string(f.Kind), f.Severity.String(), f.Message, f.Pointer, f.Help})
	}
	if l := c.Live; l != nil {
		out.Live = &jsonLive{Status: string(l.Status), Reason: l.Reason}
		for _, e := range l.Edits {
			out.Live.Differences = append(out.Live.Differences, jsonDifference{string(e.Op), e.Pointer, e.Was, e.Now})
		}
	}
	return out
}
