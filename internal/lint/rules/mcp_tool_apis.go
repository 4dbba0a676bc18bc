package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
)

// Rules about schemas for APIs that take less than JSON Schema. They are opinions, for clients adapt what they send:
// what a client in use is known to lose, other rules tell.

// forAPI returns a Run that tells once for each tool what an API does not take of its schema.
func forAPI(api string, faults func(schema *catalog.Node) []catalog.Defect) func(*lint.Pass) {
	return eachTool(func(p *lint.Pass, t offered) {
		schema := t.InputSchema()
		if !schema.Is(catalog.Object) || catalog.SchemaBound(schema) != "" {
			return
		}
		found := faults(schema)
		if len(found) == 0 {
			return
		}
		const most = 3
		var said []string
		for _, d := range found[:min(most, len(found))] {
			said = append(said, fmt.Sprintf("%s (%s)", d.Reason, place("/inputSchema"+d.Pointer)))
		}
		if more := len(found) - most; more > 0 {
			said = append(said, fmt.Sprintf("%d more", more))
		}
		p.Report(t.at("/inputSchema"+found[0].Pointer, lint.Finding{Message: fmt.Sprintf("%s does not fit %s: %s", t.title(), api, strings.Join(said, "; "))}))
	})
}

// Bounds of OpenAI's strict mode. https://platform.openai.com/docs/guides/structured-outputs
const (
	strictProperties = 5000
	strictDepth      = 10
)

// notStrict are keywords that strict mode refuses.
var notStrict = []string{
	"allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties", "propertyNames", "unevaluatedProperties",
	"minProperties", "maxProperties", "unevaluatedItems", "contains", "minContains", "maxContains", "uniqueItems",
}

var mcpToolOpenAIStrict = &lint.Rule{
	Name: "mcp-tool/openai-strict", Severity: lint.Hint, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The schema of a tool cannot be used with OpenAI's strict mode.",
		Why: "There every object closes with additionalProperties false and requires all of its properties (an optional one takes null, too), the root is a plain object, some keywords are missing, " +
			"and there are at most 5,000 properties in 10 levels. No MCP client that was watched asks for it; agents of one's own may.",
		Bad:  toolsExample(toolExample("search_manual", goodSchema)),
		Good: toolsExample(toolExample("search_manual", strings.Replace(goodSchema, `"required"`, `"additionalProperties": false, "required"`, 1))),
	},
	Run: forAPI("OpenAI's strict mode", strictFaults),
}

func strictFaults(schema *catalog.Node) []catalog.Defect {
	var out []catalog.Defect
	add := func(pointer, format string, args ...any) {
		out = append(out, catalog.Defect{Pointer: pointer, Reason: fmt.Sprintf(format, args...)})
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if schema.Get(key) != nil {
			add("/"+key, "%s at the root", key)
		}
	}
	properties := 0
	catalog.WalkSchema(schema, func(at string, n *catalog.Node) {
		for _, key := range notStrict {
			if n.Get(key) != nil {
				add(at+"/"+key, "%s", key)
			}
		}
		properties += len(n.Get("properties").Entries())
		if !hasTypeName(n, "object") {
			return
		}
		if closed, ok := n.Get("additionalProperties").Bool(); !ok || closed {
			add(at, "additionalProperties is not false")
		}
		for _, m := range n.Get("properties").Entries() {
			if !slices.ContainsFunc(n.Get("required").List(), func(r *catalog.Node) bool { return r.Text() == m.Key }) {
				add(catalog.Join(at, "properties", m.Key), "%q is not required", shortened(m.Key))
			}
		}
	})
	if properties > strictProperties {
		add("", "%d properties, more than %d", properties, strictProperties)
	}
	if at, levels := deepest(schema); levels > strictDepth {
		add(at, "%d levels, more than %d", levels, strictDepth)
	}
	return out
}

// hasTypeName reports whether a schema names a type, alone or in a list.
func hasTypeName(n *catalog.Node, name string) bool {
	typ := n.Get("type")
	return typ.Text() == name || slices.ContainsFunc(typ.List(), func(one *catalog.Node) bool { return one.Text() == name })
}

// geminiKeywords are the fields of a schema in the Gemini API. https://ai.google.dev/api/caching#Schema
var geminiKeywords = strings.Fields(`type format title description nullable enum maxItems minItems properties required minProperties maxProperties
	minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum`)

// geminiFormats are the formats it knows, by type.
var geminiFormats = map[string][]string{"string": {"enum", "date-time"}, "integer": {"int32", "int64"}, "number": {"float", "double"}}

// silent are keywords that say nothing about a value: whoever sends a schema on may leave them out.
var silent = []string{"$schema", "$id", "id", "$comment", "examples", "deprecated", "readOnly", "writeOnly"}

var mcpToolGeminiAPI = &lint.Rule{
	Name: "mcp-tool/gemini-api", Severity: lint.Hint, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The schema of a tool has something that the Gemini API's own form of schemas does not know.",
		Why: "That form is a part of OpenAPI 3: one type each, enum for texts only, few formats, no const, no $ref, no additionalProperties. Gemini CLI passes JSON Schema on since the API takes it in a field of its own; " +
			"other clients still send the old form and fail, or leave things out. https://github.com/google-gemini/gemini-cli/issues/2237",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"part": {"const": "index", "description": "The part"}}}`)),
		Good: goodTools,
	},
	Run: forAPI("the Gemini API's own form", geminiFaults),
}

func geminiFaults(schema *catalog.Node) []catalog.Defect {
	var out []catalog.Defect
	catalog.WalkSchema(schema, func(at string, n *catalog.Node) {
		for _, m := range n.Entries() {
			if why := geminiFault(n, m); why != "" {
				out = append(out, catalog.Defect{Pointer: catalog.Join(at, m.Key), Reason: why})
			}
		}
	})
	return out
}

// geminiFault says what is wrong with one keyword of a schema, "" when nothing is.
func geminiFault(n *catalog.Node, m catalog.Member) string {
	typ := n.Get("type").Text()
	switch {
	case slices.Contains(silent, m.Key):
		return ""
	case !slices.Contains(geminiKeywords, m.Key):
		return m.Key
	case m.Key == "type" && m.Value.Is(catalog.Array):
		return "a list of types"
	case m.Key == "enum" && typ != "string":
		return "enum without type string"
	case m.Key == "enum" && slices.ContainsFunc(m.Value.List(), func(v *catalog.Node) bool { return v.Is(catalog.String) && v.Text() == "" }):
		return "an empty text in enum"
	case m.Key == "format" && !slices.Contains(geminiFormats[typ], m.Value.Text()):
		return "format " + shortened(m.Value.Text())
	}
	return ""
}
