package rules

import "github.com/skill-ls/skill-ls/internal/lint"

// linkSkill starts the examples of the pages.
const linkSkill = "-- demo/SKILL.md --\n---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\n"

var linkMissing = &lint.Rule{
	Name: ruleMissing, Severity: lint.Error, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A Markdown link or image leads to a file that is not there.",
		Why: "An agent reads the files of a skill by the paths in its text. In 7,360 published skills 10 % of the relative links lead nowhere: folders were renamed, files moved or left out, " +
			"files promised and never written. Targets in SKILL.md start from the skill's folder, those in references/**/*.md (at most 256 files) from the file they stand in; " +
			"`${CLAUDE_SKILL_DIR}`, `{baseDir}`, `${CLAUDE_PLUGIN_ROOT}` and the like are expanded. Code, comments, addresses with a scheme, absolute paths, placeholders, " +
			"definitions nobody uses and what follows a fence that is never closed are not judged, nor are skills that teach how to write skills.",
		Bad:  linkSkill + "Read [the list](reference/list.md) first.\n-- demo/references/list.md --\n# List\n",
		Good: linkSkill + "Read [the list](references/list.md) first.\n-- demo/references/list.md --\n# List\n",
	},
	Run: reportVerdicts,
}

var linkMissingPath = &lint.Rule{
	Name: ruleMissingPath, Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A path in backticks names a file of the skill that is not there.",
		Why: "Nine in ten paths in backticks in references/, scripts/, assets/, templates/, resources/, rules/, examples/, workflows/ and prompts/ name a file of the skill; " +
			"the agent looks for it and finds nothing. Only inline code of SKILL.md is judged, and only a whole path with an extension in one of these folders. Lines that speak of an example, of a file that is made " +
			"at run time, or of another skill, plugin or project are passed over, and so are paths that exist from a folder above.",
		Bad:  linkSkill + "Read `references/lst.md` first.\n-- demo/references/list.md --\n# List\n",
		Good: linkSkill + "Read `references/list.md` first.\n-- demo/references/list.md --\n# List\n",
	},
	Run: reportVerdicts,
}

var linkCase = &lint.Rule{
	Name: ruleCase, Severity: lint.Error, Scope: lint.SkillScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "A reference differs from the name of its file only in upper and lower case.",
		Why: "macOS and Windows find the file anyway, Linux does not: the skill works for its author and fails in CI, containers and clouds. " +
			"Links, paths in backticks and scripts in command lines are judged.",
		Bad:  linkSkill + "See [forms](FORMS.md).\n-- demo/forms.md --\n# Forms\n",
		Good: linkSkill + "See [forms](forms.md).\n-- demo/forms.md --\n# Forms\n",
	},
	Run: reportVerdicts,
}

var linkBackslash = &lint.Rule{
	Name: ruleBackslash, Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.SafeRepair,
	Page: lint.Page{
		What: "The path of a file of the skill is written with backslashes.",
		Why: "Only Windows takes a backslash between folders; elsewhere it is part of a name. Judged are links, inline code and commands whose path names a file of the skill once the backslashes are turned: " +
			"of 66 words with backslashes in published skills 3 were paths.",
		Bad:  linkSkill + "Run `scripts\\rename.py`.\n-- demo/scripts/rename.py --\nprint()\n",
		Good: linkSkill + "Run `scripts/rename.py`.\n-- demo/scripts/rename.py --\nprint()\n",
	},
	Run: reportVerdicts,
}

var linkFromRoot = &lint.Rule{
	Name: ruleFromRoot, Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A reference is written as if the root of the project or plugin were the skill's folder.",
		Why: "Agents tell the model the skill's folder and paths start there; the file is found by luck, or not at all. A link is a warning. A command with the path of the skill itself is an information: " +
			"it works until the skill is installed elsewhere. So is a link in references/ that starts from the skill's folder: of those that exist, 43 of 10,618 are written that way.",
		Bad:  "-- skills/demo/SKILL.md --\n" + demoSkill + "\nRead [the list](references/list.md) first.\n-- references/list.md --\n# List\n",
		Good: linkSkill + "Read [the list](references/list.md) first.\n-- demo/references/list.md --\n# List\n",
	},
	Run: reportVerdicts,
}

var linkOutside = &lint.Rule{
	Name: ruleOutside, Severity: lint.Info, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "A link leads to a file outside the skill's folder.",
		Why: "It works where the repository is checked out: 311 of 6,709 published skills do it, most of them to share a text within a plugin. " +
			"A skill that is uploaded, packed or installed by itself loses the file. `${CLAUDE_PLUGIN_ROOT}` says that it is meant.",
		Bad:  "-- skills/demo/SKILL.md --\n" + demoSkill + "\nSee [gates](../../docs/gates.md).\n-- docs/gates.md --\n# Gates\n",
		Good: linkSkill + "See [gates](references/gates.md).\n-- demo/references/gates.md --\n# Gates\n",
	},
	Run: reportVerdicts,
}

var linkAnchor = &lint.Rule{
	Name: ruleAnchor, Severity: lint.Hint, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "The part of a link after # names no heading.",
		Why: "Agents read whole files, so only people miss the place; the heading was renamed or numbered anew. Headings count by GitHub's slug whatever their punctuation, " +
			"`{#id}` and HTML ids too: 110 of 1,572 anchors in published skills lead nowhere.",
		Bad:  linkSkill + "See [names](#file-names).\n\n## Names\n\nKeep them.\n",
		Good: linkSkill + "See [names](#names).\n\n## Names\n\nKeep them.\n",
	},
	Run: reportVerdicts,
}

var scriptMissing = &lint.Rule{
	Name: ruleScriptMissing, Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What: "A command line runs a script that the skill does not bring.",
		Why: "The agent runs the command and it fails. Judged are commands in shell fences and in inline code of SKILL.md that run a file in scripts/ with an interpreter or ./ in front, or through a variable for " +
			"the skill's folder: 95 % of the findings were right in a sample, against 83 % for any path in a fence. Commands after `cd` are not judged, nor is a script found from a folder above.",
		Bad:  linkSkill + "```sh\npython3 scripts/renam.py photos\n```\n-- demo/scripts/rename.py --\nprint()\n",
		Good: linkSkill + "```sh\npython3 scripts/rename.py photos\n```\n-- demo/scripts/rename.py --\nprint()\n",
	},
	Run: reportVerdicts,
}
