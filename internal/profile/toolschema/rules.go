// Package toolschema does to the tools of MCP servers what a client does to them before it sends them to a model,
// names aside: which it drops, what becomes of the description, and how the JSON Schema of the arguments is rewritten.
// What each client does is data of its profile.
package toolschema

import (
	"fmt"
	"maps"
	"slices"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Rules are what one client does. The zero value leaves tools as they are.
type Rules struct {
	ServerLost []string `yaml:"server_lost"` // traits of one tool for which the client takes none of the server's
	ToolLost   []string `yaml:"tool_lost"`   // traits for which it leaves out the tool
	Duplicate  string   `yaml:"duplicate"`   // which of several tools of one name stays: first (also when empty) or last

	Description Description `yaml:"description"`

	RootKeep []string `yaml:"root_keep"` // keywords kept at the root of the schema; empty keeps all
	RootDrop []string `yaml:"root_drop"` // keywords removed there
	Keep     []string `yaml:"keep"`      // keywords kept anywhere; empty keeps all
	Describe []string `yaml:"describe"`  // keywords that become words of the description beside them, in this order

	Combinators string            `yaml:"combinators"` // anyOf, oneOf, allOf at the root: merge (told in the tool's description) or describe (in that of the schema); else kept
	Const       bool              `yaml:"const"`       // const becomes an enum of one value
	Tuple       bool              `yaml:"tuple"`       // a list of schemas in items becomes one that any of them fits
	Nullable    bool              `yaml:"nullable"`    // a list of a type and null becomes the type and nullable
	Types       bool              `yaml:"types"`       // a type that is missing is added, where keywords tell it
	Items       string            `yaml:"items"`       // JSON added as the items of an array that has none
	Properties  string            `yaml:"properties"`  // where an object without properties gets empty ones: root or all
	Booleans    map[string]string `yaml:"booleans"`    // JSON in the place of the schemas true and false
	Bare        bool              `yaml:"bare"`        // a schema without a type, a reference or branches loses its other keywords
	Prune       bool              `yaml:"prune"`       // definitions that nothing refers to are removed
	Required    bool              `yaml:"required"`    // an empty required is added at the root
	Closed      bool              `yaml:"closed"`      // additionalProperties false is set at the root
	Add         map[string]string `yaml:"add"`         // parameters of the client's own: their names and JSON
}

// Description is what a client does to the descriptions of tools.
type Description struct {
	Max      int    `yaml:"max"`      // the longest in UTF-16 units; 0 is unlimited
	Ellipsis string `yaml:"ellipsis"` // the end of a cut one, not counted in Max
	Visible  bool   `yaml:"visible"`  // characters that cannot be seen are removed
}

// Check reports a name or a text in r that nothing knows.
func (r *Rules) Check() error {
	for _, name := range slices.Concat(r.ServerLost, r.ToolLost) {
		if traits[name] == nil {
			return fmt.Errorf("schema: trait %q is unknown; known: %v", name, slices.Sorted(maps.Keys(traits)))
		}
	}
	for _, src := range slices.Concat(slices.Collect(maps.Values(r.Add)), slices.Collect(maps.Values(r.Booleans)), []string{r.Items}) {
		if _, err := parse(src); err != nil && src != "" {
			return fmt.Errorf("schema: %q: %w", src, err)
		}
	}
	return nil
}

// Loss says why a client does not list a tool.
type Loss struct {
	Trait   string
	Pointer string // RFC 6901, into the tool
	Reason  string
	Server  bool // it takes none of the server's tools
}

// Loses returns the loss that a tool brings about, nil when there is none.
func (r *Rules) Loses(t catalog.Tool) *Loss {
	if l := lose(r.ServerLost, t); l != nil {
		l.Server = true
		return l
	}
	return lose(r.ToolLost, r.flattened(t))
}

// flattened is a tool as a client that merges choices checks it: after that.
func (r *Rules) flattened(t catalog.Tool) catalog.Tool {
	if _, _, has := rootCombinator(t); !has || r.Combinators != "merge" {
		return t
	}
	shown := r.Rewrite(t)
	n, err := catalog.Parse(`{"inputSchema": ` + shown.Schema() + `}`)
	if err != nil {
		return t // what was rewritten is JSON
	}
	return catalog.Tool{Node: n}
}

func lose(names []string, t catalog.Tool) *Loss {
	for _, name := range names {
		if pointer, reason, has := traits[name](t); has {
			return &Loss{Trait: name, Pointer: pointer, Reason: reason}
		}
	}
	return nil
}

// Change is something that a client shows otherwise than the server says it.
type Change struct {
	Keyword string // of JSON Schema, or "description"
	Pointer string // RFC 6901, into the tool
	What    string // in words, such as "format removed"
	Lost    bool   // the model is told less than the server says
}

func (c Change) String() string {
	if c.Pointer == "" {
		return c.What
	}
	return c.What + " at " + c.Pointer
}
