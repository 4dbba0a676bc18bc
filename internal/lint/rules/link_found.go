package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// outside notes a link to a file that exists but does not travel with the skill, once for each target.
func (j *judge) outside(r *skills.Reference, rel string) {
	if !strings.HasPrefix(rel, "../") || r.Base == skills.PluginBase || j.left[rel] {
		return
	}
	j.left[rel] = true
	j.report(ruleOutside, lint.Finding{
		Span:    r.Span,
		Message: fmt.Sprintf("the link to %s leaves the skill directory", r.Path),
		Effect:  "the file is not there when the skill is installed or uploaded alone",
		Help:    "copy the file into the skill, or ship both in one plugin",
	})
}

// elsewhere notes a link to another skill, or out of a reference file, to what is not here. It may be where the
// whole collection is.
func (j *judge) elsewhere(r *skills.Reference, rel string) {
	if j.left[rel] {
		return
	}
	j.left[rel] = true
	j.report(ruleOutside, lint.Finding{
		Span:    r.Span,
		Message: fmt.Sprintf("the link leaves the skill for another one that is not here: there is no %s", r.Path),
		Help:    "name the other skill instead, so that an agent can ask for it",
	})
}

// fromRoot notes a path that is written as if a folder above the skill were the place it starts from.
func (j *judge) fromRoot(r *skills.Reference, rel string) {
	f := lint.Finding{
		Span:    r.Span,
		Message: fmt.Sprintf("link target not found from the skill directory: %s is written from the root of the project or plugin", r.Path),
		Help:    "write " + j.written(r, rel),
		Fixes:   j.rewrite(rel, false, r),
	}
	switch {
	case r.Kind != skills.LinkReference:
		f.Severity = lint.Info
		f.Message = fmt.Sprintf("the path %s is written from the project root", r.Path)
		f.Effect = "an agent that works in the skill directory does not find it, nor does anybody once the skill is installed elsewhere"
	case j.file != "":
		f.Severity = lint.Info
		f.Message = fmt.Sprintf("link target not found from %s/: %s is written from the skill directory, and links start from the file they stand in", path.Dir(j.file), r.Path)
	}
	j.report(ruleFromRoot, f)
}

func (j *judge) wrongCase(r *skills.Reference, other string) {
	j.report(ruleCase, lint.Finding{
		Span:    r.Span,
		Message: fmt.Sprintf("the case of the file name differs: the file is %s, not %s", other, r.Path),
		Effect:  "it is found on macOS and Windows but not on Linux",
		Help:    "write " + j.written(r, other),
		Fixes:   j.rewrite(other, true, r),
	})
}

// backslash reports a path with backslashes, unless its line says that it is for Windows.
func (j *judge) backslash(r *skills.Reference) {
	raw := r.Span.In(j.doc.Text)
	lines := j.doc.Lines()
	if before := j.doc.Text[lines.Line(lines.OffsetLine(r.Span.Start)).Start:r.Span.Start]; forWindows.MatchString(before) {
		return
	}
	to := strings.ReplaceAll(raw, `\`, "/")
	j.report(ruleBackslash, lint.Finding{
		Span:    r.Span,
		Message: fmt.Sprintf("the path %s is written with backslashes", raw),
		Effect:  "the file is found on Windows alone",
		Help:    "write " + to,
		Fixes:   []lint.Fix{{Title: "write " + to, Safe: true, Edits: []lint.Edit{lint.Replace(r.Span, to)}}},
	})
}

var forWindows = lazyregexp.New(`(?i)\b(?:windows|powershell|cmd\.exe)\b`)

// anchorElsewhere judges the fragment of a link to another Markdown file.
func (j *judge) anchorElsewhere(r *skills.Reference, rel string) {
	if r.Fragment == "" || path.Ext(rel) != ".md" {
		return
	}
	doc, err := j.pass.View.Tree().Document(path.Join(j.skill.Dir, rel), j.abs(rel))
	if err != nil {
		return
	}
	body := skills.ScanBody(doc.Text, 0)
	j.anchor(r, doc, &body)
}

// anchor judges the fragment of a link against the headings of a text.
func (j *judge) anchor(r *skills.Reference, doc *skills.Document, body *skills.Body) {
	if r.Fragment == "" || hasAnchor(doc.Text, body, r.Fragment) {
		return
	}
	j.report(ruleAnchor, lint.Finding{
		Span:    r.Anchor,
		Message: fmt.Sprintf("no heading or anchor of %s is called #%s", path.Base(doc.Path), r.Fragment),
		Help:    "write the heading in lower case with hyphens for blanks",
	})
}
