package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
)

var mcpToolRootCombinator = &lint.Rule{
	Name: "mcp-tool/root-combinator", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The schema of a tool has anyOf, oneOf or allOf at its root.",
		Why: "The Anthropic API refuses a request with such a tool. Claude Code merges the branches since 2.1.195, and no longer says which parameters go together but in words; before, it left the tool out. " +
			"Copilot CLI keeps the names of the parameters only, Crush none.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "anyOf": [{"properties": {"word": {"type": "string", "description": "The word"}}, "required": ["word"]}]}`)),
		Good: goodTools, Clients: []string{"claude-code"},
	},
	Run: eachTool(func(p *lint.Pass, t offered) {
		for _, key := range []string{"anyOf", "oneOf", "allOf", "not", "if"} {
			if t.InputSchema().Get(key) == nil {
				continue
			}
			f := lint.Finding{
				Severity: lint.Info,
				Message:  fmt.Sprintf("%s: top-level %s in inputSchema is not taken by the Anthropic API", t.title(), key),
				Help:     "offer all parameters in one list of properties and say in the description which go together",
			}
			if key == "not" || key == "if" {
				f.Message = fmt.Sprintf("%s: top-level %s in inputSchema is lost to some clients", t.title(), key)
			}
			f, hurt := staged(p).blame(f, t, func(s profile.ShownTool) string {
				if words := lossOf("root-combinator")(s); words != "" {
					return words
				}
				return rewritten(s, "/inputSchema/"+key)
			})
			if hurt || key != "not" && key != "if" {
				p.Report(t.at("/inputSchema/"+key, f))
			}
		}
	}),
}

// rewritten tells what a client does to a keyword, when the model is told less because of it.
func rewritten(s profile.ShownTool, pointer string) string {
	if !s.Alone() {
		return ""
	}
	for _, c := range s.Changes {
		if c.Lost && c.Pointer == pointer {
			return "shows the tool with " + c.What + "|show the tool with " + c.What
		}
	}
	return ""
}

var mcpToolLostKeywords = &lint.Rule{
	Name: "mcp-tool/lost-keywords", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A client takes keywords out of the schemas of a server's tools before a model sees them. Told once for each server and client.",
		Why: "Codex keeps only the keywords its API knows: defaults, formats, bounds and patterns are gone. Crush keeps type, properties and required of the root, so that a reference to $defs leads nowhere. " +
			"What matters for a call has to stand in the description too.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"most": {"type": "integer", "maximum": 50, "description": "How many"}}}`)),
		Good: goodTools, Clients: []string{"codex"},
	},
	Run: eachOffer(func(p *lint.Pass, o *lint.Offer) {
		if o.Server == nil {
			return
		}
		s := staged(p)
		for _, c := range s.judges {
			if f, lost := lostKeywords(s, c, o); lost {
				p.Report(f)
			}
		}
	}),
}

// ownRules are keywords whose loss rules of their own tell.
var ownRules = []string{"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "items", "description"}

func lostKeywords(s *stage, c *profile.Profile, o *lint.Offer) (lint.Finding, bool) {
	var lost []string
	var first offered
	var pointer string
	tools := 0
	for _, t := range o.Server.Tools {
		hit := false
		shown := s.of(c, t)
		for _, change := range shown.Changes {
			if !change.Lost || slices.Contains(ownRules, change.Keyword) || !shown.Alone() {
				continue
			}
			hit = true
			if !slices.Contains(lost, change.Keyword) {
				lost = append(lost, change.Keyword)
			}
			if pointer == "" {
				first, pointer = offered{t, o}, change.Pointer
			}
		}
		if hit {
			tools++
		}
	}
	if tools == 0 {
		return lint.Finding{}, false
	}
	slices.Sort(lost)
	f := first.at(pointer, lint.Finding{
		Clients: []string{c.ID()},
		Message: fmt.Sprintf("%s removes %s from the schemas of %s of server %q", lint.Labels(c), joinAnd(lost), counted(tools, "tool"), o.Name),
		Help:    "say in the description what matters for a call",
	})
	return f, true
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

var mcpToolArrayItems = &lint.Rule{
	Name: "mcp-tool/array-items", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "A parameter is an array and does not say of what.",
		Why: "The OpenAI API and VS Code refuse an array without items. Copilot CLI and Crush add items that take anything, Codex makes it an array of strings, " +
			"whatever the server wants.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"words": {"type": "array", "description": "The words"}}}`)),
		Good: goodTools,
	},
	Run: eachSchema(func(p *lint.Pass, t offered, pointer string, n *catalog.Node) {
		if !mayBe(n, "array") || n.Get("items") != nil {
			return
		}
		f := lint.Finding{Severity: lint.Info, Message: fmt.Sprintf("%s: array without items at %s", t.title(), place(pointer)), Help: "say what the array holds: \"items\": {\"type\": \"string\"}"}
		if n.Get("prefixItems") != nil {
			f.Message = fmt.Sprintf("%s: array with prefixItems and without items at %s", t.title(), place(pointer))
		}
		f, _ = staged(p).blame(f, t, func(s profile.ShownTool) string {
			for _, c := range s.Changes {
				if s.Alone() && c.Keyword == "items" && c.Pointer == pointer && c.Lost {
					return "makes it an array of strings|make it an array of strings"
				}
			}
			return ""
		})
		p.Report(t.at(pointer, f))
	}),
}

// mayBe reports whether the type of a schema is the given one, or a list that holds it.
func mayBe(n *catalog.Node, kind string) bool {
	types := n.Get("type")
	return types.Text() == kind || slices.ContainsFunc(types.List(), func(t *catalog.Node) bool { return t.Text() == kind })
}

// formats are those of JSON Schema 2020-12, and those that OpenAPI and so most generators add.
// https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3 https://spec.openapis.org/registry/format/
var formats = strings.Fields(`date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference
	uuid uri-template json-pointer relative-json-pointer regex int32 int64 float double byte binary password`)

var mcpToolFormat = &lint.Rule{
	Name: "mcp-tool/format", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "format has a value that neither JSON Schema nor OpenAPI knows.",
		Why:  "Validators warn on every call, some refuse the schema, and Gemini's API takes few formats at all. `uint` and `google-datetime` come from generators; bounds and the description say the same everywhere.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"most": {"type": "integer", "format": "uint", "description": "How many"}}}`)),
		Good: goodTools, Clients: []string{"claude-code"},
	},
	Run: eachSchema(func(p *lint.Pass, t offered, pointer string, n *catalog.Node) {
		if format := n.Get("format"); format.Is(catalog.String) && !slices.Contains(formats, format.Text()) {
			f := lint.Finding{Message: fmt.Sprintf("%s: non-standard format %s", t.title(), shortened(format.Text()))}
			p.Report(t.at(pointer+"/format", f))
		}
	}),
}

var mcpToolEnum = &lint.Rule{
	Name: "mcp-tool/enum", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "An enum has no value, the same value twice, or values of another type than the parameter.",
		Why:  "No call can be right where no value is left. Gemini's API refuses empty lists and empty texts in them; several providers refuse doubles.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"part": {"type": "string", "enum": ["a", "b", "a"], "description": "The part"}}}`)),
		Good: goodTools,
	},
	Run: eachSchema(func(p *lint.Pass, t offered, pointer string, n *catalog.Node) {
		enum := n.Get("enum")
		if !enum.Is(catalog.Array) {
			return
		}
		if len(enum.Items) == 0 {
			p.Report(t.at(pointer+"/enum", lint.Finding{Message: fmt.Sprintf("%s: enum without values: no call can be right", t.title())}))
			return
		}
		seen := map[string]bool{}
		for i, item := range enum.Items {
			at := pointer + "/enum/" + strconv.Itoa(i)
			switch {
			case seen[item.Hash()]:
				p.Report(t.at(at, lint.Finding{Message: fmt.Sprintf("%s: enum has the value %s twice", t.title(), shortened(item.Raw()))}))
			case !hasType(n.Get("type"), item):
				p.Report(t.at(at, lint.Finding{Message: fmt.Sprintf("%s: the value %s of enum is not of the type %s", t.title(), shortened(item.Raw()), n.Get("type").Raw())}))
			}
			seen[item.Hash()] = true
		}
	}),
}

// hasType reports whether a value has a type of JSON Schema, or one of a list of them.
func hasType(typ, v *catalog.Node) bool {
	if typ.Is(catalog.Array) {
		return slices.ContainsFunc(typ.Items, func(one *catalog.Node) bool { return hasType(one, v) })
	}
	return !catalog.IsTypeName(typ.Text()) || v.IsType(typ.Text())
}

var mcpToolDefault = &lint.Rule{
	Name: "mcp-tool/default", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The default of a parameter, or one of its examples, is not what its own schema wants.",
		Why:  "Models copy defaults and examples into calls, and the server refuses them.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"most": {"type": "integer", "default": "10", "description": "How many"}}}`)),
		Good: goodTools, Clients: []string{"claude-code"},
	},
	Run: eachSchema(func(p *lint.Pass, t offered, pointer string, n *catalog.Node) {
		if d := n.Get("default"); d != nil && !d.Is(catalog.Null) { // null says that there is none
			reportValue(p, t, pointer, "/default", d)
		}
		for i, example := range n.Get("examples").List() {
			reportValue(p, t, pointer, "/examples/"+strconv.Itoa(i), example)
		}
	}),
}

// reportValue tells of a value in a schema that is not what the schema wants.
func reportValue(p *lint.Pass, t offered, schema, below string, v *catalog.Node) {
	reason := misfit(t, schema, v)
	if reason == "" {
		return
	}
	what := "default"
	if strings.HasPrefix(below, "/examples") {
		what = "example"
	}
	p.Report(t.at(schema+below, lint.Finding{Message: fmt.Sprintf("%s: the %s %s is not valid in its own schema: %s", t.title(), what, shortened(v.Raw()), reason)}))
}

// plainKeywords say all that there is to say of a parameter of a simple type, or nothing that a value could break.
var plainKeywords = []string{"type", "description", "title", "default", "examples", "format", "$comment", "deprecated"}

// misfit returns why a value is not what the schema at a pointer wants, "" when it is or when nobody can tell. Most
// schemas have a type and nothing else: they need no compiler.
func misfit(t offered, pointer string, v *catalog.Node) string {
	n := t.At(pointer)
	if !slices.ContainsFunc(n.Members, func(m catalog.Member) bool { return !slices.Contains(plainKeywords, m.Key) }) && hasType(n.Get("type"), v) {
		return ""
	}
	schema, err := catalog.CompileSchema(t.InputSchema(), strings.TrimPrefix(pointer, "/inputSchema"))
	if err != nil {
		return "" // other rules say what is wrong
	}
	for _, d := range schema.Validate(v) {
		return d.Reason
	}
	return ""
}

var bounds = [][2]string{
	{"minimum", "maximum"},
	{"exclusiveMinimum", "exclusiveMaximum"},
	{"minLength", "maxLength"},
	{"minItems", "maxItems"},
	{"minProperties", "maxProperties"},
}

var mcpToolBounds = &lint.Rule{
	Name: "mcp-tool/bounds", Severity: lint.Warning, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "The lower bound of a parameter is above its upper one.",
		Why:  "No value fits: every call that gives the parameter is refused.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"most": {"type": "integer", "minimum": 50, "maximum": 1, "description": "How many"}}}`)),
		Good: goodTools, Clients: []string{"claude-code"},
	},
	Run: eachSchema(func(p *lint.Pass, t offered, pointer string, n *catalog.Node) {
		for _, pair := range bounds {
			low, lowOK := number(n.Get(pair[0]))
			high, highOK := number(n.Get(pair[1]))
			if lowOK && highOK && low > high {
				f := lint.Finding{Message: fmt.Sprintf("%s: %s %v is more than %s %v: no value fits", t.title(), pair[0], low, pair[1], high)}
				p.Report(t.at(pointer+"/"+pair[0], f))
			}
		}
	}),
}

func number(n *catalog.Node) (float64, bool) {
	if !n.Is(catalog.Number) {
		return 0, false
	}
	v, err := strconv.ParseFloat(n.Raw(), 64)
	return v, err == nil
}

var mcpToolRequired = &lint.Rule{
	Name: "mcp-tool/required", Severity: lint.Info, Scope: lint.CatalogScope, Since: since,
	Page: lint.Page{
		What: "required names a parameter that properties does not describe.",
		Why:  "JSON Schema permits it, OpenAI's strict mode does not, and a model has to invent the parameter. Most often it is a slip of the pen or was renamed.",
		Bad:  toolsExample(toolExample("search_manual", `{"type": "object", "properties": {"word": {"type": "string", "description": "The word"}}, "required": ["words"]}`)),
		Good: goodTools,
	},
	Run: eachSchema(func(p *lint.Pass, t offered, pointer string, n *catalog.Node) {
		properties := n.Get("properties")
		if !properties.Is(catalog.Object) || n.Get("patternProperties") != nil || n.Get("$ref") != nil || combined(n) {
			return
		}
		var known []string
		for _, m := range properties.Members {
			known = append(known, m.Key)
		}
		for i, item := range n.Get("required").List() {
			if name := item.Text(); item.Is(catalog.String) && !slices.Contains(known, name) {
				f := lint.Finding{Message: fmt.Sprintf("%s: required names %q, which is no property%s", t.title(), name, lint.Suggest(name, known))}
				p.Report(t.at(pointer+"/required/"+strconv.Itoa(i), f))
			}
		}
	}),
}

// combined reports whether a schema takes more from other ones.
func combined(n *catalog.Node) bool {
	return n.Get("allOf") != nil || n.Get("anyOf") != nil || n.Get("oneOf") != nil
}
