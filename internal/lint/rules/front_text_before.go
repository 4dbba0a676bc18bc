package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var frontTextBefore = &lint.Rule{
	Name: "frontmatter/text-before", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A blank line, a comment or other text stands above the front matter.",
		Why: "Agents look for `---` at the first byte of the file. With anything above it most of them see no front matter and drop the skill; " +
			"some list it with the comment as its description.",
		Bad:  "<!-- generated, edit the template -->\n---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n<!-- generated, edit the template -->\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		front := &p.Skill.Front
		if p.Skill.Err != nil || front.Format != skills.YAML || front.Open.Kind == skills.NoFence || front.Lead.Empty() {
			return
		}
		lead := front.Lead.In(p.Text())
		f := lint.Finding{
			Span:    p.Doc().Lines().Line(0),
			Message: "text stands before the frontmatter",
			Effect:  "agents look for --- at the first byte of the file and most of them do not list the skill",
			Help:    "move it below the closing fence",
			Fixes:   []lint.Fix{{Title: "move the text below the closing fence", Safe: true, Edits: moveLead(p)}},
		}
		if strings.TrimSpace(lead) == "" {
			f.Message = "a blank line stands before the frontmatter"
			f.Help = "delete it"
			f.Fixes = []lint.Fix{{Title: "delete the blank lines", Safe: true, Edits: []lint.Edit{lint.Delete(front.Lead)}}}
		}
		if opensBlock(lead) || !front.Closed() {
			f.Fixes = nil // the other half of the code fence stands below
			f.Help = "start the file with the line ---"
		}
		p.Report(f)
	},
}

// opensBlock reports whether the front matter stands in a code block that begins above it.
func opensBlock(lead string) bool {
	return strings.Contains(lead, "```") || strings.Contains(lead, "~~~")
}

func moveLead(p *lint.Pass) []lint.Edit {
	front := &p.Skill.Front
	src := p.Text()
	lead, nl := front.Lead.In(src), eol(src)
	if !strings.HasSuffix(lead, "\n") && !strings.HasSuffix(lead, "\r") {
		lead += nl
	}
	end := front.End(src)
	if end == front.Close.Span.End { // the fence is the last line and has no line break
		lead = nl + lead
	}
	return []lint.Edit{lint.Delete(front.Lead), {Edit: text.Edit{Span: text.At(end), New: lead}}}
}
