package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// skillText is a SKILL.md of an archive, with a name and a description.
func skillText(dir, name, description string) string {
	return fmt.Sprintf("-- %s/SKILL.md --\n---\nname: %s\ndescription: %s\n---\n\n# Steps\n\nDo %s.\n", dir, name, description, name)
}

// of returns the findings of one rule.
func of(findings []lint.Finding, rule string) []lint.Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f lint.Finding) bool { return f.Rule.Name != rule })
}

func TestNearDuplicate(t *testing.T) {
	const long = "Renames photos by the date they were taken and sorts them into folders by year, month and day. Use when photos have camera names"
	cases := map[string]struct {
		one, two [2]string
		want     int
	}{
		"the same but for a word":       {[2]string{"refactor", long + "."}, [2]string{"cleanup", long + " again."}, 1},
		"a family that differs by name": {[2]string{"pay-go", "Pays in go. " + long + "."}, [2]string{"pay-java", "Pays in java. " + long + "."}, 0},
		"half the words":                {[2]string{"one", long + "."}, [2]string{"two", long[:len(long)/2] + " and prints every one of them on paper with a frame around it."}, 0},
		"short":                         {[2]string{"one", "Does it."}, [2]string{"two", "Does it."}, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, skillText("skills/"+c.one[0], c.one[0], c.one[1])+skillText("skills/"+c.two[0], c.two[0], c.two[1]))
			if got := of(lintTree(t, dir, []string{"claude-code"}), "workspace/near-duplicate"); len(got) != c.want {
				t.Errorf("%d findings, want %d: %q", len(got), c.want, names(got))
			}
		})
	}
}

// TestNearPairs holds the pairs found by way of rare runs against a comparison of all with all.
func TestNearPairs(t *testing.T) {
	words := strings.Fields("renames photos by the date they were taken and sorts them into folders for every year and month of it")
	var archive strings.Builder
	for i := range 24 {
		mixed := slices.Clone(words)
		for j := range i % 5 {
			mixed[(i*7+j*3)%len(mixed)] = fmt.Sprint("word", i%6, j)
		}
		name := fmt.Sprintf("skill-%d", i)
		archive.WriteString(skillText("skills/"+name, name, strings.Join(mixed, " ")))
	}
	dir := tree(t, archive.String())
	all := shingled(loadSkills(t, dir))
	want := 0
	for i, a := range all {
		for _, b := range all[:i] {
			if shared(a.runs, b.runs) >= leastShared {
				want++
			}
		}
	}
	if got := len(nearPairs(all)); got != want || want == 0 {
		t.Errorf("%d pairs, want %d", got, want)
	}
}

func TestListingCost(t *testing.T) {
	var archive strings.Builder
	for i := range 60 {
		name := fmt.Sprintf("skill-%d", i)
		archive.WriteString(skillText(".claude/skills/"+name, name, fmt.Sprintf("Does thing number %d, %s. Use when it is asked for.", i, strings.Repeat("carefully ", 12))))
	}
	got := of(lintTree(t, tree(t, archive.String()), []string{"claude-code"}), "workspace/listing-cost")
	if len(got) != 1 || !strings.Contains(got[0].Message, "Claude Code") {
		t.Errorf("findings %q, want one for Claude Code", names(got))
	}
	if got := of(lintTree(t, tree(t, skillText(".claude/skills/a", "a", "Does a.")), []string{"claude-code"}), "workspace/listing-cost"); len(got) > 0 {
		t.Errorf("one skill has findings: %q", names(got))
	}
}

// TestShadowedCopies holds that copies of one text in two folders are no more than a hint.
func TestShadowedCopies(t *testing.T) {
	copied := skillText(".claude/skills/a", "a", "Does a.") + skillText(".agents/skills/a", "a", "Does a.")
	got := of(lintTree(t, tree(t, copied), nil), "workspace/shadowed-name")
	if len(got) != 1 || got[0].Severity != lint.Hint || len(got[0].Clients) == 0 {
		t.Errorf("findings %q, want one hint that names clients", names(got))
	}
}

func loadSkills(t *testing.T, dir string) []*skills.Skill {
	t.Helper()
	loader := &skills.LocalLoader{FS: skills.Disk{}, Base: dir, Paths: []string{dir}}
	all, err := loader.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}
