package manifest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Problem is a value that does not hold.
type Problem struct {
	Span    text.Span
	Message string
	Minor   bool // nothing is lost because of it
}

// want is what a manifest must hold for its reader.
type want struct {
	key      string
	kinds    []mcpconfig.Kind // any when empty
	required bool
}

var (
	textOnly   = []mcpconfig.Kind{mcpconfig.String}
	objectOnly = []mcpconfig.Kind{mcpconfig.Object}
	listOnly   = []mcpconfig.Kind{mcpconfig.Array}
	paths      = []mcpconfig.Kind{mcpconfig.String, mcpconfig.Array}
)

// wants are the keys that the documentation requires, and the kinds of some others. Sources, in copies of 2026:
// https://code.claude.com/docs/en/plugins/manifest-reference and marketplace-reference, https://geminicli.com/docs/extensions/reference;
// 509 published manifests agree with them.
var wants = map[Kind][]want{
	ClaudePlugin: {{"name", textOnly, true}, {"version", textOnly, false}, {"description", textOnly, false}, {"keywords", listOnly, false}, {"skills", paths, false}, {"agents", paths, false}},
	Marketplace:  {{"name", textOnly, true}, {"owner", objectOnly, true}, {"plugins", listOnly, true}},
	CodexPlugin:  {{"name", textOnly, true}, {"skills", textOnly, false}},
	GeminiExtension: {
		{"name", textOnly, true}, {"version", textOnly, true}, {"contextFileName", paths, false}, {"mcpServers", objectOnly, false}, {"excludeTools", listOnly, false},
	},
}

// pluginWants are the keys of an entry of a marketplace.
var pluginWants = []want{{"name", textOnly, true}, {"source", []mcpconfig.Kind{mcpconfig.String, mcpconfig.Object}, true}}

// kebab is the form of names of plugins and marketplaces.
var kebab = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

// Keys returns what is missing or of another kind than the reader wants.
func (f *File) Keys() []Problem {
	if f.Root == nil {
		return nil
	}
	if !f.Root.Is(mcpconfig.Object) {
		return []Problem{{Span: f.Root.Span, Message: "the manifest must be an object"}}
	}
	out := f.lacks(f.Root, "", wants[f.Kind])
	for _, p := range f.Plugins() {
		out = append(out, f.lacks(p.Entry, "plugin ", pluginWants)...)
	}
	if n := f.Root.Get("name"); f.Kind != CodexPlugin && n.Is(mcpconfig.String) && !kebab.MatchString(n.Text) {
		out = append(out, Problem{Span: n.Span, Message: fmt.Sprintf("the name %q must be lower case letters, digits and hyphens", n.Text)})
	}
	return out
}

func (f *File) lacks(n *mcpconfig.Node, of string, keys []want) []Problem {
	var out []Problem
	for _, w := range keys {
		v := n.Get(w.key)
		switch {
		case v == nil && w.required:
			out = append(out, Problem{Span: head(n), Message: fmt.Sprintf("%s%s is missing: %s requires it", of, w.key, f.Kind.Label())})
		case v != nil && !slices.Contains(w.kinds, v.Kind):
			out = append(out, Problem{Span: v.Span, Message: fmt.Sprintf("%s%s must be %s", of, w.key, kindNouns(w.kinds))})
		}
	}
	return out
}

// head is the opening bracket of an object.
func head(n *mcpconfig.Node) text.Span { return text.Span{Start: n.Span.Start, End: n.Span.Start + 1} }

func kindNouns(kinds []mcpconfig.Kind) string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.String())
	}
	return strings.Join(out, " or ")
}

// pathKeys are the keys whose texts are paths from the folder that the manifest describes.
var pathKeys = map[Kind][]string{
	ClaudePlugin:    {"skills", "commands", "agents", "hooks", "mcpServers", "lspServers", "outputStyles"},
	CodexPlugin:     {"skills", "mcpServers", "apps", "hooks"},
	GeminiExtension: {"contextFileName"},
}

// Paths returns the declared paths at which nothing lies. For Codex and Gemini CLI that is minor: what is not there is
// passed over, and the rest of the manifest holds.
func (f *File) Paths(tree *skills.Tree) []Problem {
	var out []Problem
	for _, key := range pathKeys[f.Kind] {
		out = append(out, f.absent(tree, f.Home, f.Root.Get(key))...)
	}
	for _, p := range f.Plugins() {
		if p.Home == "" {
			continue
		}
		if !tree.Exists(f.Home, p.Home) {
			out = append(out, Problem{Span: p.Source.Span, Message: fmt.Sprintf("the source of plugin %s does not exist: %s", p.Name, p.Source.Text)})
			continue
		}
		for _, key := range pathKeys[ClaudePlugin] {
			out = append(out, f.absent(tree, p.Home, p.Entry.Get(key))...)
		}
	}
	return out
}

// absent returns the paths in a text or a list at which nothing lies.
func (f *File) absent(tree *skills.Tree, home string, v *mcpconfig.Node) []Problem {
	var out []Problem
	for _, d := range declared(home, v) {
		if !tree.Exists(home, d.Abs) {
			out = append(out, Problem{
				Span: d.Value.Span, Message: "nothing lies at the declared path " + d.Value.Text, Minor: f.Kind == CodexPlugin || f.Kind == GeminiExtension,
			})
		}
	}
	return out
}

// Declared is a path that a manifest declares.
type Declared struct {
	Value *mcpconfig.Node
	Abs   string // where it leads
}

// Declared returns the paths that the manifest declares, those of plugins beside a marketplace included.
func (f *File) Declared() []Declared {
	var out []Declared
	for _, key := range pathKeys[f.Kind] {
		out = append(out, declared(f.Home, f.Root.Get(key))...)
	}
	for _, p := range f.Plugins() {
		if p.Home == "" {
			continue
		}
		out = append(out, Declared{p.Source, p.Home})
		for _, key := range pathKeys[ClaudePlugin] {
			out = append(out, declared(p.Home, p.Entry.Get(key))...)
		}
	}
	return out
}

// declared returns the paths in a text or a list. Those with variables or patterns are left out.
func declared(home string, v *mcpconfig.Node) []Declared {
	if v.Is(mcpconfig.Array) {
		var out []Declared
		for _, item := range v.Items {
			out = append(out, declared(home, item)...)
		}
		return out
	}
	if !v.Is(mcpconfig.String) || v.Text == "" || strings.ContainsAny(v.Text, "${}*") {
		return nil
	}
	return []Declared{{v, filepath.Join(home, filepath.FromSlash(v.Text))}}
}

// Twice returns the plugins of a marketplace whose name another one before has.
func (f *File) Twice() []Problem {
	var out []Problem
	seen := map[string]bool{}
	for _, p := range f.Plugins() {
		if p.Name != "" && seen[p.Name] {
			out = append(out, Problem{Span: p.Key.Span, Message: fmt.Sprintf("two plugins are called %s: only one of them can be installed", p.Name)})
		}
		seen[p.Name] = true
	}
	return out
}
