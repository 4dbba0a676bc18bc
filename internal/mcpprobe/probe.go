// Package mcpprobe starts MCP servers, asks what they offer, and stops them.
//
// A probe runs code, so nothing is started without consent, and a server is taken to be hostile: it gets little of
// the environment, its own process group, and bounds on time, bytes and pages. It is sent initialize or
// server/discover and the list methods, never a call, and no session is kept open; only a Conversation, for those who
// ask for it, does both. What a server sends is recorded byte for byte, and every way in which it misbehaves has a
// Kind and a message in plain words.
package mcpprobe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Status is how a probe ended.
type Status string

// The ways a probe ends.
const (
	Answered    Status = "answered"      // tools were listed, perhaps with problems
	NeedsSignIn Status = "needs-sign-in" // the server wants a login, which a probe never does
	Failed      Status = "failed"
	NotProbed   Status = "not-probed" // nothing was started or reached
)

// Result is what a probe of one server found.
type Result struct {
	Server   string
	Status   Status
	Problems []Problem
	Catalog  *catalog.Server // what was listed; nil unless Status is Answered
	Stderr   []string        // the last lines on standard error
	Duration time.Duration   // without waiting for its turn
}

// Phase is a step of a probe.
type Phase string

// The phases, in order.
const (
	Waiting    Phase = "waiting" // for its turn
	Starting   Phase = "starting"
	Connecting Phase = "connecting" // initialize or server/discover
	Listing    Phase = "listing"
	Stopping   Phase = "stopping"
	Done       Phase = "done"
)

// Event tells how far a probe is. Result is there when it is done.
type Event struct {
	Server string
	Phase  Phase
	Result *Result
}

// Options bound and permit a probe. The zero value permits nothing.
type Options struct {
	Mode      Mode
	Consents  *Consents     // looked at when Mode is Trusted
	Timeout   time.Duration // for each server, from its turn on; 0 is each definition's DefaultTimeout
	Parallel  int           // how many start at the same time; 0 is 4
	Workspace string        // folder in which a bare command name must not find its program

	// Expand replaces variables once there is consent; nil takes definitions as they are. An error means that the
	// user has to give values: it is shown and must not hold any.
	Expand func(Launch) (Launch, error)

	// Progress is called as probes go on, never by two at a time, and should return soon.
	Progress func(Event)

	started func(pid int) // for tests, which see to it that nothing is left of a process
}

const defaultParallel = 4

// patience is how long a server that has not answered holds its turn. After that the next one starts beside it.
const patience = 3 * time.Second

// Probe asks all servers, several at a time, and returns one result each, in order. It returns when the last server
// has answered or its time is up, or soon after ctx ends.
func Probe(ctx context.Context, launches []Launch, o Options) []Result {
	results := make([]Result, len(launches))
	turns := make(chan struct{}, cmp.Or(max(o.Parallel, 0), defaultParallel))
	tell := o.teller()
	var wg sync.WaitGroup
	for i, l := range launches {
		p := newProbe(l, o, &results[i], tell)
		if !p.permitted() || !p.getTurn(ctx, turns) {
			p.tell(Done)
			continue
		}
		wg.Go(func() {
			defer p.tell(Done)
			defer p.connected()
			defer time.AfterFunc(patience, p.connected).Stop()
			p.run(ctx)
		})
	}
	wg.Wait()
	return results
}

// teller makes progress calls come one at a time.
func (o Options) teller() func(Event) {
	var mu sync.Mutex
	return func(e Event) {
		if o.Progress == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		o.Progress(e)
	}
}

// probe is one server being asked.
type probe struct {
	launch    Launch
	options   Options
	tell      func(Phase)
	connected func()                          // gives the turn to the next
	hold      func(context.Context, *session) // keeps the session open once tools are listed; nil for a probe
	clock     *time.Timer                     // ends what takes too long
	redact    redactor
	result    *Result
	server    *catalog.Server
	first     []string // the names on the first page of tools
}

func newProbe(l Launch, o Options, r *Result, tell func(Event)) *probe {
	*r = Result{Server: l.Name, Status: NotProbed}
	p := &probe{launch: l, options: o, redact: newRedactor(l), result: r, server: &catalog.Server{Name: l.Name}}
	p.tell = func(phase Phase) {
		e := Event{Server: l.Name, Phase: phase}
		if phase == Done {
			e.Result = r
		}
		tell(e)
	}
	return p
}

// permitted reports whether there is consent to the definition.
func (p *probe) permitted() bool {
	o := p.options
	if o.Mode == All || o.Mode == Trusted && o.Consents.Has(p.launch) {
		return true
	}
	p.report(NoConsent, "was not started: nobody has consented to this definition")
	return false
}

// getTurn waits until few enough others are starting.
func (p *probe) getTurn(ctx context.Context, turns chan struct{}) bool {
	p.tell(Waiting)
	select {
	case turns <- struct{}{}:
		p.connected = sync.OnceFunc(func() { <-turns })
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		p.report(Cancelled, "was not started: the probe was cancelled")
	}
	return ctx.Err() == nil
}

func (p *probe) run(ctx context.Context) {
	begin := time.Now()
	defer func() { p.result.Duration = time.Since(begin) }()
	if p.options.Expand != nil {
		expanded, err := p.options.Expand(p.launch)
		if err != nil {
			p.report(NeedsValues, "was not started: "+err.Error())
			return
		}
		p.launch, p.redact = expanded, newRedactor(expanded)
	}
	transport, err := p.launch.transport()
	if err != nil {
		p.report(BadDefinition, "cannot be started: "+err.Error())
		return
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p.clock = time.AfterFunc(p.timeout(), func() { cancel(context.DeadlineExceeded) })
	defer p.clock.Stop()
	p.result.Status = Failed
	if transport == Stdio {
		p.stdio(ctx)
	} else {
		p.http(ctx, transport)
	}
}

func (p *probe) timeout() time.Duration {
	return cmp.Or(p.options.Timeout, p.launch.DefaultTimeout())
}

// report adds a problem. lines are what the server said.
func (p *probe) report(kind Kind, message string, lines ...string) {
	p.add(Problem{Kind: kind, Message: message}, lines...)
}

// Bounds of a problem: one server cannot fill the screen.
const (
	maxMessage  = 500
	maxLine     = 300
	maxProblems = 100
)

func (p *probe) add(problem Problem, lines ...string) {
	if len(p.result.Problems) == maxProblems {
		return
	}
	problem.Severity = cmp.Or(severities[problem.Kind], Error)
	problem.Message = cut(oneLine(p.redact.clean(problem.Message)), maxMessage)
	problem.Tool = cut(problem.Tool, maxLine)
	for i, line := range lines {
		if i > 0 {
			problem.Detail += "\n"
		}
		problem.Detail += cut(oneLine(p.redact.clean(line)), maxLine)
	}
	p.result.Problems = append(p.result.Problems, problem)
}

// interrupted reports why the time is up, if it is.
func (p *probe) interrupted(ctx context.Context, method string, lines ...string) bool {
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		p.report(NoAnswer, fmt.Sprintf("gave no answer to %s within %s", method, p.timeout()), lines...)
	case ctx.Err() != nil:
		p.result.Status = NotProbed
		p.report(Cancelled, "the probe was cancelled")
	default:
		return false
	}
	return true
}
