package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

var listingBudget = &lint.Rule{
	Name: lint.ListingBudget, Severity: lint.Warning, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "The descriptions of all skills together are longer than a client's listing may be.",
		Why: "Claude Code, Codex and Copilot CLI give the list of skills a share of the context window. What does not fit is cut or left out without a word: " +
			"the skill keeps its name, but no model knows when to use it.",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		for _, l := range p.View.Listings() {
			if len(l.Lost) > 0 {
				p.Report(budgetFinding(l))
			}
		}
	},
}

// mostNamed is how many skills a message names one by one.
const mostNamed = 5

func budgetFinding(l lint.Listing) lint.Finding {
	first := l.Lost[0].Skill
	var named []string
	for _, x := range l.Lost {
		if len(named) == mostNamed {
			named = append(named, fmt.Sprintf("%d more", len(l.Lost)-mostNamed))
			break
		}
		named = append(named, x.Skill.Name()+from(x))
	}
	return lint.Finding{
		File: first.Doc.Path, Span: descriptionSpan(first), Clients: []string{l.Profile.ID()},
		Message: fmt.Sprintf("the skill descriptions exceed the listing budget of %s (%d %s): these lose text: %s",
			lint.Labels(l.Profile), l.Usage.Limit, l.Usage.Unit, strings.Join(named, ", ")),
		Help: "shorten descriptions, or move skills that are rarely needed elsewhere",
	}
}

// from says from which character on a description is lost.
func from(x lint.Lost) string {
	if x.Kept == 0 {
		return ""
	}
	return fmt.Sprintf(" from character %d on", x.Kept+1)
}

func descriptionSpan(s *skills.Skill) text.Span {
	if f := s.Front.Field("description"); f != nil {
		return f.Key
	}
	return text.Span{}
}
