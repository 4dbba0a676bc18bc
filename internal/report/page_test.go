package report_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/report"
)

// TestPageIsBuiltFromItsSources holds the page against what it is built from, which needs no Node.js. `make test-vscode`
// builds it and compares.
func TestPageIsBuiltFromItsSources(t *testing.T) {
	sources := sha256.New()
	for _, folder := range []string{"page", "shared"} {
		dir := filepath.Join("..", "..", "editors", "vscode", folder)
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(sources, "%s/%s\x00%s\x00", folder, e.Name(), data)
		}
	}
	page, err := os.ReadFile(filepath.Join("page", "simulate.html"))
	if err != nil {
		t.Fatal(err)
	}
	if want := hex.EncodeToString(sources.Sum(nil)); !strings.Contains(string(page), want) {
		t.Error("page/simulate.html is not built from editors/vscode: run `make vscode-page`")
	}
}

func TestSimulatePage(t *testing.T) {
	s := simulation(t)
	s.Skills[0].Description = "</script><script>alert(1)</script>"
	var b strings.Builder
	err := report.SimulatePage(&b, []report.ClientPage{{Simulation: s, Activations: []*agentsim.Activation{s.Activation}}}, report.PageOptions{
		Base: "/w", Skill: s.Activation.File, Texts: map[string]string{s.Activation.File: "text"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "</script>"); n != 2 {
		t.Errorf("%d scripts end in the page, want the data and its own", n)
	}
	_, data, _ := strings.Cut(b.String(), `id="data">`)
	data, _, _ = strings.Cut(data, "</script>")
	var page struct {
		Setup struct {
			Skill  string
			Skills []struct{ File, Name, Place string }
		}
		Simulations map[string]struct{ Markdown string }
		Activations map[string]map[string]struct{ Parts []any }
		Texts       map[string]string
	}
	if err := json.Unmarshal([]byte(data), &page); err != nil {
		t.Fatal(err)
	}
	const file = ".claude/skills/pdf/SKILL.md"
	if page.Setup.Skill != file || len(page.Setup.Skills) != 2 || page.Texts[file] != "text" {
		t.Errorf("the page begins with %+v and holds the texts %q", page.Setup, page.Texts)
	}
	if !strings.HasPrefix(page.Simulations["claude-code"].Markdown, "# Claude Code") || len(page.Activations["claude-code"][file].Parts) == 0 {
		t.Errorf("the page lacks the Markdown or the activation: %s", data)
	}
}
