package lsp

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// reason stands where the user writes why a finding is suppressed.
const reason = "reason"

// suppressions are the comments that keep a finding of a skill from being shown.
func (c converter) suppressions(f *lint.Finding) []action {
	skill := c.p.live.SkillOf(c.p.file)
	if skill == nil || skill.Doc.Path != c.p.file || f.Rule.Name == lint.UnusedSuppression {
		return nil
	}
	at, comment, ok := suppression(skill, f)
	if !ok {
		return nil
	}
	edit := lint.Fix{Edits: []lint.Edit{{File: c.p.file, Edit: text.Edit{Span: text.At(at), New: comment}}}}
	return []action{{
		title: fmt.Sprintf("Suppress %s here, with a reason", f.Rule.Name), kind: protocol.CodeActionKindQuickFix, finding: f,
		edit: func() (*protocol.WorkspaceEdit, bool) { return c.edit(edit) },
	}}
}

// suppression returns a comment that covers a finding and where to put it. In front matter that is the end of
// the line, where a comment can stand there; in the body the line above. Elsewhere, such as inside code or a
// text of several lines, the whole file is meant.
func suppression(skill *skills.Skill, f *lint.Finding) (at int, comment string, ok bool) {
	src, lines := skill.Doc.Text, skill.Doc.Lines()
	front := &skill.Front
	line := lines.Line(lines.OffsetLine(f.Span.Start))
	name := f.Rule.Name + " -- " + reason
	switch {
	case front.Exists() && front.Block.Covers(text.At(f.Span.Start)) && front.Format == skills.YAML && commentFits(skill, line):
		return line.End, " # skilllint-disable-line " + name, true
	case !front.Exists() || f.Span.Start < front.End(src) || inCode(skill.Body(), line.Start):
		return len(src), lineBreakBefore(src) + "<!-- skilllint-disable-file " + name + " -->" + eol(src), true
	}
	return line.Start, "<!-- skilllint-disable-next-line " + name + " -->" + eol(src), true
}

// commentFits reports whether a YAML comment can end a line: not inside a text that goes on after it.
func commentFits(skill *skills.Skill, line text.Span) bool {
	for _, f := range skill.Front.Fields {
		if f.Value.Start < line.End && line.End < f.Value.End || f.Broken && touches(f.Extent, line) {
			return false
		}
		if v := f.Value.In(skill.Doc.Text); touches(f.Value, line) && v != "" && strings.IndexByte("|>", v[0]) >= 0 {
			return false
		}
	}
	return true
}

// inCode reports whether a comment put at an offset would be code.
func inCode(b *skills.Body, off int) bool {
	for _, f := range b.Fences {
		if f.Span.Contains(off) {
			return true
		}
	}
	for _, s := range b.Indented {
		if s.Contains(off) {
			return true
		}
	}
	return false
}

// eol returns the line break that a text uses.
func eol(src string) string {
	if i := strings.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func lineBreakBefore(src string) string {
	if src == "" || strings.HasSuffix(src, "\n") {
		return ""
	}
	return eol(src)
}
