package mcpprobe

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// rpc answers one message as a server of the handshake revisions does, with one tool.
func rpc(body []byte) string {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Version string `json:"protocolVersion"`
		}
	}
	if json.Unmarshal(body, &m) != nil || m.ID == nil {
		return ""
	}
	switch m.Method {
	case "initialize":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}}}`, m.ID, m.Params.Version)
	case "tools/list":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"t1","inputSchema":{"type":"object"}}]}}`, m.ID)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
}

func body(r *http.Request) []byte {
	data, _ := io.ReadAll(r.Body)
	return data
}

// works serves MCP over streamable HTTP. Like many servers it has no GET stream.
func works(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		http.NotFound(w, r)
		return
	}
	answer := rpc(body(r))
	w.Header().Set("Mcp-Session-Id", "s1")
	if answer == "" {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, answer)
}

// streams serves MCP over streamable HTTP with every answer in an event stream.
func streams(w http.ResponseWriter, r *http.Request) {
	answer := rpc(body(r))
	if answer == "" {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "event: message\ndata: %s\n\n", answer)
}

// breaksOff serves MCP over streamable HTTP and ends the stream of the list before its answer, which it gives to whoever
// comes back for the rest in the time it has named, and no sooner.
func breaksOff() http.HandlerFunc {
	const wait = 300 * time.Millisecond
	var mu sync.Mutex
	var ended time.Time
	var held string
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked := body(r)
		switch {
		case r.Method == http.MethodGet && (held == "" || r.Header.Get("Last-Event-ID") != "e1" || time.Since(ended) < wait):
			w.WriteHeader(http.StatusMethodNotAllowed)
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "id: e2\ndata: %s\n\n", held)
		case strings.Contains(string(asked), `"tools/list"`):
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "id: e1\nretry: %d\ndata: \n\n", wait.Milliseconds())
			held, ended = rpc(asked), time.Now()
		default:
			r.Body = io.NopCloser(bytes.NewReader(asked))
			works(w, r)
		}
	}
}

// stateless serves revision 2026-07-28 only, and refuses the first request with the error that names its version.
func stateless() http.HandlerFunc {
	var once sync.Once
	return func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Meta map[string]any `json:"_meta"`
			}
		}
		_ = json.Unmarshal(body(r), &m)
		w.Header().Set("Content-Type", "application/json")
		refused := false
		once.Do(func() { refused = true })
		switch {
		case refused:
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"Unsupported","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}}`, m.ID)
		case m.Params.Meta["io.modelcontextprotocol/protocolVersion"] != newestStateless, r.Header.Get("Mcp-Method") != m.Method, r.Header.Get("Mcp-Protocol-Version") != newestStateless:
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"header mismatch"}}`, m.ID)
		case m.Method == "server/discover":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`, m.ID)
		case m.Method == "tools/list":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","tools":[{"name":"t1","inputSchema":{"type":"object"}}]}}`, m.ID)
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
		}
	}
}

// legacy serves the transport of 2024-11-05: a stream of events, and posts to where its first event says.
type legacy struct {
	endpoint string
	answers  chan string
}

func (l *legacy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/post"):
		if answer := rpc(body(r)); answer != "" {
			l.answers <- answer
		}
		w.WriteHeader(http.StatusAccepted)
	case r.Method == http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	default:
		l.stream(w, r)
	}
}

func (l *legacy) stream(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "event: endpoint\ndata: %s\n\n", l.endpoint)
	for {
		w.(http.Flusher).Flush()
		select {
		case answer := <-l.answers:
			fmt.Fprintf(w, "event: message\ndata: %s\n\n", answer)
		case <-r.Context().Done():
			return
		}
	}
}

func newLegacy(endpoint string) *legacy { return &legacy{endpoint, make(chan string, 1)} }

// status answers everything alike.
func status(code int, text string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Add(header[i], header[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprint(w, text)
	}
}

func TestServersOverHTTP(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(works))
	defer elsewhere.Close()
	challenge := `Bearer realm="x", resource_metadata="https://h.example/.well-known/oauth-protected-resource", scope="files:read"`
	mux := map[string]http.Handler{
		"/works": http.HandlerFunc(works), "/streams": http.HandlerFunc(streams), "/stateless": stateless(), "/breaks-off": breaksOff(),
		"/sign-in": status(401, `{"error":"unauthorized"}`, "WWW-Authenticate", challenge),
		"/bare401": status(401, ""),
		"/scope":   status(403, "", "WWW-Authenticate", `Bearer error="insufficient_scope", scope="a b"`),
		"/403":     status(403, `{"error":"forbidden"}`), "/404": status(404, "nothing here"), "/405": status(405, ""),
		"/detail": status(404, `{"detail":"Not Found"}`), "/502": status(502, "bad gateway"),
		"/html":        status(200, "<html>login</html>", "Content-Type", "text/html; charset=utf-8"),
		"/text":        status(200, "hello", "Content-Type", "text/plain"),
		"/garbage":     status(200, "{", "Content-Type", "application/json"),
		"/notanswered": status(200, `{"jsonrpc":"2.0","id":1}`, "Content-Type", "application/json"),
		"/302":         http.RedirectHandler("/works", http.StatusFound),
		"/307":         http.RedirectHandler("/works", http.StatusTemporaryRedirect),
		"/away":        http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect),
		"/hang":        http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _ = body(r); <-r.Context().Done() }),
		"/huge": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":"`)
			for range 64 {
				fmt.Fprint(w, strings.Repeat("z", 1<<20))
			}
		}),
		"/sse": newLegacy("/post/sse"), "/sse-over-http": newLegacy("/post/sse-over-http"), "/sse-away": newLegacy(elsewhere.URL + "/post"),
	}
	for path, c := range map[string]struct {
		transport string
		want      probed
	}{
		"/works":         {HTTP, probed{Answered, 1, "", ""}},
		"/streams":       {HTTP, probed{Answered, 1, "", ""}},
		"/stateless":     {HTTP, probed{Answered, 1, "", ""}},
		"/breaks-off":    {HTTP, probed{Answered, 1, "", ""}},
		"/307":           {HTTP, probed{Answered, 1, "", ""}},
		"/sse":           {SSE, probed{Answered, 1, "", ""}},
		"/sse-over-http": {HTTP, probed{Answered, 1, "legacy-sse", "speaks only the HTTP+SSE transport"}},
		"/sse-away":      {SSE, probed{Failed, 0, "no-answer", "names no address to post to, or one on another server"}},
		"/sign-in":       {HTTP, probed{NeedsSignIn, 0, "sign-in", "needs authentication; its tools were not checked; it refuses the configured Authorization header\nrealm: x\nresource_metadata: https://h.example/.well-known/oauth-protected-resource\nscope: files:read"}},
		"/sign-in?sse":   {SSE, probed{NeedsSignIn, 0, "sign-in", "needs authentication"}},
		"/bare401":       {HTTP, probed{NeedsSignIn, 0, "sign-in", "it refuses the configured Authorization header"}},
		"/scope":         {HTTP, probed{NeedsSignIn, 0, "insufficient-scope", "scope: a b"}},
		"/403":           {HTTP, probed{Failed, 0, "forbidden", "refuses access: 403 Forbidden"}},
		"/404":           {HTTP, probed{Failed, 0, "not-found", "is no MCP server at this URL: it answers POST with 404 Not Found"}},
		"/405":           {HTTP, probed{Failed, 0, "not-found", "405 Method Not Allowed"}},
		"/detail":        {HTTP, probed{Failed, 0, "not-found", "404 Not Found"}},
		"/502":           {HTTP, probed{Failed, 0, "http-status", "answers POST with 502 Bad Gateway\nbad gateway"}},
		"/502?sse":       {SSE, probed{Failed, 0, "http-status", "answers GET with 502 Bad Gateway"}},
		"/html":          {HTTP, probed{Failed, 0, "web-page", "answers with a web page"}},
		"/text":          {HTTP, probed{Failed, 0, "bad-answer", "text/plain"}},
		"/garbage":       {HTTP, probed{Failed, 0, "bad-answer", "gave no usable answer"}},
		"/notanswered":   {HTTP, probed{Failed, 0, "bad-answer", "neither a result nor an error"}},
		"/302":           {HTTP, probed{Failed, 0, "redirected", "302 Found, which is not followed"}},
		"/away":          {HTTP, probed{Failed, 0, "redirected", "to " + elsewhere.URL}},
		"/hang":          {HTTP, probed{Failed, 0, "no-answer", "gave no answer to initialize within 2s"}},
		"/huge":          {HTTP, probed{Failed, 0, "too-large", "sends more than the 32 MiB a probe reads"}},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				name := strings.TrimPrefix(r.URL.Path, "/post")
				if r.Header.Get("Authorization") != "Bearer s3cret-token" {
					t.Errorf("%s %s without the configured header", r.Method, r.URL)
				}
				mux[name].ServeHTTP(w, r)
			}))
			defer server.Close()
			timeout := 20 * time.Second
			if strings.Contains(c.want.kinds, "no-answer") {
				timeout = 2 * time.Second
			}
			l := Launch{Name: path, Transport: c.transport, URL: server.URL + path, Headers: map[string]string{"Authorization": "Bearer s3cret-token"}}
			begin := time.Now()
			got := Probe(context.Background(), []Launch{l}, Options{Mode: All, Timeout: timeout})[0]
			if spent := time.Since(begin); spent > timeout+2*closeTimeout {
				t.Errorf("took %s", spent)
			}
			if got.Status != c.want.status || toolCount(got) != c.want.tools || kinds(got) != c.want.kinds || !strings.Contains(messages(got), c.want.says) {
				t.Errorf("got %s, %d tools, %q:\n%s\nwant %+v", got.Status, toolCount(got), kinds(got), cut(messages(got), 2000), c.want)
			}
			if strings.Contains(messages(got), "s3cret") {
				t.Errorf("shows a credential:\n%s", messages(got))
			}
		})
	}
}

// TestCredentialsStayWithTheirServer redirects to another server, which must not hear of it.
func TestCredentialsStayWithTheirServer(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked++
	}))
	defer other.Close()
	for name, handler := range map[string]http.Handler{
		"redirect": http.RedirectHandler(other.URL, http.StatusTemporaryRedirect),
		"endpoint": newLegacy(other.URL + "/post"),
	} {
		server := httptest.NewServer(handler)
		l := Launch{Name: name, URL: server.URL, Headers: map[string]string{"X-Api-Key": "k"}}
		Probe(context.Background(), []Launch{l}, Options{Mode: All, Timeout: 2 * time.Second})
		server.Close()
		if asked > 0 {
			t.Errorf("%s: the other server was asked", name)
		}
	}
}

// TestSessionsAreClosed counts on the server what a session leaves behind.
func TestSessionsAreClosed(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Method+" "+r.Header.Get("Mcp-Session-Id"))
		mu.Unlock()
		works(w, r)
	}))
	defer server.Close()
	Probe(context.Background(), []Launch{{Name: "x", URL: server.URL}}, Options{Mode: All})
	mu.Lock()
	defer mu.Unlock()
	if len(seen) == 0 || seen[len(seen)-1] != "DELETE s1" {
		t.Errorf("requests %q", seen)
	}
}

// certificate makes one for a host, signed by itself.
func certificate(t *testing.T, host string, until time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotBefore: until.Add(-time.Hour), NotAfter: until}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestConnectionsThatFail(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(works))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate(t, "localhost", time.Now().Add(time.Hour))}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	for name, c := range map[string]struct {
		url  string
		kind Kind
		says string
	}{
		"authority": {strings.Replace(server.URL, "127.0.0.1", "localhost", 1), TLS, "unknown authority"},
		"refused":   {"http://" + closed.Addr().String(), Unreachable, "refused"},
		"metadata":  {"http://169.254.169.254/latest", BlockedAddress, "169.254.169.254 is an address of the network itself"},
		"azure":     {"http://168.63.129.16/", BlockedAddress, "168.63.129.16"},
		"mapped":    {"http://[::ffff:169.254.169.254]/", BlockedAddress, "169.254.169.254"},
	} {
		got := Probe(context.Background(), []Launch{{Name: name, URL: c.url}}, Options{Mode: All, Timeout: 5 * time.Second})[0]
		if got.Status != Failed || kinds(got) != string(c.kind) || !strings.Contains(messages(got), c.says) {
			t.Errorf("%s: %s, %s\n%s", name, got.Status, kinds(got), messages(got))
		}
	}
}

// TestCertificatesHaveTheirReasons asks for the words alone: which certificate is wrong in which way is decided by
// the standard library, and a trusted one cannot be had here.
func TestCertificatesHaveTheirReasons(t *testing.T) {
	for want, err := range map[string]error{
		"unknown authority":         x509.UnknownAuthorityError{},
		"another host name":         x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h"},
		"expired or is not valid":   x509.CertificateInvalidError{Reason: x509.Expired},
		"certificate that is not v": x509.CertificateInvalidError{Reason: x509.NotAuthorizedToSign},
	} {
		var r Result
		p := newProbe(Launch{}, Options{}, &r, func(Event) {})
		p.explainConnection(context.Background(), &tls.CertificateVerificationError{Err: err}, "initialize")
		if kinds(r) != "tls" || !strings.Contains(messages(r), want) {
			t.Errorf("%v: %s\n%s", err, kinds(r), messages(r))
		}
	}
}
