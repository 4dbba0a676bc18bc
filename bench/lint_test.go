// Package bench measures the engine in process; batch measures the whole program.
package bench

import (
	"maps"
	"slices"
	"testing"

	"github.com/skill-ls/skill-ls/bench/gen"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// alone is a workspace of one skill.
type alone struct {
	lint.View
	skill *skills.Skill
	tree  *skills.Tree // of files that are not there
}

func (a alone) Skills() []*skills.Skill          { return []*skills.Skill{a.skill} }
func (a alone) Tree() *skills.Tree               { return a.tree }
func (alone) Played(*skills.Skill) []lint.Played { return nil }
func (alone) Offers() []*lint.Offers             { return nil }
func (alone) Configs() []*mcpconfig.File         { return nil }

// BenchmarkLint50KB parses and lints one long SKILL.md, which is what a keystroke costs.
func BenchmarkLint50KB(b *testing.B) {
	made := gen.New(0, 50<<10)
	source := made.Files["SKILL.md"]
	files := slices.Sorted(maps.Keys(made.Files))
	registry := rules.Registry()
	engine := lint.NewEngine(registry)
	resolver, err := lint.NewResolver(registry, lint.Flags{})
	if err != nil {
		b.Fatal(err)
	}
	settings := resolver.Resolve(&lint.Config{}, "SKILL.md")
	tree := skills.NewTree(skills.Disk{}, b.TempDir())
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		skill := skills.Parse(skills.NewDocument("skills/"+made.Name+"/SKILL.md", "", source))
		skill.Folder, skill.Dir = made.Name, "skills/"+made.Name
		for _, name := range files {
			skill.Files = append(skill.Files, skills.File{Path: name})
		}
		engine.Skill(skill, alone{skill: skill, tree: tree}, settings)
	}
}
