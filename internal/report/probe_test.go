package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/report"
)

func TestProbeMarkdown(t *testing.T) {
	server, err := catalog.ReadList("docs", []byte(`[{"name":"find|all","description":"Finds <all>.\nAnd more."}]`))
	if err != nil {
		t.Fatal(err)
	}
	server.ProtocolVersion, server.Info.Name = "2025-06-18", "docs"
	results := []mcpprobe.Result{
		{Server: "docs", Status: mcpprobe.Answered, Catalog: server, Duration: time.Second, Problems: []mcpprobe.Problem{
			{Kind: "stdout-noise", Severity: mcpprobe.Warning, Message: "it prints *much*", Detail: "hello\nworld", Tool: "find|all"},
		}},
		{Server: "mute", Status: mcpprobe.Failed, Stderr: []string{"```", "\x1b[31mno"}},
	}
	var b strings.Builder
	if err := report.Probe(&b, results, "markdown", report.ProbeOptions{}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		"## docs\n\n1 tool in 1s (MCP 2025-06-18, docs).\n", "- **warning**: tool find\\|all: it prints \\*much\\* (stdout-noise)\n  - hello\n  - world\n",
		"| find\\|all | Finds &lt;all&gt;. |\n", "## mute\n\nFailed after 0s.\n", "````text\n```\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "\x1b") {
		t.Error("a control character comes through")
	}
}
