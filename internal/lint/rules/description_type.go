package rules

import "github.com/skill-ls/skill-ls/internal/lint"

var descriptionType = &lint.Rule{
	Name: "description/type", Severity: lint.Error, Scope: lint.FrontScope, Since: since, Repair: lint.MixedRepair,
	Explains: []string{"*/description-*", "changed/description/*", "visibility/description"},
	Page: lint.Page{
		What: "The description is a list, a mapping, a number or a boolean to YAML.",
		Why:  "Most agents drop a skill whose description is no text; OpenHands loses the whole folder of skills. A value in brackets is the usual cause.",
		Bad:  "---\nname: demo\ndescription: [Renames photos. Use when photos have camera names.]\n---\n\n# Steps\n\nRename.\n",
		Good: "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\n---\n\n# Steps\n\nRename.\n",
	},
	Run: func(p *lint.Pass) { reportType(p, "description", "write it as one text, in quotes if need be") },
}
