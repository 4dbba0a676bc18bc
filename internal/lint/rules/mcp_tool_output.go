package rules

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
)

var mcpToolLostOutput = &lint.Rule{
	Name: "mcp-tool/lost-output", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A client drops what a tool returns: links to resources, embedded files that are no text, or structuredContent.",
		Why: "AgentScope gives its model texts, images and sounds and drops the rest without a word to it: a tool that returns nothing but a link looks like one that returned nothing. " +
			"What an outputSchema describes has to stand in a text too, as MCP asks for (2025-06-18: a tool with structured content should return it as text as well). " +
			"`skilllint simulate --script FILE --call` shows what is left of a real result.",
		Bad:  toolsExample(strings.Replace(toolExample("search_manual", goodSchema), "Searches the manual for a word.", "Searches the manual for a word and returns resource links.", 1)),
		Good: goodTools, Clients: []string{"agentscope-2"},
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		for _, kind := range outputs {
			if !kind.returned(t) {
				continue
			}
			if h := staged(p).dropping(t, kind.what); len(h.clients) > 0 {
				p.Report(t.at(kind.pointer, lint.Finding{
					Severity: kind.severity, Clients: h.ids(), Message: fmt.Sprintf("%s %s: %s", t.title(), kind.words, h), Help: kind.help,
				}))
			}
		}
	}),
}

// outputs are kinds of results that a client may drop, and how to tell that a tool returns them.
var outputs = []struct {
	what     string // as profiles call it
	returned func(offered) bool
	pointer  string
	severity lint.Severity
	words    string
	help     string
}{
	{
		"resource_link", func(t offered) bool { return saidLink.MatchString(t.Description()) }, "/description", lint.Warning,
		"returns links to resources", "return what the model needs as text, and the link beside it",
	},
	{
		"blob", func(t offered) bool { return saidBlob.MatchString(t.Description()) }, "/description", lint.Warning,
		"returns embedded resources that may be no text", "return images as image content, and of other files a text",
	},
	{
		"structured", func(t offered) bool { return t.OutputSchema().Is(catalog.Object) }, "/outputSchema", lint.Info,
		"has an outputSchema and so returns structuredContent", "return the same data as text too, as most SDKs do by themselves",
	},
}

// dropping tells which of the clients that judge drop something of a tool's results.
func (s *stage) dropping(t offered, what string) harm {
	var h harm
	for _, c := range s.judges {
		if shown := s.of(c, t.Tool); c.Results.Drops(what) && shown.Alone() {
			h.clients, h.words = append(h.clients, c), append(h.words, "drops that|drop that")
		}
	}
	return h
}

// What descriptions say of results in the words of the protocol. Plain words for links and files mean too many things.
var (
	saidLink = lazyregexp.New(`(?i)\breturn\w*\b[^.]*\bresource[ _-]?links?\b`)
	saidBlob = lazyregexp.New(`(?i)\breturn\w*\b[^.]*\b(?:embedded|blob)[ _-]?resources?\b`)
)
