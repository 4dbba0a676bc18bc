package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// parts are what pages hold between comments.
var parts = map[string]func() string{
	"commands":      commandTable,
	"peers":         peersTable,
	"configuration": func() string { return schemaTable("skilllint.schema.json") },
	"settings":      func() string { return schemaTable("settings.schema.json") },
}

func commandTable() string {
	var b strings.Builder
	b.WriteString("| command | does |\n| --- | --- |\n")
	for _, c := range newRoot(&app{}).Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			fmt.Fprintf(&b, "| `skilllint %s` | %s |\n", cell(c.Use), cell(c.Short))
		}
	}
	return b.String()
}

// peersTable is the first table of what was measured beside other programs, which stands in one place only.
func peersTable() string {
	text := string(must(os.ReadFile(filepath.Join(repository, "docs", "scale", "README.md"))))
	_, section, _ := strings.Cut(text, "\n## Beside other programs\n")
	_, table, _ := strings.Cut(section, "\n| ")
	table, _, found := strings.Cut("| "+table, "\n\n")
	if !found {
		panic("docs/scale/README.md has no table of other programs")
	}
	return table + "\n"
}

// cell keeps a text within a cell of a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(s)
}

// keySchema is what a table tells of a key.
type keySchema struct {
	Ref         string               `json:"$ref"`
	Description string               `json:"description"`
	Type        any                  `json:"type"` // a name, or a list of them
	Enum        []any                `json:"enum"`
	Default     any                  `json:"default"`
	Properties  map[string]keySchema `json:"properties"`
	Items       *keySchema           `json:"items"`
	Defs        map[string]keySchema `json:"$defs"`
}

// schemaTable lists the keys of a schema, those within keys too, and what they are.
func schemaTable(name string) string {
	var root keySchema
	if err := json.Unmarshal(must(os.ReadFile(filepath.Join(repository, "schemas", name))), &root); err != nil {
		panic(err)
	}
	var b strings.Builder
	b.WriteString("| key | takes | is |\n| --- | --- | --- |\n")
	root.rows(&b, "", root.Defs)
	return b.String()
}

func (s *keySchema) rows(b *strings.Builder, prefix string, defs map[string]keySchema) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name].resolved(defs)
		if name == "$schema" {
			continue
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", prefix, name, p.takes(defs), cell(p.Description))
		p.rows(b, prefix+name+".", defs)
		if p.Items != nil {
			item := p.Items.resolved(defs)
			item.rows(b, prefix+name+"[].", defs)
		}
	}
}

// resolved puts what a reference leads to below what stands beside it.
func (s keySchema) resolved(defs map[string]keySchema) keySchema {
	if s.Ref == "" {
		return s
	}
	out := defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
	out.Description = cmp.Or(s.Description, out.Description)
	return out
}

func (s *keySchema) takes(defs map[string]keySchema) string {
	var out []string
	for _, v := range s.Enum {
		out = append(out, fmt.Sprintf("`%v`", v))
	}
	kinds, isList := s.Type.([]any)
	if !isList && s.Type != nil {
		kinds = []any{s.Type}
	}
	for _, kind := range kinds {
		word := fmt.Sprint(kind)
		if s.Items != nil && word == "array" {
			item := s.Items.resolved(defs)
			word = "list of " + cmp.Or(item.takes(defs), "values")
		}
		out = append(out, word)
	}
	text := strings.Join(out, ", ")
	if s.Default != nil {
		text += fmt.Sprintf(", `%v` unless set", s.Default)
	}
	return text
}

// evidenceText says what the levels of evidence mean.
var evidenceText = map[string]string{
	"observed":   "seen in the requests of the running client",
	"executed":   "what its own code did when it was run",
	"source":     "read in its source",
	"documented": "said by its documentation, and not checked",
}

var tierText = map[int]string{1: "by default", 2: "when named", 3: "when named"}

// clientPage lists the clients with what is known of them, and from where.
func clientPage() string {
	var b strings.Builder
	all := profile.All()
	fmt.Fprintf(&b, "# Clients\n\n%d agents and tools that read skills. Each is a file of data below `internal/profile/clients`, from which this page, the table of\n`skilllint clients`, the rules and `skilllint simulate` are made; [CONTRIBUTING.md](../../CONTRIBUTING.md#a-new-client) tells how one is added.\n", len(all))
	b.WriteString("`skilllint clients --client NAME --explain SKILL` plays one on a skill, stage by stage.\n\nEvidence is, from the best on:\n\n")
	for _, level := range []string{"observed", "executed", "source", "documented"} {
		fmt.Fprintf(&b, "- *%s*: %s\n", level, evidenceText[level])
	}
	b.WriteString("\nNo rule fires from what is unknown. A client is judged by default, or when it is named with `--client` or a skill lies in a folder of its own.\n\n")
	b.WriteString("| client | name | kind | version | evidence | date | judged |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, p := range all {
		fmt.Fprintf(&b, "| [%s](#%s) | `%s` | %s | %s | %s | %s | %s |\n", p.Label, p.Name, p.Name, p.Kind, p.Version, p.Evidence.Level, p.Evidence.Date, tierText[p.Tier])
	}
	for _, p := range all {
		b.WriteString(clientSection(p))
	}
	return b.String()
}

func clientSection(p *profile.Profile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s %s, %s on %s", p.Name, p.Label, p.Version, p.Evidence.Level, p.Evidence.Date)
	if p.Evidence.Source != "" {
		b.WriteString(": " + p.Evidence.Source)
	}
	b.WriteString(".")
	if p.Evidence.Comment != "" {
		fmt.Fprintf(&b, " Note: %s.", p.Evidence.Comment)
	}
	b.WriteString("\n\n")
	for _, url := range p.Evidence.URLs {
		fmt.Fprintf(&b, "- documentation: <%s>\n", url)
	}
	fmt.Fprintf(&b, "- reads: %s\n", rootsText(p.Discovery.Roots))
	if p.Known("checks") && len(p.Checks) > 0 {
		fmt.Fprintf(&b, "- does not load, or warns of: %s\n", checksText(p.Checks))
	}
	if cut := cutText(p); cut != "" {
		fmt.Fprintf(&b, "- cuts: %s\n", cut)
	}
	if p.Known("tools") && p.Tools.Name != "" {
		fmt.Fprintf(&b, "- names tools of MCP servers: `%s`\n", p.Tools.Name)
	}
	if p.MaxTools > 0 {
		fmt.Fprintf(&b, "- takes at most %d tools\n", p.MaxTools)
	}
	if len(p.Unknown) > 0 {
		fmt.Fprintf(&b, "- unknown: %s\n", quoted(p.Unknown))
	}
	if len(p.Versions) > 0 {
		var older []string
		for _, v := range p.Versions {
			older = append(older, p.Name+"@"+v.Version)
		}
		fmt.Fprintf(&b, "- older versions that differ: %s\n", quoted(older))
	}
	if p.Run != nil {
		fmt.Fprintf(&b, "- `skilllint capture --client %s FOLDER` shows it again; last seen to work on %s\n", p.Name, p.Run.Date)
	}
	return b.String()
}

func quoted(list []string) string { return "`" + strings.Join(list, "`, `") + "`" }

// baseText says what the paths of a root are relative to.
var baseText = map[string]string{
	"root": "of the project", "cwd": "of the working directory", "ancestors": "of each folder from the working directory up to the project's",
	"trail": "of each folder from the project's down to the working directory",
	"home":  "of the user", "abs": "of the machine",
}

func rootsText(roots []profile.Root) string {
	var out []string
	for _, r := range roots {
		text := "`" + r.Path + "` " + baseText[r.Base]
		if r.Gate != "" {
			text += " (" + r.Gate + ")"
		}
		out = append(out, text)
	}
	return cmp.Or(strings.Join(out, ", "), "the folders that its program names")
}

func checksText(checks []profile.Check) string {
	var out []string
	for _, c := range checks {
		text := "`" + c.On + "` " + c.Rule
		if c.Max > 0 {
			text += fmt.Sprintf(" %d", c.Max)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// cutText tells which fields the client shortens, and to how much.
func cutText(p *profile.Profile) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(p.Fields)) {
		for _, step := range p.Fields[name].Transform {
			if step.Do == "cut" && p.Known("fields."+name) {
				out = append(out, fmt.Sprintf("`%s` after %d %s", name, step.Max, cmp.Or(step.Unit, "codepoints")))
			}
		}
	}
	return strings.Join(out, ", ")
}
