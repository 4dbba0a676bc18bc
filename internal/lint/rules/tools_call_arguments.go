package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/text"
)

var toolsArguments = &lint.Rule{
	Name: "tools/arguments", Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "An example call of an MCP tool has a parameter that the tool does not have, lacks one that it needs, or has a value of another type or outside an enum.",
		Why: "Models copy example calls. Read are calls such as `mcp__docs__search(word=\"x\")` and JSON with the tool's name and its arguments; " +
			"what stands for a value, such as <word> or ..., is not judged.",
		Bad:  callHead + callBody + "Call `mcp__docs__search_manual(words=\"photo\")`.\n",
		Good: callHead + callBody + "Call `mcp__docs__search_manual(word=\"photo\")`.\n",
	},
	Run: withTools(func(p *lint.Pass, t *toolTalk) {
		for i := range t.mentions {
			if m := &t.mentions[i]; m.tool != nil && !m.listed {
				if c, ok := readCall(p.Text(), m.at.End); ok {
					c.at = m.at
					c.check(p, m.tool)
				}
			}
		}
		t.readBlocks(p)
	}),
}

// call is an example call.
type call struct {
	at        text.Span // the name of the tool
	arguments []argument
	open      bool // more arguments are left out
}

// argument is one argument with its name.
type argument struct {
	name  string
	at    text.Span // the name
	value *catalog.Node
	spot  text.Span // the value
}

// longestCall is how far the closing parenthesis of a call is looked for, in bytes.
const longestCall = 2000

// readCall reads what stands in parentheses right behind a name. It gives up on what is no list of named arguments.
func readCall(src string, at int) (call, bool) {
	if at >= len(src) || src[at] != '(' {
		return call{}, false
	}
	end := closing(src, at)
	if end < 0 {
		return call{}, false
	}
	inside := text.Span{Start: at + 1, End: end}
	if body := strings.TrimSpace(inside.In(src)); strings.HasPrefix(body, "{") {
		start := inside.Start + strings.Index(inside.In(src), "{")
		n, err := catalog.Parse(body)
		if err != nil {
			return call{}, false
		}
		return objectCall(n, start), true
	}
	return namedCall(src, inside)
}

// closing returns where the parenthesis, bracket or brace at an offset is closed, texts in quotes passed over; -1 when
// it is not.
func closing(src string, at int) int {
	depth := 0
	var quote byte
	for i := at; i < min(len(src), at+longestCall); i++ {
		switch c := src[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// objectCall returns the call whose arguments an object holds that starts at an offset of the document.
func objectCall(n *catalog.Node, start int) call {
	var c call
	for _, m := range n.Members {
		c.arguments = append(c.arguments, argument{m.Key, m.KeySpan.Shift(start), m.Value, m.Value.Span.Shift(start)})
	}
	return c
}

var argumentName = lazyregexp.New(`^\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*[=:]\s*`)

// namedCall reads name=value or name: value, with commas between.
func namedCall(src string, inside text.Span) (call, bool) {
	var c call
	for _, part := range commaParts(src, inside) {
		written := part.In(src)
		if trimmed := strings.TrimSpace(written); trimmed == "..." || trimmed == "…" {
			c.open = true
			continue
		}
		m := argumentName.FindStringSubmatchIndex(written)
		if m == nil {
			return call{}, false
		}
		a := argument{name: written[m[2]:m[3]], at: text.Span{Start: part.Start + m[2], End: part.Start + m[3]}}
		a.spot = text.Span{Start: part.Start + m[1], End: part.Start + len(strings.TrimRight(written, " \t\r\n"))}
		a.value = literal(a.spot.In(src))
		c.arguments = append(c.arguments, a)
	}
	return c, len(c.arguments) > 0
}

// commaParts splits at commas outside quotes and brackets.
func commaParts(src string, inside text.Span) []text.Span {
	var out []text.Span
	start := inside.Start
	for i := inside.Start; i < inside.End; i++ {
		switch src[i] {
		case '(', '[', '{':
			if end := closing(src, i); end > 0 && end < inside.End {
				i = end
			}
		case '"', '\'':
			if end := strings.IndexByte(src[i+1:inside.End], src[i]); end >= 0 {
				i += end + 1
			}
		case ',':
			out = append(out, text.Span{Start: start, End: i})
			start = i + 1
		}
	}
	if strings.TrimSpace(src[start:inside.End]) != "" {
		out = append(out, text.Span{Start: start, End: inside.End})
	}
	return out
}

// literal reads a value as JSON, or as Python writes it. It is nil for what only stands for a value.
func literal(s string) *catalog.Node {
	switch s {
	case "True", "False":
		s = strings.ToLower(s)
	case "None":
		s = "null"
	}
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		quoted, _ := json.Marshal(s[1 : len(s)-1]) // a string can always be encoded
		s = string(quoted)
	}
	n, err := catalog.Parse(s)
	if err != nil || n.Is(catalog.String) && placeholder.MatchString(n.Text()) {
		return nil
	}
	return n
}

// placeholder is a text that a reader has to replace.
var placeholder = lazyregexp.New(`^\s*$|[<>{}$\[\]]|\.\.\.|…|^(?i:your|my|example|todo|xxx)|^[A-Z][A-Z0-9_ ]*$`)

// check holds a call against the schema of its tool.
func (c call) check(p *lint.Pass, t *toolOf) {
	schema := t.tool.InputSchema()
	properties := schema.Get("properties")
	if !properties.Is(catalog.Object) || combined(schema) || schema.Get("$ref") != nil {
		return
	}
	var known, given []string
	for _, m := range properties.Members {
		known = append(known, m.Key)
	}
	for _, a := range c.arguments {
		given = append(given, a.name)
		if !slices.Contains(known, a.name) {
			c.unknown(p, t, a, known)
		} else if a.value != nil && !standsIn(a.value) {
			c.mistyped(p, t, a)
		}
	}
	if c.open || len(given) == 0 {
		return
	}
	for _, item := range schema.Get("required").List() {
		if name := item.Text(); name != "" && !slices.Contains(given, name) && lint.Nearest(name, given) == "" {
			p.Report(c.finding(t, c.at, "/required", fmt.Sprintf("the call of tool %q lacks the required parameter %q", t.tool.Name(), name)))
		}
	}
}

func (c call) finding(t *toolOf, at text.Span, pointer, message string) lint.Finding {
	return lint.Finding{Span: at, Server: t.offer.Name, Tool: t.tool.Name(), Pointer: "/inputSchema" + pointer, Message: message}
}

func (c call) unknown(p *lint.Pass, t *toolOf, a argument, known []string) {
	extra := t.tool.InputSchema().Get("additionalProperties")
	if allowed, is := extra.Bool(); is && allowed || extra.Is(catalog.Object) || t.tool.InputSchema().Get("patternProperties") != nil {
		return
	}
	message := fmt.Sprintf("tool %q of server %q has no parameter %q%s", t.tool.Name(), t.offer.Name, a.name, lint.Suggest(a.name, known))
	p.Report(c.finding(t, a.at, "/properties", message))
}

func (c call) mistyped(p *lint.Pass, t *toolOf, a argument) {
	pointer := catalog.Join("/properties", a.name)
	schema, err := catalog.CompileSchema(t.tool.InputSchema(), pointer)
	if err != nil {
		return // rules about the tool say what is wrong with it
	}
	for _, d := range schema.Validate(a.value) {
		message := fmt.Sprintf("the value of parameter %q of tool %q is wrong: %s", a.name, t.tool.Name(), d.Reason)
		p.Report(c.finding(t, a.spot, pointer, message))
		return
	}
}

// standsIn reports whether a text somewhere in a value only stands for one.
func standsIn(n *catalog.Node) bool {
	found := false
	n.Walk(func(_ string, n *catalog.Node) bool {
		found = found || n.Is(catalog.String) && placeholder.MatchString(n.Text())
		return !found
	})
	return found
}

// Keys under which examples keep the name of a tool, and its arguments.
var (
	nameKeys     = []string{"name", "tool", "tool_name", "toolName", "function"}
	argumentKeys = []string{"arguments", "args", "input", "parameters", "params", "tool_input"}
)

// readBlocks checks the calls in blocks of JSON and YAML: objects with a tool's name and its arguments.
func (t *toolTalk) readBlocks(p *lint.Pass) {
	for _, fence := range p.Skill.Body().Fences {
		switch info := strings.ToLower(fence.Info.In(p.Text())); {
		case info == "" || strings.HasPrefix(info, "json"):
			t.readJSON(p, fence.Content)
		case info == "yaml" || info == "yml":
			t.readYAML(p, fence.Content)
		}
	}
}

func (t *toolTalk) readJSON(p *lint.Pass, content text.Span) {
	root, err := catalog.Parse(content.In(p.Text()))
	if err != nil {
		return
	}
	root.Walk(func(_ string, n *catalog.Node) bool {
		if c, tool := t.jsonCall(n, content.Start); tool != nil {
			c.check(p, tool)
		}
		return true
	})
}

func (t *toolTalk) jsonCall(n *catalog.Node, start int) (call, *toolOf) {
	name, arguments := member(n, nameKeys, catalog.String), member(n, argumentKeys, catalog.Object)
	if name == nil || arguments == nil {
		return call{}, nil
	}
	tool := t.only(name.Text())
	if tool == nil {
		return call{}, nil
	}
	c := objectCall(arguments, start)
	c.at = name.Span.Shift(start)
	return c, tool
}

// only returns the one tool that a name in an example stands for, with its server or, where the skill speaks of the
// server, without; nil when there is none or more than one.
func (t *toolTalk) only(name string) *toolOf {
	tools := t.roster.shown[name]
	if len(tools) == 0 {
		tools = slices.DeleteFunc(slices.Clone(t.roster.bare[name]), func(k toolOf) bool { return !t.spoken[k.offer.Name] })
	}
	if len(tools) != 1 {
		return nil
	}
	return &tools[0]
}

// member returns the first of some members that is there with the right type.
func member(n *catalog.Node, keys []string, kind catalog.Kind) *catalog.Node {
	for _, key := range keys {
		if v := n.Get(key); v.Is(kind) {
			return v
		}
	}
	return nil
}
