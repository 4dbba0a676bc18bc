package mcpprobe

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shared returns the folder of reference material beside the repository, and skips where there is none.
func shared(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SKILLLINT_SHARED")
	if dir == "" {
		dir = filepath.FromSlash("../../../shared")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no reference material beside the repository; set SKILLLINT_SHARED to its folder")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// caseFile is what a case says about itself.
type caseFile struct {
	Kind  string
	Title string
	Needs []string
	Run   struct {
		Timeout int `json:"probe_timeout_s"`
	}
}

// caseProblems has what a probe has to say of the servers of a case, where that is more than about the shape of
// tools. The rules for schemas say the rest.
var caseProblems = map[string]map[string]string{
	"C129": {"demo": "stdout-noise"},
	"C132": {"demo": "no-answer"},
	"C134": {"demo": "several-pages malformed-tool"},
	"C136": {"odd": "unknown-version"},
	"C137": {"demo": "no-negotiation"},
	"C138": {"remote": "sign-in"},
}

// TestCases probes the servers of every case about MCP servers.
func TestCases(t *testing.T) {
	root := shared(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("the servers of the cases need python3")
	}
	files, err := filepath.Glob(filepath.Join(root, "cases", "dev", "*", "expect.json"))
	if err != nil || len(files) == 0 {
		t.Skip("there are no cases")
	}
	for _, file := range files {
		var c caseFile
		readJSON(t, file, &c)
		if slices.Contains([]string{"mcp-probe", "mcp-schema", "mcp-tools"}, c.Kind) && slices.Contains(c.Needs, "probe") {
			t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
				t.Parallel()
				probeCase(t, root, filepath.Dir(file), c)
			})
		}
	}
}

func probeCase(t *testing.T, root, dir string, c caseFile) {
	var config struct {
		Servers map[string]struct {
			Type, Command, URL string
			Args               []string
			Env                map[string]string
		} `json:"mcpServers"`
	}
	readJSON(t, filepath.Join(dir, ".mcp.json"), &config)
	// The cases are read-only, and a server may want to write.
	work := filepath.Join(t.TempDir(), "dev", filepath.Base(dir))
	copyTree(t, dir, work)
	copyTree(t, filepath.Join(root, "cases", "_support"), filepath.Join(work, "..", "..", "_support"))
	var launches []Launch
	for name, s := range config.Servers {
		l := Launch{Name: name, Transport: s.Type, Command: s.Command, Args: s.Args, Env: s.Env, Cwd: work, URL: s.URL}
		if strings.Contains(l.URL, "__PORT__") {
			l.URL = strings.ReplaceAll(l.URL, "__PORT__", servePython(t, work))
		}
		launches = append(launches, l)
	}
	var g groups
	timeout := time.Duration(c.Run.Timeout) * time.Second
	for _, r := range Probe(context.Background(), launches, Options{Mode: All, Timeout: timeout, started: g.add}) {
		t.Logf("%s: %s, %d tools, %s\n%s", r.Server, r.Status, toolCount(r), r.Duration.Round(time.Millisecond), messages(r))
		want := caseProblems[filepath.Base(dir)][r.Server]
		if got := kinds(r); got != want && (want != "" || got != "malformed-tool") {
			t.Errorf("%s: problems %q, want %q", r.Server, got, want)
		}
	}
	if len(g.ids) > 0 {
		nothingLeft(t, filepath.Base(dir), &g)
	}
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// servePython starts the case's server on HTTP and returns its port.
func servePython(t *testing.T, dir string) string {
	t.Helper()
	return startServer(t, dir, "PORT ", "python3", filepath.Join("..", "..", "_support", "fakeserver.py"), "--http", "0", "server.json")
}
