package rules

import "github.com/skill-ls/skill-ls/internal/lint"

// referRules returns the rules about what a skill names besides files: variables, commands, tools, and the words
// by which it is found among others.
func referRules() []*lint.Rule {
	return []*lint.Rule{
		bodyArgument,
		bodyAtFile,
		bodyClientVariable,
		bodyCommand,
		bodyReferenceVariable,
		bodyTokens,
		bodyTotalTokens,
		bodyUnsetVariable,

		descriptionBodyCue,
		descriptionEmptyWords,
		descriptionLateCue,
		descriptionNoCue,
		descriptionPlaceholder,
		descriptionPrompt,
		descriptionRepeatsName,

		modelInvocation,

		toolsForm,
		toolsMCPPattern,
		toolsMCPServer,
		toolsNoEffect,
		toolsPattern,
		toolsUnknown,

		commandShadowed,
		listingCost,
		manifestKey,
		manifestName,
		manifestPath,
		manifestSyntax,
		nearDuplicate,
		neighbourFront,
		shadowedName,
		triggerEval,
	}
}
