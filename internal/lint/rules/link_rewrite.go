package rules

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// written returns how the text would write a path that is relative to the skill's folder.
func (j *judge) written(r *skills.Reference, rel string) string {
	if r.Base == skills.HereBase && r.Kind == skills.LinkReference && j.file != "" {
		return relSlash(path.Dir(j.file), rel)
	}
	return rel
}

// rewrite returns a fix that makes references name a path that is relative to the skill's folder.
func (j *judge) rewrite(rel string, safe bool, refs ...*skills.Reference) []lint.Fix {
	fix := lint.Fix{Title: "change to " + j.written(refs[0], rel), Safe: safe}
	for _, r := range refs {
		to := j.written(r, rel)
		if r.Kind == skills.LinkReference {
			to = encodeDestination(to)
		}
		if r.Base != skills.HereBase {
			variable, ok := strings.CutSuffix(r.Span.In(j.doc.Text), r.Path)
			if !ok {
				return nil
			}
			to = variable + to
		}
		fix.Edits = append(fix.Edits, lint.Replace(r.Span, to))
	}
	return []lint.Fix{fix}
}

// encodeDestination writes a path so that a link without angle brackets can hold it.
func encodeDestination(s string) string {
	return strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "#", "%23", "?", "%3F").Replace(s)
}

// slashRel returns the path from one absolute path to another, with slashes.
func slashRel(from, to string) string {
	if rel, ok := skills.Below(from, to); ok {
		return filepath.ToSlash(rel)
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return filepath.ToSlash(to) // another drive
	}
	return filepath.ToSlash(rel)
}

// relSlash is slashRel for paths that start from the same folder.
func relSlash(from, to string) string {
	return slashRel(filepath.FromSlash("/"+from), filepath.FromSlash("/"+to))
}
