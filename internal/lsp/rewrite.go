package lsp

import (
	"path"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// rewrites are what can be done to a place of a skill that has no fault: quote a value, and move a section
// into a file of its own.
func (c converter) rewrites(at text.Span) []action {
	skill := c.p.live.SkillOf(c.p.file)
	if skill == nil || skill.Doc.Path != c.p.file {
		return nil
	}
	var out []action
	if fix, ok := quoteValue(skill, at); ok {
		out = append(out, c.rewrite("Quote this value", protocol.CodeActionKindRefactorRewrite, fix))
	}
	if fix, ok := moveSection(skill, at.Start); ok && c.can.create {
		out = append(out, c.rewrite(fix.Title, protocol.CodeActionKindRefactorExtract, fix))
	}
	return out
}

func (c converter) rewrite(title string, kind protocol.CodeActionKind, fix lint.Fix) action {
	return action{title: title, kind: kind, edit: func() (*protocol.WorkspaceEdit, bool) { return c.edit(fix) }}
}

// quoteValue puts a plain value of one line in quotes, with the meaning it has without.
func quoteValue(skill *skills.Skill, at text.Span) (lint.Fix, bool) {
	for i := range skill.Front.Fields {
		f := &skill.Front.Fields[i]
		v := f.Value.In(skill.Doc.Text)
		if !touches(f.Value, at) || !f.Plain() || f.Tag() != "!!str" || v == "" || strings.ContainsAny(v, "\r\n") {
			continue
		}
		return lint.Fix{Edits: []lint.Edit{{File: skill.Doc.Path, Edit: text.Edit{Span: f.Value, New: doubleQuoted(f.Text)}}}}, true
	}
	return lint.Fix{}, false
}

// doubleQuoted writes a text of one line as a YAML value in double quotes.
func doubleQuoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`).Replace(s) + `"`
}

// minSection is how long a section must be, in bytes, for its own file to be worth a link.
const minSection = 200

// moveSection moves the section of level 2 that an offset lies in the heading of into a file below
// references, and leaves a link. Agents read such a file only when they need it.
func moveSection(skill *skills.Skill, off int) (lint.Fix, bool) {
	b, src := skill.Body(), skill.Doc.Text
	for i, h := range b.Headings {
		if h.Level != 2 || off < h.Span.Start || off > h.Span.End || skill.Layout != skills.InFolder {
			continue
		}
		end := len(src)
		for _, next := range b.Headings[i+1:] {
			if next.Level <= h.Level {
				end = next.Span.Start
				break
			}
		}
		title := h.Text.In(src)
		file := path.Join("references", slug(title)+".md")
		body := text.Span{Start: h.Span.End, End: end}
		if body.Len() < minSection || slug(title) == "" || skill.Holds(file) || refersElsewhere(skill, body) {
			return lint.Fix{}, false
		}
		nl := eol(src)
		link := nl + nl + "Read [" + title + "](" + file + ") for this." + nl
		if end < len(src) {
			link += nl
		}
		return lint.Fix{
			Title:   "Move this section to " + file,
			Creates: []lint.Create{{File: path.Join(skill.Dir, file), Text: "# " + title + nl + nl + strings.TrimSpace(body.In(src)) + nl}},
			Edits:   []lint.Edit{{File: skill.Doc.Path, Edit: text.Edit{Span: body, New: link}}},
		}, true
	}
	return lint.Fix{}, false
}

// refersElsewhere reports whether a part of a skill holds links that would lead elsewhere from another folder.
func refersElsewhere(skill *skills.Skill, at text.Span) bool {
	for _, l := range skill.Body().Links {
		if at.Covers(l.Span) && !skills.HasScheme(l.Dest.In(skill.Doc.Text)) || at.Covers(l.Span) && l.Label != "" {
			return true
		}
	}
	return false
}

// slug makes the name of a file of a heading.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "-")
}
