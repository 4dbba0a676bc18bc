package workspace_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
)

// One walk finds skills and MCP configurations; those of users, and those beside a file that was named, are left
// alone.
func TestConfigurationsAreFound(t *testing.T) {
	const server = `{"mcpServers": {"docs": {"command": "docs-mcp"}}}`
	dir := tree(t, map[string]string{
		".mcp.json": server, "skills/a/SKILL.md": skill("a"), "skills/a/.mcp.json": server, "out/.mcp.json": server,
		".codeium/windsurf/mcp_config.json": server, "i18n/de/mcp.json": `{"title": "MCP"}`, "node_modules/x/.mcp.json": server,
	})
	for name, c := range map[string]struct {
		paths, exclude, want []string
	}{
		"all":                 {[]string{"."}, nil, []string{".mcp.json", "out/.mcp.json", "skills/a/.mcp.json"}},
		"excluded":            {[]string{"."}, []string{"out", "skills/a/.mcp.json"}, []string{".mcp.json"}},
		"a skill alone":       {[]string{"skills/a/SKILL.md"}, nil, nil},
		"a configuration":     {[]string{"out/.mcp.json"}, nil, []string{"out/.mcp.json"}},
		"one of a user":       {[]string{".codeium/windsurf/mcp_config.json"}, nil, []string{".codeium/windsurf/mcp_config.json"}},
		"a folder and a file": {[]string{"out", ".mcp.json"}, nil, []string{".mcp.json", "out/.mcp.json"}},
	} {
		t.Run(name, func(t *testing.T) {
			j := job(t, dir, &lint.Rule{Name: "demo/seen", Severity: lint.Info, Scope: lint.ConfigScope, Run: func(p *lint.Pass) {
				p.Report(lint.Finding{Message: p.Config.Servers[0].Name})
			}})
			j.Exclude, j.Paths = c.exclude, nil
			for _, p := range c.paths {
				j.Paths = append(j.Paths, filepath.Join(dir, filepath.FromSlash(p)))
			}
			r, err := j.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.File)
			}
			if !slices.Equal(got, c.want) || len(r.Configs) != len(c.want) {
				t.Errorf("findings on %q and %d configurations, want %q", got, len(r.Configs), c.want)
			}
		})
	}
}

// Whether a variable is set is asked of whoever made the snapshot.
func TestEnvironmentIsInjected(t *testing.T) {
	dir := tree(t, map[string]string{".mcp.json": `{"mcpServers": {}}`})
	j := job(t, dir, &lint.Rule{Name: "demo/env", Severity: lint.Info, Scope: lint.ConfigScope, Run: func(p *lint.Pass) {
		for _, name := range strings.Fields("PATH DEMO") {
			if p.View.HasEnv(name) {
				p.Report(lint.Finding{Message: name})
			}
		}
	}})
	j.HasEnv = func(name string) bool { return name == "DEMO" }
	r, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Message != "DEMO" {
		t.Errorf("found %v, want DEMO alone", r.Findings)
	}
}
