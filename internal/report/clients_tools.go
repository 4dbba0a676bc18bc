package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// ClientTools is what one client makes of the tools of MCP servers. All clients of a table have the same tools, though
// not in the same order.
type ClientTools struct {
	Profile *profile.Profile
	Tools   []agentsim.Tool
}

// ToolTable prints what clients make of tools, as text, json or markdown. Its errors are those of w.
func ToolTable(w io.Writer, table []ClientTools, format string, o ClientsOptions) error {
	switch format {
	case "json":
		return writeJSON(w, toolTableToJSON(table))
	case "markdown":
		_, err := io.WriteString(w, toolTableMarkdown(table))
		return err
	}
	_, err := io.WriteString(w, toolTableText(table, o))
	return err
}

type jsonToolTable struct {
	Version int              `json:"version"`
	Clients []jsonToolClient `json:"clients"`
}

type jsonToolClient struct {
	Name     string           `json:"name"`
	Version  string           `json:"version"`
	Evidence string           `json:"evidence"`
	Tools    []jsonClientTool `json:"tools"`
}

type jsonClientTool struct {
	Server      string          `json:"server"`
	Tool        string          `json:"tool"`
	Listed      bool            `json:"listed"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
	Reason      string          `json:"reason,omitempty"`
	Changes     []string        `json:"changes"`
	Tokens      int             `json:"tokens"`
}

func toolTableToJSON(table []ClientTools) jsonToolTable {
	out := jsonToolTable{Version: 1, Clients: []jsonToolClient{}}
	for _, c := range table {
		p := c.Profile
		client := jsonToolClient{p.Name, p.Version, p.Evidence.Level, []jsonClientTool{}}
		for _, t := range c.Tools {
			client.Tools = append(client.Tools, jsonClientTool{
				t.Server, t.Tool, t.Listed, t.Name, t.Description, t.InputSchema, t.Reason, notNil(t.Changes), t.Tokens,
			})
		}
		out.Clients = append(out.Clients, client)
	}
	return out
}

// toolMark returns the sign of what became of a tool.
func toolMark(t agentsim.Tool) mark {
	switch {
	case !t.Listed:
		return dropped
	case len(t.Changes) > 0:
		return changed
	}
	return listed
}

func toolTableText(table []ClientTools, o ClientsOptions) string {
	var b strings.Builder
	paint := painter{o.Color}
	for _, c := range table {
		shown, tokens := sum(c.Tools)
		fmt.Fprintf(&b, "%s: %d of %s, about %s\n", header(c.Profile), shown, Plural(len(c.Tools), "tool"), Plural(tokens, "token"))
		for _, t := range c.Tools {
			m := marks[toolMark(t)]
			sign := m.sign
			if o.ASCII {
				sign = m.ascii
			}
			fmt.Fprintf(&b, "  %s %s\n", paint.paint(m.color, sign), clean(toolWords(t)))
		}
	}
	if !o.Quiet && len(table) > 0 {
		fmt.Fprintln(&b, "✓ listed as the server sends it  ~ changed  ✗ not listed")
	}
	return b.String()
}

// sum returns how many tools are listed and what they cost.
func sum(tools []agentsim.Tool) (listed, tokens int) {
	for _, t := range tools {
		if t.Listed {
			listed++
			tokens += t.Tokens
		}
	}
	return listed, tokens
}

// toolWords tells a tool's name for the model and what became of it.
func toolWords(t agentsim.Tool) string {
	out := t.Server + "/" + t.Tool
	if t.Listed && t.Name != "" {
		out += " as " + t.Name
	}
	if t.Reason != "" {
		out += ": " + t.Reason
	}
	if len(t.Changes) > 0 {
		out += " (" + strings.Join(t.Changes, ", ") + ")"
	}
	return out
}

func toolTableMarkdown(table []ClientTools) string {
	var b strings.Builder
	b.WriteString("| client | server | tool | shown as | tokens | what differs |\n|---|---|---|---|---|---|\n")
	for _, c := range table {
		for _, t := range c.Tools {
			what := strings.Join(t.Changes, ", ")
			if t.Reason != "" {
				what = strings.TrimSuffix(t.Reason+"; "+what, "; ")
			}
			name := t.Name
			if !t.Listed {
				name = "not listed"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %s |\n", header(c.Profile), cell(t.Server), cell(t.Tool), cell(name), t.Tokens, cell(what))
		}
	}
	return b.String()
}

// cell makes a text fit into a table of Markdown.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(clean(s), "|", `\|`), "\n", " ")
}
