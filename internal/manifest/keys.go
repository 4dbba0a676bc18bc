package manifest

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
)

// Keys returns the documented keys of manifests of a kind with what they are for. Nested ones are joined by ".", and "*"
// stands for an item of a list. The documentation is that of wants.
func (k Kind) Keys() map[string]string { return keys[k] }

var keys = map[Kind]map[string]string{
	ClaudePlugin: {
		"name":         "The name of the plugin, in lower case with hyphens. Its skills are called NAME:SKILL.",
		"version":      "A semantic version. Without a new one nobody gets an update.",
		"description":  "What the plugin is for, shown where plugins are chosen.",
		"author":       "Who made it.",
		"author.name":  "Their name.",
		"author.email": "Their address.",
		"author.url":   "Their page.",
		"homepage":     "Address of the documentation.",
		"repository":   "Address of the source.",
		"license":      "An SPDX identifier.",
		"keywords":     "Words to find it by.",
		"skills":       "Folders with more skills than those in skills/; paths start with ./.",
		"commands":     "More files or folders of commands than commands/.",
		"agents":       "More files of agents than agents/.",
		"hooks":        "Hooks, or the path of a file with them.",
		"mcpServers":   "MCP servers, or the path of a file with them.",
		"lspServers":   "Language servers, or the path of a file with them.",
		"outputStyles": "More files or folders of output styles.",
	},
	Marketplace: {
		"name":                  "The name of the marketplace: plugins are installed as PLUGIN@NAME.",
		"owner":                 "Who keeps it.",
		"owner.name":            "Their name.",
		"owner.email":           "Their address.",
		"metadata":              "More about the marketplace.",
		"metadata.description":  "What it is for.",
		"metadata.version":      "Its version.",
		"metadata.pluginRoot":   "The folder that relative sources start from.",
		"plugins":               "The plugins it offers.",
		"plugins.*.name":        "The name to install it by. No two have the same.",
		"plugins.*.source":      "Where it lies: a path that starts with ./, or an object that names a repository.",
		"plugins.*.description": "What it is for.",
		"plugins.*.version":     "Its version.",
		"plugins.*.author":      "Who made it.",
		"plugins.*.homepage":    "Address of the documentation.",
		"plugins.*.repository":  "Address of the source.",
		"plugins.*.license":     "An SPDX identifier.",
		"plugins.*.keywords":    "Words to find it by.",
		"plugins.*.category":    "A heading to list it under.",
		"plugins.*.tags":        "More words to find it by.",
		"plugins.*.strict":      "Whether the plugin has a plugin.json of its own; true unless set.",
		"plugins.*.skills":      "Folders with its skills, from its source.",
		"plugins.*.commands":    "Files or folders of its commands.",
		"plugins.*.agents":      "Files of its agents.",
		"plugins.*.hooks":       "Its hooks, or the path of a file with them.",
		"plugins.*.mcpServers":  "Its MCP servers, or the path of a file with them.",
	},
	CodexPlugin: {
		"name":        "The name of the plugin.",
		"version":     "A semantic version.",
		"description": "What the plugin is for.",
		"skills":      "The folder with its skills.",
		"mcpServers":  "The path of a file with its MCP servers.",
		"apps":        "The path of a file with its apps.",
		"hooks":       "The path of a file with its hooks.",
	},
	GeminiExtension: {
		"name":            "The name of the extension: that of its folder.",
		"version":         "A semantic version.",
		"description":     "What the extension is for.",
		"contextFileName": "The file that is loaded into each conversation; GEMINI.md unless set.",
		"mcpServers":      "MCP servers that the extension brings.",
		"excludeTools":    "Tools that the model does not get.",
	},
}

// Start returns the absolute path of the folder from which a text under a key, or in a list under it, counts as a path.
// The key is given as in Keys, and stands at an offset. It is "" where texts are no paths, and where it is not known from
// which folder they count, as those of a plugin elsewhere.
func (f *File) Start(key string, off int) string {
	key = strings.TrimSuffix(key, ".*")
	if f.Kind != Marketplace {
		if slices.Contains(pathKeys[f.Kind], key) {
			return f.Home
		}
		return ""
	}
	rest, inPlugin := strings.CutPrefix(key, "plugins.*.")
	switch {
	case key == "metadata.pluginRoot":
		return f.Home
	case !inPlugin:
		return ""
	case rest == "source":
		return f.sources()
	case !slices.Contains(pathKeys[ClaudePlugin], rest):
		return ""
	}
	home := ""
	for _, p := range f.Plugins() {
		if p.Entry.Span.Start <= off {
			home = p.Home
		}
	}
	return home
}

// sources returns the absolute path of the folder from which the sources of plugins count.
func (f *File) sources() string {
	if root := f.Root.Get("metadata", "pluginRoot"); root.Is(mcpconfig.String) {
		return filepath.Join(f.Home, filepath.FromSlash(root.Text))
	}
	return f.Home
}

// KindOf returns the kind of manifest that a file is by its path, and the folder that it describes; false for another
// file. Both paths have slashes.
func KindOf(file string) (k Kind, home string, ok bool) {
	for place, kind := range Places {
		if file == place {
			return kind, ".", true
		}
		if home, ok := strings.CutSuffix(file, "/"+place); ok {
			return kind, home, true
		}
	}
	return 0, "", false
}
