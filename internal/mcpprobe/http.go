package mcpprobe

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
)

// A question that an old server may not understand gets this long, and so does closing a session.
const (
	discoverTimeout = 5 * time.Second
	closeTimeout    = time.Second
)

// http probes a server at a URL. Asking for the newest revision first costs one round trip and harms nobody.
func (p *probe) http(ctx context.Context, kind string) {
	c, err := newCourier(p.launch)
	if err != nil {
		p.report(BadDefinition, "cannot be reached: "+err.Error())
		return
	}
	defer c.close()
	p.tell(Connecting)
	var s *session
	if kind == SSE {
		s, err = p.greetSSE(ctx, c, p.timeout())
	} else {
		s, err = p.greetHTTP(ctx, c)
	}
	if err != nil {
		p.explainHTTP(ctx, c.last(), "initialize", err)
		return
	}
	defer hangUp(s.transport)
	p.connected()
	explain := func(method string, err error) { p.explainHTTP(ctx, c.last(), method, err) }
	if err := p.list(ctx, s, explain); err != nil {
		explain(tools.method, err)
	}
	p.tell(Stopping)
}

// hangUp ends a session. A server that does not care to answer is left to itself.
func hangUp(t transport.Interface) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = t.Close() // it logs what it has to say
	}()
	select {
	case <-closed:
	case <-time.After(closeTimeout):
	}
}

var quiet = slog.New(slog.DiscardHandler)

// greetHTTP makes contact over streamable HTTP, and where there is none over the transport it replaced, as the
// specification asks for: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#backwards-compatibility
func (p *probe) greetHTTP(ctx context.Context, c *courier) (*session, error) {
	t, err := transport.NewStreamableHTTP(p.launch.URL, transport.WithHTTPBasicClient(c.client()), transport.WithHTTPLogger(quiet))
	if err != nil {
		return nil, fmt.Errorf("use the URL: %w", err)
	}
	s := &session{transport: t}
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	err = p.discoverHTTP(ctx, s)
	if err != nil && ctx.Err() == nil && !c.last().final() {
		s.forget()
		err = p.greet(ctx, s)
	}
	if err == nil {
		return s, nil
	}
	hangUp(t)
	refused := c.last()
	if !slices.Contains([]int{400, 404, 405}, refused.status) {
		return nil, err
	}
	old, oldErr := p.greetSSE(ctx, c, discoverTimeout)
	if oldErr != nil {
		c.remember(refused)
		return nil, err
	}
	p.report(LegacySSE, "speaks only the HTTP+SSE transport of 2024-11-05, which is deprecated: clients without it get no tools")
	return old, nil
}

func (p *probe) discoverHTTP(ctx context.Context, s *session) error {
	ctx, cancel := context.WithTimeout(ctx, min(discoverTimeout, p.timeout()/4))
	defer cancel()
	return p.discover(ctx, s, nil)
}

// greetSSE makes contact over HTTP with server-sent events.
func (p *probe) greetSSE(ctx context.Context, c *courier, timeout time.Duration) (*session, error) {
	t, err := transport.NewSSE(p.launch.URL, transport.WithHTTPClient(c.client()), transport.WithSSELogger(quiet),
		transport.WithEndpointTimeout(timeout), transport.WithResponseTimeout(p.timeout()))
	if err != nil {
		return nil, fmt.Errorf("use the URL: %w", err)
	}
	s := &session{transport: t}
	err = s.start(ctx)
	if err == nil {
		err = p.greet(ctx, s)
	} else if c.last().status == http.StatusOK && !c.last().html() {
		err = errNoEndpoint
	}
	if err != nil {
		hangUp(t)
		return nil, err
	}
	return s, nil
}

var errNoEndpoint = errors.New("opens an event stream but names no address to post to, or one on another server")

// explainHTTP reports why a server at a URL did not answer. last is what it said last.
func (p *probe) explainHTTP(ctx context.Context, last exchange, method string, err error) {
	switch {
	case last.err != nil:
		p.explainConnection(ctx, last.err, method)
	case last.tooLarge:
		p.report(TooLarge, fmt.Sprintf("sends more than the %d MiB a probe reads", maxTotal>>20))
	case errors.Is(err, errNoEndpoint):
		p.report(NoAnswer, err.Error())
	case last.status == http.StatusUnauthorized:
		p.result.Status = NeedsSignIn
		p.report(SignIn, "needs authentication; its tools were not checked"+p.credentials(), last.challenge()...)
	case last.status == http.StatusForbidden && strings.Contains(last.header.Get("WWW-Authenticate"), "insufficient_scope"):
		p.result.Status = NeedsSignIn
		p.report(InsufficientScope, "needs authentication with another scope; its tools were not checked", last.challenge()...)
	case last.status >= 300 && !(isAnswer(err) && last.isProtocol()):
		p.explainStatus(last)
	case last.html():
		p.report(WebPage, "answers with a web page: the URL is wrong, or a login stands before it", last.body)
	default:
		p.explain(ctx, method, err, last.body)
	}
}

func (p *probe) credentials() string {
	for name := range p.launch.Headers {
		if strings.EqualFold(name, "Authorization") {
			return "; it refuses the configured Authorization header"
		}
	}
	return ""
}

func (p *probe) explainStatus(last exchange) {
	status := fmt.Sprintf("%d %s", last.status, http.StatusText(last.status))
	switch last.status {
	case http.StatusForbidden:
		p.report(Forbidden, "refuses access: "+status, last.body)
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone:
		p.report(NotFound, fmt.Sprintf("is no MCP server at this URL: it answers %s with %s", last.method, status), last.body)
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		p.report(Redirected, fmt.Sprintf("sends its clients on with %s, which is not followed: to another server or as another method", status), "to "+last.header.Get("Location"))
	default:
		p.report(HTTPStatus, fmt.Sprintf("answers %s with %s", last.method, status), last.body)
	}
}

// explainConnection reports why there was no answer at all.
func (p *probe) explainConnection(ctx context.Context, err error, method string) {
	var (
		unknown  x509.UnknownAuthorityError
		wrong    x509.HostnameError
		invalid  x509.CertificateInvalidError
		blocked  *blockedAddress
		detailed = err.Error()
	)
	switch {
	case errors.As(err, &blocked):
		p.report(BlockedAddress, "is not asked: "+blocked.Error())
	case errors.As(err, &unknown):
		p.report(TLS, "shows a certificate of an unknown authority", detailed)
	case errors.As(err, &wrong):
		p.report(TLS, "shows a certificate for another host name", detailed)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		p.report(TLS, "shows a certificate that has expired or is not valid yet", detailed)
	case errors.As(err, &invalid):
		p.report(TLS, "shows a certificate that is not valid", detailed)
	case p.interrupted(ctx, method):
	case errors.Is(err, context.DeadlineExceeded):
		p.report(NoAnswer, fmt.Sprintf("gave no answer to %s in time", method))
	default:
		p.report(Unreachable, "cannot be reached", detailed)
	}
}

var authParameter = lazyregexp.New(`(?i)\b(realm|scope|resource_metadata|error|error_description)="([^"]*)"`)

// challenge returns what the server says about signing in, one thing a line.
func (x exchange) challenge() []string {
	var lines []string
	for _, header := range x.header.Values("WWW-Authenticate") {
		for _, m := range authParameter.FindAllStringSubmatch(header, -1) {
			lines = append(lines, m[1]+": "+m[2])
		}
	}
	return lines
}
