package lsp

import (
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// creations offer to create the file that a reference at a place leads to, where there is none.
func (c converter) creations(at text.Span) []action {
	p, ok := c.pageAt(c.st, c.p)
	if !ok || p.skill == nil || !c.can.create {
		return nil
	}
	r, ok := p.referenceAt(at.Start)
	if !ok || r.Path == "" || strings.HasSuffix(r.Path, "/") {
		return nil
	}
	abs, there := p.target(r)
	if there || abs == "" || !within(filepath.Dir(p.skill.Doc.Abs), abs) || !c.st.reaches(abs) {
		return nil
	}
	file := p.live().Shown(abs)
	fix := lint.Fix{Creates: []lint.Create{{File: file, Text: p.beginning(r, abs)}}}
	a := c.rewrite("Create "+p.relative(file), protocol.CodeActionKindQuickFix, fix)
	for _, f := range c.findings(c.st, c.p) {
		if f.Span.Overlaps(whole(r)) && (f.Rule.Group() == "link" || f.Rule.Name == "file/script-missing") {
			a.finding = &f
			break
		}
	}
	return []action{a}
}

// beginning is what a new file starts with: a Markdown file with a heading, called as the link to it.
func (p *page) beginning(r skills.Reference, abs string) string {
	if filepath.Ext(abs) != ".md" {
		return ""
	}
	title := strings.TrimSuffix(filepath.Base(abs), ".md")
	for _, l := range p.body.Links {
		if l.Dest.Covers(r.Span) && !l.Text.Empty() {
			title = l.Text.In(p.text())
		}
	}
	return "# " + title + eol(p.text())
}
