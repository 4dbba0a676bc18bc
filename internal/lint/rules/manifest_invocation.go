package rules

import (
	"path"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// keyNoModel is the key that keeps a skill from the model, for the clients that know it.
const keyNoModel = "disable-model-invocation"

var modelInvocation = &lint.Rule{
	Name: "client/model-invocation", Severity: lint.Warning, Scope: lint.SkillScope, Since: since, Repair: lint.UnsafeRepair,
	Page: lint.Page{
		What:    "disable-model-invocation is true, and a client offers the skill to the model all the same. It is a note unless clients are chosen with --client or in the configuration.",
		Why:     "Claude Code, Copilot CLI, VS Code, Cursor and a few others keep such a skill for people to call. Codex wants `policy.allow_implicit_invocation: false` in agents/openai.yaml instead; Gemini CLI, OpenCode and most others have no such switch.",
		Bad:     "---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\ndisable-model-invocation: true\n---\n\n# Steps\n\nRename.\n",
		Good:    "-- demo/agents/openai.yaml --\npolicy:\n  allow_implicit_invocation: false\n-- demo/SKILL.md --\n---\nname: demo\ndescription: Renames photos. Use when photos have camera names.\ndisable-model-invocation: true\n---\n\n# Steps\n\nRename.\n",
		Clients: []string{"claude-code", "codex"},
	},
	Run: func(p *lint.Pass) {
		f := field(p, keyNoModel)
		if f == nil {
			return
		}
		offers, meant := offering(p, f)
		if !meant || len(offers) == 0 {
			return
		}
		out := lint.Finding{
			Span:    f.Key,
			Message: "disable-model-invocation has no effect in " + lint.Labels(offers...) + ": the skill is offered to the model",
		}
		if len(p.Clients) == 0 {
			out.Severity = lint.Info
		}
		for _, client := range offers {
			out.Clients = append(out.Clients, client.ID())
			if client.Name == "codex" {
				out.Help = "Codex needs policy.allow_implicit_invocation: false in agents/openai.yaml"
				out.Fixes = keepFromCodex(p)
			}
		}
		p.Report(out)
	},
}

// offering returns the clients that offer a skill to the model, as far as that is known, and whether its author
// does not want it: the switch is on, or some client takes it to be.
func offering(p *lint.Pass, f *skills.Field) (offers []*profile.Profile, meant bool) {
	meant = strings.ToLower(f.Text) == "true"
	for _, played := range p.View.Played(p.Skill) {
		o := played.Outcome
		meant = meant || o.Status == profile.Hidden && o.Check == keyNoModel
		if o.Listed && played.Profile.Evidence.Level != "documented" {
			offers = append(offers, played.Profile)
		}
	}
	return offers, meant
}

const (
	policySwitch = "allow_implicit_invocation: false"
	policyBlock  = "policy:\n  " + policySwitch + "\n"
)

// keepFromCodex writes the switch that Codex reads into agents/openai.yaml, nothing when the file is one that
// only its author can extend.
func keepFromCodex(p *lint.Pass) []lint.Fix {
	const title = "tell Codex in " + skills.SidecarPath
	if p.Skill.Sidecar == nil {
		file := path.Join(p.Skill.Dir, skills.SidecarPath)
		return []lint.Fix{{Title: title, Creates: []lint.Create{{File: file, Text: policyBlock}}}}
	}
	side := soundSidecar(p)
	if side.root == nil || len(side.root.Content) > 0 && (side.root.Kind != yaml.MappingNode || side.root.Style&yaml.FlowStyle != 0) {
		return nil
	}
	at, add := side.switchPlace()
	if add == "" {
		return nil
	}
	edit := lint.Edit{File: p.Skill.Sidecar.Path, Edit: text.Edit{Span: at, New: add}}
	return []lint.Fix{{Title: title, Edits: []lint.Edit{edit}}}
}

// switchPlace returns where the switch goes, and what is written there: the value that is wrong, else a line in the
// policy, else a policy at the end.
func (s sidecar) switchPlace() (text.Span, string) {
	if value := s.find("policy", "allow_implicit_invocation"); value != nil {
		at := s.span(value)
		if value.Kind == yaml.ScalarNode && value.Style == 0 {
			at.End = at.Start + len(value.Value) // a comment stays
		}
		return at, "false"
	}
	policy := s.find("policy")
	switch {
	case policy == nil && (s.doc.Text == "" || strings.HasSuffix(s.doc.Text, "\n")):
		return text.At(len(s.doc.Text)), policyBlock
	case policy == nil:
		return text.At(len(s.doc.Text)), "\n" + policyBlock
	case policy.Kind != yaml.MappingNode || policy.Style&yaml.FlowStyle != 0 || len(policy.Content) == 0:
		return text.Span{}, ""
	}
	first := policy.Content[0]
	return text.At(s.span(first).Start), policySwitch + "\n" + strings.Repeat(" ", first.Column-1)
}
