// Package replay holds recorded tool calls against what there is today: the tools of MCP servers, the skills and their
// files. With consent it calls read-only tools again and compares what comes back with the record.
//
// A recording is read as a stream, and what is kept of it is bounded. Credentials are taken out of everything that
// leaves this package.
package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// Source is a recording.
type Source struct {
	Name  string // as it is shown
	Open  func() (io.ReadCloser, error)
	Found bool // nobody named it: one that is no recording is passed over
}

// Input is all that a replay depends on.
type Input struct {
	Sources []Source
	Format  recording.Format   // "" for what each one looks like
	Clients []*profile.Profile // who recorded it; none for what the recording says, else any client
	Today   *Today
	All     bool      // keep calls with nothing to say about them, too
	Export  io.Writer // gets the calls in the format recording.Calls; nil for none
	Live    *Live     // calls again; nil for nothing
}

// Report is what a replay found.
type Report struct {
	Recordings []*Recording
	Calls      []*Call // those with something to say about them, or all; by recording and line
	More       int     // calls with something to say about them that are not among Calls, for there are too many
	Tools      []*Tool // by server and name
	Changes    []Change
	Notes      []string // what the reader should know, as sentences
	Counts     Counts
}

// Counts are figures over all recordings.
type Counts struct {
	Calls     int // all
	MCP       int // of tools of MCP servers, as far as that is known
	Unchecked int // of those: of servers whose tools are not known
	NoResult  int // calls without a result
	Failed    int // calls that failed when they were recorded
	Errors    int // findings
	Warnings  int
	Infos     int
	Live      LiveCounts
}

// LiveCounts are figures of calls that were to be made again.
type LiveCounts struct{ Same, Differ, Failed, Skipped int }

// Recording is one source.
type Recording struct {
	File string
	*recording.Summary
	Fault string // why it could not be read, or not to its end; "" when it could
}

// Call is a recorded call with what there is to say about it. Its texts hold no credentials.
type Call struct {
	File       string
	Line       int
	ResultLine int // 0 without a result
	Session    string
	Time       string
	Name       string // as the model called it
	Server     string // "" when it is no tool of an MCP server, or nobody knows of which
	Tool       string
	Arguments  string // as JSON, or what was recorded in its place; long ones are cut
	Whole      bool   // Arguments is JSON and not cut
	Failed     bool   // when it was recorded
	Findings   []Finding
	Live       *Outcome // nil when it was not to be made again
}

// Tool counts the calls of one tool.
type Tool struct {
	Server, Tool string // Server is "" for the client's own and for unknown ones
	Calls        int
	Failed       int // when recorded
	Findings     int
}

// Finding is something to say about a call.
type Finding struct {
	Kind     Kind
	Severity lint.Severity
	Message  string
	Pointer  string // RFC 6901, into the arguments or, for ResultShape, into the structured result
	Help     string
}

// Kind names what a finding is about. The names are stable: reports carry them.
type Kind string

// The kinds.
const (
	UnknownServer   Kind = "unknown-server"   // no server of that name is configured
	RemovedTool     Kind = "removed-tool"     // the server has no such tool any more
	RenamedTool     Kind = "renamed-tool"     // the server has it under another name
	BadArguments    Kind = "bad-arguments"    // what was recorded is no JSON object
	MissingArgument Kind = "missing-argument" // one is required that the call does not have
	UnknownArgument Kind = "unknown-argument" // the call has one that the tool does not
	EnumValue       Kind = "enum-value"       // a value that is not among those allowed
	ArgumentValue   Kind = "argument-value"   // any other value that the schema refuses
	ResultShape     Kind = "result-shape"     // the result does not fit the output schema
	ResultOrders    Kind = "result-orders"    // the result speaks to the model as a user or an attacker would
	NotAllowed      Kind = "not-allowed"      // the active skill does not grant the tool
	MissingSkill    Kind = "missing-skill"    // the skill that was called is not there any more
	MissingFile     Kind = "missing-file"     // the file of a skill that was read is not there any more
	Differs         Kind = "different-result" // the tool answers otherwise today
	LiveFailed      Kind = "no-answer"        // the tool could not be called again
)

// maxCalls is how many calls with findings are kept.
const maxCalls = 10_000

// Run replays all sources. It fails when ctx ends or Export cannot be written; what is wrong with a source is part of
// the report.
func Run(ctx context.Context, in *Input) (*Report, error) {
	p := newPlayer(ctx, in)
	defer p.live.close()
	for _, s := range in.Sources {
		p.play(s)
		if err := errors.Join(ctx.Err(), p.fault, p.live.broken()); err != nil {
			return nil, err
		}
	}
	p.finish()
	return p.report, nil
}

// play reads one source.
func (p *player) play(s Source) {
	p.recording = &Recording{File: s.Name, Summary: &recording.Summary{}}
	p.report.Recordings = append(p.report.Recordings, p.recording)
	p.threads, p.open, p.offered, p.then = map[string]*thread{}, map[*recording.Call]*state{}, nil, map[*Server]*catalog.Server{}
	r, err := s.Open()
	if err != nil {
		p.recording.Fault = err.Error()
		return
	}
	defer r.Close()
	_, err = recording.Read(&endable{p.ctx, r}, p.in.Format, p)
	switch {
	case err == nil:
	case s.Found && errors.Is(err, recording.ErrUnknown):
		p.report.Recordings = p.report.Recordings[:len(p.report.Recordings)-1]
		p.report.Notes = append(p.report.Notes, s.Name+" is no recording and was passed over.")
	default:
		p.recording.Fault = err.Error()
	}
	p.noteChanges()
}

// endable is a reader that ends with a context.
type endable struct {
	ctx context.Context
	r   io.Reader
}

func (e *endable) Read(b []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.r.Read(b)
}

func (p *player) finish() {
	r := p.report
	order := map[string]int{}
	for i, rec := range r.Recordings {
		order[rec.File] = i
	}
	slices.SortStableFunc(r.Calls, func(a, b *Call) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line))
	})
	slices.SortStableFunc(r.Tools, func(a, b *Tool) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Tool, b.Tool))
	})
	if len(p.in.Today.Servers) == 0 && r.Counts.MCP > 0 {
		r.Notes = append(r.Notes, "No tools of MCP servers are known, so calls were not checked: probe --write-lock records them, --tools SERVER=FILE names a saved list.")
	}
	for _, name := range p.untold {
		r.Notes = append(r.Notes, fmt.Sprintf("Server %q is configured, and its tools are not known: probe --write-lock records them.", name))
	}
	if r.More > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d more calls have findings; the first %d are shown.", r.More, maxCalls))
	}
}
