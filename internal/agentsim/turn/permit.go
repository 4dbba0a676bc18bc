package turn

import "slices"

// Behaviors are what a permission rule makes of a call.
const (
	allowed = "allow"
	denied  = "deny"
	asked   = "ask"
)

// Rule is a permission rule of AgentScope 2, as its users write them.
type Rule struct {
	Place
	Tool string // as the model names it
	// Content narrows a rule to some arguments. Only AgentScope's own tools for files and shells look at it: for tools of
	// servers, functions and skills a rule with content matches nothing.
	Content  string
	Behavior string
}

// modes are the permission modes.
var modes = []string{"default", "accept_edits", "explore", "bypass", "dont_ask"}

// refused is what the model reads when the user says no.
func refused(tool string) string {
	return `<system-reminder>The execution of tool "` + tool + `" is denied by user!</system-reminder>`
}

// decision is what the permission engine answers, and the words for a call that is denied.
type decision struct{ behavior, message string }

// decide is check_permission. Rules that deny or ask come first in every mode; those that allow count only where the mode
// leaves something to allow. https://github.com/agentscope-ai/agentscope src/agentscope/permission/_engine.py
func (agentScope2) decide(p *player, t *target) decision {
	mode := p.in.Script.Permission
	deny := func(why string) decision {
		return decision{denied, "Permission denied for " + t.name + " (" + why + ")"}
	}
	switch {
	case p.rule(t, denied):
		return decision{denied, "Permission to use " + t.name + " has been denied"}
	case p.rule(t, asked) && mode == "dont_ask":
		return deny("dont_ask mode - ASK converted to DENY, user not available")
	case p.rule(t, asked):
		return decision{behavior: asked}
	case t.readOnly, mode == "bypass":
		return decision{behavior: allowed}
	case mode == "explore":
		return deny("explore mode is read-only")
	case p.rule(t, allowed):
		return decision{behavior: allowed}
	case mode == "dont_ask":
		return deny("dont_ask mode - user not available")
	}
	return decision{behavior: asked}
}

// rule reports whether a rule matches a call.
func (p *player) rule(t *target, behavior string) bool {
	for _, r := range p.rules {
		if r.Tool != t.name || r.Behavior != behavior {
			continue
		}
		if r.Content == "" {
			return true
		}
		p.note("The permission rule in line %d matches no call: of %s AgentScope looks at no rule with rule_content.", r.Line, t.name)
	}
	return false
}

// consent is the user's answer to a call that is asked about; false when there is none.
func (p *player) consent(c *pending, t *target) (yes, answered bool) {
	if c.Allow == nil {
		return false, false
	}
	if c.Always {
		p.rules = append(slices.Clone(p.rules), Rule{Tool: t.name, Behavior: allowed})
	}
	return *c.Allow, true
}
