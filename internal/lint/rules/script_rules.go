package rules

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

const (
	ruleNotExecutable = "file/script-not-executable"
	ruleShebang       = "file/script-shebang"
	ruleCRLF          = "file/script-crlf"
	ruleInterpreter   = "file/script-interpreter"
	ruleFlag          = "file/script-flag"
)

var scriptNotExecutable = &lint.Rule{
	Name: ruleNotExecutable, Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "A command line runs a script itself, and the script has no execute bit.",
		Why: "The shell answers \"permission denied\". Three in four published Python scripts with a shebang have no bit, which matters only where no interpreter stands in front: " +
			"commands in shell fences, and inline code with ./ in front. Trees that keep no bits are passed over: Windows, Git's core.fileMode=false, downloads from ClawHub.",
		Bad:  linkSkill + "```sh\n./scripts/rename.py photos\n```\n-- demo/scripts/rename.py --\n#!/usr/bin/env python3\nprint()\n",
		Good: linkSkill + "```sh\npython3 scripts/rename.py photos\n```\n-- demo/scripts/rename.py --\n#!/usr/bin/env python3\nprint()\n",
	},
	Run: reportVerdicts,
}

var scriptShebang = &lint.Rule{
	Name: ruleShebang, Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "A command line runs a script itself, and the script does not start with #!.",
		Why:  "The system does not know the interpreter: a shell runs the file as its own, which fails for anything but a shell script. Judged where `file/script-not-executable` is.",
		Bad:  linkSkill + "```sh\n./scripts/rename.py photos\n```\n-- demo/scripts/rename.py (executable) --\nprint()\n",
		Good: linkSkill + "```sh\n./scripts/rename.py photos\n```\n-- demo/scripts/rename.py (executable) --\n#!/usr/bin/env python3\nprint()\n",
	},
	Run: reportVerdicts,
}

var scriptCRLF = &lint.Rule{
	Name: ruleCRLF, Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "The first line of a script that a shell runs, or that is run itself, ends in CR LF.",
		Why: "The carriage return becomes part of the interpreter's name (\"bad interpreter\") and of the commands. 123 of 13,000 scripts in published skills have it. " +
			"Windows editors write it, and Git keeps it without a .gitattributes.",
		Bad:  linkSkill + "```sh\nsh scripts/rename.sh photos\n```\n-- demo/scripts/rename.sh --\n#!/bin/sh\r\nls\r\n",
		Good: linkSkill + "```sh\nsh scripts/rename.sh photos\n```\n-- demo/scripts/rename.sh --\n#!/bin/sh\nls\n",
	},
	Run: reportVerdicts,
}

var scriptInterpreter = &lint.Rule{
	Name: ruleInterpreter, Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "A command line gives a script to the interpreter of another language.",
		Why:  "`python run.sh` stops at the first line. Judged by the extension of scripts that the skill brings, in shell fences and inline code.",
		Bad:  linkSkill + "```sh\npython3 scripts/rename.sh photos\n```\n-- demo/scripts/rename.sh --\n#!/bin/sh\nls\n",
		Good: linkSkill + "```sh\nsh scripts/rename.sh photos\n```\n-- demo/scripts/rename.sh --\n#!/bin/sh\nls\n",
	},
	Run: reportVerdicts,
}

var scriptFlag = &lint.Rule{
	Name: ruleFlag, Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A command line gives a bundled script an option that its parser does not define.",
		Why: "The script stops with a usage error. Judged are scripts of the skill whose options are plain text in one file, by argparse, click, Python's getopt, commander, getopts or Go's flag package; " +
			"a script that names the option anywhere, or hands its arguments on, is not judged.",
		Bad:  linkSkill + "```sh\npython3 scripts/rename.py --dryrun photos\n```\n-- demo/scripts/rename.py --\n" + demoParser,
		Good: linkSkill + "```sh\npython3 scripts/rename.py --dry-run photos\n```\n-- demo/scripts/rename.py --\n" + demoParser,
	},
	Run: reportVerdicts,
}

const demoParser = "import argparse\np = argparse.ArgumentParser()\np.add_argument(\"folder\")\np.add_argument(\"--dry-run\", action=\"store_true\")\nprint(p.parse_args())\n"

// families are the interpreters that can run a script by its extension.
var families = map[string]string{
	".py": "python py pypy uv", ".sh": "bash sh zsh source .", ".bash": "bash source .", ".zsh": "zsh source .",
	".js": "node bun deno tsx ts-node", ".mjs": "node bun deno tsx ts-node", ".cjs": "node bun deno tsx ts-node",
	".ts": "node bun deno tsx ts-node", ".mts": "node bun deno tsx ts-node",
	".rb": "ruby", ".pl": "perl", ".php": "php", ".R": "Rscript", ".ps1": "pwsh powershell", ".go": "go",
}

const shells = "bash sh zsh source ."

func among(word, list string) bool { return slices.Contains(strings.Fields(list), word) }

// scripts judges the scripts of the skill that its text runs, each fault once.
func (j *judge) scripts() {
	told := map[string]bool{}
	once := func(rule string, r run) bool {
		key := rule + " " + r.rel
		was := told[key]
		told[key] = true
		return !was
	}
	for _, r := range j.runs {
		direct := r.Run.Program == "" && (r.Run.Shell || r.Run.Dotted) && families[path.Ext(r.rel)] != ""
		if direct && once(ruleNotExecutable, r) {
			j.executable(r)
		}
		if want := families[path.Ext(r.rel)]; want != "" && r.Run.Program != "" && !among(r.Run.Program, want) && once(ruleInterpreter, r) {
			j.report(ruleInterpreter, lint.Finding{
				Span:    r.Span,
				Message: fmt.Sprintf("%s cannot run %s: the extension stands for %s", r.Run.Program, path.Base(r.rel), strings.Fields(want)[0]),
				Help:    "use the interpreter of the script's language",
			})
			continue
		}
		if (direct || among(r.Run.Program, shells)) && once(ruleCRLF, r) {
			j.lineEnds(r)
		}
		j.flags(r)
	}
}

// script returns the text of a script, or nil when it cannot be read or is empty.
func (j *judge) script(r run) *skills.Document {
	doc, err := j.pass.View.Tree().Document(path.Join(j.skill.Dir, r.rel), j.abs(r.rel))
	if err != nil || doc.Text == "" {
		return nil
	}
	return doc
}

// executable judges a script that is run itself.
func (j *judge) executable(r run) {
	tree := j.pass.View.Tree()
	if mode, err := tree.Mode(j.abs(r.rel)); err == nil && mode.IsRegular() && mode&0o111 == 0 && j.keepsBits() {
		j.report(ruleNotExecutable, lint.Finding{
			Span:    r.Span,
			Message: fmt.Sprintf("the script is run directly but is not executable: %s has no execute bit", r.rel),
			Help:    "run chmod +x " + r.rel + ", or put the interpreter in front",
		})
	}
	if doc := j.script(r); doc != nil && !strings.HasPrefix(doc.Raw, "#!") {
		j.report(ruleShebang, lint.Finding{
			Span:    r.Span,
			Message: fmt.Sprintf("the script is run directly but has no shebang: %s does not start with #!", r.rel),
			Help:    "name the interpreter in the first line, such as #!/usr/bin/env " + strings.Fields(families[path.Ext(r.rel)])[0],
		})
	}
}

// keepsBits reports whether the tree that the skill lies in keeps execute bits. Git notes where it does not:
// https://git-scm.com/docs/git-config#Documentation/git-config.txt-corefileMode
// ClawHub's archives lose them and are known by the _meta.json that is added to each folder.
func (j *judge) keepsBits() bool {
	if runtime.GOOS == "windows" || j.skill.Holds("_meta.json") {
		return false
	}
	tree := j.pass.View.Tree()
	config, err := tree.Document(".git/config", filepath.Join(tree.Root(j.home), ".git", "config"))
	return err != nil || !strings.Contains(strings.ToLower(strings.ReplaceAll(config.Text, " ", "")), "filemode=false")
}

// lineEnds judges the end of a script's first line.
func (j *judge) lineEnds(r run) {
	doc := j.script(r)
	if doc == nil || !strings.HasPrefix(doc.Text, "#!") {
		return
	}
	first := strings.IndexByte(doc.Text, '\n')
	if first < 1 || doc.Text[first-1] != '\r' {
		return
	}
	fix := lint.Fix{Title: "end lines with LF", Safe: true}
	for i := first - 1; i < len(doc.Text); i++ {
		if strings.HasPrefix(doc.Text[i:], "\r\n") {
			fix.Edits = append(fix.Edits, lint.Edit{File: doc.Path, Edit: text.Edit{Span: text.Span{Start: i, End: i + 1}}})
		}
	}
	j.pass.View.Tree().Keep(doc)
	j.found.add(ruleCRLF, lint.Finding{
		File: doc.Path, Span: text.Span{Start: 0, End: first - 1},
		Message: "the first line ends in CR LF",
		Effect:  "the system looks for an interpreter whose name ends in a carriage return",
		Help:    "save the file with LF line ends",
		Fixes:   []lint.Fix{fix},
	})
}
