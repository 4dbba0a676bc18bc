package rules

import (
	"fmt"
	"path"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var shadowedName = &lint.Rule{
	Name: "workspace/shadowed-name", Severity: lint.Warning, Scope: lint.WorkspaceScope, Since: since,
	Explains: []string{"dedupe/*"},
	Page: lint.Page{
		What: "A client that reads several folders finds two skills of one name and lists the other one.",
		Why: "Copilot CLI, VS Code, OpenCode and Cursor read .claude/skills and .agents/skills beside their own folder, and keep one skill of each name; which one differs. The related places say who lists which. " +
			"Copies with the same text are a hint: it does not matter which of them is read. Two skills in one folder are told by `workspace/duplicate-name`.",
		Bad: "-- .claude/skills/demo/SKILL.md --\n" + demoSkill +
			"-- .agents/skills/demo/SKILL.md --\n---\nname: demo\ndescription: Sorts photos. Use when photos are unsorted.\n---\n\n# Steps\n\nSort.\n",
		Good: "-- .claude/skills/demo/SKILL.md --\n" + demoSkill +
			"-- .agents/skills/sort/SKILL.md --\n---\nname: sort\ndescription: Sorts photos. Use when photos are unsorted.\n---\n\n# Steps\n\nSort.\n",
	},
	Run: func(p *lint.Pass) {
		var winners map[listedKey]*skills.Skill
		siblings := map[[2]string]bool{}
		for _, s := range p.View.Skills() {
			key := [2]string{path.Dir(s.Dir), s.Name()}
			if lost := shadows(p, s); len(lost) > 0 && !siblings[key] {
				if winners == nil {
					winners = listedSkills(p)
				}
				reportShadowed(p, s, lost, winners)
			}
			siblings[key] = true
		}
	},
}

// listedKey is a name that one client lists.
type listedKey struct {
	client *profile.Profile
	name   string
}

// listedSkills returns the skill that each client lists under each name.
func listedSkills(p *lint.Pass) map[listedKey]*skills.Skill {
	out := map[listedKey]*skills.Skill{}
	for _, s := range p.View.Skills() {
		for _, played := range p.View.Played(s) {
			if played.Outcome.Listed {
				out[listedKey{played.Profile, foldKey(played.Outcome.Loaded.Name)}] = s
			}
		}
	}
	return out
}

// shadows returns what the clients that prefer another skill of the same name make of a skill.
func shadows(p *lint.Pass, s *skills.Skill) []lint.Played {
	var out []lint.Played
	for _, played := range p.View.Played(s) {
		if played.Outcome.Stage == profile.StageDedupe {
			out = append(out, played)
		}
	}
	return out
}

// reportShadowed reports a skill that some clients pass over, with the ones they take instead.
func reportShadowed(p *lint.Pass, s *skills.Skill, lost []lint.Played, winners map[listedKey]*skills.Skill) {
	var order []*skills.Skill
	by := map[*skills.Skill][]*profile.Profile{}
	for _, played := range lost {
		w := winners[listedKey{played.Profile, foldKey(played.Outcome.Loaded.Name)}]
		if w == nil || path.Dir(w.Dir) == path.Dir(s.Dir) { // duplicate-name tells of those in one folder
			continue
		}
		if by[w] == nil {
			order = append(order, w)
		}
		by[w] = append(by[w], played.Profile)
	}
	if order == nil {
		return
	}
	f := lint.Finding{
		File: s.Doc.Path, Span: nameSpan(s), Help: "give one of them another name, or keep one",
		Message: fmt.Sprintf("duplicate skill name %s: %s has it too, with another text", s.Name(), order[0].Doc.Path),
	}
	f.Harmless = true
	for _, w := range order {
		f.Harmless = f.Harmless && w.Doc.Text == s.Doc.Text
		f.Related = append(f.Related, lint.Related{File: w.Doc.Path, Span: nameSpan(w), Message: "listed by " + lint.Labels(by[w]...)})
	}
	if f.Harmless {
		f.Severity = lint.Hint
		f.Message = fmt.Sprintf("duplicate skill name %s: %s is a copy of this file", s.Name(), order[0].Doc.Path)
	}
	p.Report(f)
}
