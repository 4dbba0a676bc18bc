package lsp

import (
	"github.com/aymanbagabas/go-udiff"
	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// maxRounds bounds how often fixes are worked out anew: those that overlap wait for the next round.
const maxRounds = 10

// fixAll applies all safe fixes of a document that change nothing else, until none is left.
func (c converter) fixAll() (*protocol.WorkspaceEdit, bool) {
	src := c.p.doc.text
	fixed := c.fixed(src)
	if fixed == src {
		return nil, false
	}
	b, m := c.builder(), c.mapper(c.p.file)
	for _, e := range udiff.Strings(src, fixed) {
		b.replace(c.p.doc.raw, m.rangeOf(text.Span{Start: e.Start, End: e.End}), e.New)
	}
	return b.build()
}

func (c converter) fixed(src string) string {
	p := c.p
	for range maxRounds {
		plan := lint.PlanFixes(own(c.findings(c.st, p), p.file), false, func(string) bool { return false })
		edits := plan.Edits[p.file]
		if len(edits) == 0 {
			return src
		}
		after, err := text.Apply(src, edits)
		if err != nil {
			c.log.Error("fixes cannot be applied", "file", p.file, "err", err)
			return src
		}
		src = after
		fs := c.st.fs.With(map[string]string{p.doc.abs: src})
		live, _, ok := p.live.With(fs, skills.NewDocument(p.file, p.doc.abs, src))
		if !ok {
			return src
		}
		p.live = live
	}
	return src
}

// own keeps the findings whose fixes edit their own file and nothing else.
func own(findings []lint.Finding, file string) []lint.Finding {
	var out []lint.Finding
	for _, f := range findings {
		var fixes []lint.Fix
		for _, x := range f.Fixes {
			if len(x.Renames)+len(x.Creates) == 0 && !editsElsewhere(x, file) {
				fixes = append(fixes, x)
			}
		}
		f.Fixes = fixes
		out = append(out, f)
	}
	return out
}

func editsElsewhere(x lint.Fix, file string) bool {
	for _, e := range x.Edits {
		if e.File != file {
			return true
		}
	}
	return false
}
