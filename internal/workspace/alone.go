package workspace

import (
	"context"
	"path/filepath"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Alone lints the skill of a bundle by itself, with the rules about single skills: what its neighbours, the repository it
// lies in or MCP configurations would add is not found. The result depends on the bundle and the settings alone; its files
// are shown relative to the skill's folder. It fails with a *Fault when a rule panics.
func Alone(ctx context.Context, b *skills.Bundle, engine *lint.Engine, set *lint.Settings) (*Result, error) {
	s, err := Load(ctx, Options{
		FS: b, Base: b.Home(), Paths: []string{b.File()}, Configs: NoConfig(b.Home()), Fixed: set, Workers: 1,
		HasEnv: func(string) bool { return false },
	})
	if err != nil {
		return nil, err
	}
	r := &Result{Skills: s.skills, snapshot: s}
	for _, skill := range s.skills {
		err := s.guard(skill.Doc.Path, func() {
			v := &skillView{s, s.tree, skill, s.solo(skill, nil)}
			r.Findings = append(r.Findings, s.asked(engine.Skill(skill, v, set))...)
		})
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Excludes reports whether a glob leaves out a file, given by its absolute path, or a folder that it lies in.
func (o *Options) Excludes(abs string) bool {
	s := &Snapshot{opt: *o}
	for at := abs; within(o.Base, at); at = filepath.Dir(at) {
		if s.excludes(Shown(o.Base, at)) {
			return true
		}
		if at == o.Base {
			return false
		}
	}
	return s.excludes(Shown(o.Base, abs))
}
