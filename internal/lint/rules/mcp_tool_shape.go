package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
)

var mcpToolShape = &lint.Rule{
	Name: "mcp-tool/shape", Severity: lint.Error, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A tool is not what the MCP schema wants: no name, no inputSchema with type object at its root, a hint that is no boolean.",
		Why: "Most clients check a list as a whole. Claude Code, Gemini CLI, OpenCode, Kilo and Kimi Code then take none of the server's tools; of eight clients that were watched, " +
			"three took the others. An outputSchema without type object makes the TypeScript SDK throw the whole list away.",
		Bad:     toolsExample(`{"name": "search_manual", "description": "Searches the manual for a word.", "annotations": {"readOnlyHint": true}, "inputSchema": {"properties": {}}}`),
		Good:    goodTools,
		Clients: []string{"claude-code"},
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		for _, d := range t.Defects(t.offer.Server.ProtocolVersion) {
			f := lint.Finding{Message: t.title() + ": " + d.Reason, Help: "the author of the server has to mend it"}
			if strings.HasSuffix(d.Pointer, "/x-mcp-header") {
				if !remote(t.offer) {
					f.Severity = lint.Warning // clients drop the tool over HTTP only
				}
			} else if blamed, ok := staged(p).blame(f, t, lossOf("shape")); ok && blamed.Clients != nil {
				f = blamed
				f.Severity = lint.Error
			}
			p.Report(t.at(d.Pointer, f))
		}
	}),
}

// remote reports whether a server is known to be reached over the network.
func remote(o *lint.Offer) bool { return o.Entry != nil && o.Entry.Transport().Remote() }

var mcpToolDuplicateName = &lint.Rule{
	Name: "mcp-tool/duplicate-name", Severity: lint.Error, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "Two tools of one server have the same name.",
		Why: "Names have to be unique in a server. Claude Code, Codex, Crush and Kimi Code show the first, Copilot CLI, Gemini CLI, OpenCode and Kilo the last; " +
			"the other is lost without a word.",
		Bad:  toolsExample(toolExample("search", goodSchema), toolExample("search", goodSchema)),
		Good: goodTools,
	},
	Run: eachOffer(func(p *lint.Pass, o *lint.Offer) {
		if o.Server == nil {
			return
		}
		seen := map[string]bool{}
		for _, t := range o.Server.Tools {
			if name := t.Name(); name != "" && seen[name] {
				p.Report(offered{t, o}.at("/name", lint.Finding{Message: fmt.Sprintf("duplicate tool name %q in server %q: clients show one of them only", name, o.Name)}))
			}
			seen[t.Name()] = true
		}
	}),
}

var mcpToolInvalidSchema = &lint.Rule{
	Name: "mcp-tool/invalid-schema", Severity: lint.Error, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The schema of a tool's arguments, or of its result, breaks the JSON Schema dialect it is written in, which is 2020-12 when $schema names none.",
		Why: "The Anthropic API refuses a request with such a tool (\"must match draft 2020-12\"), so Claude Code leaves the tool out; validators fail on it. " +
			"Frequent: `exclusiveMinimum: true` and lists in `items` from older dialects, `required` inside `properties`.",
		Bad:     toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"word": {"type": "text", "description": "The word"}}}`)),
		Good:    goodTools,
		Clients: []string{"claude-code"},
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		invalid := false
		shape := t.Defects(t.offer.Server.ProtocolVersion)
		for _, root := range []string{"/inputSchema", "/outputSchema"} {
			schema := t.At(root)
			if !schema.Is(catalog.Object) {
				continue
			}
			for _, d := range catalog.SchemaFaults(schema) {
				if slices.ContainsFunc(shape, func(known catalog.Defect) bool { return known.Pointer == root+d.Pointer }) {
					continue // mcp-tool/shape tells it
				}
				invalid = true
				f := lint.Finding{Severity: lint.Error, Message: fmt.Sprintf("%s: %s is not valid JSON Schema: %s", t.title(), place(root+d.Pointer), d.Reason)}
				f, _ = staged(p).blame(f, t, lossOf("invalid", "tuple", "unknown-type", "property-kind"))
				f.Severity = lint.Error
				p.Report(t.at(root+d.Pointer, f))
			}
		}
		if !invalid {
			reportOldDialect(p, t)
		}
	}),
}

var mcpToolBooleanParameter = &lint.Rule{
	Name: "mcp-tool/boolean-parameter", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The schema of a parameter is true or false.",
		Why: "JSON Schema takes that, for anything or for nothing. The SDKs of MCP took objects only up to 2025-11-25: Gemini CLI, OpenCode, Kilo and Kimi Code then take none of the server's tools, " +
			"as Claude Code did up to 2.1.197. An empty object says the same as true.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"word": true}}`)),
		Good: goodTools, Clients: []string{"gemini-cli"},
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		for _, m := range t.InputSchema().Get("properties").Entries() {
			if !m.Value.Is(catalog.Bool) {
				continue
			}
			f := lint.Finding{
				Severity: lint.Info, Help: `write {}, or "not": {} for false`,
				Message: fmt.Sprintf("%s: the schema of parameter %q is %s, not an object", t.title(), shortened(m.Key), m.Value.Raw()),
			}
			f, _ = staged(p).blame(f, t, lossOf("property-boolean"))
			p.Report(t.at(catalog.Join("/inputSchema/properties", m.Key), f))
		}
	}),
}

// reportOldDialect tells of a schema that is valid in the older dialect it names: clients and APIs that know only the
// newest refuse it.
func reportOldDialect(p *lint.Pass, t offered) {
	schema := t.InputSchema()
	if !schema.Is(catalog.Object) || schema.Get("$schema") == nil {
		return
	}
	for _, d := range catalog.FaultsIn2020(schema) {
		at := "/inputSchema" + d.Pointer
		f := lint.Finding{Severity: lint.Info, Message: fmt.Sprintf("%s: %s is not valid in JSON Schema 2020-12: %s", t.title(), place(at), d.Reason)}
		if f, hurt := staged(p).blame(f, t, lossOf("invalid", "tuple")); hurt {
			p.Report(t.at(at, f))
		}
	}
}

// place writes a pointer into a tool as people do.
func place(pointer string) string {
	return strings.TrimPrefix(strings.ReplaceAll(pointer, "/", "."), ".")
}

var mcpToolReference = &lint.Rule{
	Name: "mcp-tool/reference", Severity: lint.Error, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A $ref in a schema leads nowhere, or out of the schema.",
		Why: "A reference to what is not there makes validators and providers fail on the tool. One to another address must not be followed by itself (MCP 2026-07-28), " +
			"so the model sees nothing of what it stands for.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"word": {"description": "The word", "$ref": "#/$defs/Word"}}}`)),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		for _, root := range []string{"/inputSchema", "/outputSchema"} {
			for _, r := range catalog.Refs(t.At(root)) {
				f := lint.Finding{}
				switch {
				case r.Missing:
					f.Message = fmt.Sprintf("%s: unresolvable $ref %s: the schema has no such place", t.title(), r.Target)
				case r.Remote:
					f.Message = fmt.Sprintf("%s: $ref %s leads out of the schema: nobody follows it", t.title(), shortened(r.Target))
				default:
					continue
				}
				p.Report(t.at(root+r.Pointer, f))
			}
		}
	}),
}

// shortened cuts a text of a server that may be long.
func shortened(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

var mcpToolDialect = &lint.Rule{
	Name: "mcp-tool/dialect", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "$schema names a dialect of JSON Schema that does not exist, or, as a hint once a server, an older one.",
		Why: "Validators look the dialect up and refuse the schema. Drafts 4 to 2020-12 are known everywhere; without $schema it is 2020-12, which is what MCP means since 2025-11-25. " +
			"Servers in TypeScript name draft 7 on every tool, and clients take it.",
		Bad:  toolsExample(toolExample("search_manual", `{"$schema": "https://json-schema.org/draft/2021/schema", "type": "object", "properties": {}}`)),
		Good: goodTools,
	},
	Run: eachOffer(func(p *lint.Pass, o *lint.Offer) {
		if o.Server == nil {
			return
		}
		old := false
		for _, tool := range o.Server.Tools {
			t := offered{tool, o}
			for _, root := range []string{"/inputSchema", "/outputSchema"} {
				schema := t.At(root)
				address, known := catalog.Dialect(schema)
				switch {
				case !schema.Is(catalog.Object):
				case !known:
					f := lint.Finding{Message: fmt.Sprintf("%s: $schema names the unknown dialect %s", t.title(), shortened(address))}
					p.Report(t.at(root+"/$schema", f))
				case !old && !strings.HasSuffix(address, "/2020-12/schema"):
					old = true
					f := lint.Finding{Severity: lint.Hint, Message: fmt.Sprintf("%s: $schema names %s; MCP means JSON Schema 2020-12", t.title(), address)}
					p.Report(t.at(root+"/$schema", f))
				}
			}
		}
	}),
}

var mcpToolDepth = &lint.Rule{
	Name: "mcp-tool/depth", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Options: []lint.Option{{Name: "levels", Default: 10, Doc: "how many levels of objects and arrays a schema may have"}},
	Page: lint.Page{
		What: "The schema of a tool is nested deeply, or refers to itself.",
		Why:  "OpenAI's strict mode takes ten levels. Providers that write references out fail on one that leads back to itself, and models fill in deep structures badly.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"tree": {"description": "The tree", "$ref": "#/$defs/Tree"}}, "$defs": {"Tree": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Tree"}}}}}`)),
		Good: goodTools,
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		schema := t.InputSchema()
		if reason := catalog.SchemaBound(schema); reason != "" {
			p.Report(t.at("/inputSchema", lint.Finding{Severity: lint.Error, Message: fmt.Sprintf("%s: the schema %s: it is not looked at", t.title(), reason)}))
			return
		}
		if at, levels := deepest(schema); levels > p.Option("levels") {
			p.Report(t.at("/inputSchema"+at, lint.Finding{Severity: lint.Info, Message: fmt.Sprintf("%s: the schema is nested %d levels deep", t.title(), levels)}))
		}
		for _, r := range catalog.Refs(schema) {
			if r.Recursive() && !r.Missing {
				f := lint.Finding{Severity: lint.Info, Message: fmt.Sprintf("%s: $ref %s leads back to itself: providers that write references out cannot take it", t.title(), r.Target)}
				p.Report(t.at("/inputSchema"+r.Pointer, f))
			}
		}
	}),
}

// deepest returns the innermost parameter and how many objects and arrays it lies in.
func deepest(schema *catalog.Node) (pointer string, levels int) {
	catalog.WalkSchema(schema, func(at string, _ *catalog.Node) {
		if n := strings.Count(at, "/properties/") + strings.Count(at, "/items"); n > levels {
			pointer, levels = at, n
		}
	})
	return pointer, levels
}
