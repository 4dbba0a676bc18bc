// Package recording reads tool calls out of what agents and their programs keep: sessions of Claude Code, rollouts of
// Codex, messages of AgentScope, requests and answers of OpenAI, Anthropic and Gemini, messages of MCP itself, and the
// calls that this package writes.
//
// A recording is read once, value by value, whatever its size, and every call keeps the lines it stands on. What
// cannot be read becomes a note with its line, and the rest is read all the same. Nothing is judged here.
package recording

import (
	"fmt"
	"io"
	"time"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Call is one recorded call of a tool.
type Call struct {
	Line       int    // where it stands, from 1
	ResultLine int    // where its result stands; 0 without one
	ID         string // as recorded, "" without one
	Session    string // "" when the recording names none
	Thread     string // tells a subagent from the agent that started it; equal for calls of one conversation
	Time       string // as recorded

	Name   string // as the model called it; of a namespace and a name, with "::" between them
	Server string // the MCP server, where the recording names it
	Tool   string // the tool as that server calls it, where the recording names it

	Arguments *catalog.Node // an object; nil when what was recorded is none
	Raw       string        // what was recorded in its place
	Fault     string        // why it is none

	Result   *Result // nil when none was recorded
	Duration time.Duration
}

// Visitor is told what a recording holds, in its order. The result of a call is good until End returns.
type Visitor interface {
	// Start is called first, with the summary, which is filled in as the recording is read.
	Start(s *Summary)
	// Turn says that the user spoke. text is the beginning of what was said.
	Turn(thread, text string)
	// Begin says that a call was made. It has no result yet.
	Begin(c *Call)
	// End says that its result is there, or that none will come.
	End(c *Call)
	// Offered gives the tools that a server listed. Its name is "" when the recording has none.
	Offered(s *catalog.Server, line int)
}

// Summary tells about a recording as a whole.
type Summary struct {
	Format  Format
	Client  string // the profile of the client that recorded it, "" when any could have
	Version string // of the client, as recorded
	Folder  string // the client was started in, "" when not recorded
	Lines   int
	Calls   int
	Again   int // calls that stand there more than once, counted once
	Lost    int // results whose call is not there
	Notes   []Note
}

// Note is something to know about a recording. What is alike is told once.
type Note struct {
	Line    int // the first
	Message string
	Count   int
	Broken  bool // it could not be read; otherwise it was passed over
}

// maxNotes is how many different notes are kept.
const maxNotes = 100

func (s *Summary) note(n Note) {
	n.Count = 1
	for i := range s.Notes {
		if s.Notes[i].Message == n.Message {
			s.Notes[i].Count++
			return
		}
	}
	if len(s.Notes) < maxNotes {
		s.Notes = append(s.Notes, n)
		return
	}
	const more = "there is more that cannot be read"
	if last := &s.Notes[maxNotes-1]; last.Message != more {
		*last = Note{Line: last.Line, Message: more, Count: last.Count, Broken: true}
	}
	s.Notes[maxNotes-1].Count++
}

// Read reads a recording. format is "" for the one that the beginning looks like. The error is that of r, or ErrUnknown.
func Read(r io.Reader, format Format, v Visitor) (*Summary, error) {
	if format != "" && !known(format) {
		return nil, unknownFormat(format)
	}
	im := newImporter(v)
	im.sum.Format = format
	v.Start(im.sum)
	in := newSplitter(r)
	for {
		rec, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return im.sum, fmt.Errorf("read line %d: %w", in.line, err)
		}
		im.take(rec)
	}
	im.sum.Lines = in.lines()
	if err := im.settle(); err != nil {
		return im.sum, err
	}
	im.finish()
	return im.sum, nil
}
