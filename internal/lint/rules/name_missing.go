package rules

import (
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var nameMissing = &lint.Rule{
	Name: "name/missing", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.SafeRepair,
	Explains: []string{"*/name-required", "*/name-type", "*/name-pattern", "changed/name/*", "visibility/name"},
	Page: lint.Page{
		What: "The front matter has no name, or an empty one.",
		Why: "The Agent Skills text requires a name. Claude Code, Codex and VS Code fall back to the folder's name; Gemini CLI, OpenCode and others " +
			"do not list the skill, and installers cannot install it.",
		Bad:  "---\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		if !keysMatter(p) || excused(p, "name") {
			return
		}
		f := p.Skill.Front.Field("name")
		switch {
		case f == nil:
			p.Report(lint.Finding{
				Span:    fencePlace(p),
				Message: "the name is missing",
				Effect:  "agents that do not fall back to the folder's name drop the skill",
				Help:    "add name: with the name of the folder",
				Fixes:   addName(p),
			})
		case isEmpty(f):
			p.Report(lint.Finding{
				Span:    f.Key,
				Message: "the name is missing: the key has no value",
				Effect:  "agents that do not fall back to the folder's name drop the skill",
				Help:    "write the name of the folder",
				Fixes:   setName(p, f, p.Skill.Folder, true),
			})
		}
	},
}

// keysMatter reports whether a missing key is worth a finding of its own: there is front matter with keys,
// or with faults that no other rule puts down to one key.
func keysMatter(p *lint.Pass) bool {
	return parsed(p) && len(p.Skill.Front.Fields) > 0
}

// excused reports whether another rule names the cause for a missing required key: it is misspelt, its value is not where
// YAML looks for it, or it is lost in a block that does not parse and cannot be told apart.
func excused(p *lint.Pass, key string) bool {
	for i := range p.Skill.Front.Fields {
		if required, _ := requiredFor(p, &p.Skill.Front.Fields[i]); required == key {
			return true
		}
	}
	for _, e := range p.Skill.Front.Errors {
		if e.Field < 0 || p.Skill.Front.Fields[e.Field].Name == key {
			return true
		}
	}
	return false
}

// isEmpty reports whether a field has no value or one of white space.
func isEmpty(f *skills.Field) bool {
	if f.Broken {
		return false
	}
	return f.Tag() == "!!null" || f.Tag() == "!!str" && strings.TrimSpace(f.Text) == ""
}

func addName(p *lint.Pass) []lint.Fix {
	front := &p.Skill.Front
	indent, ok := keyIndent(p)
	if !ok || !validName(p.Skill.Folder) || front.Open.Kind == skills.NoFence {
		return nil
	}
	return []lint.Fix{{
		Title: "add name: " + p.Skill.Folder, Safe: true,
		Edits: []lint.Edit{lint.Insert(front.Block.Start, indent+"name: "+scalarName(p.Skill.Folder)+eol(p.Text()))},
	}}
}

// keyIndent returns the blanks in front of the first key. It is false where a key may not be added as a line of
// its own: the first one stands in braces, or behind a question mark.
func keyIndent(p *lint.Pass) (string, bool) {
	first := p.Skill.Front.Fields[0].Key.Start
	indent := p.Text()[lineStart(p, first):first]
	return indent, strings.Trim(indent, " ") == ""
}

// setName offers to write another name.
func setName(p *lint.Pass, f *skills.Field, name string, safe bool) []lint.Fix {
	if !validName(name) {
		return nil
	}
	with := scalarName(name)
	if f.Value.Empty() && f.Value.Start == f.Colon+1 {
		with = " " + with
	}
	return []lint.Fix{{Title: "write name: " + name, Safe: safe, Edits: []lint.Edit{lint.Replace(f.Value, with)}}}
}

// scalarName writes a name so that YAML reads it as text.
func scalarName(name string) string {
	if isText(name) {
		return name
	}
	return quote(name)
}
