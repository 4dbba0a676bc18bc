package mcpprobe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
)

// A server gets this long for each step of stopping, less when it did not answer or the user does not want to wait.
const (
	gentle = 2 * time.Second
	brisk  = 300 * time.Millisecond
)

// stderrLines is how many lines of standard error are shown.
const stderrLines = 20

// program is what there is to start.
type program struct {
	path string
	env  []string
}

// attempt is a process that was started and is being asked.
type attempt struct {
	*process
	filter  *filter
	session *session
}

// stdio probes a server that is a process. initialize goes first: servers in use end when they get anything else.
// One that does not answer it is started anew and asked as revision 2026-07-28 has it.
// https://github.com/modelcontextprotocol/go-sdk/issues/1177
func (p *probe) stdio(ctx context.Context) {
	program, ok := p.find()
	if !ok {
		return
	}
	p.tell(Starting)
	first, ok := p.attempt(ctx, program)
	if !ok {
		return
	}
	err := p.greetWithin(ctx, first)
	if err == nil {
		p.talk(ctx, first)
		return
	}
	silent := !isAnswer(err) && ctx.Err() == nil && !first.filter.gaveUp()
	explain := p.conclude(ctx, first, "initialize", err)
	if silent && p.secondTry(ctx, program, err) {
		return
	}
	explain()
}

// greetWithin leaves some of the time for a second try.
func (p *probe) greetWithin(ctx context.Context, a *attempt) error {
	p.tell(Connecting)
	ctx, cancel := context.WithTimeout(ctx, p.timeout()*3/4)
	defer cancel()
	return p.greet(ctx, a.session)
}

// secondTry reports whether a fresh process answers server/discover, and if so goes on with it.
func (p *probe) secondTry(ctx context.Context, program program, why error) bool {
	second, ok := p.attempt(ctx, program)
	if !ok {
		return false
	}
	if p.discover(ctx, second.session, why) != nil {
		second.stop(brisk)
		return false
	}
	p.talk(ctx, second)
	return true
}

// isAnswer reports whether an error is about what the server said, not about its silence.
func isAnswer(err error) bool {
	var (
		refusal *rpcError
		shape   *malformed
		version *unknownVersions
	)
	return errors.As(err, &refusal) || errors.As(err, &shape) || errors.As(err, &version)
}

// find decides what to start. It reports why there is nothing.
func (p *probe) find() (program, bool) {
	path, err := p.launch.lookPath()
	if err == nil {
		err = p.launch.outside(p.options.Workspace, path)
	}
	if err != nil {
		p.report(CannotStart, "cannot be started: "+startReason(err))
		return program{}, false
	}
	env, refused := environment(p.launch.Env)
	if len(refused) > 0 {
		p.report(RefusedEnv, "was started without the environment variables "+strings.Join(refused, ", ")+", which would load other code into it")
	}
	return program{path, env}, true
}

// attempt starts a process and connects to it. It reports why that is not possible.
func (p *probe) attempt(ctx context.Context, program program) (*attempt, bool) {
	child, err := start(p.launch, program.path, program.env)
	if err != nil {
		p.report(CannotStart, "cannot be started: "+startReason(err))
		return nil, false
	}
	if p.options.started != nil {
		p.options.started(child.cmd.Process.Pid)
	}
	filter, messages := newFilter(child.stdout)
	s := &session{transport: transport.NewIO(messages, input{child}, nil)}
	if err := s.start(ctx); err != nil { // it only starts to read
		child.stop(brisk)
		p.report(CannotStart, "cannot be started: "+err.Error())
		return nil, false
	}
	return &attempt{child, filter, s}, true
}

// input is the standard input of a process. A process that does not read is found out by its silence, so writing to
// it never fails: the library would log that.
type input struct{ *process }

func (i input) Write(data []byte) (int, error) {
	_, _ = i.stdin.Write(data)
	return len(data), nil
}

func (i input) Close() error { return nil } // stop closes it

// talk lists what the server has, and stops it.
func (p *probe) talk(ctx context.Context, a *attempt) {
	p.connected()
	err := p.list(ctx, a.session, func(method string, err error) { p.explain(ctx, method, err) })
	if err != nil {
		p.conclude(ctx, a, tools.method, err)()
		return
	}
	p.tell(Stopping)
	patience := gentle
	if ctx.Err() != nil {
		patience = brisk
	}
	end := a.end(patience)
	p.reportOutput(a)
	switch {
	case ctx.Err() != nil: // it had no time
	case !end.byItself:
		p.report(IgnoresEOF, fmt.Sprintf("runs on when its standard input is closed and had to be stopped after %s", gentle))
	case !end.alone:
		p.report(LeftRunning, "ended but left processes running that it had started; they were stopped")
	case !a.succeeded():
		p.report(ExitStatus, fmt.Sprintf("ends with %s when its standard input is closed: clients tell of a crash", a.status()))
	}
}

// conclude stops a server that did not answer, and returns how to report it.
func (p *probe) conclude(ctx context.Context, a *attempt, method string, err error) (explain func()) {
	gone := errors.Is(err, transport.ErrTransportClosed) && a.hasExited(lastWords)
	p.tell(Stopping)
	a.end(brisk)
	return func() {
		switch lines := p.stderr(a); {
		case a.filter.tooLarge:
			p.report(TooLarge, fmt.Sprintf("sends more than a probe reads: %d MiB in one message or %d MiB in all", maxFrame>>20, maxTotal>>20))
		case a.filter.asked > maxFlood: // reported with what else is wrong with the output
		case gone:
			p.report(Exited, fmt.Sprintf("ended with %s before it had answered %s%s", a.status(), method, quoteLast(lines)), lines...)
		case errors.Is(err, transport.ErrTransportClosed):
			p.report(Exited, fmt.Sprintf("closed its standard output before it had answered %s%s", method, quoteLast(lines)), lines...)
		default:
			p.explain(ctx, method, err, lines...)
		}
		p.reportOutput(a)
	}
}

// end stops the process and what reads from it.
func (a *attempt) end(patience time.Duration) ending {
	_ = a.session.transport.Close()
	e := a.stop(patience)
	a.filter.stop()
	return e
}

func quoteLast(lines []string) string {
	if len(lines) == 0 {
		return "; it wrote nothing on standard error"
	}
	return fmt.Sprintf("; last on standard error: %s", lines[len(lines)-1])
}

// stderr returns the last lines that the server wrote on standard error.
func (p *probe) stderr(a *attempt) []string {
	var lines []string
	for _, line := range a.process.stderr.Lines(stderrLines) {
		lines = append(lines, cut(oneLine(p.redact.clean(line)), maxLine))
	}
	return lines
}

// reportOutput reports what was wrong with the server's output as such.
func (p *probe) reportOutput(a *attempt) {
	p.result.Stderr = p.stderr(a)
	f := a.filter
	if f.noiseLines > 0 {
		message := fmt.Sprintf("writes non-protocol text to stdout (%d lines): clients that are strict end the connection; first: %s", f.noiseLines, f.noise[0])
		if slices.ContainsFunc(f.noise, func(line string) bool { return strings.Contains(line, "[dotenv@") }) {
			message += "; DOTENV_CONFIG_QUIET=true in env stops dotenv" // since version 17: https://github.com/motdotla/dotenv
		}
		p.report(StdoutNoise, message, f.noise...)
	}
	if f.bom {
		p.report(ByteOrderMark, "writes a byte order mark before its messages")
	}
	if f.multiLine {
		p.report(MultiLine, "breaks a message over several lines, where each has to be on one")
	}
	if f.stringIDs {
		p.report(IDType, `answers with the id "1" where the request had 1: clients wait for ever`)
	}
	if f.asked > maxAsked {
		p.report(Flood, fmt.Sprintf("sends more than %d requests and notifications while it is asked for lists", maxAsked))
	}
}

// explain reports an error for which there is no better reason. lines are what the server said on the side.
func (p *probe) explain(ctx context.Context, method string, err error, lines ...string) {
	var (
		refusal *rpcError
		shape   *malformed
		version *unknownVersions
	)
	switch {
	case errors.As(err, &refusal):
		p.report(ErrorAnswer, refusal.Error(), lines...)
	case errors.As(err, &shape):
		p.report(BadAnswer, shape.Error(), append([]string{shape.got}, lines...)...)
	case errors.As(err, &version):
		p.report(UnknownVersion, version.Error(), lines...)
	case p.interrupted(ctx, method, lines...):
	case errors.Is(err, context.DeadlineExceeded):
		p.report(NoAnswer, fmt.Sprintf("gave no answer to %s in time%s", method, quoteLast(lines)), lines...)
	default:
		p.report(BadAnswer, fmt.Sprintf("gave no usable answer: %v", err), lines...)
	}
}
