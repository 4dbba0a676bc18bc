// Package skills reads Agent Skills: folders with a SKILL.md, which is YAML front matter and Markdown.
// It says what stands where and what is broken; what that means for an agent is said elsewhere.
package skills

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
	"weak"
)

// FileName is the only name of a skill's file that every agent reads.
const FileName = "SKILL.md"

// SidecarPath is the file, below a skill's folder, that tells Codex how to present the skill.
const SidecarPath = "agents/openai.yaml"

// Layout tells how a skill lies on disk.
type Layout uint8

const (
	InFolder Layout = iota // a folder of its own with a SKILL.md, as it should be
	InRoot                 // SKILL.md directly in a folder of skills
	Flat                   // skills/NAME.md, without a folder
)

// Skill is one SKILL.md, or what its author takes for one, with its place among the others.
type Skill struct {
	Doc     *Document
	Dir     string // the folder, as shown
	Folder  string // the folder's own name
	Layout  Layout
	Root    string // the folder of skills it lies below, as shown; "" when there is none
	Brand   string // the agent's own folder that Root lies in (".claude", ".agents" …), or ""
	Depth   int    // how many folders lie from Root to Dir; 1 is what every agent reads
	Parent  string // the shown path of the SKILL.md of the skill whose folder this one lies in, or ""
	Files   []File // what the folder holds, sorted by path; files of skills further down included
	Sidecar *Document
	Front   FrontMatter
	Err     error // why the file could not be read; Doc is then empty

	mu   sync.Mutex
	body weak.Pointer[Body]
}

// File is an entry below a skill's folder. Folders are not listed.
type File struct {
	Path    string // relative to the skill's folder, with slashes
	Symlink bool
}

// Holds reports whether a file or folder lies at a path relative to the skill's folder, among Files.
func (s *Skill) Holds(rel string) bool {
	rel = strings.TrimSuffix(rel, "/")
	byPath := func(f File, p string) int { return cmp.Compare(f.Path, p) }
	if _, ok := slices.BinarySearchFunc(s.Files, rel, byPath); ok || rel == "" || rel == "." {
		return true
	}
	i, _ := slices.BinarySearchFunc(s.Files, rel+"/", byPath)
	return i < len(s.Files) && strings.HasPrefix(s.Files[i].Path, rel+"/")
}

// Parse reads a document as a SKILL.md. The result has no place on disk yet.
func Parse(doc *Document) *Skill {
	s := &Skill{Doc: doc, Dir: path.Dir(doc.Path)}
	s.Front = parseFront(doc.Text)
	return s
}

// Body returns the blocks below the front matter. They are scanned when they are first asked for, and
// again when nobody has held them for a while: of ten thousand skills only a few are looked at together.
func (s *Skill) Body() *Body {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.body.Value(); b != nil {
		return b
	}
	b := ScanBody(s.Doc.Text, s.Front.End(s.Doc.Text))
	s.body = weak.Make(&b)
	return &b
}

// Name returns the name the skill says it has, or the name of its folder.
func (s *Skill) Name() string {
	if f := s.Front.Field("name"); f != nil && strings.TrimSpace(f.Text) != "" {
		return strings.TrimSpace(f.Text)
	}
	return s.Folder
}

// Description returns the description, or "".
func (s *Skill) Description() string {
	if f := s.Front.Field("description"); f != nil {
		return f.Text
	}
	return ""
}

// Fragment reports whether the file is more likely a piece for a generator than a skill: it has no front
// matter, opens with a comment and lies in no folder of skills. UiPath/skills keeps such pieces under the
// name SKILL.md.
func (s *Skill) Fragment() bool {
	return !s.Front.Exists() && s.Root == "" && strings.HasPrefix(strings.TrimSpace(s.Doc.Text), "<!--")
}

// IsSkillFile reports whether a file of that name is a skill's in any case.
func IsSkillFile(name string) bool { return strings.EqualFold(name, FileName) }

// IsLikeSkillFile reports whether a name is one by which a skill's file is called by mistake, such as SKILL.md.txt.
func IsLikeSkillFile(name string) bool {
	switch strings.ToLower(name) {
	case "skill", "skill.txt", "skill.md.txt", "skill.markdown", "skill.mdx", "skills.md":
		return true
	}
	return false
}
