package mcpprobe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/npmtest"
)

// The first arguments with which the test program is a client of the server whose URL stands behind them.
const (
	asClient  = "client"  // a probe
	asRelayed = "relayed" // a probe behind a relay that asks for a call where the probe asks for the list
	asCaller  = "caller"  // a conversation, in which what was listed is called
)

// scenarios are those of the protocol's own test suite that have to do with listing. The scenario sse-retry ends the
// stream of a call, waits for a GET with Last-Event-ID after the time it has named, and answers there. A probe makes no
// call; so a relay turns its list into one, and the probe has to wait and to resume as with any other answer.
var scenarios = []struct{ name, client string }{
	{"initialize", asClient},
	{"http-standard-headers", asClient},
	{"json-schema-ref-no-deref", asClient},
	{"request-metadata", asClient},
	{"sse-retry", asRelayed},
	{"sse-retry", asCaller},
	{"http-invalid-tool-headers", asCaller},
	{"json-schema-2020-12-preservation", asCaller},
}

// TestConformance runs the protocol's own test suite. No scenario is expected to fail.
func TestConformance(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the suite splits its command at backslashes")
	}
	modules := npmtest.Modules(t)
	for _, s := range scenarios {
		t.Run(s.name+"/"+s.client, func(t *testing.T) {
			t.Parallel()
			out := t.TempDir()
			cmd := exec.Command(filepath.Join(modules, "node", "bin", "node"),
				filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
				"client", "--command", os.Args[0]+" "+s.client, "--scenario", s.name, "--timeout", "60000", "-o", out)
			cmd.Dir = out
			said, err := cmd.CombinedOutput()
			passed := checkedAll(t, out)
			t.Logf("%d checks passed", passed)
			if err != nil || passed == 0 {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
}

// checkedAll returns how many checks have passed, and tells of those that have not.
func checkedAll(t *testing.T, dir string) (passed int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("results in %q: %v", files, err)
	}
	var checks []struct{ ID, Status, ErrorMessage string }
	readJSON(t, files[0], &checks)
	for _, c := range checks {
		switch c.Status {
		case "SUCCESS":
			passed++
		case "FAILURE", "WARNING":
			t.Errorf("%s: %s: %s", c.Status, c.ID, c.ErrorMessage)
		}
	}
	return passed
}

// clientMain is the test program as a client. It returns the exit status. All it does on the wire is what the program
// does: a probe, or a conversation as a replay with calls has one.
func clientMain(kind, url string) int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	l, o := Launch{Name: "suite", URL: url}, Options{Mode: All}
	if kind == asCaller {
		if err := callAll(ctx, l, o); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return 0
	}
	if kind == asRelayed {
		relay := httptest.NewServer(listAsCall(url))
		defer relay.Close()
		l.URL = relay.URL
	}
	r := Probe(ctx, []Launch{l}, o)[0]
	if fmt.Println(messages(r)); r.Status != Answered {
		return 1
	}
	return 0
}

// callAll lists the tools and calls each that a client may. A tool that takes a schema gets that of the first one.
func callAll(ctx context.Context, l Launch, o Options) error {
	c, r := Open(ctx, l, o)
	if c == nil {
		return errors.New(messages(r))
	}
	defer c.Close()
	for _, tool := range c.Server.Tools {
		if slices.ContainsFunc(tool.Defects(c.Server.ProtocolVersion), func(d catalog.Defect) bool { return strings.HasSuffix(d.Pointer, "/x-mcp-header") }) {
			continue
		}
		arguments := "{}"
		if tool.InputSchema().At("/properties/schema") != nil {
			arguments = `{"schema": ` + c.Server.Tools[0].InputSchema().Raw() + "}"
		}
		if _, err := c.Call(ctx, tool.Name(), json.RawMessage(arguments)); err != nil {
			return err
		}
	}
	return nil
}

// listAsCall passes everything on to a server but two words: the list that is asked for becomes a call, and the result
// of the call a list.
func listAsCall(server string) http.Handler {
	to, err := url.Parse(server)
	if err != nil {
		panic(err)
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			asked := strings.Replace(string(body(r.In)), `"tools/list"`, `"tools/call"`, 1)
			r.Out.Body, r.Out.ContentLength = io.NopCloser(strings.NewReader(asked)), int64(len(asked))
		},
		ModifyResponse: func(r *http.Response) error {
			r.Body = &calledAsListed{Closer: r.Body, from: bufio.NewReader(r.Body)}
			return nil
		},
	}
}

// calledAsListed reads an event stream line by line, and writes the result of a call as an empty list.
type calledAsListed struct {
	io.Closer
	from *bufio.Reader
	left string
}

func (c *calledAsListed) Read(p []byte) (int, error) {
	var err error
	if c.left == "" {
		c.left, err = c.from.ReadString('\n')
		c.left = strings.Replace(c.left, `"result":{"content":`, `"result":{"tools":[],"content":`, 1)
	}
	n := copy(p, c.left)
	c.left = c.left[n:]
	return n, err
}
