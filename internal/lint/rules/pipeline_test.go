package rules

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

const fixRounds = 20

// lintText lints one text as skills/demo/SKILL.md.
func lintText(t testing.TB, engine *lint.Engine, set *lint.Settings, src string) (*skills.Skill, []lint.Finding) {
	t.Helper()
	s := skills.Parse(skills.NewDocument("skills/demo/SKILL.md", filepath.FromSlash("/w/skills/demo/SKILL.md"), src))
	s.Folder, s.Root, s.Depth = "demo", "skills", 1
	return s, engine.Skill(s, view{skills: []*skills.Skill{s}, tree: skills.NewTree(skills.Disk{}, "/")}, set)
}

func allRules(t testing.TB) (*lint.Engine, *lint.Settings) {
	reg := Registry()
	r, err := lint.NewResolver(reg, lint.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	return lint.NewEngine(reg), r.Resolve(&lint.Config{}, ".")
}

// FuzzPipeline lints any text and applies the safe fixes until none is left: every span lies inside the
// text, the fixes come to an end, and no fix changes a value it does not touch.
func FuzzPipeline(f *testing.F) {
	for _, rule := range All() {
		if !strings.HasPrefix(rule.Page.Bad, "-- ") {
			f.Add(rule.Page.Bad)
		}
		f.Add(rule.Page.Good)
	}
	f.Add("---\nname: demo\nmetadata:\n  a: 1\n  b: [x]\nversion: 2\n---\n<!-- skilllint-disable-line -->\n")
	f.Add("---\n# skilllint-disable-file yaml -- x\nname: a\nname: a\n---\n")
	engine, set := allRules(f)
	f.Fuzz(func(t *testing.T, src string) {
		for round := 0; ; round++ {
			if round == fixRounds {
				t.Fatalf("%q: fixes are still found after %d rounds", src, round)
			}
			before, findings := lintText(t, engine, set, src)
			for _, x := range findings {
				if x.Span.Start > x.Span.End || x.Span.End > len(before.Doc.Text) {
					t.Fatalf("%q: %s at %v", src, x.Rule.Name, x.Span)
				}
			}
			plan := lint.PlanFixes(findings, false, func(string) bool { return before.Doc.Encoding != skills.UTF8 })
			edits := plan.Edits[before.Doc.Path]
			if len(edits) == 0 {
				return
			}
			fixed, err := text.Apply(before.Doc.Text, edits)
			if err != nil {
				t.Fatalf("%q: %v", src, err)
			}
			after, _ := lintText(t, engine, set, fixed)
			checkValues(t, before, after, edits, plan)
			src = fixed
		}
	})
}

// checkValues holds the promise of a safe fix: a value that no edit touches is the same afterwards, when the
// front matter could be read before.
func checkValues(t *testing.T, before, after *skills.Skill, edits []text.Edit, plan *lint.Plan) {
	t.Helper()
	if before.Front.Format != skills.YAML || len(before.Front.Errors) > 0 || !before.Front.Closed() || before.Front.Open.Kind == skills.NoFence {
		return
	}
	for i := range before.Front.Fields {
		f := &before.Front.Fields[i]
		touched := f.Name == ""
		for _, e := range edits {
			touched = touched || e.Start <= f.Extent.End && f.Extent.Start <= e.End
		}
		if touched || f.Kind() == 0 {
			continue
		}
		if g := after.Front.Field(f.Name); g == nil || g.Text != f.Text && before.Front.Field(f.Name) == f {
			t.Fatalf("%q -> %q: the value of %s was %q and is %+v after %v (%s)", before.Doc.Text, after.Doc.Text, f.Name, f.Text, g, edits, plan.Applied[0].Rule.Name)
		}
	}
}

func BenchmarkLint50KB(b *testing.B) {
	var body strings.Builder
	for body.Len() < 50<<10 {
		body.WriteString("## Step\n\nRead the dates with `exiftool -n` and see [the notes](references/notes.md).\n\n- one item\n- another *item*\n\n```sh\npython3 scripts/run.py --all\n```\n\n")
	}
	src := demoSkill + body.String()
	engine, set := allRules(b)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		lintText(b, engine, set, src)
	}
}
