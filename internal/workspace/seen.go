package workspace

import (
	"io/fs"
	"slices"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// Seen returns the files as the snapshot has them: the skills, and what folders hold, are not read again.
func (s *Snapshot) Seen() skills.FS { return seen{s.opt.FS, s} }

// SkillsBelow returns the skills that lie in a folder or below it, given as an absolute path.
func (s *Snapshot) SkillsBelow(dir string) []*skills.Skill {
	return slices.DeleteFunc(slices.Clone(s.skills), func(skill *skills.Skill) bool { return !within(dir, skill.Doc.Abs) })
}

type seen struct {
	skills.FS
	of *Snapshot
}

func (f seen) ReadFile(name string) ([]byte, error) {
	shown := f.of.Shown(name)
	if i, ok := f.of.skillAt(shown); ok && f.of.skills[i].Err != nil {
		return f.FS.ReadFile(name) // which says why not
	}
	if d := f.of.Doc(shown); d != nil && d.Abs == name {
		return []byte(d.Raw), nil
	}
	return f.FS.ReadFile(name)
}

func (f seen) ReadDir(name string) ([]fs.DirEntry, error) {
	if entries, ok := f.of.tree.Entries(name); ok {
		return slices.Clone(entries), nil
	}
	return f.FS.ReadDir(name) // which says why not
}
