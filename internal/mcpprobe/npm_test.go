package mcpprobe

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/npmtest"
)

// realServers are servers in use, in the version of .ci/npm/package.json.
var realServers = []struct {
	name, entry string
	args        []string
	tools       int
}{
	{"everything", "dist/index.js", nil, 13},
	{"filesystem", "dist/index.js", []string{"."}, 14},
	{"memory", "dist/index.js", nil, 9},
}

// TestRealServers probes servers from npm over every transport they have.
func TestRealServers(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not here")
	}
	modules := filepath.Join(npmtest.Modules(t), "@modelcontextprotocol")
	for _, s := range realServers {
		l := Launch{Name: s.name, Command: "node", Args: append([]string{filepath.Join(modules, "server-"+s.name, s.entry)}, s.args...), Cwd: t.TempDir()}
		checkReal(t, "stdio", s.tools, ask(t, l, time.Minute))
	}
	everything := filepath.Join(modules, "server-everything", "dist", "index.js")
	for _, transport := range []struct{ kind, argument, path string }{{HTTP, "streamableHttp", "/mcp"}, {SSE, "sse", "/sse"}} {
		port := freePort(t)
		t.Setenv("PORT", port)
		startServer(t, modules, "port ", "node", everything, transport.argument)
		l := Launch{Name: "everything", Transport: transport.kind, URL: "http://127.0.0.1:" + port + transport.path}
		checkReal(t, transport.kind, 13, Probe(context.Background(), []Launch{l}, Options{Mode: All})[0])
	}
	l := Launch{Name: "everything", URL: "http://127.0.0.1:" + os.Getenv("PORT") + "/sse"}
	if got := Probe(context.Background(), []Launch{l}, Options{Mode: All})[0]; kinds(got) != "legacy-sse" || toolCount(got) != 13 {
		t.Errorf("the old transport by its URL alone: %s, %d tools\n%s", kinds(got), toolCount(got), messages(got))
	}
}

func checkReal(t *testing.T, transport string, tools int, got Result) {
	t.Helper()
	t.Logf("%s over %s: %s, %d tools, %s", got.Server, transport, got.Status, toolCount(got), got.Duration.Round(time.Millisecond))
	if got.Status != Answered || toolCount(got) != tools || len(got.Problems) > 0 {
		t.Errorf("%s over %s: want %d tools and no problem:\n%s", got.Server, transport, tools, messages(got))
		return
	}
	compareRecording(t, got)
}

// compareRecording holds what was listed against a recording, where there is one. Schemas may differ: which version
// of its schema library a server gets depends on the day it was installed, and with two of them in its tree
// server-everything loses all descriptions of parameters
// (https://github.com/modelcontextprotocol/typescript-sdk/issues/1143).
func compareRecording(t *testing.T, got Result) {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash("../../../shared/servers/raw/raw-" + got.Server + ".json"))
	if err != nil {
		t.Logf("%s: no recording to compare with", got.Server)
		return
	}
	recorded, err := catalog.ReadList(got.Server, data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range catalog.DiffServer(recorded, got.Catalog) {
		if c.Op == catalog.Changed {
			t.Logf("not as recorded: %s", c)
		} else {
			t.Errorf("not as recorded: %s", c)
		}
	}
	if len(got.Catalog.Prompts) != len(recorded.Prompts) || len(got.Catalog.Resources) != len(recorded.Resources) || len(got.Catalog.Templates) != len(recorded.Templates) {
		t.Errorf("%s: %d prompts, %d resources, %d templates; recorded were %d, %d, %d", got.Server,
			len(got.Catalog.Prompts), len(got.Catalog.Resources), len(got.Catalog.Templates), len(recorded.Prompts), len(recorded.Resources), len(recorded.Templates))
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// startServer starts a server that is not to be probed as a process, waits until it says on standard error that it
// listens, and returns the word after the sign by which it says so.
func startServer(t *testing.T, dir, sign, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, after, ok := strings.Cut(lines.Text(), sign); ok {
			go func() { // keep the pipe empty
				for lines.Scan() {
					continue
				}
			}()
			return strings.Fields(after)[0]
		}
	}
	t.Fatalf("%s ended before it listened: %v", program, lines.Err())
	return ""
}
