package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/text"
)

// Deferral is how a client tells its model of the tools of MCP servers when it sends none of them: by a list in a message.
// The model asks for one before it calls it.
type Deferral struct {
	Search string `yaml:"search"` // the client's tool that the model asks with
	// When says under which condition the client does this; empty is always. Where there is one, tools are shown as they
	// are sent otherwise.
	When     string `yaml:"when"`
	Role     string `yaml:"role"`     // of the message: system, developer or user
	Open     string `yaml:"open"`     // before the list
	Server   string `yaml:"server"`   // before the tools of each {server}; may be empty
	Item     string `yaml:"item"`     // a tool, with {name} and {description} as strings of JSON
	Max      int    `yaml:"max"`      // longest description, in UTF-16 units, of its first line; 0 is unlimited
	Ellipsis string `yaml:"ellipsis"` // ends a longer one, within Max
	Close    string `yaml:"close"`
}

func (d *Deferral) check() error {
	switch {
	case d == nil:
		return nil
	case d.Search == "":
		return fmt.Errorf("tools.deferred needs search, the tool that the model asks with")
	case d.When == "" && (d.Item == "" || d.Role == ""):
		return fmt.Errorf("tools.deferred needs role and item")
	}
	return nil
}

// Line is what the list says of one tool.
func (d *Deferral) Line(t *ShownTool) string {
	description, _, _ := strings.Cut(t.Tool.Description(), "\n")
	description = strings.TrimSpace(description)
	if d.Max > 0 && length(description, "utf16") > d.Max {
		description = prefix(description, d.Max-len(d.Ellipsis), "utf16") + d.Ellipsis
	}
	return fill(d.Item, func(key string) string {
		if key == "name" {
			return text.Quote(t.Name.Name)
		}
		return text.Quote(description)
	})
}

// List is the message for all tools that are listed, by server and name; "" when there is none.
func (d *Deferral) List(tools []ShownTool) string {
	tools = slices.DeleteFunc(slices.Clone(tools), func(t ShownTool) bool { return !t.Listed })
	if len(tools) == 0 {
		return ""
	}
	slices.SortStableFunc(tools, func(a, b ShownTool) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Server), strings.ToLower(b.Server)), strings.Compare(strings.ToLower(a.Name.Name), strings.ToLower(b.Name.Name)))
	})
	var b strings.Builder
	b.WriteString(d.Open)
	for i := range tools {
		if i == 0 || tools[i].Server != tools[i-1].Server {
			b.WriteString(fill(d.Server, func(string) string { return tools[i].Server }))
		}
		b.WriteString(d.Line(&tools[i]))
	}
	return b.String() + d.Close
}
