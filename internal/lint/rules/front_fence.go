package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var frontFence = &lint.Rule{
	Name: "frontmatter/fence", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: unread,
	Page: lint.Page{
		What: "A line that opens or closes the front matter is not exactly `---`.",
		Why: "Four dashes, an indented fence, `...`, text behind the dashes, or longer dashes instead of hyphens, is a fence for a few agents only. " +
			"The others see no front matter, or one that never ends, and drop the skill.",
		Bad:  "----\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n----\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		front := &p.Skill.Front
		var edits []lint.Edit
		var first *skills.Delimiter
		for _, fence := range []*skills.Delimiter{&front.Open, &front.Close} {
			if fenceFault[fence.Kind] == "" {
				continue
			}
			if first == nil {
				first = fence
			}
			edits = append(edits, lint.Replace(fence.Span, "---"))
		}
		if first == nil {
			return
		}
		p.Report(lint.Finding{
			Span: first.Span,
			Message: fmt.Sprintf("%s %s is no fence",
				shownFence(p.Text(), first), fenceFault[first.Kind]),
			Effect: "most agents see no frontmatter here and do not list the skill",
			Help:   "write exactly three hyphens, alone on the line",
			Fixes:  []lint.Fix{{Title: "write ---", Safe: first.Kind != skills.TextFence, Edits: edits}},
		})
	},
}

// shownFence returns a fence as a reader sees it.
func shownFence(src string, fence *skills.Delimiter) string {
	if fence.Kind == skills.HiddenFence {
		return "---"
	}
	return fence.Span.In(src)
}

var fenceFault = map[skills.FenceKind]string{
	skills.LongFence:     "with more than three dashes",
	skills.IndentedFence: "behind blanks",
	skills.DotsFence:     "instead of ---",
	skills.TextFence:     "with text behind the dashes",
	skills.HiddenFence:   "beside characters that nobody sees",
	skills.DashFence:     "instead of hyphens",
}
