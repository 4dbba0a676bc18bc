package lsp

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/skill-ls/skill-ls/internal/evals"
	"github.com/skill-ls/skill-ls/internal/lint/rules"
	"github.com/skill-ls/skill-ls/internal/manifest"
	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// keyed is a file of JSON or YAML of which it is known what may stand in it: a configuration, a manifest, the
// agents/openai.yaml of a skill, a trigger eval.
type keyed struct {
	// keys are those that may stand under the keys around, and values the values; both nil for none.
	keys   func(k keyPath) []choice
	values func(k keyPath) []choice
}

// choice is a key or a value that may stand at a place.
type choice struct {
	text    string
	words   string // what it is for
	literal bool   // it is no text: not quoted in JSON
	inside  string // of a key: what stands behind it in JSON, as a snippet
	table   bool   // of a key: in TOML it begins the header of a table
}

// keyedAt returns what is known of the page and where an offset stands in it; false for another file.
func (p *page) keyedAt(off int) (keyed, keyPath, bool) {
	var file keyed
	m := p.manifest()
	switch {
	case isConfigName(p.p.file):
		file = keyed{p.configKeys, p.configValues}
	case m != nil:
		file = keyed{tableKeys(m.Kind.Keys()), func(k keyPath) []choice { return p.manifestValues(m, k) }}
	case strings.HasSuffix(p.p.file, "/"+skills.SidecarPath):
		file = keyed{tableKeys(sidecarTable()), p.sidecarValues}
	case p.isEval():
		file = keyed{tableKeys(evalKeys), p.evalValues}
	}
	if f := p.mcpFormat(); f != nil {
		if p.offeredByEditor(f) {
			return keyed{}, keyPath{}, false
		}
		file = p.mcpKeyed(f).or(file)
		return file, p.keyPathIn(f.Syntax, off), true
	}
	if file.keys == nil {
		return keyed{}, keyPath{}, false
	}
	if path.Ext(p.p.file) == ".json" {
		return file, p.keyPathIn(mcpconfig.JSON, off), true
	}
	return file, p.keyPathIn(mcpconfig.YAML, off), true
}

// keyPathIn finds out where an offset stands in a file of some syntax.
func (p *page) keyPathIn(syntax mcpconfig.Syntax, off int) keyPath {
	switch syntax {
	case mcpconfig.TOML:
		return tomlAt(p.text(), p.lines, off)
	case mcpconfig.YAML:
		return yamlAt(p.text(), p.lines, off)
	}
	return jsonAt(p.text(), off)
}

func (p *page) mcpKeyed(f *mcpconfig.Format) keyed {
	return keyed{func(k keyPath) []choice { return p.mcpKeys(f, k) }, func(k keyPath) []choice { return p.mcpValues(f, k) }}
}

// or adds what may stand in a file that is something else besides.
func (f keyed) or(other keyed) keyed {
	if other.keys == nil {
		return f
	}
	return keyed{
		func(k keyPath) []choice {
			out := other.keys(k)
			for _, c := range f.keys(k) {
				if !slices.ContainsFunc(out, func(have choice) bool { return have.text == c.text }) {
					out = append(out, c)
				}
			}
			return out
		},
		func(k keyPath) []choice { return append(other.values(k), f.values(k)...) },
	}
}

// isEval reports whether the page is a trigger eval of a skill.
func (p *page) isEval() bool {
	return p.skill != nil && !p.main && evals.IsName(strings.TrimPrefix(p.p.file, p.skill.Dir+"/"))
}

// tableKeys returns the keys of a table by their whole paths.
func tableKeys(table map[string]string) func(keyPath) []choice {
	return func(k keyPath) []choice {
		var out []choice
		seen := map[string]bool{}
		prefix := strings.TrimPrefix(k.dotted()+".", ".")
		for _, key := range slices.Sorted(maps.Keys(table)) {
			rest, ok := strings.CutPrefix(key, prefix)
			name, _, deeper := strings.Cut(rest, ".")
			if !ok || name == "*" || seen[name] || deeper && table[prefix+name] != "" {
				continue
			}
			seen[name] = true
			out = append(out, choice{text: name, words: table[prefix+name]})
		}
		return out
	}
}

// keyedItems completes keys and values.
func (p *page) keyedItems(file keyed, k keyPath) []protocol.CompletionItem {
	var out []protocol.CompletionItem
	choices, isKey := file.choices(k)
	for _, c := range choices {
		if isKey && slices.Contains(k.have, c.text) {
			continue
		}
		kind := protocol.CompletionItemKindProperty
		if !isKey {
			kind = protocol.CompletionItemKindEnumMember
		}
		it := p.item(c.text, c.words, kind, k.at)
		word := c.text
		if k.quotes(isKey) && !c.literal {
			word = quoted(c.text)
		}
		it.FilterText = protocol.NewOptional(word)
		if isKey {
			word = p.keyWritten(c, k, word)
		}
		p.insert(&it, word)
		out = append(out, it)
	}
	return out
}

// keyWritten returns a key with what stands behind it, unless that is there already.
func (p *page) keyWritten(c choice, k keyPath, word string) string {
	next := byteAt(strings.TrimLeft(p.text()[k.at.End:], " "), 0)
	switch {
	case next == ':', next == '=', k.header:
		return word
	case k.syntax == mcpconfig.TOML && c.table:
		return "[" + word + ".$0]"
	case k.syntax == mcpconfig.TOML:
		return word + " = "
	case k.syntax == mcpconfig.JSON:
		return word + ": " + c.inside
	}
	return word + ": "
}

// choices returns what may stand at a place, and whether it is a key. An item of a list in YAML may be either.
func (f keyed) choices(k keyPath) (list []choice, isKey bool) {
	if k.key {
		if list := f.keys(k); len(list) > 0 {
			return list, true
		}
		if k.syntax != mcpconfig.YAML {
			return nil, true
		}
	}
	return f.values(k), false
}

// hoverKeyed says what a key is for, or shows what a value names.
func (p *page) hoverKeyed(file keyed, k keyPath) (string, text.Span) {
	if skill := p.namedAt(k); skill != nil {
		return skillWords(skill), k.at
	}
	if abs, ok := p.declaredAt(k.at); ok {
		return p.hoverReference(skills.Reference{Path: p.relative(p.live().Shown(abs))}), k.at
	}
	name := strings.Trim(k.at.In(p.text()), `"'`)
	choices, _ := file.choices(k)
	for _, c := range choices {
		if c.text == name && c.words != "" {
			return fmt.Sprintf("**%s**: %s", c.text, c.words), k.at
		}
	}
	return "", text.Span{}
}

// keyedLocation returns where a value leads to: the skill that a trigger eval names, or a path of a manifest.
func (p *page) keyedLocation(k keyPath) (protocol.Location, bool) {
	if skill := p.namedAt(k); skill != nil {
		return p.skillLocation(skill), true
	}
	if abs, ok := p.declaredAt(k.at); ok {
		return p.fileLocation(abs)
	}
	return protocol.Location{}, false
}

// namedAt returns the skill that a trigger eval names at a place.
func (p *page) namedAt(k keyPath) *skills.Skill {
	if k.key || !p.isEval() || len(p.evalValues(k)) == 0 {
		return nil
	}
	return p.skillNamed(strings.Trim(k.at.In(p.text()), `"`))
}

// manifest returns the page as a manifest, nil when it is none.
func (p *page) manifest() *manifest.File {
	kind, home, ok := manifest.KindOf(p.p.file)
	if !ok {
		return nil
	}
	return manifest.Parse(p.doc, kind, p.live().Abs(home))
}

// declared returns the paths that the page declares, if it is a manifest.
func (p *page) declared() []manifest.Declared {
	if m := p.manifest(); m != nil {
		return m.Declared()
	}
	return nil
}

func (p *page) declaredAt(at text.Span) (string, bool) {
	for _, d := range p.declared() {
		if d.Value.Span == at {
			_, err := p.live().FS().Stat(d.Abs)
			return d.Abs, err == nil
		}
	}
	return "", false
}

// manifestValues offers the files and folders that a path of a manifest may lead to.
func (p *page) manifestValues(m *manifest.File, k keyPath) []choice {
	key := strings.TrimSuffix(k.dotted(), ".*")
	if key == "plugins.*.strict" {
		return booleans
	}
	lead, folders := "./", slices.Contains([]string{"skills", "plugins.*.skills", "plugins.*.source", "metadata.pluginRoot"}, key)
	if m.Kind == manifest.GeminiExtension {
		lead = ""
	}
	return p.pathChoices(m.Start(key, k.at.Start), lead, folders, k)
}

// pathChoices offers what lies in a folder, or deeper as far as is typed, written with a lead in front: files and
// folders, or folders alone. It offers nothing for the folder "" and outside of it.
func (p *page) pathChoices(start, lead string, folders bool, k keyPath) []choice {
	dir, _ := path.Split(strings.TrimPrefix(strings.Trim(k.at.In(p.text()), `"'`), "./"))
	if start == "" || dir != "" && !filepath.IsLocal(filepath.FromSlash(dir)) {
		return nil
	}
	entries, err := p.live().FS().ReadDir(filepath.Join(start, filepath.FromSlash(dir)))
	if err != nil {
		return nil
	}
	var out []choice
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && (e.IsDir() || !folders) {
			out = append(out, choice{text: lead + dir + e.Name(), words: entryKind(e)})
		}
	}
	return out
}

func entryKind(e fs.DirEntry) string {
	if e.IsDir() {
		return "folder"
	}
	return "file"
}

var booleans = []choice{{text: "true", literal: true}, {text: "false", literal: true}}

// sidecarTable are the keys of agents/openai.yaml, with what they are for.
func sidecarTable() map[string]string {
	out := map[string]string{}
	for _, key := range rules.SidecarKeys() {
		out[key] = sidecarWords[key]
	}
	return out
}

var sidecarWords = map[string]string{
	"interface":                        "How Codex shows the skill.",
	"interface.display_name":           "The name for people.",
	"interface.short_description":      "One line for people.",
	"interface.icon_small":             "Path of a small picture, from the skill's folder.",
	"interface.icon_large":             "Path of a large picture, from the skill's folder.",
	"interface.brand_color":            "A colour such as #336699.",
	"interface.default_prompt":         "What a user may say to begin; it names the skill.",
	"dependencies":                     "What the skill needs.",
	"dependencies.tools":               "The tools it needs.",
	"dependencies.tools.*.type":        "The kind of tool.",
	"dependencies.tools.*.value":       "The name of the tool or server.",
	"dependencies.tools.*.description": "What the skill needs it for.",
	"dependencies.tools.*.transport":   "How the server is reached.",
	"dependencies.tools.*.command":     "The command that starts it.",
	"dependencies.tools.*.url":         "Its address.",
	"policy":                           "Who may use the skill.",
	"policy.allow_implicit_invocation": "Whether the model may choose it; true unless set.",
	"policy.products":                  "The products it is for.",
}

func (p *page) sidecarValues(k keyPath) []choice {
	switch k.dotted() {
	case "interface.icon_small", "interface.icon_large":
		return p.pathChoices(filepath.Dir(filepath.Dir(p.doc.Abs)), "./", false, k)
	case "policy.allow_implicit_invocation":
		return booleans
	case "dependencies.tools.*.type":
		return []choice{{text: "mcp", words: "a server of the Model Context Protocol"}}
	case "dependencies.tools.*.transport":
		return []choice{{text: "stdio"}, {text: "streamable_http"}}
	}
	return nil
}

// evalKeys are the keys of trigger evals that are offered: of the many that are read, the usual ones.
var evalKeys = map[string]string{
	"*.query":                  "What a user says.",
	"*.should_trigger":         "Whether the skill should be chosen for it.",
	"*.skill":                  "The skill it is about; that of the folder unless set.",
	"queries":                  "What users say.",
	"skill_name":               "The skill that the queries are about; that of the folder unless set.",
	"queries.*.query":          "What a user says.",
	"queries.*.should_trigger": "Whether the skill should be chosen for it.",
	"queries.*.skill":          "The skill it is about; that of the file unless set.",
}

// evalValues offers labels and the names of skills.
func (p *page) evalValues(k keyPath) []choice {
	if len(k.path) == 0 {
		return nil
	}
	switch k.path[len(k.path)-1] {
	case "should_trigger":
		return booleans
	case "skill", "skill_name", "expected_skill", "expect_skill":
		var out []choice
		for _, s := range p.live().Skills() {
			if s.Layout != skills.Flat {
				out = append(out, choice{text: s.Name(), words: short(s.Description())})
			}
		}
		return out
	}
	return nil
}
