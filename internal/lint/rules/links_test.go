package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// lintLinks runs the rules about references over the skills below a folder.
func lintLinks(t *testing.T, dir string) []lint.Finding {
	t.Helper()
	loader := &skills.LocalLoader{FS: skills.Disk{}, Base: dir, Paths: []string{dir}}
	all, err := loader.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	registry := lint.NewRegistry(linkRules())
	resolver, err := lint.NewResolver(registry, lint.Flags{Select: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	v := view{skills: all, tree: skills.NewTree(skills.Disk{}, dir)}
	var out []lint.Finding
	for _, s := range all {
		out = append(out, lint.NewEngine(registry).Skill(s, v, resolver.Resolve(&lint.Config{}, "."))...)
	}
	return out
}

// brief writes findings as "rule:text", where the text is what each marks.
func brief(t *testing.T, dir string, findings []lint.Finding) []string {
	t.Helper()
	var out []string
	for _, f := range findings {
		src, err := os.ReadFile(filepath.Join(dir, f.File))
		if err != nil {
			src = nil // a link that leads nowhere
		}
		marked := ""
		if f.Span.End <= len(src) {
			marked = f.Span.In(string(src))
		}
		out = append(out, f.Rule.Name+" "+marked)
	}
	slices.Sort(out)
	return out
}

// skillWith returns an archive of a skill with a body, and other files as pairs of name and content.
func skillWith(body string, files ...string) string {
	out := "-- skills/demo/SKILL.md --\n" + demoSkill + "\n" + body + "\n"
	for i := 0; i < len(files); i += 2 {
		out += "-- " + files[i] + " --\n" + files[i+1] + "\n"
	}
	return out
}

func expect(t *testing.T, archive string, want ...string) {
	t.Helper()
	dir := tree(t, archive)
	slices.Sort(want)
	if got := brief(t, dir, lintLinks(t, dir)); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

const (
	ref   = "skills/demo/references/a.md"
	extra = "skills/demo/references/a b.md"
)

func TestLinks(t *testing.T) {
	cases := map[string]struct {
		body string
		want []string
	}{
		"found":                   {"[a](references/a.md) [a](./references/a.md) [a](<references/a.md>) [a](references/a.md \"title\")", nil},
		"folder":                  {"[a](references) [a](references/)", nil},
		"percent-encoding":        {"[a](references/a%20b.md) [a](<references/a b.md>) [a](references/%61.md)", nil},
		"character reference":     {"[a](references/a&#46;md)", nil},
		"query":                   {"[a](references/a.md?raw=1)", nil},
		"missing":                 {"[a](references/x.md)", []string{"link/missing references/x.md"}},
		"missing image":           {"![a](assets/x.png)", []string{"link/missing assets/x.png"}},
		"missing with anchor":     {"[a](references/x.md#y)", []string{"link/missing references/x.md"}},
		"missing twice":           {"[a](references/x.md), [b](references/x.md) and `references/x.md`", []string{"link/missing references/x.md"}},
		"missing upper case name": {"[licence](LICENSE)", []string{"link/missing LICENSE"}},
		"used definition":         {"[a][1]\n\n[1]: references/x.md", []string{"link/missing references/x.md"}},
		"unused definition":       {"- [Feature 3]: [Description]\n\n[2]: references/x.md", nil},
		"case":                    {"[a](references/A.md)", []string{"link/case references/A.md"}},
		"case of a folder":        {"[a](References/a.md)", []string{"link/case References/a.md"}},
		"case in backticks":       {"Read `references/A.md`.", []string{"link/case references/A.md"}},
		"backslash":               {`[a](references\a.md)`, []string{`link/backslash references\a.md`}},
		"backslash in backticks":  {"Read `references\\a.md`.", []string{`link/backslash references\a.md`}},
		"backslash on Windows":    {"- On Windows read `references\\a.md`.", nil},
		"no path with backslash":  {"Match `\\.` and `\\d+/\\d+`.", nil},
		"code":                    {"`[a](references/x.md)`\n\n```md\n[a](references/x.md)\n```\n\n    [a](references/x.md)\n", nil},
		"comment":                 {"<!-- [a](references/x.md) -->", nil},
		"schemes":                 {"[a](https://x.y/z.md) [a](mailto:a@b.c) [a](computer:///x.md) [a](C:/Users/x.md) [a](file://x.md) [a](//x.y/z.md)", nil},
		"absolute":                {"[a](/docs/x.md) [a](/uipath:rpa) [a](~/x.md)", nil},
		"slash before a file":     {"[a](/references/a.md) [b](/references/x.md)", []string{"link/from-root /references/a.md"}},
		"placeholders":            {"[a](url) [b](...) [c](fast_download_link) [d](path/to/x.md) [e]({file}.md) [f](x-YYYY.md) [g](<a>.md)", nil},
		"no letters of case":      {"[名称](链接)", nil},
		"hidden folder":           {"[a](.github/workflows/ci.yml)", nil},
		"other skill":             {"[a](../other/SKILL.md)", []string{"link/outside ../other/SKILL.md"}},
		"leaves and is missing":   {"[a](../other/x.md)", []string{"link/missing ../other/x.md"}},
		"leaves and is there":     {"[a](../../README.md) [b](../../README.md)", []string{"link/outside ../../README.md"}},
		"written from the root":   {"[a](docs/root.md)", []string{"link/from-root docs/root.md"}},
		"skill variable":          {"[a]({baseDir}/references/a.md) [b](${CLAUDE_SKILL_DIR}/references/x.md)", []string{"link/missing ${CLAUDE_SKILL_DIR}/references/x.md"}},
		"plugin variable":         {"[a](${CLAUDE_PLUGIN_ROOT}/docs/root.md) [b](${CLAUDE_PLUGIN_ROOT}/docs/x.md)", []string{"link/missing ${CLAUDE_PLUGIN_ROOT}/docs/x.md"}},
		"after an unclosed fence": {"```sh\nls\n\n[a](references/x.md)", []string{"body/unclosed-fence ```"}},
		"after a block in a block": {
			"```md\n# T\n```sh\nls\n```\n[a](references/x.md)\n```\ntext\n```\n", nil,
		},
		"template": {strings.Repeat("- [Component name], [Short text]\n", 6) + "\n[a](./c4-code.md)", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			expect(t, skillWith(c.body, ref, "# A", extra, "# A B", "README.md", "# R", "docs/root.md", "# R", ".claude-plugin/plugin.json", "{}"), c.want...)
		})
	}
}

func TestAnchors(t *testing.T) {
	const headings = "# Step 1: Set up!\n\n## Set up\n\n## Set up\n\n## 🚀 Run it ⭐ NEW\n\n## Case B {#case-b}\n\n## [Link](https://x.y) `code`\n\n<a id=\"here\"></a>\n"
	cases := map[string]struct {
		fragment string
		found    bool
	}{
		"slug":          {"step-1-set-up", true},
		"numbered":      {"set-up-1", true},
		"emoji":         {"-run-it--new", true},
		"explicit":      {"case-b", true},
		"html":          {"here", true},
		"markup":        {"link-code", true},
		"top":           {"top", true},
		"line":          {"L10-L20", true},
		"renamed":       {"install", false},
		"suffix added":  {"run-it", false},
		"another level": {"step-2-set-up", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var want, wantElsewhere []string
			if !c.found {
				want, wantElsewhere = []string{"link/anchor " + c.fragment}, []string{"link/anchor " + c.fragment}
			}
			expect(t, skillWith("[x](#"+c.fragment+")\n\n"+headings), want...)
			expect(t, skillWith("[x](references/a.md#"+c.fragment+")", ref, headings), wantElsewhere...)
		})
	}
}

// TestReferenceFiles holds where the references of a file below references/ start.
func TestReferenceFiles(t *testing.T) {
	files := []string{"skills/demo/references/b.md", "# B", "skills/demo/scripts/run.py", "print()"}
	cases := map[string]struct {
		text string
		want []string
	}{
		"beside it":             {"[b](b.md) [r](../scripts/run.py) `b.md` `scripts/run.py` `references/b.md`", nil},
		"missing":               {"[x](x.md)", []string{"link/missing x.md"}},
		"from the skill":        {"[b](references/b.md)", []string{"link/from-root references/b.md"}},
		"case":                  {"[b](B.md)", []string{"link/case B.md"}},
		"missing in backticks":  {"`references/x.md`", nil},
		"other skill's file":    {"[x](../../other/x.md)", []string{"link/outside ../../other/x.md"}},
		"missing in the folder": {"[x](../assets/x.md)", []string{"link/missing ../assets/x.md"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			expect(t, skillWith("Read.", append(files, "skills/demo/references/deep.md", c.text)...), c.want...)
		})
	}
	t.Run("suppressed", func(t *testing.T) {
		expect(t, skillWith("Read.", "skills/demo/references/deep.md", "<!-- skilllint-disable-next-line link/missing -- to come -->\n[x](x.md)\n\n[y](y.md)"), "link/missing y.md")
	})
	t.Run("other folders are not judged", func(t *testing.T) {
		expect(t, skillWith("Read.", "skills/demo/templates/x.md", "[x](y.md)", "skills/demo/README.md", "[x](y.md)"))
	})
}

// TestLinkFixes applies the fix of a finding to the text.
func TestLinkFixes(t *testing.T) {
	cases := map[string]struct {
		body, want string
		safe       bool
	}{
		"case":           {"[a](References/A.md)", "[a](references/a.md)", true},
		"backslash":      {`[a](references\a.md)`, "[a](references/a.md)", true},
		"other folder":   {"[a](docs/a.md) [b](docs/a.md#x)", "[a](references/a.md) [b](references/a.md#x)", false},
		"similar name":   {"[a](references/aa.md)", "[a](references/a.md)", false},
		"blank":          {"[a](docs/a%20b.md)", "[a](references/a%20b.md)", false},
		"variable":       {"[a]({baseDir}/docs/a.md)", "[a]({baseDir}/references/a.md)", false},
		"from the root":  {"[a](docs/root.md)", "[a](../../docs/root.md)", false},
		"own path":       {"Run `node skills/demo/run.mjs`.", "Run `node run.mjs`.", false},
		"unclosed fence": {"```sh\nls", "```sh\nls\n```", false},
		"in a paragraph": {"Read `reference/a.md` first.", "Read `references/a.md` first.", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, skillWith(c.body, ref, "# A", extra, "# B", "docs/root.md", "# R", "skills/demo/run.mjs", "1"))
			findings := lintLinks(t, dir)
			if len(findings) != 1 || len(findings[0].Fixes) != 1 {
				t.Fatalf("found %q, want one finding with one fix", brief(t, dir, findings))
			}
			fix := findings[0].Fixes[0]
			var edits []text.Edit
			for _, e := range fix.Edits {
				edits = append(edits, e.Edit)
			}
			src, err := os.ReadFile(filepath.Join(dir, "skills/demo/SKILL.md"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := text.Apply(string(src), edits)
			if err != nil {
				t.Fatal(err)
			}
			if want := demoSkill + "\n" + c.want + "\n"; got != want || fix.Safe != c.safe {
				t.Errorf("the fix (safe: %v) gives %q, want %q", fix.Safe, got, want)
			}
		})
	}
}

func TestSymlinks(t *testing.T) {
	dir := tree(t, skillWith("[a](gone.md) [b](out.md) [c](in.md)", "docs/x.md", "# X", "skills/demo/real.md", "# R"))
	for name, to := range map[string]string{"gone.md": "nowhere.md", "out.md": "../../docs/x.md", "in.md": "real.md"} {
		if err := os.Symlink(to, filepath.Join(dir, "skills/demo", name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	var got []string
	for _, f := range lintLinks(t, dir) {
		got = append(got, fmt.Sprintf("%s %v %s", f.Rule.Name, f.Severity, f.File))
	}
	want := []string{"link/symlink warning skills/demo/gone.md", "link/symlink info skills/demo/out.md"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestLinkedSkill holds that ".." starts from either end of a symbolic link to a skill's folder.
func TestLinkedSkill(t *testing.T) {
	dir := tree(t, "-- lib/skills/demo/SKILL.md --\n"+demoSkill+"\n[a](../../shared.md) [b](../../../README.md)\n-- lib/shared.md --\n# S\n-- README.md --\n# R\n-- .claude/skills/keep/x.txt --\n")
	if err := os.Symlink("../../lib/skills/demo", filepath.Join(dir, ".claude/skills/demo")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	for _, f := range lintLinks(t, dir) {
		if f.Rule.Name != ruleOutside {
			t.Errorf("found %s: %s", f.Rule.Name, f.Message)
		}
	}
}
