package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var yamlOddBlank = &lint.Rule{
	Name: "yaml/odd-blank", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A no-break space, or another blank that is not the space of the keyboard, indents a line of the front matter or stands behind the colon of a key.",
		Why: "To YAML such a character is a letter. The line stands at the margin and is a key of its own, or breaks the block; without a space behind the colon there is no key. " +
			"Text copied from a web page or a word processor brings such blanks.",
		Bad:  "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nmetadata:\n\u00a0\u00a0owner: ops\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nmetadata:\n  owner: ops\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		spots := oddBlanks(p)
		if len(spots) == 0 {
			return
		}
		fix := lint.Fix{Title: "write spaces", Safe: true}
		for _, at := range spots {
			fix.Edits = append(fix.Edits, lint.Replace(at, strings.Repeat(" ", utf8.RuneCountInString(at.In(p.Text())))))
		}
		r, _ := utf8.DecodeRuneInString(spots[0].In(p.Text()))
		p.Report(lint.Finding{
			Span:    spots[0],
			Message: fmt.Sprintf("U+%04X looks like a space, but is a letter to YAML%s", r, more(len(spots)-1)),
			Effect:  "the line is not read as it looks",
			Help:    "write spaces",
			Fixes:   []lint.Fix{fix},
		})
	},
}

// oddBlanks returns the odd blanks in front of the lines of the block and behind the colons of its keys, none when YAML reads
// the block as it looks all the same.
func oddBlanks(p *lint.Pass) []text.Span {
	front := &p.Skill.Front
	var out []text.Span
	for _, e := range front.Errors {
		if e.Cause == skills.OddBlank {
			out = append(out, e.Span)
		}
	}
	named := slices.ContainsFunc(front.Fields, func(f skills.Field) bool { return skills.OddBlanks(f.Name) > 0 })
	if len(out) == 0 && !named {
		return nil
	}
	lines := p.Doc().Lines()
	for n := lines.OffsetLine(front.Block.Start); n <= lines.OffsetLine(max(front.Block.End-1, front.Block.Start)); n++ {
		start := lines.Line(n).Start
		if lead := skills.OddBlanks(lines.Line(n).In(p.Text())); lead > 0 {
			out = append(out, text.Span{Start: start, End: start + lead})
		}
	}
	slices.SortFunc(out, func(a, b text.Span) int { return a.Start - b.Start })
	return slices.CompactFunc(out, func(a, b text.Span) bool { return a.Start == b.Start })
}
