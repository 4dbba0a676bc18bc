package workspace_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// everyClient names all clients in all their versions, validators too.
func everyClient(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, name := range profile.Names() {
		versions, err := profile.Versions(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range versions {
			out = append(out, p.ID())
		}
	}
	return out
}

// TestLaw holds what findings say of clients against what the clients do, over all fixtures and all clients: a skill
// that a client drops or changes has exactly one finding that names the client, one that it shows as written none. What
// is lost to another skill has its finding there, what is lost for want of room in a listing has that of the listing.
func TestLaw(t *testing.T) {
	for name, dir := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			for _, clients := range [][]string{everyClient(t), nil} {
				checkLaw(t, dir, clients)
			}
		})
	}
}

// One client alone is told the same as among others.
func TestLawOfOne(t *testing.T) {
	dir := fixtures(t)["own/faults.txtar"]
	for _, client := range everyClient(t) {
		checkLaw(t, dir, []string{client})
	}
}

// fixtures returns the folders of workspaces: those of this repository, and those of the reference material where it is.
func fixtures(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	archives, err := filepath.Glob(filepath.Join("testdata", "law", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range archives {
		out["own/"+filepath.Base(file)] = unpack(t, file)
	}
	folders(out, "lint", filepath.Join("..", "..", "testdata", "lint", "*"))
	delete(out, "lint/suppressed") // its author does not want to know
	root := os.Getenv("SKILLLINT_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(root); err != nil {
		t.Logf("no reference material, own fixtures only: %v", err)
		return out
	}
	folders(out, "executed", filepath.Join(root, "oracle", "executed", "fixtures", "*"))
	for _, dir := range folders(nil, "", filepath.Join(root, "oracle", "skills", "workspaces", "*")) {
		name := filepath.Base(dir)
		out["oracle/"+name] = dir
		claude := filepath.Join(t.TempDir(), name)
		if err := os.CopyFS(filepath.Join(claude, ".claude"), os.DirFS(filepath.Join(dir, ".agents"))); err != nil {
			t.Fatal(err)
		}
		out["oracle-claude/"+name] = claude
	}
	return out
}

// folders adds the folders that match a pattern.
func folders(to map[string]string, kind, pattern string) []string {
	found, _ := filepath.Glob(pattern) // the patterns are constant and right
	found = slices.DeleteFunc(found, func(dir string) bool {
		info, err := os.Stat(dir)
		return err != nil || !info.IsDir()
	})
	for _, dir := range found {
		if to != nil {
			to[kind+"/"+filepath.Base(dir)] = dir
		}
	}
	return found
}

// unpack writes the files of an archive. A file named as NAME.hex holds the bytes of NAME in hexadecimal.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	files, err := txtar.FS(a)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	err = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		src, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, []byte(unescape.Replace(string(src))), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// unescape gives archives the bytes that would not live through an editor.
var unescape = strings.NewReplacer(`\BOM`, "\uFEFF", `\xFF`, "\xFF", `\0`, "\x00", `\r`, "\r", `\t`, "\t")

func checkLaw(t *testing.T, dir string, clients []string) {
	t.Helper()
	reg := rules.Registry()
	resolver, err := lint.NewResolver(reg, lint.Flags{Clients: clients, Select: []string{"all"}}) // hints too: a copy in another folder is one
	if err != nil {
		t.Fatal(err)
	}
	s, err := workspace.Load(t.Context(), workspace.Options{FS: skills.Disk{}, Base: dir, Paths: []string{dir}, Configs: workspace.NoConfig(dir), Resolver: resolver})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Lint(t.Context(), lint.NewEngine(reg), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, skill := range s.Skills() {
		for _, p := range s.Played(skill) {
			if wrong := breach(skill, p, r.Findings); wrong != "" {
				o := p.Outcome
				t.Errorf("%s, %s %s (%s/%s %v): %s", skill.Doc.Path, p.Profile.ID(), o.Status, o.Stage, o.Check, kinds(o), wrong)
			}
		}
	}
}

func kinds(o *profile.Outcome) []string {
	var out []string
	for _, c := range o.Changes {
		out = append(out, c.Field+"/"+c.Kind)
	}
	return out
}

// breach says how the findings on a skill break the law, or "".
func breach(skill *skills.Skill, p lint.Played, findings []lint.Finding) string {
	o, client := p.Outcome, p.Profile.ID()
	if o.Stage == profile.StageBudget {
		return lacks(findings, "the finding on the listing", func(f *lint.Finding) bool {
			return f.Rule.Name == lint.ListingBudget && slices.Contains(f.Clients, client)
		})
	}
	if o.Check == "neighbour" {
		return lacks(findings, "a finding on "+o.By, func(f *lint.Finding) bool {
			return f.Rule.Accounts() && f.File == o.By && slices.Contains(f.Clients, client)
		})
	}
	var about []string
	for i := range findings {
		f := &findings[i]
		if !f.Rule.Accounts() || !slices.Contains(f.Clients, client) || !isAbout(f, skill, o) {
			continue
		}
		if about != nil && f.Rule.Scope == lint.WorkspaceScope {
			continue // of three skills of one name the first stands in two findings
		}
		about = append(about, fmt.Sprintf("%s at %d: %s", f.Rule.Name, f.Span.Start, f.Message))
	}
	if lint.Loses(o) != (len(about) == 1) || len(about) > 1 {
		return fmt.Sprintf("lost: %v, findings: %q", lint.Loses(o), about)
	}
	return ""
}

// isAbout reports whether a finding is on a skill. One about two skills of one name is about the one that is lost.
func isAbout(f *lint.Finding, skill *skills.Skill, o *profile.Outcome) bool {
	pair := f.Rule.Scope == lint.WorkspaceScope
	if pair && o.Stage != profile.StageDedupe {
		return false
	}
	return f.File == skill.Doc.Path || pair && slices.ContainsFunc(f.Related, func(r lint.Related) bool { return r.File == skill.Doc.Path })
}

func lacks(findings []lint.Finding, what string, is func(*lint.Finding) bool) string {
	for i := range findings {
		if is(&findings[i]) {
			return ""
		}
	}
	return what + " does not name the client"
}
