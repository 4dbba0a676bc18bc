package rules

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

var mcpServerEmpty = &lint.Rule{
	Name: "mcp-server/empty", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A server declares that it has tools, and lists none.",
		Why:  "Most often it is not configured far enough: a key, a project or a folder is missing, and it says so nowhere. Claude Code warns of it, too.",
		Bad:  "-- docs.tools.json --\n{\"initialize\": {\"protocolVersion\": \"2025-11-25\", \"capabilities\": {\"tools\": {}}}, \"tools\": []}\n",
		Good: goodTools,
	},
	Run: eachOffer(func(p *lint.Pass, o *lint.Offer) {
		if o.Server != nil && len(o.Server.Tools) == 0 && o.Server.Capability("tools") {
			p.Report(onServer(o, lint.Finding{Message: fmt.Sprintf("server %q declares the capability tools and has none", o.Name)}))
		}
	}),
}

// cost is what tools cost a conversation.
type cost struct {
	offer  *lint.Offer
	tokens int
}

// costs returns what the tools of each server cost as the server sends them.
func costs(o *lint.Offers) (each []cost, total int) {
	for i := range o.Servers {
		s := &o.Servers[i]
		if s.Server == nil {
			continue
		}
		c := cost{offer: s}
		for _, t := range s.Server.Tools {
			c.tokens += tokens.Estimate(t.Name() + t.Description() + t.InputSchema().Raw())
		}
		each, total = append(each, c), total+c.tokens
	}
	return each, total
}

var mcpServerTotalTokens = &lint.Rule{
	Name: "mcp-server/total-tokens", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Options: []lint.Option{{Name: "tokens", Default: 20_000, Doc: "the most that the tools of all servers of a configuration may cost"}},
	Page: lint.Page{
		What: "The tools of all servers of a configuration together cost many tokens in every conversation.",
		Why: "They stand before the model from the first word on, in a client that does not defer them, and a model chooses worse among many. " +
			"The message says what each client sends. What a single server costs, mcp-server/tokens tells.",
		Good: goodTools,
	},
	Run: func(p *lint.Pass) {
		each, total := costs(p.Offers)
		limit := p.Option("tokens")
		if len(each) < 2 || total <= limit {
			return
		}
		s := staged(p)
		var said, over []string
		for _, c := range s.judges {
			sent := 0
			for _, o := range each {
				for _, t := range o.offer.Server.Tools {
					if shown := s.of(c, t); shown.Listed {
						sent += tokens.Estimate(shown.Name.Name + shown.Description + shown.Schema())
					}
				}
			}
			if sent > limit {
				over, said = append(over, c.ID()), append(said, fmt.Sprintf("%s %d", lint.Labels(c), sent))
			}
		}
		if len(over) == 0 {
			return
		}
		most := slices.MaxFunc(each, func(a, b cost) int { return cmp.Compare(a.tokens, b.tokens) })
		p.Report(onServer(most.offer, lint.Finding{
			Clients: over,
			Message: fmt.Sprintf("the tools of all servers cost more than %d tokens in every conversation: %s; %d of them are those of %q", limit, strings.Join(said, ", "), most.tokens, most.offer.Name),
			Help:    "turn off servers and tools that are not needed here",
		}))
	},
}

var mcpServerAutoApproved = &lint.Rule{
	Name: "mcp-server/auto-approved", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Risk: &lint.Risk{CWE: []int{862}, OWASP: []string{"AST03"}},
	Page: lint.Page{
		What: "A tool that says that it destroys runs without asking.",
		Why:  "autoApprove and alwaysAllow take the user's say away; for a tool with destructiveHint that is what the hint is there to prevent.",
		Bad: "-- .kiro/settings/mcp.json --\n{\"mcpServers\": {\"docs\": {\"command\": \"docs-mcp\", \"autoApprove\": [\"drop_manual\"]}}}\n" +
			toolsExample(strings.Replace(toolExample("drop_manual", goodSchema), `"readOnlyHint": true`, `"destructiveHint": true`, 1)),
		Good: goodTools,
	},
	Run: eachOffer(func(p *lint.Pass, o *lint.Offer) {
		for m, item := range listedTools(o, mcpconfig.Trust) {
			if t, ok := o.Server.Tool(item.Text); ok && destroys(offered{t, o}) {
				p.Report(lint.Finding{
					File: o.Entry.File.Doc.Path, Span: item.Span, Server: o.Name, Tool: item.Text,
					Message: fmt.Sprintf("%s lets tool %q run without asking, which says that it destroys", m.Name, item.Text),
				})
			}
		}
	}),
}

// listedTools yields the names in the lists of a server's entry that have one of some meanings, with the list, when the
// server's tools are known.
func listedTools(o *lint.Offer, roles ...mcpconfig.Role) iter.Seq2[*mcpconfig.Member, *mcpconfig.Node] {
	return func(yield func(*mcpconfig.Member, *mcpconfig.Node) bool) {
		if o.Server == nil || o.Entry == nil {
			return
		}
		for _, m := range o.Entry.Fields() {
			if !slices.Contains(roles, mcpconfig.RoleOf(m.Name)) {
				continue
			}
			for _, item := range m.Value.Items {
				if item.Is(mcpconfig.String) && !yield(m, item) {
					return
				}
			}
		}
	}
}

// destroys reports whether a tool says so itself. Without a word the protocol takes it for one that does, which says
// nothing.
func destroys(t offered) bool {
	destructive, _ := t.Annotation("destructiveHint")
	readOnly, _ := t.Annotation("readOnlyHint")
	return destructive && !readOnly
}
