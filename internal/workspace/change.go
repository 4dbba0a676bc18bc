package workspace

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// With returns the snapshot in which a file has another text, and shares with s whatever that does not touch.
// fsys is the file system that shows the new text. The result is false when the text may decide on more than
// itself, such as a configuration, or which files are skills: then the snapshot must be taken anew.
func (s *Snapshot) With(fsys skills.FS, doc *skills.Document) (*Snapshot, bool) {
	if decides(doc.Path) {
		return nil, false
	}
	next := *s
	next.opt.FS, next.tree = fsys, s.tree.WithTexts(fsys)
	next.fresh = maps.Clone(s.fresh)
	if next.fresh == nil {
		next.fresh = map[string]*skills.Document{}
	}
	next.fresh[doc.Path] = doc
	if i, sidecar := s.owner(doc.Path); i >= 0 {
		next.skills = slices.Clone(s.skills)
		if sidecar {
			next.skills[i] = s.skills[i].With(nil, doc)
		} else {
			next.skills[i] = s.skills[i].With(doc, nil)
		}
	} else if i, ok := s.configAt(doc.Path); ok {
		file := mcpconfig.Parse(doc, s.mcp[i].Place)
		if file == nil {
			return nil, false // by its new content it is none
		}
		next.mcp = slices.Clone(s.mcp)
		next.mcp[i] = file
		next.offers = next.allOffers()
	}
	return &next, true
}

// Follows reports whether With can take a new text of a file: not when it decides on more than itself, nor when
// it would be a part of the snapshot and is none yet.
func (s *Snapshot) Follows(file string) bool {
	if decides(file) {
		return false
	}
	if i, _ := s.owner(file); i >= 0 || s.ConfigOf(file) != nil {
		return true
	}
	return path.Base(file) != skills.FileName && !strings.HasSuffix(file, "/"+skills.SidecarPath) && mcpconfig.Match(s.Abs(file)) == nil
}

// decides reports whether the text of a file decides on more than the findings in it: which files are left
// out, what holds for them, or whether the file itself is a skill.
func decides(file string) bool {
	base, dir := path.Base(file), path.Base(path.Dir(file))
	switch {
	case slices.Contains(lint.ConfigNames, base), strings.HasSuffix(base, "ignore"), base == catalog.LockName:
		return true
	case base == skills.FileName:
		return false
	}
	return skills.IsSkillFile(base) || skills.IsLikeSkillFile(base) || dir == "skills" && path.Ext(base) == ".md"
}

// owner returns the index of the skill that a file is the SKILL.md or the sidecar of, or -1.
func (s *Snapshot) owner(file string) (at int, sidecar bool) {
	if i, ok := s.skillAt(file); ok {
		return i, false
	}
	if dir, ok := strings.CutSuffix(file, "/"+skills.SidecarPath); ok {
		if i := s.skillIn(dir); i >= 0 && s.skills[i].Sidecar != nil {
			return i, true
		}
	}
	return -1, false
}

func (s *Snapshot) skillAt(file string) (int, bool) {
	return slices.BinarySearchFunc(s.skills, file, func(skill *skills.Skill, p string) int { return cmp.Compare(skill.Doc.Path, p) })
}

// skillIn returns the index of the skill whose folder dir is, or -1.
func (s *Snapshot) skillIn(dir string) int {
	for _, name := range []string{skills.FileName, "skill.md", "Skill.md"} {
		if i, ok := s.skillAt(path.Join(dir, name)); ok {
			return i
		}
	}
	return -1
}

func (s *Snapshot) configAt(file string) (int, bool) {
	return slices.BinarySearchFunc(s.mcp, file, func(f *mcpconfig.File, p string) int { return cmp.Compare(f.Doc.Path, p) })
}

// SkillOf returns the skill that a file belongs to, by its shown path: the one whose folder it lies in, the
// nearest if several, or nil.
func (s *Snapshot) SkillOf(file string) *skills.Skill {
	if i, _ := s.owner(file); i >= 0 {
		return s.skills[i]
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if i := s.skillIn(dir); i >= 0 && s.skills[i].Layout == skills.InFolder {
			return s.skills[i]
		}
		if isTop(dir) {
			return nil
		}
	}
}

// isTop reports whether a shown folder is one that the search upward ends at.
func isTop(dir string) bool {
	return dir == "." || dir == "/" || strings.HasSuffix(dir, "..") || path.Dir(dir) == dir
}

// ConfigOf returns the MCP configuration at a shown path, or nil.
func (s *Snapshot) ConfigOf(file string) *mcpconfig.File {
	if i, ok := s.configAt(file); ok {
		return s.mcp[i]
	}
	return nil
}

// FS returns the file system that the snapshot was taken of.
func (s *Snapshot) FS() skills.FS { return s.opt.FS }

// Base returns the absolute path of the folder that shown paths are relative to.
func (s *Snapshot) Base() string { return s.opt.Base }

// Shown returns the path under which a file of the snapshot is shown.
func (s *Snapshot) Shown(abs string) string { return Shown(s.opt.Base, filepath.Clean(abs)) }

// ConfigErr returns the faults of the configuration files read so far, or nil.
func (s *Snapshot) ConfigErr() error { return s.opt.Configs.Err() }
