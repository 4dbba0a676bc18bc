package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/text"
)

var descriptionMarkup = &lint.Rule{
	Name: "description/markup", Severity: lint.Warning, Scope: lint.FrontScope, Since: since,
	Explains: []string{"*/description-deny", "*/description-pattern", "changed/description/rewritten"}, Unhurt: lint.Info,
	Page: lint.Page{
		What: "The description holds an XML-like tag, or an angle bracket.",
		Why: "VS Code strips tags from descriptions; Gemini CLI, OpenCode and others put them unescaped into a prompt that is marked up itself; " +
			"claude.ai and the Skills API refuse every angle bracket, even in an arrow. A bracket that is no tag is only worth a note.",
		Bad:  "---\nname: demo\ndescription: Builds pages from <wa-card> parts. Use when a page uses cards.\n---\n\n# Steps\n\nBuild.\n",
		Good: "---\nname: demo\ndescription: Builds pages from wa-card parts. Use when a page uses cards.\n---\n\n# Steps\n\nBuild.\n",
	},
	Run: func(p *lint.Pass) {
		f := valueField(p, "description")
		if f == nil || f.Value.Empty() {
			return
		}
		if _, ok := promptTag(p); ok {
			return // security/listing-tag tells it
		}
		raw := f.Value.In(p.Text())
		skip := blockHeader(raw)
		if !strings.ContainsAny(raw[skip:], "<>") {
			return
		}
		if m := tagPattern.FindStringIndex(raw[skip:]); m != nil {
			p.Report(lint.Finding{
				Span:    text.Span{Start: f.Value.Start + skip + m[0], End: f.Value.Start + skip + m[1]},
				Message: "an XML-like tag stands in the description",
				Effect:  "VS Code strips it, other agents put it into their markup unescaped, and claude.ai refuses the skill",
				Help:    "drop the angle brackets",
			})
			return
		}
		if m := bracketPattern.FindStringIndex(raw[skip:]); m != nil {
			p.Report(lint.Finding{
				Severity: lint.Info,
				Span:     text.Span{Start: f.Value.Start + skip + m[0], End: f.Value.Start + skip + m[1]},
				Message:  "an angle bracket stands in the description",
				Effect:   "the claude.ai upload refuses it",
				Help:     "write it in words if the skill is to be uploaded there",
			})
		}
	},
}

var (
	tagPattern     = lazyregexp.New(`</?[A-Za-z][A-Za-z0-9_.:-]*(\s[^<>]*)?/?>`)
	bracketPattern = lazyregexp.New(`[<>]`)
)

// blockHeader returns the length of the indicator line of a block scalar, whose ">" is no text.
func blockHeader(raw string) int {
	if raw[0] != '>' && raw[0] != '|' {
		return 0
	}
	for i := range len(raw) {
		if raw[i] == '\n' || raw[i] == '\r' {
			return i
		}
	}
	return len(raw)
}
