package tokens

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/skills"
)

// Cost is what a skill costs, part by part, in tokens.
type Cost struct {
	Description int    // stands in every conversation
	Body        int    // SKILL.md without its front matter: once the skill is loaded
	Files       []File // what the text leads to, directly or through another file; sorted by path
}

// File is a file of the skill that a model reads when it follows the text.
type File struct {
	Path   string // relative to the skill's folder, with slashes
	Tokens int
	Depth  int // 1: SKILL.md names it; 2: a file that SKILL.md names; and so on
}

// Total returns the tokens of the body and everything it leads to.
func (c *Cost) Total() int {
	sum := c.Body
	for _, f := range c.Files {
		sum += f.Tokens
	}
	return sum
}

// maxFiles bounds how many files are read for one skill.
const maxFiles = 256

// textFiles are the extensions of files that a model reads rather than runs.
var textFiles = []string{".md", ".mdx", ".markdown", ".txt", ".rst", ".json", ".jsonc", ".yaml", ".yml", ".toml", ".csv", ".xml", ".html"}

// Of counts a skill. tree gives the texts of its files; one that cannot be read costs nothing.
func Of(s *skills.Skill, tree *skills.Tree, count Counter) Cost {
	src := s.Doc.Text
	c := Cost{Description: count(s.Description()), Body: count(src[s.Front.End(src):])}
	seen := map[string]bool{skills.FileName: true}
	next := named(s, src, s.Body(), "")
	for depth := 1; len(next) > 0 && len(c.Files) < maxFiles; depth++ {
		var further []string
		for _, rel := range next {
			if seen[rel] || len(c.Files) == maxFiles {
				continue
			}
			seen[rel] = true
			doc, err := tree.Document(path.Join(s.Dir, rel), filepath.Join(filepath.Dir(s.Doc.Abs), filepath.FromSlash(rel)))
			if err != nil {
				continue
			}
			c.Files = append(c.Files, File{Path: rel, Tokens: count(doc.Text), Depth: depth})
			if path.Ext(rel) == ".md" {
				body := skills.ScanBody(doc.Text, 0)
				further = append(further, named(s, doc.Text, &body, rel)...)
			}
		}
		next = further
	}
	slices.SortFunc(c.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return c
}

// named returns the files of the skill that a text names in links and inline code, as paths from the skill's
// folder. Links start from the file they stand in, paths in code from there or from the skill's folder.
func named(s *skills.Skill, src string, body *skills.Body, file string) []string {
	var out []string
	for _, r := range skills.References(src, body) {
		if r.Kind == skills.RunReference || r.Path == "" || r.Base == skills.PluginBase || !slices.Contains(textFiles, strings.ToLower(path.Ext(r.Path))) {
			continue
		}
		for _, start := range []string{path.Dir(file), "."} {
			if rel := path.Join(start, r.Path); rel != ".." && !strings.HasPrefix(rel, "../") && s.Holds(rel) {
				out = append(out, rel)
				break
			}
		}
	}
	return out
}
