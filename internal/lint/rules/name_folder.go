package rules

import (
	"fmt"
	"path"

	"golang.org/x/text/unicode/norm"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

var nameFolder = &lint.Rule{
	Name: "name/folder", Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Explains: []string{"*/name-folder", "changed/name/folder"}, Must: true,
	Page: lint.Page{
		What: "The name differs from the folder the skill lies in.",
		Why: "The Agent Skills text wants them equal. Claude Code and VS Code call the skill by its folder, Codex and Gemini CLI by its name, " +
			"and a dozen other agents drop it, so one skill has two names or none.",
		Bad:  "---\nname: kit-demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) {
		f := nameField(p)
		s := p.Skill
		// A name that is not valid has a finding already, which names the folder too; so has a hidden folder.
		if f == nil || s.Layout != skills.InFolder || s.Brand != "" && s.Folder == hiddenPart(s) || !namePattern.MatchString(f.Text) || norm.NFKC.String(f.Text) == norm.NFKC.String(s.Folder) {
			return
		}
		finding := lint.Finding{
			Span:    f.Value,
			Message: fmt.Sprintf("the name %q differs from the directory %q", f.Text, s.Folder),
			Effect:  "some agents know the skill by one, some by the other, and some drop it",
			Help:    fmt.Sprintf("write name: %s, or rename the folder", s.Folder),
			Fixes:   setName(p, f, s.Folder, false),
		}
		if s.Dir != "." {
			finding.Fixes = append(finding.Fixes, lint.Fix{
				Title:   "rename the folder to " + f.Text,
				Renames: []lint.Rename{{From: s.Dir, To: path.Join(path.Dir(s.Dir), f.Text)}},
			})
		}
		p.Report(finding)
	},
}
