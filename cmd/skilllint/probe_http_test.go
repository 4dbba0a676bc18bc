package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var requestID = regexp.MustCompile(`"id":\s*(\d+)`)

// answersPosts is a server with one tool that takes requests by POST and has no stream to offer.
func answersPosts(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	id := requestID.FindSubmatch(body)
	if id == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	answer := `"error":{"code":-32601,"message":"no such method"}`
	switch {
	case strings.Contains(string(body), `"initialize"`):
		answer = `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"tides","version":"1"}}`
	case strings.Contains(string(body), `"tools/list"`):
		answer = `"result":{"tools":[{"name":"next_tide","description":"Tells when the next high tide is.","inputSchema":{"type":"object","properties":{}}}]}`
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, id[1], answer)
}

// wantsLogin is a server that answers nobody who has not signed in.
func wantsLogin(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="tides", resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource"`)
	http.Error(w, `{"error":"invalid_token"}`, http.StatusUnauthorized)
}

// TestServersOverHTTPInAConfiguration lints a project whose server is reached over HTTP. One that wants a login is no
// broken one, and one that refuses the optional stream has nothing wrong with it.
func TestServersOverHTTPInAConfiguration(t *testing.T) {
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		probe   string
		wants   []string // parts of the one line that is printed
	}{
		{"needs a login", wantsLogin, "remote: needs a login", []string{".mcp.json:3:5: info[mcp-server/not-probed]", "needs authentication", "tools were not checked"}},
		{"no stream", answersPosts, "remote: 1 tool in", []string{"no findings"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(c.handler)
			defer server.Close()
			dir := t.TempDir()
			config := fmt.Sprintf("{\n  \"mcpServers\": {\n    \"remote\": {\"type\": \"http\", \"url\": %q}\n  }\n}\n", server.URL+"/mcp")
			if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(config), 0o600); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			t.Setenv("XDG_CONFIG_HOME", dir)
			var out, errOut strings.Builder
			if status := run([]string{"probe", "--yes"}, strings.NewReader(""), &out, &errOut); status != 0 || !strings.Contains(out.String(), c.probe) {
				t.Errorf("probe: status %d\n%s%s", status, out.String(), errOut.String())
			}
			out.Reset()
			if status := run([]string{"lint", "--probe", "all", "--no-config"}, strings.NewReader(""), &out, &errOut); status != 0 {
				t.Errorf("lint: status %d\n%s", status, errOut.String())
			}
			for _, want := range c.wants {
				if !strings.Contains(out.String(), want) {
					t.Errorf("lint printed\n%swithout %q", out.String(), want)
				}
			}
			if n := strings.Count(out.String(), "["); n > 1 {
				t.Errorf("%d findings:\n%s", n, out.String())
			}
		})
	}
}
