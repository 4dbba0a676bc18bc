package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
)

var mcpToolRootReference = &lint.Rule{
	Name: "mcp-tool/root-reference", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The schema of a tool has a $ref at its root.",
		Why: "Clients and providers look for properties at the root and follow no reference there: they show a tool without parameters, or leave it out. " +
			"https://github.com/google-gemini/gemini-cli/issues/13326",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "$ref": "#/$defs/Word", "$defs": {"Word": {"type": "object", "properties": {"word": {"type": "string", "description": "The word"}}}}}`)),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		if !t.InputSchema().Get("$ref").Is(catalog.String) {
			return
		}
		f := lint.Finding{
			Severity: lint.Info,
			Message:  t.title() + ": inputSchema is a $ref at its root: many clients show no parameters then",
			Help:     "write properties and required at the root",
		}
		f, _ = staged(p).blame(f, t, func(s profile.ShownTool) string { return rewritten(s, "/inputSchema/$ref") })
		p.Report(t.at("/inputSchema/$ref", f))
	}),
}

var mcpToolLocalReference = &lint.Rule{
	Name: "mcp-tool/local-reference", Severity: lint.Hint, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A schema takes parts of itself by $ref.",
		Why: "JSON Schema wants it so, and the clients that were watched pass it on but for Crush, which mcp-tool/lost-keywords tells. Others, and some providers, do not follow references: " +
			"the model sees nothing of what they stand for. https://github.com/jlowin/fastmcp/issues/2808",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"word": {"$ref": "#/$defs/Word", "description": "The word"}}, "$defs": {"Word": {"type": "string"}}}`)),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		refs := catalog.Refs(t.InputSchema())
		if slices.ContainsFunc(refs, catalog.Ref.Recursive) {
			return // mcp-tool/depth tells it
		}
		for _, r := range refs {
			if !r.Remote && !r.Missing && r.Pointer != "/$ref" { // of the root mcp-tool/root-reference tells
				f := lint.Finding{Message: fmt.Sprintf("%s: $ref %s: not every client follows references", t.title(), shortened(r.Target)), Help: "write the part out where it is used"}
				p.Report(t.at("/inputSchema"+r.Pointer, f))
				return // one is enough
			}
		}
	}),
}

var mcpToolNoProperties = &lint.Rule{
	Name: "mcp-tool/no-properties", Severity: lint.Hint, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "An object in a schema has no properties.",
		Why: "The OpenAI API has refused \"object schema missing properties\", so that clients add an empty list. `{\"type\": \"object\", \"properties\": {}}` says the same everywhere. " +
			"https://github.com/openai/openai-agents-python/issues/392",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object"}`)),
		Good: toolsExample(toolExample("search_manual", `{"type": "object", "properties": {}}`)),
	},
	Run: eachSchema(func(p *lint.Pass, t offered, pointer string, n *catalog.Node) {
		if n.Get("type").Text() == "object" && !describesObject(n) {
			p.Report(t.at(pointer, lint.Finding{Message: fmt.Sprintf("%s: object without properties at %s", t.title(), place(pointer)), Help: `add "properties": {}`}))
		}
	}),
}

// describesObject reports whether a schema says what an object holds, in whatever way.
func describesObject(n *catalog.Node) bool {
	return combined(n) || slices.ContainsFunc([]string{"properties", "$ref", "patternProperties", "propertyNames", "const", "enum", "if"}, func(key string) bool { return n.Get(key) != nil }) ||
		n.Get("additionalProperties").Is(catalog.Object)
}

// oldKeywords are keywords that JSON Schema 2020-12 reads past, and what took their place.
// https://json-schema.org/draft/2020-12/release-notes
var oldKeywords = map[string]string{
	"additionalItems": "items beside prefixItems", "dependencies": "dependentRequired or dependentSchemas", "id": "$id",
	"$recursiveRef": "$dynamicRef", "$recursiveAnchor": "$dynamicAnchor",
}

var mcpToolOldKeyword = &lint.Rule{
	Name: "mcp-tool/old-keyword", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A schema has a keyword of an older dialect of JSON Schema than the one it is written in.",
		Why:  "Without $schema the dialect is 2020-12, which reads past `dependencies`, `additionalItems` and `id`: what they ask for is not checked. `definitions` is left alone, for references into it still hold.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"word": {"type": "string", "description": "The word"}}, "dependencies": {"word": ["part"]}}`)),
		Good: goodTools, Clients: []string{"claude-code"},
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		for _, root := range []string{"/inputSchema", "/outputSchema"} {
			if address, _ := catalog.Dialect(t.At(root)); !strings.HasSuffix(address, "/2020-12/schema") {
				continue
			}
			catalog.WalkSchema(t.At(root), func(at string, n *catalog.Node) {
				for _, m := range n.Members {
					if now, old := oldKeywords[m.Key]; old && (m.Key != "id" || m.Value.Is(catalog.String)) {
						f := lint.Finding{Message: fmt.Sprintf("%s: %s means nothing in JSON Schema 2020-12", t.title(), m.Key), Help: "write " + now}
						p.Report(t.at(root+catalog.Join(at, m.Key), f))
					}
				}
			})
		}
	}),
}

var mcpToolPattern = &lint.Rule{
	Name: "mcp-tool/pattern", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A pattern is no regular expression, or one that not every validator can read.",
		Why: "JSON Schema means those of ECMAScript. A validator that cannot read one refuses the schema. Those in Go and Rust have neither look-around nor references back, " +
			"which costs no time in the length of the text: such a pattern is told as info.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"word": {"type": "string", "pattern": "^(a|b", "description": "The word"}}}`)),
		Good: goodTools, Clients: []string{"claude-code"},
	},
	Run: eachSchema(func(p *lint.Pass, t offered, pointer string, n *catalog.Node) {
		if pattern := n.Get("pattern"); pattern.Is(catalog.String) {
			reportPattern(p, t, pointer+"/pattern", pattern.Text())
		}
		if patterns := n.Get("patternProperties"); patterns.Is(catalog.Object) {
			for _, m := range patterns.Members {
				reportPattern(p, t, catalog.Join(pointer, "patternProperties", m.Key), m.Key)
			}
		}
	}),
}

func reportPattern(p *lint.Pass, t offered, pointer, pattern string) {
	if _, err := regexp.Compile(pattern); err == nil {
		return
	}
	is, sure := ecmaScript(pattern)
	if !sure {
		return
	}
	if !is {
		p.Report(t.at(pointer, lint.Finding{Message: fmt.Sprintf("%s: the pattern %s is no regular expression", t.title(), shortened(pattern))}))
		return
	}
	f := lint.Finding{Severity: lint.Info, Message: fmt.Sprintf("%s: validators in Go and Rust cannot read the pattern %s: it looks around or refers back", t.title(), shortened(pattern))}
	p.Report(t.at(pointer, f))
}
