package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/text"
)

// speaks reports whether the page is a text of a skill that a model reads: its SKILL.md or another Markdown file.
func (p *page) speaks() bool { return p.skill != nil && (p.main || path.Ext(p.p.file) == ".md") }

// toolMentions returns the places that name tools of MCP servers, or servers.
func (p *page) toolMentions() []rules.ToolMention {
	if !p.speaks() {
		return nil
	}
	return rules.ToolMentions(p.skill, p.doc, p.live())
}

// toolAt returns the tool of an MCP server, or the server, that is named at an offset.
func (p *page) toolAt(off int) (rules.ToolMention, bool) {
	for _, m := range p.toolMentions() {
		if touches(m.Span, text.At(off)) {
			return m, true
		}
	}
	return rules.ToolMention{}, false
}

// entryLocation returns where the configuration has the server.
func (p *page) entryLocation(o *lint.Offer) (protocol.Location, bool) {
	if o.Entry == nil {
		return protocol.Location{}, false
	}
	file := o.Entry.File.Doc.Path
	return protocol.Location{URI: p.uri(file), Range: p.converter.mapper(file).rangeOf(o.Entry.Key)}, true
}

// hoverMention explains a tool: what it is for, its schema, and what the clients of its server make of it.
func (p *page) hoverMention(m rules.ToolMention) string {
	if m.Tool.Node == nil {
		return hoverServer(m.Offer)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** of the MCP server `%s`\n\n", m.Tool.Name(), m.Offer.Name)
	if words := m.Tool.Description(); words != "" {
		fmt.Fprintf(&b, "%s\n\n", firstLines(words, previewLines))
	}
	b.WriteString(parameterTable(m.Tool))
	b.WriteString(p.toolNames(m))
	if schema := m.Tool.InputSchema(); schema != nil {
		fmt.Fprintf(&b, "\n```json\n%s\n```\n", firstLines(indentedJSON(schema.Raw()), schemaLines))
	}
	return b.String()
}

// schemaLines is how much of a schema a hover shows.
const schemaLines = 40

func indentedJSON(raw string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(raw), "", "  ") != nil {
		return raw
	}
	return b.String()
}

func parameterTable(t catalog.Tool) string {
	list := parametersOf(t)
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| parameter | type | |\n|---|---|---|\n")
	for _, x := range list {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", x.name, cell(x.kind()), cell(short(x.schema.Get("description").Text())))
	}
	return b.String() + "\n"
}

// parameter is an argument that a tool takes.
type parameter struct {
	name     string
	schema   *catalog.Node
	required bool
}

// kind says in words what a parameter takes.
func (x parameter) kind() string {
	out := x.schema.Get("type").Text()
	if values := x.values(); len(values) > 0 {
		out = strings.Join(values, ", ")
	}
	if x.required {
		out = strings.TrimSpace(out + " (required)")
	}
	return out
}

// values returns the values that a parameter is limited to, as JSON.
func (x parameter) values() []string {
	var out []string
	for _, v := range x.schema.Get("enum").List() {
		out = append(out, v.Raw())
	}
	if len(out) == 0 && x.schema.Get("type").Text() == "boolean" {
		return []string{"true", "false"}
	}
	return out
}

// parametersOf returns the arguments that a tool takes, in the order of its schema.
func parametersOf(t catalog.Tool) []parameter {
	var out []parameter
	schema := t.InputSchema()
	properties := schema.Get("properties")
	if !properties.Is(catalog.Object) {
		return nil
	}
	for _, m := range properties.Members {
		required := slices.ContainsFunc(schema.Get("required").List(), func(n *catalog.Node) bool { return n.Text() == m.Key })
		out = append(out, parameter{m.Key, m.Value, required})
	}
	return out
}

// toolNames tells under which name each client shows a tool, or why it does not.
func (p *page) toolNames(m rules.ToolMention) string {
	var b strings.Builder
	b.WriteString("| client | name |\n|---|---|\n")
	for _, c := range p.toolJudges(m.Offer) {
		for _, t := range agentsim.Tools(c, []*catalog.Server{m.Offer.Server}, nil) {
			if t.Tool != m.Tool.Name() {
				continue
			}
			shown := "`" + t.Name + "`"
			if !t.Listed {
				shown = "not listed: " + t.Reason
			} else if t.Name == "" {
				shown = t.Reason
			}
			fmt.Fprintf(&b, "| %s | %s |\n", c.Label, cell(shown))
			break
		}
	}
	return b.String()
}

// toolJudges are the clients that are told of in a hover of a server: those that judge the skill and read the
// configuration, else all of first tier that read it.
func (p *page) toolJudges(o *lint.Offer) []*profile.Profile {
	for _, offers := range p.live().Offers() {
		if slices.ContainsFunc(offers.Servers, func(have lint.Offer) bool { return have.Name == o.Name && have.Entry == o.Entry }) {
			return offers.Judges(p.live().Settings(p.p.file).Clients)
		}
	}
	return nil
}

// hoverServer tells what a server offers.
func hoverServer(o *lint.Offer) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\nAn MCP server", o.Name)
	if o.Server == nil {
		b.WriteString(" whose tools are not known.\n")
	} else {
		fmt.Fprintf(&b, " with %s:\n\n", report.Plural(len(o.Server.Tools), "tool"))
		for _, t := range o.Server.Tools {
			fmt.Fprintf(&b, "- `%s` %s\n", t.Name(), short(firstLine(t.Description())))
		}
	}
	for _, x := range o.Problems {
		fmt.Fprintf(&b, "\n%s: %s\n", x.Severity, x.Message)
	}
	return b.String()
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// entryAt returns the server whose name in a configuration stands at an offset.
func entryAt(f *mcpconfig.File, off int) *mcpconfig.Server {
	for _, s := range f.Servers {
		if touches(s.Key, text.At(off)) {
			return s
		}
	}
	return nil
}

// toolAim is a tool that the user means, or a server when tool is "".
type toolAim struct{ server, tool string }

// toolAim returns what is meant at an offset: a tool that a skill names, or the server of an entry of a configuration.
func (p *page) toolAim(off int) toolAim {
	if m, ok := p.toolAt(off); ok {
		return toolAim{m.Offer.Name, m.Tool.Name()}
	}
	if f := p.live().ConfigOf(p.p.file); f != nil {
		if e := entryAt(f, off); e != nil {
			return toolAim{server: e.Name}
		}
	}
	return toolAim{}
}

// toolPlaces returns where the text names a tool, or any tool of a server.
func (p *page) toolPlaces(aim toolAim) []text.Span {
	var out []text.Span
	for _, m := range p.toolMentions() {
		if m.Offer.Name == aim.server && (aim.tool == "" || m.Tool.Name() == aim.tool) {
			out = append(out, m.Span)
		}
	}
	return out
}

// toolReferences lists where skills name a tool, or any tool of a server, and the entries of the server.
func (p *page) toolReferences(ctx context.Context, aim toolAim, declaration bool, add func(protocol.Location)) error {
	for _, f := range p.live().Configs() {
		for _, e := range f.Servers {
			if at, ok := p.entryLocation(&lint.Offer{Entry: e}); ok && declaration && e.Name == aim.server {
				add(at)
			}
		}
	}
	plain := rules.ToolServerName(aim.tool)
	wanted := func(unread *page) bool {
		return strings.Contains(unread.text(), aim.tool) || strings.Contains(unread.text(), plain)
	}
	return p.everyPage(ctx, wanted, func(other *page) {
		for _, at := range other.toolPlaces(aim) {
			add(other.location(at))
		}
	})
}
