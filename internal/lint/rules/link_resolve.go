package rules

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// target returns the path of what a reference means, relative to the skill's folder, and whether it exists.
// The path is empty when it cannot be told.
func (j *judge) target(r *skills.Reference) (rel string, ok bool) {
	starts := []string{""}
	here := path.Dir(j.file)
	switch {
	case j.home == "":
		return "", false
	case r.Base == skills.PluginBase:
		root := j.pass.View.Tree().PluginRoot(j.home)
		if root == "" {
			return "", false
		}
		starts[0] = slashRel(j.home, root)
	case r.Base == skills.SkillBase || j.file == "":
	case r.Kind == skills.LinkReference:
		starts[0] = here
	default:
		starts = append(starts, here)
	}
	for i, start := range starts {
		to := path.Join(start, r.Path)
		if j.exists(to) {
			return to, true
		}
		if i == 0 {
			rel = to
		}
	}
	return rel, false
}

// exists reports whether a file or folder lies at a path relative to the skill's folder.
func (j *judge) exists(rel string) bool {
	inside := rel != ".." && !strings.HasPrefix(rel, "../")
	if inside && j.skill.Holds(rel) {
		return true
	}
	found, asked := j.asked[rel]
	if !asked {
		found = j.onDisk(rel, inside)
		j.asked[rel] = found
	}
	return found
}

// onDisk is exists for what the skill does not list. A path that leaves a folder reached through a symbolic
// link may start from the link or from where it leads.
func (j *judge) onDisk(rel string, inside bool) bool {
	tree := j.pass.View.Tree()
	if tree.Exists(j.home, j.abs(rel)) {
		return true
	}
	if inside {
		return false
	}
	if j.real == "" {
		j.real = j.home
		if real, err := tree.RealPath(j.home); err == nil {
			j.real = real
		}
	}
	return j.real != j.home && tree.Exists(j.real, filepath.Join(j.real, filepath.FromSlash(rel)))
}

// misspelt reports a path that differs from that of a file only in case or in backslashes.
func (j *judge) misspelt(r *skills.Reference, rel string) bool {
	if strings.IndexByte(rel, '\\') >= 0 {
		slashed := path.Clean(strings.ReplaceAll(rel, `\`, "/"))
		if strings.IndexByte(slashed, '/') < 1 || !j.skill.Holds(slashed) {
			return false
		}
		j.backslash(r)
		return true
	}
	if other := j.otherCase(rel); other != "" {
		j.wrongCase(r, other)
		return true
	}
	return false
}

// otherCase returns the path of a file whose path differs only in case, or "".
func (j *judge) otherCase(rel string) string {
	if other := j.index().folded[strings.ToLower(rel)]; other != "" && other != rel {
		return other
	}
	if len(j.skill.Files) > 0 && !strings.HasPrefix(rel, "../") {
		return ""
	}
	if other := j.pass.View.Tree().OtherCase(j.abs(rel)); other != "" {
		return slashRel(j.home, other)
	}
	return ""
}

// fileIndex finds files of a skill by parts of their paths.
type fileIndex struct {
	folded   map[string]string   // by the path in lower case
	byName   map[string][]string // by the name without the folder
	byExt    map[string][]string // by the extension
	compared int                 // how many paths were compared to find what an absent file may be
}

type fileIndexKey struct{}

// index returns the index of the skill's files, which is made when the first reference is not found.
func (j *judge) index() *fileIndex {
	return lint.Shared(j.pass, fileIndexKey{}, func(p *lint.Pass) *fileIndex {
		n := len(p.Skill.Files)
		x := &fileIndex{folded: make(map[string]string, n), byName: make(map[string][]string, n), byExt: map[string][]string{}}
		for _, f := range p.Skill.Files {
			x.folded[strings.ToLower(f.Path)] = f.Path
			name, ext := path.Base(f.Path), path.Ext(f.Path)
			x.byName[name] = append(x.byName[name], f.Path)
			x.byExt[ext] = append(x.byExt[ext], f.Path)
		}
		return x
	})
}

// abs returns the absolute path of a path relative to the skill's folder.
func (j *judge) abs(rel string) string { return filepath.Join(j.home, filepath.FromSlash(rel)) }

// rootPath returns the path, relative to the skill's folder, of what a reference means when it starts from
// a folder above, up to the root of the project, or "".
func (j *judge) rootPath(r *skills.Reference) string {
	if r.Base != skills.HereBase || strings.HasPrefix(r.Path, "../") {
		return ""
	}
	if j.file != "" && r.Kind == skills.LinkReference && j.exists(path.Clean(r.Path)) {
		return path.Clean(r.Path)
	}
	tree := j.pass.View.Tree()
	root := tree.Root(j.home)
	for dir := j.home; root != "" && dir != root; {
		dir = filepath.Dir(dir)
		if abs := filepath.Join(dir, filepath.FromSlash(r.Path)); tree.Exists(dir, abs) {
			return slashRel(j.home, abs)
		}
	}
	return ""
}

// ownPath returns the path relative to the skill's folder of a path that names that folder, such as
// skills/NAME/scripts/x.py, or "".
func (j *judge) ownPath(r *skills.Reference) string {
	_, rest, ok := strings.Cut("/"+r.Path, "/skills/")
	if !ok || r.Base != skills.HereBase {
		return ""
	}
	folder, rest, ok := strings.Cut(rest, "/")
	if !ok || folder != j.skill.Folder && folder != j.skill.Name() {
		return ""
	}
	return path.Clean(rest)
}
