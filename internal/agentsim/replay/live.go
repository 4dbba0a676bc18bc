package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/redact"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Live says how calls are made again. Only tools that say they are read-only are called, unless AllowWrites.
type Live struct {
	// Launch returns how a server is started or reached, and whether there is consent to that. It is asked once for
	// each server that a call needs.
	Launch      func(*Server) (mcpprobe.Launch, bool, error)
	Options     mcpprobe.Options // Timeout is that of each call; Mode is not looked at: Launch has decided
	AllowWrites bool
	Masks       *Masks
}

// Status is how a call that was to be made again ended.
type Status string

// The ways it ends.
const (
	Same    Status = "same"
	Differ  Status = "differs"
	Failed  Status = "failed"  // there was no answer
	Skipped Status = "skipped" // it was not made
)

// Outcome is what became of a call that was to be made again.
type Outcome struct {
	Status Status
	Reason string // of Failed and Skipped
	Edits  []Edit // from the record to today, where masks do not cover it
}

// Edit is a place where two results differ. Was and Now are JSON, "" where there is nothing.
type Edit struct {
	Op       catalog.Op
	Pointer  string // RFC 6901, into the result as MCP has it; a text that is JSON counts as that value
	Was, Now string
}

func (o *Outcome) findings() []Finding {
	switch {
	case o == nil:
	case o.Status == Differ:
		n := fmt.Sprintf("in %d places", len(o.Edits))
		if len(o.Edits) == 1 {
			n = "in one place"
		}
		return []Finding{{Kind: Differs, Severity: lint.Error, Message: "the result is another one today: it differs " + n, Pointer: o.Edits[0].Pointer}}
	case o.Status == Failed:
		return []Finding{{Kind: LiveFailed, Severity: lint.Error, Message: "the tool gave no answer today: " + o.Reason}}
	}
	return nil
}

func (n *LiveCounts) add(o *Outcome) {
	switch {
	case o == nil:
	case o.Status == Same:
		n.Same++
	case o.Status == Differ:
		n.Differ++
	case o.Status == Failed:
		n.Failed++
	default:
		n.Skipped++
	}
}

// liveRun holds the sessions with servers. On nil nothing is ever called.
type liveRun struct {
	*Live
	ctx     context.Context
	fault   error
	started map[*Server]*session
}

// session is the conversation with a server, or why there is none.
type session struct {
	talk *mcpprobe.Conversation
	why  string
}

func (l *Live) start(ctx context.Context) *liveRun {
	if l == nil {
		return nil
	}
	return &liveRun{Live: l, ctx: ctx, started: map[*Server]*session{}}
}

func (r *liveRun) close() {
	if r == nil {
		return
	}
	for _, s := range r.started {
		if s.talk != nil {
			s.talk.Close()
		}
	}
}

// broken returns what kept the user from being asked.
func (r *liveRun) broken() error {
	if r == nil {
		return nil
	}
	return r.fault
}

// ask starts the servers that a call may be of and that were not asked for their tools yet: the one it is of or, when no
// known server has the tool, all. It reports whether more is known now.
func (r *liveRun) ask(today *Today, t target, loose bool) bool {
	if r == nil {
		return false
	}
	if t.server != nil {
		return r.open(t.server)
	}
	if !t.mcp && !loose {
		return false
	}
	more := false
	for _, s := range today.Servers {
		more = r.open(s) || more
	}
	return more
}

// open starts a server once. What it offers takes the place of what was known of it.
func (r *liveRun) open(s *Server) bool {
	if r.started[s] != nil {
		return false
	}
	now := &session{}
	r.started[s] = now
	launch, agreed, err := r.Launch(s)
	switch {
	case err != nil:
		r.fault, now.why = err, err.Error()
		return false
	case !agreed:
		now.why = "nobody has agreed to start the server"
		return false
	}
	o := r.Options
	o.Mode = mcpprobe.All
	talk, result := mcpprobe.Open(r.ctx, launch, o)
	if talk == nil {
		now.why = "the server could not be asked"
		if len(result.Problems) > 0 {
			now.why = "the server " + result.Problems[0].Message
		}
		return false
	}
	now.talk = talk
	if s.Before == nil {
		s.Before = s.Now
	}
	s.Now = talk.Server
	return true
}

// again makes a call again, where that may be done, and compares what comes back with the record.
func (p *player) again(c *recording.Call, t target) *Outcome {
	if p.live == nil {
		return nil
	}
	if why := p.live.hinders(c, t); why != "" {
		return &Outcome{Status: Skipped, Reason: why}
	}
	result, err := p.live.started[t.server].talk.Call(p.ctx, t.name, json.RawMessage(c.Arguments.Raw()))
	refusal, refused := errors.AsType[*mcpprobe.Refusal](err)
	switch {
	case refused:
		result = refusedResult(refusal.Message)
	case err != nil:
		return &Outcome{Status: Failed, Reason: keeperOf(c).Text(err.Error())}
	}
	return p.compare(c, result)
}

// hinders returns why a call is not made again, "" when it is.
func (r *liveRun) hinders(c *recording.Call, t target) string {
	readOnly, _ := t.tool.Annotation("readOnlyHint")
	s := r.started[t.server]
	switch {
	case t.server == nil:
		return "no server is known for it"
	case s == nil || s.talk == nil:
		if s != nil {
			return s.why
		}
		return "the server was not started"
	case !t.found:
		return "the server has no such tool"
	case !readOnly && !r.AllowWrites:
		return "the tool does not say that it is read-only"
	case c.Arguments == nil:
		return "its arguments cannot be used"
	case strings.Contains(c.Arguments.Raw(), `"`+redact.Mark+`"`):
		return "credentials were taken out of its arguments"
	case c.Result == nil:
		return "no result was recorded"
	case c.Result.Cut():
		return "only a part of its result was recorded"
	}
	return ""
}

// refusedResult is an error of the server as the result of a tool that failed.
func refusedResult(message string) *catalog.Node {
	n, _ := catalog.Parse(`{"content":[{"type":"text","text":` + text.Quote(message) + `}],"isError":true}`) // written here
	return n
}
