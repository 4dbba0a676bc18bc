package rules

import "github.com/skill-ls/skill-ls/internal/lint"

// linkRules returns the rules about what a skill refers to: links, files, scripts and paths of one machine.
func linkRules() []*lint.Rule {
	return []*lint.Rule{
		linkAnchor,
		linkBackslash,
		linkCase,
		linkFromRoot,
		linkMissing,
		linkMissingPath,
		linkOutside,
		linkSymlink,

		pathOfOneMachine,
		unclosedFence,

		scriptCRLF,
		scriptFlag,
		scriptInterpreter,
		scriptMissing,
		scriptNotExecutable,
		scriptShebang,
	}
}
