package rules

import (
	"strings"
	"testing"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// judgedView is one skill that every client of the first tier lists.
type judgedView struct {
	view
	played []lint.Played
}

func (v judgedView) Played(*skills.Skill) []lint.Played { return v.played }

// BenchmarkReferPlain5KB runs the rules about what a skill names over one that names nothing unusual.
func BenchmarkReferPlain5KB(b *testing.B) {
	var body strings.Builder
	for body.Len() < 5<<10 {
		body.WriteString("## Step\n\nRead the dates with `exiftool -n` and see [the notes](references/notes.md).\n\n- one item\n- another *item*\n\n```sh\npython3 scripts/run.py --all\n```\n\n")
	}
	reg := lint.NewRegistry(referRules())
	r, err := lint.NewResolver(reg, lint.Flags{})
	if err != nil {
		b.Fatal(err)
	}
	engine, set := lint.NewEngine(reg), r.Resolve(&lint.Config{}, ".")
	s := skills.Parse(skills.NewDocument("skills/demo/SKILL.md", "/w/skills/demo/SKILL.md", demoSkill+body.String()))
	v := judgedView{view: view{skills: []*skills.Skill{s}, tree: skills.NewTree(skills.Disk{}, "/")}}
	for _, p := range profile.FirstTier() {
		v.played = append(v.played, lint.Played{Profile: p, Outcome: &profile.Outcome{Status: profile.Listed, Listed: true}})
	}
	hold := s.Body()
	for b.Loop() {
		engine.Skill(s, v, set)
	}
	_ = hold
}
