package rules

import (
	"slices"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/manifest"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/text"
)

const (
	pluginSkill = "-- skills/demo/SKILL.md --\n" + demoSkill
	pluginHead  = pluginSkill + "-- .claude-plugin/plugin.json --\n"
	marketHead  = pluginSkill + "-- .claude-plugin/marketplace.json --\n"
)

var manifestSyntax = &lint.Rule{
	Name: "workspace/manifest-syntax", Severity: lint.Error, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "A manifest above the skills is not valid JSON.",
		Why: "No client can read such a manifest, and so cannot tell what it bundles, the skills included. Read are .claude-plugin/plugin.json and marketplace.json, .codex-plugin/plugin.json " +
			"and gemini-extension.json in the folders above the skills that are linted, and in the plugins that a marketplace lists.",
		Bad:  pluginHead + "{\"name\": \"demo\", \"version\": \"1.0.0\",}\n",
		Good: pluginHead + "{\"name\": \"demo\", \"version\": \"1.0.0\"}\n",
	},
	Run: func(p *lint.Pass) {
		for _, f := range manifests(p) {
			told := slices.ContainsFunc(p.View.Configs(), func(c *mcpconfig.File) bool { return c.Doc.Abs == f.Doc.Abs && c.Broken() })
			if len(f.Faults) > 0 && !told {
				reportManifest(p, f, manifest.Problem{Span: f.Faults[0].Span, Message: "the manifest is not valid JSON: " + f.Faults[0].Message + "; " + f.Kind.Label() + " cannot read it"}, lint.Error)
			}
		}
	},
}

var manifestKey = &lint.Rule{
	Name: "workspace/manifest-key", Severity: lint.Warning, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "A manifest lacks a key that its reader needs, or holds a value of another kind.",
		Why: "The documentation requires the name of a plugin, the owner and plugins of a marketplace, the version of an extension. All of 316 published plugin manifests have a name in lower case; " +
			"keys that nobody reads are not judged.",
		Bad:  pluginHead + "{\"version\": \"1.0.0\"}\n",
		Good: pluginHead + "{\"name\": \"demo\", \"version\": \"1.0.0\"}\n",
	},
	Run: func(p *lint.Pass) {
		for _, f := range manifests(p) {
			for _, x := range append(f.Keys(), f.Twice()...) {
				reportManifest(p, f, x, lint.Warning)
			}
		}
	},
}

var manifestPath = &lint.Rule{
	Name: "workspace/manifest-path", Severity: lint.Warning, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "A manifest declares a path at which nothing lies.",
		Why: "Skills, agents and commands declared there are missing without a word. Plugins of a marketplace count where their source starts with ./; sources elsewhere cannot be looked at. " +
			"For Codex and Gemini CLI it is an information: 41 of 104 published Codex manifests point to a skills folder that the plugin does not have, and lose nothing.",
		Bad:  pluginHead + "{\"name\": \"demo\", \"skills\": \"./skill\"}\n",
		Good: pluginHead + "{\"name\": \"demo\", \"skills\": \"./skills\"}\n",
	},
	Run: func(p *lint.Pass) {
		for _, f := range manifests(p) {
			for _, x := range f.Paths(p.View.Tree()) {
				reportManifest(p, f, x, lint.Warning)
			}
		}
	},
}

var manifestName = &lint.Rule{
	Name: "workspace/manifest-name", Severity: lint.Info, Scope: lint.WorkspaceScope, Since: since,
	Page: lint.Page{
		What: "A marketplace calls a plugin otherwise than the plugin's own manifest does.",
		Why:  "People install by the name in the marketplace; skills are shown with the name of the plugin in front. With two names neither can be found by the other.",
		Bad: marketHead + "{\"name\": \"market\", \"owner\": {\"name\": \"me\"}, \"plugins\": [{\"name\": \"photos\", \"source\": \"./\"}]}\n" +
			"-- .claude-plugin/plugin.json --\n{\"name\": \"demo\"}\n",
		Good: marketHead + "{\"name\": \"market\", \"owner\": {\"name\": \"me\"}, \"plugins\": [{\"name\": \"demo\", \"source\": \"./\"}]}\n" +
			"-- .claude-plugin/plugin.json --\n{\"name\": \"demo\"}\n",
	},
	Run: func(p *lint.Pass) {
		own := map[string]*manifest.File{}
		all := manifests(p)
		for _, f := range all {
			if f.Kind == manifest.ClaudePlugin {
				own[f.Home] = f
			}
		}
		for _, f := range all {
			for _, plugin := range f.Plugins() {
				if o := own[plugin.Home]; o != nil && plugin.Name != "" && o.Name() != "" && o.Name() != plugin.Name {
					reportManifest(p, f, manifest.Problem{Span: plugin.Key.Span, Message: "the plugin calls itself " + o.Name() + " in " + o.Doc.Path + ", not " + plugin.Name}, lint.Info)
				}
			}
		}
	},
}

// reportManifest reports a problem in a manifest.
func reportManifest(p *lint.Pass, f *manifest.File, x manifest.Problem, level lint.Severity) {
	if x.Minor {
		level = lint.Info
	}
	p.View.Tree().Keep(f.Doc)
	p.Report(lint.Finding{File: f.Doc.Path, Span: clamp(x.Span, f.Doc.Text), Severity: level, Message: x.Message})
}

// clamp keeps a span inside a text.
func clamp(at text.Span, src string) text.Span {
	return text.Span{Start: min(at.Start, len(src)), End: min(at.End, len(src))}
}
