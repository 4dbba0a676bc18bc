package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var bodyUnsetVariable = &lint.Rule{
	Name: "body/unset-variable", Severity: lint.Warning, Scope: lint.BodyScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A shell variable for the skill's folder is used that nothing sets.",
		Why: "No client sets $SKILL_DIR or its kin in the shell: `python3 \"$SKILL_DIR/x.py\"` runs /x.py. Claude Code writes the folder in the place of ${CLAUDE_SKILL_DIR}, in braces, before the model reads the text. " +
			"A text that gives the variable a value, or says what it stands for, is fine.",
		Bad:     bodyHead + "```sh\npython3 \"$SKILL_DIR/rename.py\"\n```\n",
		Good:    bodyHead + "```sh\nSKILL_DIR=\"$HOME/skills/demo\"\npython3 \"$SKILL_DIR/rename.py\"\n```\n",
		Clients: []string{"claude-code"},
	},
	Run: func(p *lint.Pass) {
		marks := bodyMarks(p)
		if len(marks) == 0 || teachesSkills(p.Skill) {
			return
		}
		all := judges(p)
		if len(all) == 0 {
			return
		}
		hit := map[string][]mark{}
		var order []string
		for _, m := range marks {
			if m.kind != variableMark || m.escaped || m.comment || !folderName(m.name) || m.braced && ownVariable(m.span.In(p.Text())) || setBy(all, m.span.In(p.Text())) {
				continue
			}
			if hit[m.name] == nil {
				order = append(order, m.name)
			}
			hit[m.name] = append(hit[m.name], m)
		}
		for _, name := range order {
			if !explains(p.Text(), name) {
				p.Report(unsetFinding(p, hit[name], all))
			}
		}
	},
}

// folderName reports whether a name is one that skills use for their own folder as if the shell knew it.
func folderName(name string) bool {
	return strings.Contains(name, "SKILL") && strings.ToUpper(name) == name && skills.IsFolderVariable(name)
}

// clientVariables are the variables in the texts of skills that one client or another replaces, from the profiles.
var clientVariables = map[string]string{
	"${CLAUDE_SKILL_DIR}": "Claude Code", "${CLAUDE_PROJECT_DIR}": "Claude Code", "${CLAUDE_SESSION_ID}": "Claude Code",
	"${KIMI_SKILL_DIR}": "Kimi Code", "${KIMI_SESSION_ID}": "Kimi Code",
}

// ownVariable reports whether a variable is one that some client replaces.
func ownVariable(written string) bool { return clientVariables[written] != "" }

// setBy reports whether one of the clients replaces a variable.
func setBy(all []*profile.Profile, written string) bool {
	return slices.ContainsFunc(all, func(c *profile.Profile) bool { return c.Activation.Vars[written] != "" })
}

func unsetFinding(p *lint.Pass, hit []mark, all []*profile.Profile) lint.Finding {
	written := hit[0].span.In(p.Text())
	f := lint.Finding{
		Span:    hit[0].span,
		Message: fmt.Sprintf("the variable %s is never set%s", written, more(len(hit)-1)),
		Effect:  "the text gives it no value and no client the skill is for knows it, so the shell puts nothing in its place",
		Help:    "say which folder it stands for, or write paths relative to the skill's folder",
	}
	const known = "${CLAUDE_SKILL_DIR}"
	if !setBy(all, known) {
		return f
	}
	f.Help = "did you mean " + known + "?"
	fix := lint.Fix{Title: "change to " + known}
	for _, m := range hit {
		fix.Edits = append(fix.Edits, lint.Replace(m.span, known))
	}
	f.Fixes = []lint.Fix{fix}
	return f
}

// saysWhat is how a line says what a variable in it stands for.
var saysWhat = lazyregexp.New(`(?i)\b(replace|resolve[sd]?|means?|refers?|stands? for|denotes?|points? to|substitute|is set to|set to|is the|are the|expands?|determine|absolute path|director(y|ies)|folder|where|here)\b|替换|目录|路径|置換|ディレクトリ|指す`)

// explains reports whether a text gives a variable a value, or says what it stands for: the name stands somewhere
// without the sign in front, or in a line of prose that tells.
func explains(src, name string) bool {
	for at := 0; ; {
		i := strings.Index(src[at:], name)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(name)
		before, after := src[:i], src[at:]
		whole := !strings.HasSuffix(before, "_") && !strings.HasPrefix(after, "_")
		if whole && !strings.HasSuffix(before, "$") && !strings.HasSuffix(before, "${") {
			return true
		}
		line := before[strings.LastIndexByte(before, '\n')+1:] + name + strings.SplitN(after, "\n", 2)[0]
		if whole && (strings.Contains(line, ":-") || strings.IndexByte(line, '`') >= 0 && saysWhat.MatchString(line)) {
			return true
		}
	}
}

var bodyClientVariable = &lint.Rule{
	Name: "body/client-variable", Severity: lint.Warning, Scope: lint.BodyScope, Since: since,
	Page: lint.Page{
		What: "The text counts on a client to replace a variable, and a client the skill is for does not.",
		Why: "$ARGUMENTS, $1 and ${CLAUDE_SKILL_DIR} are Claude Code's; of 15 clients watched, Kimi Code alone shares the arguments. Gemini CLI, OpenCode, Qwen Code and Copilot CLI put the text before the model as it is written. " +
			"Judged is the whole body, code and HTML comments included: clients replace in the text, whatever its Markdown. A warning for clients named with --client or in the configuration; an information otherwise.",
		Bad:     bodyHead + "Rename the photos in $ARGUMENTS.\n",
		Good:    bodyHead + "Rename the photos in the folder that the user names.\n",
		Clients: []string{"claude-code", "opencode"},
	},
	Run: func(p *lint.Pass) {
		if marks := bodyMarks(p); len(marks) > 0 && !teachesSkills(p.Skill) {
			reportLiteral(p, marks)
		}
	},
}

// reportLiteral reports the variables that some of the judging clients leave as they are: each once, those that
// the same clients leave together.
func reportLiteral(p *lint.Pass, marks []mark) {
	all := judges(p)
	deliberate := takesArguments(p, marks)
	var first mark
	var names []string
	var blind []*profile.Profile
	for _, m := range marks {
		does := replaces(m, m.span.In(p.Text()), deliberate)
		if does == nil || m.escaped {
			continue
		}
		_, no := split(all, does)
		if len(no) == 0 || slices.Contains(names, m.span.In(p.Text())) {
			continue
		}
		if names == nil {
			first, blind = m, no
		}
		names = append(names, m.span.In(p.Text()))
	}
	if names == nil {
		return
	}
	p.Report(lint.Finding{
		Severity: portability(p), Span: first.span,
		Message: fmt.Sprintf("%s: shown as written by %s", strings.Join(names, ", "), lint.Labels(blind...)),
		Help:    "say in words what is meant, so that a model that sees the variable itself can act on it",
	})
}

// replaces returns what tells whether a client replaces a mark that is meant to be replaced, nil for another one.
func replaces(m mark, written string, deliberate bool) func(*profile.Profile) bool {
	switch {
	case m.kind == argumentsMark:
		return func(c *profile.Profile) bool { return takes(c, "$ARGUMENTS") }
	case m.kind == numberMark && deliberate && (m.alone || m.number <= 3 && !m.fenced):
		return func(c *profile.Profile) bool { return takes(c, "$N") }
	case m.kind == variableMark && ownVariable(written):
		return func(c *profile.Profile) bool { return c.Activation.Vars[written] != "" }
	}
	return nil
}
