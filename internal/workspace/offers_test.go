package workspace_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// lockText is the lock file of a server with one tool.
func lockText(t *testing.T, server, tool string) string {
	t.Helper()
	s, err := catalog.ReadList(server, []byte(`[{"name": "`+tool+`", "inputSchema": {"type": "object"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	data, err := catalog.Encode(catalog.New(s))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// offered tells what is known of servers: "configuration server: tools, what a probe says; locked tools".
func offered(offers []*lint.Offers) []string {
	var out []string
	for _, o := range offers {
		file := "-"
		if o.Config != nil {
			file = o.Config.Doc.Path
		}
		for _, s := range o.Servers {
			line := fmt.Sprintf("%s %s:", file, s.Name)
			if s.Server != nil {
				line += " " + s.Server.Tools[0].Name()
			}
			for _, x := range s.Problems {
				line += " (" + x.Kind + ")"
			}
			if s.Locked != nil {
				line += " was " + s.Locked.Tools[0].Name()
			}
			out = append(out, line)
		}
	}
	return out
}

// What a server offers is from a probe, else from a saved answer, else from the nearest lock file of its repository.
func TestOffers(t *testing.T) {
	const two = `{"mcpServers": {"docs": {"command": "docs-mcp"}, "wiki": {"command": "wiki-mcp"}}}`
	dir := tree(t, map[string]string{
		"a/.git/HEAD": "", "a/.mcp.json": two, "a/sub/.cursor/mcp.json": two, "a/mcp-tools.lock.json": lockText(t, "docs", "locked"),
		"mcp-tools.lock.json": lockText(t, "wiki", "outer"), "b/.mcp.json": two, "b/mcp-tools.lock.json": "{}",
	})
	j := job(t, dir, &lint.Rule{Name: "demo/nothing", Scope: lint.CatalogScope})
	load := func(saved ...workspace.Saved) *workspace.Snapshot {
		o := j.Options
		o.Saved = saved
		s, err := workspace.Load(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := load()
	if got, want := offered(s.Offers()), []string{"a/.mcp.json docs: locked", "a/sub/.cursor/mcp.json docs: locked"}; !slices.Equal(got, want) {
		t.Errorf("from lock files: %q, want %q", got, want)
	}
	broken := slices.IndexFunc(s.Offers(), func(o *lint.Offers) bool { return o.LockErr != nil })
	if broken < 0 || s.Offers()[broken].Lock.Path != "b/mcp-tools.lock.json" || s.Doc("b/mcp-tools.lock.json") == nil {
		t.Error("a lock file that cannot be read is not told of")
	}
	if got := s.LockFile(s.ConfigOf("a/sub/.cursor/mcp.json")); got != filepath.Join(dir, "a", "mcp-tools.lock.json") {
		t.Errorf("the lock file of a configuration below is %s", got)
	}
	saved := func(name string) workspace.Saved {
		x, err := workspace.ReadSaved(name, name+".json", filepath.Join(dir, name+".json"), []byte(`[{"name": "saved"}]`))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	got := offered(load(saved("docs"), saved("other")).Offers())
	if !slices.Contains(got, "a/.mcp.json docs: saved was locked") || got[len(got)-1] != "- other: saved" {
		t.Errorf("with saved answers: %q", got)
	}
	probed, err := catalog.ReadList("docs", []byte(`[{"name": "probed"}]`))
	if err != nil {
		t.Fatal(err)
	}
	servers := s.ConfigOf("a/.mcp.json").Servers
	asked := s.WithProbed([]workspace.Probed{
		{Entry: servers[0], Server: probed},
		{Entry: servers[1], Problems: []lint.Problem{{Kind: "no-answer"}}},
	})
	if got := strings.Join(offered(asked.Offers()), "; "); !strings.HasPrefix(got, "a/.mcp.json docs: probed was locked; a/.mcp.json wiki: (no-answer); ") {
		t.Errorf("after a probe: %s", got)
	}
}

// A configuration that is edited changes which tools there are, and so what is found in skills.
func TestEditedConfigurationsOffer(t *testing.T) {
	dir := tree(t, map[string]string{
		".git/HEAD": "", ".mcp.json": `{"mcpServers": {"docs": {"command": "docs-mcp"}}}`, "mcp-tools.lock.json": lockText(t, "docs", "find"), "skills/a/SKILL.md": skill("a"),
	})
	j := job(t, dir, &lint.Rule{Name: "demo/tools", Severity: lint.Info, Scope: lint.SkillScope, Run: func(p *lint.Pass) {
		p.Report(lint.Finding{Message: strings.Join(offered(p.View.Offers()), "; ")})
	}})
	s, err := workspace.Load(t.Context(), j.Options)
	if err != nil {
		t.Fatal(err)
	}
	live := workspace.NewLive(s, j.Engine)
	said := func(l *workspace.Live) string {
		found, err := l.Findings("skills/a/SKILL.md")
		if err != nil || len(found) != 1 {
			t.Fatalf("%d findings: %v", len(found), err)
		}
		return found[0].Message
	}
	if got := said(live); got != ".mcp.json docs: find" {
		t.Errorf("first %q", got)
	}
	doc := skills.NewDocument(".mcp.json", filepath.Join(dir, ".mcp.json"), `{"mcpServers": {"wiki": {"command": "docs-mcp"}}}`)
	next, affected, ok := live.With(s.FS(), doc)
	if !ok || !slices.Contains(affected, "skills/a/SKILL.md") {
		t.Fatalf("the skill is not affected: %q", affected)
	}
	if got := said(next); got != "" {
		t.Errorf("after the edit %q", got)
	}
	if s.Follows("mcp-tools.lock.json") {
		t.Error("a lock file decides on more than itself")
	}
}
