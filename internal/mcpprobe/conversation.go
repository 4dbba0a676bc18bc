package mcpprobe

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Conversation is a session with a server that stays open, so that its tools can be called. Calling a tool does
// whatever the tool does: it is for those who asked for that, beyond the consent to start the server.
type Conversation struct {
	Server *catalog.Server // with its tools; what else it has is not listed
	// FirstPage are the names of the tools on the first page of the list: some clients ask for no other.
	FirstPage []string

	probe   *probe
	session *session
	turn    sync.Mutex // one call at a time
	opened  chan struct{}
	closing chan struct{}
	ended   chan struct{}
	once    sync.Once
	result  Result
}

// Open starts or reaches a server, lists its tools and leaves the session open. Consent and bounds are those of a
// probe, except that Options.Timeout holds for the beginning and for each call. Without an answer the conversation is
// nil, and the result says why. Whoever gets one closes it.
func Open(ctx context.Context, l Launch, o Options) (*Conversation, Result) {
	c := &Conversation{opened: make(chan struct{}), closing: make(chan struct{}), ended: make(chan struct{})}
	c.probe = newProbe(l, o, &c.result, o.teller())
	c.probe.connected = func() {}
	c.probe.hold = c.serve
	if !c.probe.permitted() {
		return nil, c.result
	}
	go func() {
		defer close(c.ended)
		defer c.probe.tell(Done)
		c.probe.run(ctx)
	}()
	select {
	case <-c.opened:
		return c, Result{}
	case <-c.ended:
		return nil, c.result
	}
}

// serve keeps a session open until it is not wanted any more.
func (c *Conversation) serve(ctx context.Context, s *session) {
	c.Server, c.FirstPage, c.session = c.probe.server, c.probe.first, s
	close(c.opened)
	select {
	case <-c.closing:
	case <-ctx.Done():
	}
}

// Call calls a tool, with arguments that are a JSON object, and returns the result as the server sent it: a tool that
// fails says so in there. An error that the server answered with is a *Refusal, any other means that there was no
// answer.
func (c *Conversation) Call(ctx context.Context, tool string, arguments json.RawMessage) (*catalog.Node, error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	timeout := c.probe.timeout()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	result, err := c.session.call(ctx, "tools/call", params{"name": tool, "arguments": arguments})
	refusal, refused := errors.AsType[*rpcError](err)
	switch {
	case err == nil:
		return result, nil
	case refused:
		return nil, &Refusal{Code: refusal.code, Message: c.probe.redact.clean(refusal.message)}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("call %s: no answer within %s", tool, timeout.Round(time.Millisecond))
	case errors.Is(err, transport.ErrTransportClosed):
		return nil, fmt.Errorf("call %s: the server ended", tool)
	}
	return nil, fmt.Errorf("call %s: %s", tool, oneLine(c.probe.redact.clean(err.Error())))
}

// Close ends the session, stops the server and says how all that went.
func (c *Conversation) Close() Result {
	c.once.Do(func() { close(c.closing) })
	<-c.ended
	return c.result
}

// Refusal is an error that a server answered a call with.
type Refusal struct {
	Code    int // of JSON-RPC
	Message string
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("error %d: %s", r.Code, oneLine(cmp.Or(r.Message, "without a message")))
}
