package rules

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
)

var linkSymlink = &lint.Rule{
	Name: "link/symlink", Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "A symbolic link in the skill's folder leads nowhere, or out of the folder.",
		Why: "A dangling link is a file that cannot be read. One that leaves the folder works in the checkout and dangles once the skill is packed, uploaded or installed; that is an information. " +
			"Some agents refuse links that leave for safety.",
		Bad:  linkSkill + "Rename.\n-- demo/names.md -> lost.md --\n",
		Good: linkSkill + "Rename.\n-- demo/names.md -> found.md --\n-- demo/found.md --\n# Names\n",
	},
	Run: func(p *lint.Pass) {
		home := filepath.Dir(p.Doc().Abs)
		for _, f := range p.Skill.Files {
			if f.Symlink {
				judgeSymlink(p, home, f.Path)
			}
		}
	},
}

func judgeSymlink(p *lint.Pass, home, rel string) {
	if leavesProject(p, rel) {
		return // security/escaping-link tells it
	}
	tree := p.View.Tree()
	shown := path.Join(p.Skill.Dir, rel)
	real, err := tree.RealPath(filepath.Join(home, filepath.FromSlash(rel)))
	if err != nil {
		if rel != path.Base(p.Doc().Path) {
			p.Report(lint.Finding{File: shown, Message: "the symbolic link leads to a file that is not there", Help: "point it to the file, or put a copy in its place"})
		}
		return
	}
	if base, err := tree.RealPath(home); err == nil && !strings.HasPrefix(real, base+string(filepath.Separator)) {
		p.Report(lint.Finding{
			File: shown, Severity: lint.Info,
			Message: fmt.Sprintf("the symbolic link %s leaves the skill directory", path.Base(rel)),
			Effect:  "the file is missing when the skill is installed or uploaded alone",
			Help:    "put a copy in its place",
		})
	}
}
