package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var fileNameCase = &lint.Rule{
	Name: "file/name-case", Severity: lint.Error, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: []string{"walk/*"},
	Page: lint.Page{
		What: "The file is called skill.md, Skill.md or SKILL.md.txt instead of SKILL.md.",
		Why:  "Agents look for SKILL.md. On macOS and Windows another case is found too, on Linux it is not: the skill works for its author and is gone in CI and for others.",
		Bad:  "-- demo/skill.md --\n" + demoSkill,
		Good: "-- demo/SKILL.md --\n" + demoSkill,
	},
	Run: func(p *lint.Pass) {
		base := path.Base(p.Doc().Path)
		message, effect := fmt.Sprintf("the file must be named SKILL.md; %s is found only where case does not matter", base), "most agents on Linux do not list the skill"
		switch {
		case base == skills.FileName || p.Skill.Layout == skills.Flat:
			return
		case skills.IsLikeSkillFile(base):
			message, effect = fmt.Sprintf("the file must be named SKILL.md, not %s", base), "no agent lists the skill"
		}
		p.Report(lint.Finding{
			Message: message,
			Effect:  effect,
			Help:    "rename it to SKILL.md",
			Fixes: []lint.Fix{{
				Title:   "rename to SKILL.md",
				Renames: []lint.Rename{{From: p.Doc().Path, To: path.Join(p.Skill.Dir, skills.FileName)}},
			}},
		})
	},
}

var fileFlat = &lint.Rule{
	Name: "file/flat", Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: []string{"walk/*", "changed/name/folder"}, Unhurt: lint.Info,
	Page: lint.Page{
		What: "A skill is saved as skills/NAME.md, without a folder of its own.",
		Why:  "Only pi, Kimi CLI and Kimi Code read loose files; everywhere else a skill is a folder with a SKILL.md.",
		Bad:  "-- skills/demo.md --\n" + demoSkill,
		Good: "-- skills/demo/SKILL.md --\n" + demoSkill,
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Layout != skills.Flat {
			return
		}
		name := strings.TrimSuffix(path.Base(p.Doc().Path), ".md")
		to := path.Join(p.Skill.Dir, name, skills.FileName)
		p.Report(lint.Finding{
			Message: "this skill file is not inside its own directory",
			Effect:  "most agents do not list it",
			Help:    "move it to " + to,
			Fixes:   []lint.Fix{{Title: "move it to " + to, Renames: []lint.Rename{{From: p.Doc().Path, To: to}}}},
		})
	},
}

var fileInRoot = &lint.Rule{
	Name: "file/in-root", Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: []string{"walk/*", "changed/name/folder"}, Unhurt: lint.Info,
	Page: lint.Page{
		What: "SKILL.md lies directly in the folder that holds the skills.",
		Why:  "Claude Code, VS Code and most others read only the folders below it. Some agents load the file under the name \"skills\".",
		Bad:  "-- .claude/skills/SKILL.md --\n" + demoSkill,
		Good: "-- .claude/skills/demo/SKILL.md --\n" + demoSkill,
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Layout != skills.InRoot {
			return
		}
		f := lint.Finding{
			Message: fmt.Sprintf("this skill file is not inside its own directory: %s holds skills", p.Skill.Dir),
			Effect:  "most agents read only the folders below it",
			Help:    "move it into a folder with the skill's name",
		}
		if name := nameField(p); name != nil && validName(name.Text) {
			to := path.Join(p.Skill.Dir, name.Text, skills.FileName)
			f.Fixes = []lint.Fix{{Title: "move it to " + to, Renames: []lint.Rename{{From: p.Doc().Path, To: to}}}}
		}
		p.Report(f)
	},
}

var fileNested = &lint.Rule{
	Name: "file/nested", Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Explains: []string{"walk/*", "changed/name/folder"}, Unhurt: lint.Info,
	Page: lint.Page{
		What: "A skill in an agent's folder lies more than one level below the folder of skills.",
		Why:  "Claude Code, VS Code, Gemini CLI and a dozen others look one level deep and do not see skills in category folders; Codex and OpenCode look deeper.",
		Bad:  "-- .agents/skills/photo/demo/SKILL.md --\n" + demoSkill,
		Good: "-- .agents/skills/demo/SKILL.md --\n" + demoSkill,
	},
	Run: func(p *lint.Pass) {
		s := p.Skill
		if s.Brand == "" || s.Depth < 2 || s.Layout == skills.Flat || s.Parent != "" || hiddenPart(s) != "" {
			return
		}
		p.Report(lint.Finding{
			Message: fmt.Sprintf("the skill is nested below a category folder, %d levels under %s", s.Depth, s.Root),
			Effect:  "agents that look one level deep do not list it",
			Help:    "move the folder directly into " + s.Root,
		})
	},
}

var fileSecondSkill = &lint.Rule{
	Name: "file/second-skill", Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Explains: []string{"walk/*"},
	Page: lint.Page{
		What: "A SKILL.md lies inside another skill's folder.",
		Why: "An upload to claude.ai takes exactly one SKILL.md. Codex, OpenCode and Goose list the inner one as a skill of its own, " +
			"Claude Code and Gemini CLI never see it.",
		Bad:  "-- demo/SKILL.md --\n" + demoSkill + "-- demo/parts/chat/SKILL.md --\n---\nname: chat\ndescription: Chats. Use when a chat is asked for.\n---\n\n# Chat\n",
		Good: "-- demo/SKILL.md --\n" + demoSkill + "-- chat/SKILL.md --\n---\nname: chat\ndescription: Chats. Use when a chat is asked for.\n---\n\n# Chat\n",
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Parent == "" || p.Skill.Layout == skills.Flat {
			return
		}
		p.Report(lint.Finding{
			Message: fmt.Sprintf("this is a second SKILL.md inside the skill package of %s", p.Skill.Parent),
			Effect:  "uploads refuse the package, some agents list a skill of its own, others never see it",
			Help:    "move the skill beside the other one, or rename the file if it is a reference",
			Related: []lint.Related{{File: p.Skill.Parent, Message: "the outer skill"}},
		})
	},
}

var fileHiddenFolder = &lint.Rule{
	Name: "file/hidden-folder", Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Explains: []string{"walk/*", "changed/name/folder"}, Unhurt: lint.Info,
	Page: lint.Page{
		What: "The skill lies in a folder whose name starts with a dot, below an agent's folder of skills.",
		Why:  "Codex, pi and Agent Zero skip hidden folders; others load the skill.",
		Bad:  "-- .agents/skills/.photo/demo/SKILL.md --\n" + demoSkill,
		Good: "-- .agents/skills/demo/SKILL.md --\n" + demoSkill,
	},
	Run: func(p *lint.Pass) {
		s := p.Skill
		if part := hiddenPart(s); part != "" && s.Brand != "" {
			p.Report(lint.Finding{
				Message: fmt.Sprintf("the skill lies in the hidden folder %s", part),
				Effect:  "Codex and others skip it",
				Help:    "rename the folder without the dot",
			})
		}
	},
}

var fileWrongFolder = &lint.Rule{
	Name: "file/wrong-folder", Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "The skill lies in a folder of an agent that is called nearly like its folder of skills.",
		Why:  "No agent looks in .claude/skill or .claude/Skills: the skill is never there, and nothing is said. OpenCode alone reads .opencode/skill too.",
		Bad:  "-- .claude/skill/demo/SKILL.md --\n" + demoSkill,
		Good: "-- .claude/skills/demo/SKILL.md --\n" + demoSkill,
	},
	Run: func(p *lint.Pass) {
		if p.Skill.Root != "" {
			return
		}
		brand, folder := nearFolder(p.Skill.Dir)
		if brand == "" || slices.ContainsFunc(profile.All(), func(c *profile.Profile) bool { return c.Reads(brand + "/" + folder) }) {
			return
		}
		p.Report(lint.Finding{
			Message: fmt.Sprintf("no agent looks for skills in %s/%s, only in %s/skills", brand, folder, brand),
			Help:    fmt.Sprintf("rename the folder to %s/skills", brand),
		})
	},
}

// nearFolder returns the folder of an agent in a path, and the one below it when its name is nearly "skills".
func nearFolder(dir string) (brand, folder string) {
	parts := strings.Split(dir, "/")
	for i, part := range parts[:len(parts)-1] {
		if next := parts[i+1]; skills.IsBrand(part) && next != "skills" && lint.Distance(strings.ToLower(next), "skills") <= 1 {
			return part, next
		}
	}
	return "", ""
}

// hiddenPart returns the first folder below the folder of skills whose name starts with a dot, or "".
func hiddenPart(s *skills.Skill) string {
	if s.Root == "" {
		return ""
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(s.Dir, s.Root), "/"), "/") {
		if len(part) > 1 && part[0] == '.' && part != ".." {
			return part
		}
	}
	return ""
}

// reason says why a file could not be read, without the path, which the finding shows already.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
