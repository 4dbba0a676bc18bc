package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// absence is a file that is not there and the places of one text that name it.
type absence struct {
	rule string
	rel  string              // path relative to the skill's folder
	refs []*skills.Reference // the first is the one that is reported
}

// missing notes that a reference leads nowhere.
func (j *judge) missing(rule string, r *skills.Reference, rel string) {
	if a := j.absent[rel]; a != nil {
		a.refs = append(a.refs, r)
		return
	}
	a := &absence{rule: rule, rel: rel, refs: []*skills.Reference{r}}
	j.absent[rel] = a
	j.order = append(j.order, a)
}

func (a *absence) finding(j *judge) lint.Finding {
	first := a.refs[0]
	f := lint.Finding{Span: first.Span}
	switch a.rule {
	case ruleMissing:
		f.Message = fmt.Sprintf("link target not found: there is no %s%s", first.Path, j.from(first))
		f.Effect = "an agent that follows the link reads nothing"
	case ruleScriptMissing:
		f.Message = fmt.Sprintf("script not found: the command runs %s, but the skill does not bring it", first.Path)
	default:
		f.Message = fmt.Sprintf("file not found: the text sends the agent to %s, but the skill does not bring it", first.Path)
	}
	for _, r := range a.refs[1:] {
		f.Related = append(f.Related, lint.Related{File: j.doc.Path, Span: r.Span, Message: "named here too"})
	}
	f.Help = "add the file, or take the reference out"
	if near := j.nearest(a.rel); near != "" {
		f.Help = "did you mean " + j.written(first, near) + "?"
		f.Fixes = j.rewrite(near, false, a.refs...)
	}
	return f
}

// from says where the path of a link starts.
func (j *judge) from(r *skills.Reference) string {
	switch {
	case r.Base == skills.PluginBase:
		return " in the plugin"
	case r.Base == skills.HereBase && j.file != "":
		return " seen from " + path.Dir(j.file) + "/"
	}
	return " in the skill directory"
}

// maxCompared is how many pairs of an absent and a present file are compared for each skill. Telling how much two
// paths differ takes a microsecond.
const maxCompared = 20000

// nearest returns the path of the file that an absent one was most likely meant to be, or "": one with the same
// name in another folder, else one with a similar path.
func (j *judge) nearest(rel string) string {
	x := j.index()
	known := x.byName[path.Base(rel)]
	if path.Base(rel) != skills.FileName && len(known) == 1 {
		return known[0]
	}
	if len(known) == 0 {
		known = x.byExt[path.Ext(rel)]
	}
	if x.compared+len(known) > maxCompared {
		return ""
	}
	x.compared += len(known)
	return lint.Nearest(rel, known)
}

// renamedFolder reports whether an absent file lies in a folder whose name differs by an "s" alone, such as
// reference/ for references/. Whatever the text around it says, the file is meant.
func (j *judge) renamedFolder(rel string) bool {
	first, rest, ok := strings.Cut(rel, "/")
	other, plural := strings.CutSuffix(first, "s")
	if !plural {
		other += "s"
	}
	return ok && j.skill.Holds(other+"/"+rest)
}
