package rules

import "github.com/skill-ls/skill-ls/internal/lint"

var clientDropped = &lint.Rule{
	Name: lint.ClientDropped, Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "A client that the skill is for does not list it, for a reason that no other rule names.",
		Why: "Each client reads skills by rules of its own. The message says which of them decided; `skilllint clients` shows all clients side by side. " +
			"Where another rule names the cause, its finding names the clients instead.",
		Bad:     "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\ntype: recipe\n---\n\n# Steps\n\nRename.\n",
		Good:    demoSkill,
		Clients: []string{"kimi-cli"},
	},
}

var clientChanged = &lint.Rule{
	Name: lint.ClientChanged, Severity: lint.Warning, Scope: lint.SkillScope, Since: since,
	Page: lint.Page{
		What: "A client that the skill is for shows the model other words than are written, for a reason that no other rule names.",
		Why:  "Kimi Code, for one, shows the first 250 characters of a description. What stands behind them helps nobody there to choose the skill.",
		Bad: "---\nname: demo\ndescription: Renames photos by the date they were taken, sorts them into folders by year and month, finds copies that differ in size only, " +
			"keeps a log of what was moved, and can undo the last run when a folder was the wrong one, on all systems that have exiftool, for photos that have camera names.\n---\n\n# Steps\n\nRename.\n",
		Good:    demoSkill,
		Clients: []string{"kimi-code"},
	},
}
