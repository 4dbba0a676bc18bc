// Package remote keeps results in a remote cache that speaks Bazel's HTTP protocol, such as bazel-remote, or any server that
// keeps what is put to it: https://bazel.build/remote/caching#http-caching
package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/skill-ls/skill-ls/internal/cache"
	"github.com/skill-ls/skill-ls/internal/redact"
	"github.com/skill-ls/skill-ls/internal/version"
)

const (
	// timeout is how long one request may take. A result takes milliseconds to make: a cache that needs longer helps nobody.
	timeout = 5 * time.Second
	// Bytes that an answer may have.
	mostAction = 64 << 10
	mostBlob   = 64 << 20
)

// Store is a remote cache. The first time that it fails it says so, once, and is not asked again.
type Store struct {
	base     url.URL
	user     *url.Userinfo
	client   *http.Client
	warn     func(message string)
	once     sync.Once
	off      atomic.Bool // it has failed
	readOnly atomic.Bool // it refuses what is put to it
	known    sync.Map    // hashes of blobs that it has
}

// New returns the remote cache at an address; user and password in it are sent with each request. Nothing is contacted yet.
// warn is told, in one sentence without credentials, when the cache cannot be used.
func New(address string, warn func(message string)) (*Store, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, errors.New("it is no address; write http://HOST:PORT or https://HOST/PATH") // the error of url.Parse has the password in it
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("%s is no address of HTTP; write http://HOST:PORT or https://HOST/PATH", shown(u))
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%s: leave out what follows ? or #", shown(u))
	}
	s := &Store{base: *u, user: u.User, warn: warn}
	s.base.User = nil
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = transport.MaxIdleConns // all requests go to one host
	s.client = &http.Client{
		Timeout: timeout, Transport: transport,
		// A cache that sends its clients elsewhere is not the one that was named.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return s, nil
}

// shown returns an address without credentials.
func shown(u *url.URL) string { return redact.Text(u.Redacted()) }

// Get implements cache.Store. A blob counts only if it has the hash it is kept under.
func (s *Store) Get(ctx context.Context, k cache.Key) ([]byte, bool) {
	message, ok := s.fetch(ctx, "ac", k.String(), mostAction)
	if !ok {
		return nil, false
	}
	d, err := decode(message)
	if err != nil || !isHash(d.hash) {
		return nil, false
	}
	data, ok := s.fetch(ctx, "cas", d.hash, mostBlob)
	if !ok || hashOf(data) != d.hash || uint64(len(data)) != d.size {
		return nil, false
	}
	s.known.Store(d.hash, true)
	return data, true
}

// Put implements cache.Store.
func (s *Store) Put(ctx context.Context, k cache.Key, data []byte) {
	if s.off.Load() || s.readOnly.Load() {
		return
	}
	d := digest{hashOf(data), uint64(len(data))}
	if _, has := s.known.Load(d.hash); !has {
		if !s.send(ctx, "cas", d.hash, data) {
			return
		}
		s.known.Store(d.hash, true)
	}
	s.send(ctx, "ac", k.String(), d.encode())
}

// isHash keeps what is no hash out of the path of a request.
func isHash(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == sha256.Size
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// fetch gets a blob of at most so many bytes.
func (s *Store) fetch(ctx context.Context, kind, name string, most int64) ([]byte, bool) {
	if s.off.Load() {
		return nil, false
	}
	status, data, err := s.do(ctx, http.MethodGet, kind, name, nil, most)
	switch {
	case err != nil:
		s.fail(ctx, err.Error())
	case status == http.StatusNotFound:
	case status != http.StatusOK:
		s.fail(ctx, "it answers "+statusText(status))
	}
	return data, err == nil && status == http.StatusOK
}

// send puts a blob.
func (s *Store) send(ctx context.Context, kind, name string, data []byte) bool {
	status, _, err := s.do(ctx, http.MethodPut, kind, name, data, mostAction)
	switch {
	case err != nil:
		s.fail(ctx, err.Error())
	case status == http.StatusForbidden, status == http.StatusMethodNotAllowed, status == http.StatusUnauthorized:
		s.readOnly.Store(true) // reading is often open to more people than writing
	case status/100 != 2:
		s.fail(ctx, "it answers "+statusText(status)+" to what is put")
	}
	return err == nil && status/100 == 2
}

// do makes one request.
func (s *Store) do(ctx context.Context, method, kind, name string, body []byte, most int64) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.base.JoinPath(kind, name).String(), bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("User-Agent", "skilllint/"+version.Number())
	if s.user != nil {
		password, _ := s.user.Password()
		req.SetBasicAuth(s.user.Username(), password)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		if inner := new(url.Error); errors.As(err, &inner) {
			err = inner.Err // without the address, which is told anyway
		}
		return 0, nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("an answer has more than %d bytes", most)
	}
	return resp.StatusCode, data, err
}

func statusText(status int) string {
	return strconv.Itoa(status) + " " + http.StatusText(status)
}

// fail turns the cache off and says so once. An interrupt is not its fault.
func (s *Store) fail(ctx context.Context, why string) {
	if ctx.Err() != nil {
		return
	}
	s.off.Store(true)
	s.once.Do(func() {
		s.warn(fmt.Sprintf("the remote cache %s is not used any more: %s", shown(&s.base), redact.Text(why)))
	})
}
