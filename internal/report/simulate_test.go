package report_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// rooted is a file system of absolute paths.
type rooted struct{ fstest.MapFS }

func (m rooted) ReadFile(abs string) ([]byte, error)       { return m.MapFS.ReadFile(abs[1:]) }
func (m rooted) ReadDir(abs string) ([]fs.DirEntry, error) { return m.MapFS.ReadDir(abs[1:]) }
func (m rooted) Stat(abs string) (fs.FileInfo, error)      { return m.MapFS.Stat(abs[1:]) }
func (m rooted) RealPath(abs string) (string, error)       { return abs, nil }

// simulation plays Claude Code on a skill that is listed and one that is not, with an activation and a tool.
func simulation(t *testing.T) *agentsim.Simulation {
	t.Helper()
	p, err := profile.Find("claude-code")
	if err != nil {
		t.Fatal(err)
	}
	server, err := catalog.ReadList("my.server", []byte(`[{"name":"look|up","description":"Looks <up>.","inputSchema":{"type":"object"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := agentsim.Simulate(context.Background(), &agentsim.Input{
		Profile: p, Paths: []string{"/w"}, Skill: "pdf", Args: "a", Count: tokens.Estimate, Tokenizer: "estimate", Servers: []*catalog.Server{server},
		FS: rooted{fstest.MapFS{
			"w/.claude/skills/pdf/SKILL.md":    {Data: []byte("---\nname: pdf\ndescription: Reads \x1b[31mPDF | files.\n---\nRun !`date` for $0.\n```\ncode\n```\n")},
			"w/.claude/skills/manual/SKILL.md": {Data: []byte("---\nname: manual\ndescription: By hand.\ndisable-model-invocation: true\n---\n")},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func simulated(t *testing.T, format string) string {
	t.Helper()
	var b strings.Builder
	if err := report.Simulate(&b, simulation(t), format, report.SimulateOptions{Base: "/w"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSimulateFormats(t *testing.T) {
	for format, parts := range map[string][]string{
		"text": {
			"Claude Code", "own text, not reproduced", "The following skills are available", "not listed  .claude/skills/manual/SKILL.md: ",
			"Activation of pdf", "Launching skill: pdf", "Run [not run: date] for a.", "mcp__my_server__look_up (my.server/look|up)", "note: Commands in the text are not run",
		},
		"markdown": {"## Skills", "````text\n", "not listed:", "## Tools", `look\|up`, "## Notes"},
		"prompt":   {"The following skills are available for use with the Skill tool:\n\n- pdf: "},
		"json":     {`"name": "mcp__my_server__look_up"`, `"changes": [`, `"placeholder": true`},
	} {
		got := simulated(t, format)
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q is not in\n%s", format, part, got)
			}
		}
		if raw := strings.Contains(got, "\x1b"); raw && format != "prompt" {
			t.Errorf("%s lets a control character through", format)
		}
	}
	if got := simulated(t, "prompt"); strings.Contains(got, "not reproduced") || strings.Contains(got, "manual") {
		t.Errorf("the bytes alone have more: %s", got)
	}
}

func TestSimulateFollowsItsSchema(t *testing.T) {
	validate(t, "../../schemas/simulate.schema.json", []byte(simulated(t, "json")))
}
