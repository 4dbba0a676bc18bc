package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lazyregexp"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/threat"
)

var escapingLink = &lint.Rule{
	Name: "security/escaping-link", Severity: lint.Error, Scope: lint.SkillScope, Since: since,
	Risk: &lint.Risk{CWE: []int{59}, OWASP: []string{"AST06"}},
	Page: lint.Page{
		What: "A symbolic link in the skill's folder leads out of the project.",
		Why: "Whoever reads or packs the skill reads what lies there: a key, a password file, a home folder. A link to a place of credentials or of the system is an error, whether that is there or not; another one a warning. " +
			"One that stays in the project is `link/symlink`'s.",
		Bad:  linkSkill + "Rename.\n-- demo/names.md -> /etc/passwd --\n",
		Good: linkSkill + "Rename.\n-- demo/names.md -> found.md --\n-- demo/found.md --\n# Names\n",
	},
	Run: func(p *lint.Pass) {
		for _, f := range p.Skill.Files {
			if f.Symlink {
				if to, level := escapes(p, f.Path); level != lint.Off {
					p.Report(lint.Finding{
						File: path.Join(p.Skill.Dir, f.Path), Severity: level, Message: fmt.Sprintf("the symbolic link %s leads out of the project, to %s", path.Base(f.Path), to),
						Help: "put a copy of what is needed in its place",
					})
				}
			}
		}
	},
}

// guarded are places that no skill has a reason to lead to.
var guarded = lazyregexp.New(`^/(?:etc|root|proc|sys|dev|boot|var/(?:run|lib|log|spool))(?:/|$)|/\.(?:ssh|aws|gnupg|kube|docker|azure|password-store)(?:/|$)|/\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|env|bash_history|zsh_history)$|^/(?:home|Users)/[^/]+/?$|^/$|(?i)/(?:keychains|login data)(?:/|$)`)

// escapes tells where a symbolic link of the skill leads, and how bad that is; Off when it stays in the project.
func escapes(p *lint.Pass, rel string) (to string, level lint.Severity) {
	tree := p.View.Tree()
	home := filepath.Dir(p.Doc().Abs)
	root, rootErr := tree.RealPath(projectRoot(p, home))
	real, err := tree.RealPath(filepath.Join(home, filepath.FromSlash(rel)))
	var missing *fs.PathError
	switch {
	case rootErr != nil:
		return "", lint.Off
	case errors.As(err, &missing):
		real = missing.Path
	case err != nil:
		return "", lint.Off
	}
	if real == root || strings.HasPrefix(real, root+string(filepath.Separator)) {
		return "", lint.Off
	}
	if guarded.MatchString(filepath.ToSlash(real)) {
		return filepath.ToSlash(real), lint.Error
	}
	if err != nil {
		return "", lint.Off // leads nowhere, which link/symlink tells
	}
	return filepath.ToSlash(real), lint.Warning
}

func projectRoot(p *lint.Pass, home string) string {
	if root := p.View.Tree().Root(home); root != "" {
		return root
	}
	return home
}

var archiveMember = &lint.Rule{
	Name: "security/archive-member", Severity: lint.Error, Scope: lint.SkillScope, Since: since,
	Risk: &lint.Risk{CWE: []int{22, 409}, OWASP: []string{"AST02"}},
	Page: lint.Page{
		What: "An archive of the skill has members that leave the folder it is unpacked in, that link out of it, that are locked with a password, or that fill a disk.",
		Why: "A program that unpacks it writes over files elsewhere (zip slip). A password keeps scanners out; that was the form of the first wave of malicious skills. " +
			"Zip and tar are read, up to 4 MB; archives inside of archives are not opened, nor is anything unpacked.",
		Good: demoSkill,
	},
	Run: func(p *lint.Pass) {
		for _, f := range p.Skill.Files {
			if !archiveName.MatchString(f.Path) || ownedByOther(p, f.Path) {
				continue
			}
			data, err := p.View.Tree().Head(filepath.Join(filepath.Dir(p.Doc().Abs), filepath.FromSlash(f.Path)), mostArchive+1)
			if err != nil || len(data) > mostArchive {
				continue
			}
			for _, what := range threat.Archive(f.Path, data) {
				p.Report(lint.Finding{
					File: path.Join(p.Skill.Dir, f.Path), Message: "the archive " + path.Base(f.Path) + " is dangerous to unpack: " + what,
					Help: "put the files into the skill's folder as they are",
				})
			}
		}
	},
}

var archiveName = lazyregexp.New(`(?i)\.(?:zip|tar|tgz|tar\.gz|skill|jar|vsix|whl|docx|xlsx|pptx)$`)

// mostArchive is the size in bytes from which an archive is not read.
const mostArchive = 4 << 20

var disguisedProgram = &lint.Rule{
	Name: "security/disguised-program", Severity: lint.Error, Scope: lint.SkillScope, Since: since,
	Risk: &lint.Risk{CWE: []int{434, 451}, OWASP: []string{"AST01"}},
	Page: lint.Page{
		What: "A program has a name that says it is something else: a picture, a document, or nothing to look at.",
		Why: "People and tools pass over it, and one line in the text runs it. Judged are the first bytes of files whose extension stands for a picture, a document or data, two extensions of which the last is a program's, " +
			"hidden characters in names, and hidden files that are programs.",
		Bad:  "-- demo/SKILL.md --\n" + secure + "Rename.\n-- demo/assets/logo.png --\n#!/bin/sh\necho photos\n",
		Good: "-- demo/SKILL.md --\n" + secure + "Rename.\n-- demo/scripts/rename.sh --\n#!/bin/sh\necho photos\n",
	},
	Run: func(p *lint.Pass) {
		for i, f := range p.Skill.Files {
			if i == maxHeads {
				break
			}
			if what, level := disguise(p, f.Path); level != lint.Off {
				p.Report(lint.Finding{
					File: path.Join(p.Skill.Dir, f.Path), Severity: level, Message: fmt.Sprintf("the name of %s hides what it is: %s", excerpt(path.Base(f.Path)), what),
					Help: "give it the name that fits, or remove it",
				})
			}
		}
	},
}

// maxHeads is how many files of a skill are looked at for what they are.
const maxHeads = 2000

var (
	dataExtensions = strings.Fields(".png .jpg .jpeg .gif .webp .bmp .ico .pdf .doc .docx .xls .xlsx .ppt .pptx .mp3 .mp4 .wav .ttf .woff .woff2 .zip .csv .tsv .log")
	twoExtensions  = lazyregexp.New(`(?i)\.(?:pdf|jpe?g|png|gif|docx?|xlsx?|pptx?|txt|csv|mp[34]|html?)\s*\.(?:exe|scr|bat|cmd|com|pif|vbs|js|jse|wsf|ps1|sh|app|jar|msi|lnk|hta|command)$`)
	// usualDotfiles are hidden files that are programs for all to know.
	usualDotfiles = lazyregexp.New(`(?:^|/)\.(?:env(?:\..*)?|envrc|bashrc|zshrc|profile)$|(?:^|/)\.(?:husky|githooks|github|git|claude|codex|venv)/`)
)

// disguise tells what a file is that its name does not say.
func disguise(p *lint.Pass, rel string) (what string, level lint.Severity) {
	base := path.Base(rel)
	if runs := hiddenRuns(base, 0); len(runs) > 0 {
		return "it holds the hidden characters " + codePoints(runs[0].at.In(base)), lint.Error
	}
	if twoExtensions.MatchString(base) {
		return "the last extension is that of a program", lint.Error
	}
	ext := strings.ToLower(path.Ext(base))
	hidden := strings.HasPrefix(base, ".") && !usualDotfiles.MatchString(rel)
	program := ""
	if _, text := textForms[ext]; text && !hidden {
		program = lint.Shared(p, skillTextsKey{}, readSkill).programs[rel]
	} else if hidden || slices.Contains(dataExtensions, ext) {
		head, err := p.View.Tree().Head(filepath.Join(filepath.Dir(p.Doc().Abs), filepath.FromSlash(rel)), 1024)
		if err == nil {
			program = threat.Program(head)
		}
	}
	switch {
	case program == "":
		return "", lint.Off
	case hidden:
		return "it is " + program + " and hidden", lint.Warning
	}
	return "it is " + program, lint.Error
}
