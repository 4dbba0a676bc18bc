package mcpprobe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
)

// courier carries requests to one server. It sends the configured headers to that server alone, bounds what is
// read, and remembers the last answer: the library forgets status and body of most refusals.
type courier struct {
	base    *http.Transport
	origin  *url.URL
	headers map[string]string
	life    context.Context // ends everything that is under way
	end     context.CancelFunc
	left    atomic.Int64 // bytes that may still be read

	mu   sync.Mutex
	seen exchange
}

// exchange is a request and what came of it.
type exchange struct {
	method   string
	status   int // 0 when there was no answer
	header   http.Header
	body     string // the beginning of it, unless it is an answer of the protocol
	err      error  // why there was no answer
	tooLarge bool
}

// html reports whether the answer is a web page.
func (x exchange) html() bool {
	media, _, _ := mime.ParseMediaType(x.header.Get("Content-Type"))
	return media == "text/html"
}

// isProtocol reports whether the body of a refusal is a protocol message. Web frameworks send {"error": "…"}, which
// only looks like one.
func (x exchange) isProtocol() bool {
	return isMessage(bytes.TrimSpace([]byte(x.body)))
}

// final reports whether asking in another way is pointless: there is no connection, or somebody else answers.
func (x exchange) final() bool {
	timedOut := errors.Is(x.err, context.DeadlineExceeded)
	return x.err != nil && !timedOut || x.status == http.StatusUnauthorized || x.status == http.StatusForbidden ||
		x.status >= 300 && x.status < 400 || x.tooLarge
}

func newCourier(l Launch) (*courier, error) {
	origin, err := url.Parse(l.URL)
	if err != nil {
		return nil, errors.New("the URL cannot be read")
	}
	c := &courier{origin: origin, headers: l.Headers}
	c.life, c.end = context.WithCancel(context.Background())
	c.left.Store(maxTotal)
	c.base = http.DefaultTransport.(*http.Transport).Clone()
	c.base.DialContext = (&net.Dialer{Control: refuseAddress}).DialContext
	return c, nil
}

// close ends everything that is under way.
func (c *courier) close() {
	c.end()
	c.base.CloseIdleConnections()
}

func (c *courier) client() *http.Client {
	return &http.Client{Transport: c, CheckRedirect: c.follows}
}

const maxRedirects = 3

// follows lets a request be sent on only within its server and as it is: Go would turn a POST into a GET, and take
// headers that hold credentials to the new place.
func (c *courier) follows(next *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects || next.Method != via[0].Method || !c.sameOrigin(next.URL) {
		return http.ErrUseLastResponse
	}
	return nil
}

func (c *courier) sameOrigin(u *url.URL) bool {
	return u.Scheme == c.origin.Scheme && u.Host == c.origin.Host
}

var errOtherOrigin = errors.New("the server names an address on another server, which is not asked")

// RoundTrip implements http.RoundTripper.
func (c *courier) RoundTrip(r *http.Request) (*http.Response, error) {
	if !c.sameOrigin(r.URL) {
		return nil, c.fail(r, errOtherOrigin)
	}
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(c.life, cancel)
	r = r.Clone(ctx)
	for name, value := range c.headers {
		r.Header.Set(name, value)
	}
	response, err := c.base.RoundTrip(r)
	if err != nil {
		stop()
		cancel()
		return nil, c.fail(r, err)
	}
	response.Body = &boundedBody{body: response.Body, courier: c, done: func() { stop(); cancel() }}
	c.record(r, response)
	return response, nil
}

// fail remembers a request without an answer.
func (c *courier) fail(r *http.Request, err error) error {
	c.remember(exchange{method: r.Method, err: err})
	return err
}

// kept is how much of an answer outside the protocol is remembered.
const kept = 4 << 10

// record remembers an answer. The end of a session is none that matters.
func (c *courier) record(r *http.Request, response *http.Response) {
	if r.Method == http.MethodDelete {
		return
	}
	x := exchange{method: r.Method, status: response.StatusCode, header: response.Header}
	if x.status >= 300 || x.html() {
		begin, _ := io.ReadAll(io.LimitReader(response.Body, kept)) // what can be read is what there is to show
		x.body = string(begin)
		response.Body = rest{io.MultiReader(bytes.NewReader(begin), response.Body), response.Body}
	}
	c.remember(x)
}

// rest is a body of which the beginning was read.
type rest struct {
	io.Reader
	io.Closer
}

func (c *courier) remember(x exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = x
}

func (c *courier) last() exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen
}

// boundedBody reads no more than the courier may.
type boundedBody struct {
	body    io.ReadCloser
	courier *courier
	done    func()
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.body.Read(p)
	if b.courier.left.Add(-int64(n)) < 0 {
		b.courier.mu.Lock()
		b.courier.seen.tooLarge = true
		b.courier.mu.Unlock()
		return 0, errTooLarge
	}
	return n, err
}

func (b *boundedBody) Close() error {
	b.done()
	return b.body.Close()
}

// metadata are addresses at which clouds hand credentials to their machines, beside the link-local ones.
var metadata = []netip.Addr{
	netip.MustParseAddr("fd00:ec2::254"),   // AWS
	netip.MustParseAddr("168.63.129.16"),   // Azure
	netip.MustParseAddr("100.100.100.200"), // Alibaba
}

type blockedAddress struct{ address netip.Addr }

func (e *blockedAddress) Error() string {
	return fmt.Sprintf("%s is an address of the network itself, where machines get their credentials", e.address)
}

// refuseAddress is asked with every address a name resolves to, before it is connected to.
func refuseAddress(_, address string, _ syscall.RawConn) error {
	addr, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("read the address to connect to: %w", err)
	}
	ip := addr.Addr().Unmap().WithZone("")
	for _, m := range metadata {
		if ip == m {
			return &blockedAddress{ip}
		}
	}
	if ip.IsLinkLocalUnicast() || ip.IsMulticast() {
		return &blockedAddress{ip}
	}
	return nil
}
