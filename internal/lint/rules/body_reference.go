package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var bodyReferenceVariable = &lint.Rule{
	Name: "body/variable-in-reference", Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "A file in references/ holds a variable that clients replace in SKILL.md alone.",
		Why: "The model reads referenced files itself, as they lie on disk: ${CLAUDE_SKILL_DIR} stays, and the shell that gets it puts nothing in its place. Commands such as !`make` do not run there, which is no fault. " +
			"Variables alone in inline code and those the file sets itself are not judged, nor are skills about writing skills.",
		Bad:     bodyReferenceHead + "Run `sh ${CLAUDE_SKILL_DIR}/scan.sh`.\n",
		Good:    bodyReferenceHead + "Run `sh scan.sh` in the skill's folder.\n",
		Clients: []string{"claude-code"},
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Err != nil || len(p.Skill.Files) < 2 || teachesSkills(p.Skill) {
			return
		}
		texts := referenceTexts(p)
		if texts == nil {
			return
		}
		all := judges(p)
		for _, doc := range texts {
			if m, ok := replacedElsewhere(doc, all); ok {
				p.View.Tree().Keep(doc)
				p.Report(lint.Finding{
					File: doc.Path, Span: m.span,
					Message: fmt.Sprintf("the variable %s is not replaced in referenced files", m.span.In(doc.Text)),
					Effect:  "the model reads them as they lie on disk",
					Help:    "write a path relative to the skill's folder, or let SKILL.md give the value",
				})
			}
		}
	},
}

const bodyReferenceHead = "-- demo/SKILL.md --\n" + bodyHead + "See [scanning](references/scan.md).\n-- demo/scan.sh --\n#!/bin/sh\n-- demo/references/scan.md --\n# Scan\n\n"

// referenceTexts returns the Markdown files below references/ that hold a dollar sign.
func referenceTexts(p *lint.Pass) []*skills.Document {
	var out []*skills.Document
	for _, f := range p.Skill.Files {
		if !strings.HasPrefix(f.Path, "references/") || path.Ext(f.Path) != ".md" {
			continue
		}
		if len(out) == maxReferenceFiles {
			break
		}
		doc, err := p.File(f.Path)
		if err == nil && strings.IndexByte(doc.Text, '$') >= 0 {
			out = append(out, doc)
		}
	}
	return out
}

// replacedElsewhere returns the first mark of a text that one of the clients would replace in a SKILL.md.
func replacedElsewhere(doc *skills.Document, all []*profile.Profile) (mark, bool) {
	if !strings.Contains(doc.Text, "$ARGUMENTS") && !strings.Contains(doc.Text, "${") {
		return mark{}, false
	}
	body := skills.ScanBody(doc.Text, 0)
	for _, m := range findMarks(doc.Text, 0, &body) {
		does := replaces(m, m.span.In(doc.Text), false)
		if does == nil || m.alone || m.escaped || m.handedOn(doc.Text) || explains(doc.Text, m.name) {
			continue
		}
		if yes, _ := split(all, does); len(yes) > 0 {
			return m, true
		}
	}
	return mark{}, false
}

// handedOn reports whether $ARGUMENTS stands in single quotes of a command: no shell reads it there, the program that gets
// it has arguments of its own, as hooks do.
func (m *mark) handedOn(src string) bool {
	if m.kind != argumentsMark || !m.fenced && !m.coded {
		return false
	}
	var quote byte
	for _, c := range []byte(src[strings.LastIndexByte(src[:m.span.Start], '\n')+1 : m.span.Start]) {
		switch {
		case quote == c:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		}
	}
	return quote == '\''
}
