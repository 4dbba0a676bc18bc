package rules

import (
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// onCause returns the Run of a rule about one way in which YAML breaks.
func onCause(cause skills.Cause, report func(p *lint.Pass, e skills.SyntaxError, f *skills.Field)) func(*lint.Pass) {
	return func(p *lint.Pass) {
		if !parsed(p) {
			return
		}
		for _, e := range p.Skill.Front.Errors {
			if e.Cause != cause {
				continue
			}
			f := e.Entry
			if f == nil && e.Field >= 0 {
				f = &p.Skill.Front.Fields[e.Field]
			}
			report(p, e, f)
		}
	}
}

// lost ends the message of everything that makes the YAML invalid.
const lost = "the front matter is no valid YAML, and most agents drop the whole skill"

// valueOf names the value an error stands in.
func valueOf(f *skills.Field) string {
	if f == nil {
		return "the front matter"
	}
	return "the value of " + f.Name
}
