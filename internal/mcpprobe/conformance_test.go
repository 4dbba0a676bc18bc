package mcpprobe

import (
	"context"
	"encoding/json"
	"fmt"
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

// asClient and asCaller are the first arguments with which the test program is a client of the server whose URL
// stands behind them: one that only lists, as a probe does, and one that calls what was listed, too.
const (
	asClient = "client"
	asCaller = "caller"
)

// scenarios are those of the protocol's own test suite that have to do with listing.
var scenarios = []struct{ name, client string }{
	{"initialize", asClient},
	{"http-standard-headers", asClient},
	{"json-schema-ref-no-deref", asClient},
	{"request-metadata", asClient},
	{"sse-retry", asCaller}, // it ends the stream of a call, and a probe makes none
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
		t.Run(s.name, func(t *testing.T) {
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

// clientMain is the test program as a client. It returns the exit status.
func clientMain(calls bool, url string) int {
	var r Result
	p := newProbe(Launch{Name: "suite", URL: url}, Options{Mode: All}, &r, func(Event) {})
	p.connected = func() {}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if !calls {
		p.http(ctx, HTTP)
	} else if err := callAll(ctx, p); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if fmt.Println(messages(r)); r.Status == Failed {
		return 1
	}
	return 0
}

// callAll lists the tools as a probe does and calls each that a client may. A tool that takes a schema gets that of
// the first one.
func callAll(ctx context.Context, p *probe) error {
	c, err := newCourier(p.launch)
	if err != nil {
		return err
	}
	defer c.close()
	s, err := p.greetHTTP(ctx, c)
	if err != nil {
		return err
	}
	defer hangUp(s.transport)
	if err := p.list(ctx, s, func(string, error) {}); err != nil {
		return err
	}
	for _, tool := range p.server.Tools {
		if slices.ContainsFunc(tool.Defects(p.server.ProtocolVersion), func(d catalog.Defect) bool { return strings.HasSuffix(d.Pointer, "/x-mcp-header") }) {
			continue
		}
		arguments := map[string]any{}
		if tool.InputSchema().At("/properties/schema") != nil {
			arguments["schema"] = json.RawMessage(p.server.Tools[0].InputSchema().Raw())
		}
		if _, err := s.call(ctx, "tools/call", params{"name": tool.Name(), "arguments": arguments}); err != nil {
			return err
		}
	}
	return nil
}
