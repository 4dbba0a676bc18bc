//go:build !js

// Package live asks real models: OpenAI's chat completions and what speaks like them, Anthropic's messages, and Ollama.
// Nothing is asked unless a user names a model. Keys come from the environment and are never shown.
package live

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/agentsim/turn"
	"github.com/skill-ls/skill-ls/internal/redact"
)

// provider is a form of requests and answers.
type provider struct {
	base    string // the address when the environment names none
	baseVar string
	keyVar  string // "" when there is no key
	path    string
	headers func(key string) map[string]string
	encode  func(model string, r *turn.Request) any
	decode  func(body []byte) (*turn.Answer, error)
}

var providers = map[string]*provider{"openai": &openAI, "anthropic": &anthropic, "ollama": &ollama}

// Names lists the providers.
func Names() []string { return []string{"anthropic", "ollama", "openai"} }

// Client asks one model. It is safe for concurrent use.
type Client struct {
	name     string // of the provider
	provider *provider
	model    string
	url      string
	key      string
	http     *http.Client
	wait     func(ctx context.Context, d time.Duration) error
}

// Requests take this long at most, and are tried this often when the server is busy.
const (
	timeout   = 2 * time.Minute
	tries     = 4
	firstWait = time.Second
	mostWait  = time.Minute
	mostBytes = 8 << 20 // of an answer
)

// New returns a client for a model given as PROVIDER:MODEL. lookup gives the value of an environment variable: the key,
// and an address in place of the provider's own.
func New(spec string, lookup func(name string) (string, bool)) (*Client, error) {
	name, model, ok := strings.Cut(spec, ":")
	p := providers[name]
	if !ok || model == "" || p == nil {
		return nil, fmt.Errorf("%s: write PROVIDER:MODEL, such as ollama:qwen3; providers are %s", spec, strings.Join(Names(), ", "))
	}
	c := &Client{name: name, provider: p, model: model, wait: sleep}
	c.http = &http.Client{Timeout: timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	base, moved := lookup(p.baseVar)
	if base = strings.TrimSuffix(cmp.Or(base, p.base), "/"); !strings.Contains(base, "://") {
		base = "http://" + base // as OLLAMA_HOST is written
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s holds no address with http or https", p.baseVar)
	}
	c.url = base + p.path
	if p.keyVar != "" {
		c.key, _ = lookup(p.keyVar)
		if c.key == "" && !moved {
			return nil, fmt.Errorf("%s needs a key: set %s", name, p.keyVar)
		}
	}
	return c, nil
}

// String names the model.
func (c *Client) String() string { return c.name + ":" + c.model }

// Answer implements turn.Model. Its errors are one line, without the key.
func (c *Client) Answer(ctx context.Context, r *turn.Request) (*turn.Answer, error) {
	body, err := json.Marshal(c.provider.encode(c.model, r))
	if err != nil {
		return nil, c.fault("encode the request", err.Error())
	}
	pause := firstWait
	for try := 1; ; try++ {
		answer, busy, err := c.ask(ctx, body)
		if err == nil || busy < 0 || try == tries {
			return answer, err
		}
		if err := c.wait(ctx, min(max(busy, pause), mostWait)); err != nil {
			return nil, err
		}
		pause *= 2
	}
}

// never says that trying again is pointless.
const never = -1

// busyStatuses are worth another try. 529 is Anthropic's "overloaded".
var busyStatuses = []int{http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, 529}

// ask sends a request. busy is how long the server wants us to wait before another try.
func (c *Client) ask(ctx context.Context, body []byte) (answer *turn.Answer, busy time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, never, c.fault("cannot be asked", err.Error())
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range c.provider.headers(c.key) {
		request.Header.Set(name, value)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, never, c.unreachable(ctx, err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, mostBytes))
	if err != nil {
		return nil, never, c.unreachable(ctx, err)
	}
	if response.StatusCode != http.StatusOK {
		busy = never
		if slices.Contains(busyStatuses, response.StatusCode) {
			busy = retryAfter(response.Header.Get("Retry-After"))
		}
		return nil, busy, c.refused(response.StatusCode, data)
	}
	if !json.Valid(data) {
		return nil, never, c.fault("does not answer with JSON", beginning(data))
	}
	if answer, err = c.provider.decode(data); err != nil {
		return nil, never, c.fault("answers in another form", err.Error())
	}
	return answer, 0, nil
}

// retryAfter reads the header's seconds. A date counts as no wish.
func retryAfter(header string) time.Duration {
	seconds, err := strconv.Atoi(header)
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, int(mostWait/time.Second))) * time.Second
}

func (c *Client) unreachable(ctx context.Context, err error) error {
	var netErr interface{ Timeout() bool }
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &netErr) && netErr.Timeout():
		return c.fault(fmt.Sprintf("gave no answer within %s", c.http.Timeout), "")
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // without the address, which may hold credentials
	}
	return c.fault("cannot be reached", err.Error())
}

// refused explains a status.
func (c *Client) refused(status int, body []byte) error {
	what := fmt.Sprintf("answers %d %s", status, http.StatusText(status))
	switch {
	case (status == http.StatusUnauthorized || status == http.StatusForbidden) && c.provider.keyVar != "":
		what += ", the key in " + c.provider.keyVar + " is not accepted"
	case status == http.StatusNotFound:
		what += ", there is no model " + c.model + " or no such address"
	case status == http.StatusTooManyRequests:
		what += fmt.Sprintf(" after %d tries", tries)
	case status >= 300 && status < 400:
		what += ", which is not followed: the address in " + c.provider.baseVar + " is another one"
	}
	return c.fault(what, said(body))
}

// said is what the body of a refusal says.
func said(body []byte) string {
	var e struct {
		Error   json.RawMessage
		Message string
	}
	if json.Unmarshal(body, &e) != nil {
		return beginning(body)
	}
	var inner struct{ Message string }
	var text string
	switch {
	case json.Unmarshal(e.Error, &inner) == nil && inner.Message != "":
		return inner.Message
	case json.Unmarshal(e.Error, &text) == nil:
		return text
	}
	return e.Message
}

func beginning(body []byte) string {
	const most = 200
	return string(body[:min(len(body), most)])
}

// fault is an error of one line that does not hold the key.
func (c *Client) fault(what, detail string) error {
	detail = strings.Join(strings.Fields(strings.ToValidUTF8(detail, "\uFFFD")), " ")
	if detail != "" {
		what += ": " + detail
	}
	if len(c.key) >= 4 { // a shorter one is a word for a server that wants none
		what = strings.ReplaceAll(what, c.key, redact.Mark)
	}
	return fmt.Errorf("%s: %s", c, redact.Text(what))
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
