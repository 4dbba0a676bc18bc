package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/npmtest"
)

// TestNpmServers probes three servers in use and holds all that is said of them: a person has read each of these
// findings and found it right.
func TestNpmServers(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not here")
	}
	modules := filepath.Join(npmtest.Modules(t), "@modelcontextprotocol")
	dir := t.TempDir()
	config := map[string]any{}
	for _, name := range []string{"everything", "filesystem", "memory"} {
		args := []string{filepath.Join(modules, "server-"+name, "dist", "index.js")}
		if name == "filesystem" {
			args = append(args, dir)
		}
		config[name] = map[string]any{"command": "node", "args": args}
	}
	data, err := json.Marshal(map[string]any{"mcpServers": config})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	got := probedFindings(t, "--probe", "all")
	if want := []string{`info mcp-tool/task-only everything/simulate-research-query`}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	got = probedFindings(t, "--probe", "all", "--client", "codex,gemini-cli,crush")
	for _, f := range got {
		if strings.HasPrefix(f, "warning") || strings.HasPrefix(f, "error") {
			t.Errorf("as if other clients had them: found %s", f)
		}
	}
}

// probedFindings lints the working directory and returns what is found about tools, as "level rule server/tool".
func probedFindings(t *testing.T, args ...string) []string {
	t.Helper()
	var out, errOut bytes.Buffer
	if status := run(append([]string{"lint", "--format", "json", "--fail-on", "never", "--no-config"}, args...), strings.NewReader(""), &out, &errOut); status != 0 {
		t.Fatalf("status %d: %s", status, errOut.String())
	}
	var report struct {
		Findings []struct{ Rule, Severity, Server, Tool string }
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range report.Findings {
		if strings.HasPrefix(f.Rule, "mcp-tool/") || strings.HasPrefix(f.Rule, "mcp-server/") {
			found = append(found, fmt.Sprintf("%s %s %s/%s", f.Severity, f.Rule, f.Server, f.Tool))
		}
	}
	return found
}
