package rules

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/example"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/racetest"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// tree writes an example to a folder of its own.
func tree(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	err := example.Write(dir, text)
	if _, link := errors.AsType[*os.LinkError](err); link {
		t.Skipf("no symbolic links here: %v", err)
	}
	must(t, err)
	return dir
}

// view is one skill alone, with no client to judge it.
type view struct {
	skills []*skills.Skill
	tree   *skills.Tree
}

func (v view) Skills() []*skills.Skill            { return v.skills }
func (v view) Tree() *skills.Tree                 { return v.tree }
func (v view) Configs() []*mcpconfig.File         { return nil }
func (v view) HasEnv(string) bool                 { return false }
func (v view) HasProgram(string, string) bool     { return true }
func (v view) Played(*skills.Skill) []lint.Played { return nil }
func (v view) Listings() []lint.Listing           { return nil }
func (v view) Offers() []*lint.Offers             { return nil }

// lintTree runs all rules, hints included, over the skills below dir; of apiRules those that are asked for.
func lintTree(t *testing.T, dir string, clients []string, asked ...string) []lint.Finding {
	t.Helper()
	return lintPaths(t, dir, []string{dir}, clients, asked...)
}

// lintPaths is lintTree for some paths below dir, which are named: a file that a search passes over is linted then.
func lintPaths(t *testing.T, dir string, paths, clients []string, asked ...string) []lint.Finding {
	t.Helper()
	reg := Registry()
	ignored := slices.DeleteFunc(slices.Clone(apiRules), func(name string) bool { return slices.Contains(asked, name) })
	resolver, err := lint.NewResolver(reg, lint.Flags{Clients: clients, Select: []string{"all"}, Ignore: ignored})
	if err != nil {
		t.Fatal(err)
	}
	parse := func(name, src string) (*lint.Config, error) {
		return lint.ParseConfig(name, src, reg, func(string) error { return nil })
	}
	v, err := workspace.Load(t.Context(), workspace.Options{
		FS: skills.Disk{}, Base: dir, Paths: paths, Configs: workspace.FindConfigs(skills.Disk{}, dir, parse), Resolver: resolver,
		HasEnv: func(name string) bool { return name == "DEMO_SET" }, Saved: savedIn(t, dir),
		HasProgram: func(command, _ string) bool { return !strings.Contains(command, "absent") },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Play(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	engine := lint.NewEngine(reg)
	var out []lint.Finding
	for _, f := range v.Configs() {
		out = append(out, engine.Config(f, v, v.Settings(f.Doc.Path))...)
	}
	for _, s := range v.Skills() {
		out = append(out, engine.Skill(s, v, v.Settings(s.Doc.Path))...)
	}
	for _, o := range v.Offers() {
		if o.Config == nil {
			out = append(out, engine.Catalog(o, v, v.Settings("."))...)
		}
	}
	return append(out, engine.Workspace(v, v.Settings)...)
}

// savedIn reads the files SERVER.tools.json of a folder as saved answers.
func savedIn(t *testing.T, dir string) []workspace.Saved {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.tools.json"))
	if err != nil {
		t.Fatal(err)
	}
	var out []workspace.Saved
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		shown := filepath.Base(file)
		s, err := workspace.ReadSaved(strings.TrimSuffix(shown, ".tools.json"), shown, file, data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func names(findings []lint.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.Rule.Name+" "+f.Severity.String()+": "+f.Message)
	}
	return out
}

// apiRules are opinions that contradict each other, and what is said elsewhere: no schema suits every API. They run when
// they are asked for by name.
var apiRules = []string{"mcp-tool/openai-strict", "mcp-tool/gemini-api"}

// TestPages runs the examples of every rule's page: the bad one has findings of that rule and no other, with
// the fixes that the rule promises, the good one has none at all.
func TestPages(t *testing.T) {
	racetest.Skip(t)
	for _, rule := range All() {
		t.Run(rule.Name, func(t *testing.T) {
			if rule.Page.What == "" || rule.Page.Why == "" || rule.Page.Good == "" {
				t.Fatal("the page lacks what, why or a good example")
			}
			if got := lintTree(t, tree(t, rule.Page.Good), rule.Page.Clients, rule.Name); len(got) > 0 {
				t.Errorf("the good example has findings: %q", names(got))
			}
			if rule.Page.Bad == "" {
				t.Skip("no text can show it; the rule has a test of its own")
			}
			got := lintTree(t, tree(t, rule.Page.Bad), rule.Page.Clients, rule.Name)
			others := slices.DeleteFunc(slices.Clone(got), func(f lint.Finding) bool { return f.Rule.Name == rule.Name })
			if len(others) == len(got) || len(others) > 0 && rule.Name != "workspace/duplicate-name" { // of two skills with one name, one differs from its folder
				t.Errorf("the bad example has %q, want this rule's alone", names(got))
			}
			for i := range got {
				if got[i].Rule.Name == rule.Name {
					checkRepair(t, &got[i])
				}
			}
		})
	}
}

// checkRepair holds the promise of rule.Repair against the fixes of the page's example.
func checkRepair(t *testing.T, f *lint.Finding) {
	t.Helper()
	safe := slices.ContainsFunc(f.Fixes, func(x lint.Fix) bool { return x.Safe })
	if len(f.Fixes) > 0 && f.Rule.Repair == lint.NoRepair || safe && f.Rule.Repair == lint.UnsafeRepair {
		t.Errorf("offers a fix (safe: %v) but says %s", safe, f.Rule.Repair)
	}
	if len(f.Fixes) == 0 && f.Rule.Repair == lint.SafeRepair {
		t.Error("says its fixes are safe but offers none for its own example")
	}
}

func TestBytes(t *testing.T) {
	racetest.Skip(t)
	cases := map[string]struct {
		raw  string
		want []string
	}{
		"utf-16 with a mark":  {"\xFF\xFE" + utf16le(demoSkill), []string{"file/encoding"}},
		"utf-16 without":      {utf16le(demoSkill), []string{"file/encoding"}},
		"windows-1252":        {strings.Replace(demoSkill, "Steps", "Steps \x96 all", 1), []string{"file/encoding"}},
		"nul in front matter": {strings.Replace(demoSkill, "photos", "pho\x00tos", 1), []string{"file/nul"}},
		"crlf":                {strings.ReplaceAll(demoSkill, "\n", "\r\n"), nil},
		"lone cr":             {strings.ReplaceAll(demoSkill, "\n", "\r"), []string{"file/line-ends"}},
		"empty":               {"", []string{"file/empty"}},
		"only nul":            {"\x00\x00", []string{"file/empty"}},
		"10 MB":               {demoSkill + strings.Repeat("All work and no play.\n\n", 10<<20/23), []string{"file/too-large"}},
		"huge line":           {demoSkill + strings.Repeat("x ", 5<<20), []string{"file/too-large"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "demo"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "demo", "SKILL.md"), []byte(c.raw), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, f := range lintTree(t, dir, nil) {
				got = append(got, f.Rule.Name)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("findings %q, want %q", got, c.want)
			}
		})
	}
}

func utf16le(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}

func TestUnreadable(t *testing.T) {
	dir := tree(t, "-- good/SKILL.md --\n"+strings.Replace(demoSkill, "name: demo", "name: good", 1))
	if err := os.MkdirAll(filepath.Join(dir, "bad"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere.md", filepath.Join(dir, "bad", "SKILL.md")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	got := lintTree(t, dir, nil)
	if len(got) != 1 || got[0].Rule.Name != "file/unreadable" || got[0].File != "bad/SKILL.md" {
		t.Errorf("findings %q, want the broken link alone", names(got))
	}
}
