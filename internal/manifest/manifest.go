// Package manifest reads the files that bundle skills: plugin manifests, marketplaces and extensions, with the place
// of every value, and says what in them does not hold. What that means for a skill is said elsewhere.
package manifest

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Kind tells manifests apart.
type Kind uint8

const (
	ClaudePlugin    Kind = iota // .claude-plugin/plugin.json
	Marketplace                 // .claude-plugin/marketplace.json
	CodexPlugin                 // .codex-plugin/plugin.json
	GeminiExtension             // gemini-extension.json
)

// Places are where manifests lie, relative to the folder that they describe.
var Places = map[string]Kind{
	".claude-plugin/plugin.json":      ClaudePlugin,
	".claude-plugin/marketplace.json": Marketplace,
	".codex-plugin/plugin.json":       CodexPlugin,
	"gemini-extension.json":           GeminiExtension,
}

// Label returns the client that reads manifests of a kind.
func (k Kind) Label() string {
	return [...]string{"Claude Code", "Claude Code", "Codex", "Gemini CLI"}[k]
}

// File is one manifest. It never changes once it is read.
type File struct {
	Doc    *skills.Document
	Kind   Kind
	Home   string // absolute path of the folder that it describes and that its paths start from
	Root   *mcpconfig.Node
	Faults []mcpconfig.Fault // of the syntax
}

// Read reads the manifest at a place of Places in a folder, or returns nil when there is none. shown is the path by
// which findings name the folder.
func Read(tree *skills.Tree, home, shown, place string) *File {
	abs := filepath.Join(home, filepath.FromSlash(place))
	if !tree.Exists(home, abs) {
		return nil
	}
	doc, err := tree.Document(path.Join(shown, place), abs)
	if err != nil {
		return nil // a folder of that name, or a file that is far too large
	}
	return Parse(doc, Places[place], home)
}

// Parse reads a document as a manifest that describes the folder home, an absolute path.
func Parse(doc *skills.Document, kind Kind, home string) *File {
	f := &File{Doc: doc, Kind: kind, Home: home}
	f.Root, f.Faults = mcpconfig.ParseJSON(doc)
	return f
}

// Name returns the name that the manifest gives to what it describes, or "".
func (f *File) Name() string {
	if n := f.Root.Get("name"); n.Is(mcpconfig.String) {
		return n.Text
	}
	return ""
}

// Plugin is an entry of a marketplace.
type Plugin struct {
	Name   string
	Key    *mcpconfig.Node // of the name, nil when there is none
	Entry  *mcpconfig.Node
	Source *mcpconfig.Node // nil when there is none
	Home   string          // absolute path of a plugin that lies beside the marketplace, else ""
}

// Plugins returns the plugins of a marketplace.
func (f *File) Plugins() []Plugin {
	list := f.Root.Get("plugins")
	if f.Kind != Marketplace || !list.Is(mcpconfig.Array) {
		return nil
	}
	base := f.sources()
	var out []Plugin
	for _, entry := range list.Items {
		p := Plugin{Entry: entry, Key: entry.Get("name"), Source: entry.Get("source")}
		if p.Key.Is(mcpconfig.String) {
			p.Name = p.Key.Text
		}
		if p.Source.Is(mcpconfig.String) && (p.Source.Text == "." || strings.HasPrefix(p.Source.Text, "./")) {
			p.Home = filepath.Join(base, filepath.FromSlash(p.Source.Text))
		}
		out = append(out, p)
	}
	return out
}
