package profile

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// ToolNaming is how a client names the tool of an MCP server for the model.
type ToolNaming struct {
	Name string `yaml:"name"` // with {server} and {tool}; empty when unknown
	Keep string `yaml:"keep"` // the characters kept, as in a regular expression class; empty keeps all
	With string `yaml:"with"` // what stands for each other character
	Max  int    `yaml:"max"`  // longest name in bytes, of server and tool together while Name is unknown; 0 is unlimited
	Long string `yaml:"long"` // a longer name: drop, cut, middle, fnv, fnv36 or sha1, see longNames
	// Marked treats a name with characters that are not kept as one that is too long.
	Marked bool `yaml:"marked"`
	// Deferred says how the model is told of tools that it has to ask for; nil where all are sent.
	Deferred *Deferral `yaml:"deferred"`
	// Punycode writes a part with other characters than ASCII as a label of a domain name.
	Punycode bool `yaml:"punycode"`

	drop *regexp.Regexp
}

// ToolName is a tool as a client shows it to the model.
type ToolName struct {
	Name string // "" when the client drops the tool for its name
	How  string // exact, sanitised, cut, hashed or dropped
}

// longNames shorten a name to max bytes.
var longNames = map[string]func(n *ToolNaming, server, tool, name string) ToolName{
	"drop": func(*ToolNaming, string, string, string) ToolName { return ToolName{How: "dropped"} },
	"cut": func(n *ToolNaming, _, _, name string) ToolName {
		return ToolName{Name: prefix(name, n.Max, "bytes"), How: "cut"}
	},
	"middle": func(n *ToolNaming, _, _, name string) ToolName {
		half := (n.Max - len("...")) / 2
		return ToolName{Name: name[:half] + "..." + name[len(name)-half:], How: "cut"}
	},
	// Kimi Code ends a long name with the FNV-1a hash of the whole name.
	"fnv": func(n *ToolNaming, _, _, name string) ToolName {
		h := fnv.New32a()
		h.Write([]byte(name))
		return n.hashed(name, fmt.Sprintf("%08x", h.Sum32()))
	},
	// Qwen Code ends it with that of the name as it was before, in UTF-16 units, to the base of 36.
	"fnv36": func(n *ToolNaming, server, tool, name string) ToolName {
		hash := uint32(2166136261)
		for _, unit := range utf16.Encode([]rune(n.filled(server, tool))) {
			hash = (hash ^ uint32(unit)) * 16777619
		}
		return n.hashed(name, fmt.Sprintf("%07s", strconv.FormatUint(uint64(hash), 36)))
	},
	// Codex ends it with a hash of server, namespace, connector, callable and tool.
	"sha1": func(n *ToolNaming, server, tool, name string) ToolName {
		sum := sha1.Sum([]byte(strings.Join([]string{server, server, "", tool, tool}, "\x00")))
		return n.hashed(name, hex.EncodeToString(sum[:6]))
	},
}

func (n *ToolNaming) hashed(name, hash string) ToolName {
	return ToolName{Name: prefix(name, n.Max-len(hash)-1, "bytes") + "_" + hash, How: "hashed"}
}

func (n *ToolNaming) filled(server, tool string) string {
	return fill(n.Name, func(key string) string {
		if key == "server" {
			return server
		}
		return tool
	})
}

func (n *ToolNaming) prepare() (err error) {
	if err := n.Deferred.check(); err != nil {
		return err
	}
	if _, ok := longNames[n.Long]; n.Max > 0 && !ok {
		return fmt.Errorf("tools.long %q is unknown", n.Long)
	}
	if n.Name == "" && n.Max > 0 && n.Long != "drop" {
		return fmt.Errorf("tools.long %q needs a name to shorten", n.Long)
	}
	if n.Keep != "" {
		n.drop, err = regexp.Compile("[^" + n.Keep + "]")
	}
	return err
}

// ToolName gives the name the client shows for a tool of an MCP server. It is
// false when nobody knows how the client names tools.
func (p *Profile) ToolName(server, tool string) (ToolName, bool) {
	n := &p.Tools
	switch {
	case n.Name == "" && n.Max > 0 && len(server)+len(tool) > n.Max:
		return ToolName{How: "dropped"}, true
	case n.Name == "":
		return ToolName{}, false
	}
	name := n.filled(n.clean(server), n.clean(tool))
	changed := n.clean(server) != server || n.clean(tool) != tool
	switch {
	case n.Max > 0 && (len(name) > n.Max || n.Marked && changed):
		return longNames[n.Long](n, server, tool, name), true
	case changed:
		return ToolName{Name: name, How: "sanitised"}, true
	}
	return ToolName{Name: name, How: "exact"}, true
}

func (n *ToolNaming) clean(s string) string {
	if n.Punycode {
		s = domainLabel(s)
	}
	if n.drop == nil {
		return s
	}
	return n.drop.ReplaceAllLiteralString(s, n.With)
}

// Naming returns the clients of which it is known how they name tools, in their newest version.
func Naming() []*Profile {
	return slices.DeleteFunc(All(), func(p *Profile) bool { return p.Tools.Name == "" })
}

// toolPrefix stands before the names of MCP tools in allowed-tools, whatever the client: mcp__SERVER__TOOL.
const toolPrefix = "mcp__"

// PlainToolName returns a server or a tool as it stands in mcp__SERVER__TOOL.
func PlainToolName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, name)
}

// Covers reports whether an entry of allowed-tools, without what stands in its parentheses, covers a tool of an MCP
// server: by its name in any client's spelling, by that of its server, or by a "*".
func Covers(entry, server, tool string) bool {
	all := toolPrefix + PlainToolName(server)
	name := all + "__" + PlainToolName(tool)
	if head, ok := strings.CutSuffix(entry, "*"); ok {
		return strings.HasPrefix(name, head)
	}
	return entry == all || entry == name || slices.ContainsFunc(Naming(), func(p *Profile) bool {
		shown, known := p.ToolName(server, tool)
		return known && shown.Name == entry
	})
}
