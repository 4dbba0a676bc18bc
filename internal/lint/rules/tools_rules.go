package rules

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// toolsHead and toolsTail stand around the key in the examples of the pages about tools.
const (
	toolsHead = "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\nallowed-tools: "
	toolsTail = "\n---\n\n# Steps\n\nRename.\n"
)

// allowedTools returns the entries of the skill's allowed-tools and how they are written.
func allowedTools(p *lint.Pass) (*skills.Field, []skills.AllowedTool, skills.ToolsForm) {
	f := field(p, "allowed-tools")
	if f == nil || f.Value.Empty() || len(p.Skill.Front.Errors) > 0 || noTools(f) {
		return nil, nil, 0
	}
	have := lint.Shared(p, toolListKey{}, func(p *lint.Pass) toolList {
		tools, form := p.Skill.Front.AllowedTools(p.Text(), f)
		return toolList{tools, form}
	})
	return f, have.tools, have.form
}

type toolListKey struct{}

type toolList struct {
	tools []skills.AllowedTool
	form  skills.ToolsForm
}

// noTools reports whether the value is neither a text nor a list.
func noTools(f *skills.Field) bool {
	return f.Kind() == yaml.MappingNode || f.Kind() == yaml.ScalarNode && f.Tag() != "!!str" && f.Tag() != "!!null" && !ownType(f)
}

// granting returns the judging clients for which allowed-tools is more than words.
func granting(p *lint.Pass) []*profile.Profile {
	return lint.Shared(p, grantingKey{}, func(p *lint.Pass) []*profile.Profile {
		yes, _ := split(judges(p), grants)
		return yes
	})
}

type grantingKey struct{}

// grants reports whether a client reads allowed-tools, and grants what stands there. Qwen Code reads another key.
func grants(c *profile.Profile) bool {
	return c.AllowedTools.Effect == "grant" && slices.Contains(c.AllowedTools.Keys, "allowed-tools")
}

var toolsForm = &lint.Rule{
	Name: "tools/form", Severity: lint.Info, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "allowed-tools is written so that a client the skill is for reads other tools than are meant.",
		Why: "The Agent Skills text wants one string with blanks; half of the published skills use commas, a quarter a list. Claude Code reads all three, and blanks inside parentheses; " +
			"Mistral Vibe splits at blanks alone: \"Read,\" keeps its comma there, and `Bash(git add *)` falls into three.",
		Bad:     toolsHead + "Read, Write" + toolsTail,
		Good:    toolsHead + "Read Write" + toolsTail,
		Clients: []string{"claude-code", "mistral-vibe"},
	},
	Run: func(p *lint.Pass) {
		f, tools, form := allowedTools(p)
		if f == nil {
			return
		}
		if _, tag := oddItem(p, f); tag != "" {
			return // field/type tells of it
		}
		meant := texts(tools)
		var wrong []*profile.Profile
		for _, played := range p.View.Played(p.Skill) {
			if c := played.Profile; grants(c) && c.Known("allowed_tools.text") && !slices.Equal(played.Outcome.Loaded.Tools, meant) && loads(played.Outcome) {
				wrong = append(wrong, c)
			}
		}
		if len(wrong) > 0 {
			p.Report(toolsFormFinding(p, f, meant, form, wrong))
		}
	},
}

func loads(o *profile.Outcome) bool {
	return o.Status == profile.Listed || o.Status == profile.Changed || o.Status == profile.Hidden
}

func texts(tools []skills.AllowedTool) []string {
	out := make([]string, len(tools))
	for i := range tools {
		out[i] = tools[i].Text
	}
	return out
}

// toolsFormFinding offers to write the tools as the Agent Skills text wants them, when no pattern holds a blank
// that a splitter at blanks would tear.
func toolsFormFinding(p *lint.Pass, f *skills.Field, meant []string, form skills.ToolsForm, wrong []*profile.Profile) lint.Finding {
	why := map[skills.ToolsForm]string{
		skills.CommaTools: "the tools are separated by commas, where the spec wants spaces",
		skills.ListTools:  "the tools are a list, where the spec wants one string",
		skills.WordTools:  "a tool's pattern holds a blank",
	}[form]
	out := lint.Finding{
		Span:    f.Value,
		Message: fmt.Sprintf("%s: read otherwise than meant by %s", why, lint.Labels(wrong...)),
		Help:    "write one string with a blank between the tools",
	}
	flat := strings.Join(meant, " ")
	if len(strings.Fields(flat)) != len(meant) || strings.ContainsAny(flat, "#\"'\\,[]{}") || strings.Contains(flat, ": ") || f.Kind() == 0 {
		return out
	}
	if form == skills.ListTools {
		flat = " " + flat
		at := f.Value
		at.Start = f.Colon + 1
		out.Fixes = []lint.Fix{{Title: "write one string", Edits: []lint.Edit{lint.Replace(at, flat)}}}
		return out
	}
	out.Fixes = []lint.Fix{{Title: "separate by blanks", Edits: []lint.Edit{lint.Replace(f.Value, flat)}}}
	return out
}

var toolsPattern = &lint.Rule{
	Name: "tools/pattern", Severity: lint.Warning, Scope: lint.FrontScope, Since: since,
	Page: lint.Page{
		What: "The parentheses behind a tool in allowed-tools are not closed, or hold nothing.",
		Why: "What is not closed swallows the tools behind it; empty parentheses match no command. Where `:*` stands in the middle it is no wildcard: it means \"whatever follows\" at the end only. " +
			"Judged for clients that grant by patterns: of 908 published lists none is unbalanced, so it is a slip.",
		Bad:     toolsHead + "Read Bash(git:*" + toolsTail,
		Good:    toolsHead + "Read Bash(git:*)" + toolsTail,
		Clients: []string{"claude-code"},
	},
	Run: func(p *lint.Pass) {
		f, tools, _ := allowedTools(p)
		if f == nil || len(tools) == 0 || len(granting(p)) == 0 {
			return
		}
		for i := range tools {
			if why := patternFault(p.Text(), &tools[i]); why != "" {
				p.Report(lint.Finding{Span: tools[i].Span, Message: why, Help: "write Tool(command:*) or Tool(command *)"})
			}
		}
	},
}

func patternFault(src string, t *skills.AllowedTool) string {
	pattern := t.Pattern.In(src)
	switch {
	case t.Open:
		return fmt.Sprintf("the parenthesis in %s is never closed", t.Text)
	case strings.HasSuffix(t.Text, "()"), t.Name.End < t.Span.End && strings.TrimSpace(pattern) == "":
		return fmt.Sprintf("the parentheses in %s hold nothing: no command matches", t.Text)
	case strings.Contains(strings.TrimSuffix(pattern, ":*"), ":*"):
		return fmt.Sprintf("the :* in %s does not stand at the end: it is no wildcard there", t.Text)
	}
	return ""
}

var toolsUnknown = &lint.Rule{
	Name: "tools/unknown", Severity: lint.Warning, Scope: lint.FrontScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A tool in allowed-tools is spelled unlike any tool of a client that grants by it.",
		Why: "Claude Code compares names in their exact case: `bash` grants nothing, and nobody is told. Judged are names a letter or the case away from a tool that is known, " +
			"in lists that otherwise speak of that client's tools: published lists hold many names of other clients.",
		Bad:     toolsHead + "Read grep" + toolsTail,
		Good:    toolsHead + "Read Grep" + toolsTail,
		Clients: []string{"claude-code"},
	},
	Run: func(p *lint.Pass) {
		_, tools, _ := allowedTools(p)
		if len(tools) == 0 {
			return
		}
		clients, _ := split(granting(p), func(c *profile.Profile) bool { return len(c.AllowedTools.Names) > 0 })
		for _, c := range clients {
			if !writtenFor(p.Text(), c, tools) {
				continue
			}
			for i := range tools {
				reportUnknownTool(p, c, &tools[i])
			}
		}
	},
}

// writtenFor reports whether a list speaks of one client's tools: it holds one of them, and nothing that is unlike
// all of them. Others are written for another client, or for several.
func writtenFor(src string, c *profile.Profile, tools []skills.AllowedTool) bool {
	known := false
	for i := range tools {
		name := tools[i].NameIn(src)
		switch {
		case slices.Contains(c.AllowedTools.Names, name):
			known = true
		case !strings.HasPrefix(name, mcpPrefix) && nearTool(name, c.AllowedTools.Names) == "":
			return false
		}
	}
	return known
}

func reportUnknownTool(p *lint.Pass, c *profile.Profile, t *skills.AllowedTool) {
	name := t.NameIn(p.Text())
	near := nearTool(name, c.AllowedTools.Names)
	if near == "" {
		return
	}
	p.Report(lint.Finding{
		Span:    t.Name,
		Message: fmt.Sprintf("unknown tool %s: %s calls it %s and grants nothing for this name", name, lint.Labels(c), near),
		Help:    fmt.Sprintf("did you mean %s?", near),
		Fixes:   []lint.Fix{{Title: "change to " + near, Edits: []lint.Edit{lint.Replace(t.Name, near)}}},
	})
}

// nearTool returns the known tool that a name most likely stands for, or "" when the name is known or stands for none.
func nearTool(name string, known []string) string {
	if slices.Contains(known, name) || len(name) < 2 {
		return ""
	}
	for _, k := range known {
		if strings.EqualFold(k, name) || len(name) >= 5 && len(k) >= 5 && lint.Distance(name, k) == 1 {
			return k
		}
	}
	return ""
}

var toolsNoEffect = &lint.Rule{
	Name: "tools/no-effect", Severity: lint.Hint, Scope: lint.FrontScope, Since: since,
	Page: lint.Page{
		What: "allowed-tools does nothing in a chosen client. The rule is silent unless clients are chosen with --client or in the configuration.",
		Why: "The field grants tools for the turn in Claude Code, Copilot CLI and a few others; it never restricts. Codex, Gemini CLI, OpenCode, VS Code and most others read past it, " +
			"so a skill that counts on it asks for permission there.",
		Bad:     toolsHead + "Read" + toolsTail,
		Good:    demoSkill,
		Clients: []string{"codex"},
	},
	Run: func(p *lint.Pass) {
		f := field(p, "allowed-tools")
		if f == nil || len(p.Clients) == 0 {
			return
		}
		_, none := split(judges(p), func(c *profile.Profile) bool { return c.AllowedTools.Effect == "show" || grants(c) })
		if len(none) > 0 {
			p.Report(lint.Finding{Span: f.Key, Message: "allowed-tools has no effect in " + lint.Labels(none...)})
		}
	},
}
