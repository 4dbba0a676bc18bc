package rules

import (
	"cmp"
	"slices"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// ToolMention is a place in a skill that names a tool of an MCP server, or the server alone.
type ToolMention struct {
	Span  text.Span // the name, with that of the server where both are written as one word
	Offer *lint.Offer
	// Tool is the one that is named. Its Node is nil where only the server is, and where the server has none of that
	// name.
	Tool catalog.Tool
}

// ToolMentions returns the places in a text of a skill that name tools of known MCP servers, by their place: in its
// SKILL.md, or in another Markdown file of it, which speaks of the servers that the skill speaks of.
func ToolMentions(s *skills.Skill, doc *skills.Document, v lint.View) []ToolMention {
	t := listen(&lint.Pass{Skill: s, View: v})
	if t != nil && doc.Path != s.Doc.Path {
		t = hear(&lint.Pass{Skill: skills.Parse(doc), View: v}, t.spoken)
	}
	if t == nil {
		return nil
	}
	var out []ToolMention
	for _, m := range slices.Concat(t.mentions, t.whole) {
		mention := ToolMention{Span: m.at, Offer: m.offer}
		if m.tool != nil {
			mention.Tool = m.tool.tool
		} else if m.weak {
			continue // it may be another word with a colon
		}
		out = append(out, mention)
	}
	slices.SortFunc(out, func(a, b ToolMention) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return out
}

// ToolOffers returns the servers whose tools a skill may speak of, by name.
func ToolOffers(s *skills.Skill, v lint.View) []*lint.Offer {
	var out []*lint.Offer
	for _, o := range rosterOf(&lint.Pass{Skill: s, View: v}).servers {
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b *lint.Offer) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// ToolServerName writes a server's name as it stands in names of tools such as mcp__SERVER__TOOL.
func ToolServerName(server string) string { return profile.PlainToolName(server) }
