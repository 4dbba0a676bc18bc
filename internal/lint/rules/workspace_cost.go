package rules

import (
	"fmt"

	"github.com/skill-ls/skill-ls/internal/lint"
)

var listingCost = &lint.Rule{
	Name: "workspace/listing-cost", Severity: lint.Hint, Scope: lint.WorkspaceScope, Since: since,
	Options: []lint.Option{{Name: "tokens", Default: 2000, Doc: "the least that is told of, in tokens"}},
	Page: lint.Page{
		What: "What the list of all skills costs a client in every conversation.",
		Why: "Name and description of each skill stand before the model from the first word on, used or not. Told, for each client, from 2,000 tokens on (about 40 skills of usual length); " +
			"`client/listing-budget` says when a client leaves some of it out.",
		Bad:     listed + "-- .skilllint.yaml --\nrules:\n  workspace/listing-cost: {tokens: 10}\n",
		Good:    listed,
		Clients: []string{"claude-code"},
	},
	Run: func(p *lint.Pass) {
		for _, l := range p.View.Listings() {
			if cost := listingTokens(l); l.Profile.Known("listing") && cost >= p.Option("tokens") {
				p.Report(lint.Finding{
					File:    ".",
					Message: fmt.Sprintf("the list of skills costs %s about %d tokens (%d %s) in every conversation", lint.Labels(l.Profile), cost, l.Usage.Used, l.Usage.Unit),
					Help:    "shorten descriptions, or move skills that are rarely needed elsewhere",
				})
			}
		}
	},
}

const listed = "-- .claude/skills/demo/SKILL.md --\n" + demoSkill

// bytesPerToken is how many characters a token has in descriptions, near enough for a hint: see package tokens.
const bytesPerToken = 4

func listingTokens(l lint.Listing) int {
	if l.Usage.Unit == "tokens" {
		return l.Usage.Used
	}
	return l.Usage.Used / bytesPerToken
}
