package lint

import (
	"cmp"
	"slices"

	"github.com/skill-ls/skill-ls/internal/mcpconfig"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Engine runs rules.
type Engine struct {
	reg    *Registry
	unused *Rule // reports suppressions that suppress nothing
}

// UnusedSuppression is the name of the rule that the engine itself reports.
const UnusedSuppression = "workspace/unused-suppression"

// NewEngine returns an engine over the rules of a registry.
func NewEngine(reg *Registry) *Engine { return &Engine{reg: reg, unused: reg.Rule(UnusedSuppression)} }

// Skill returns what the rules about single skills find in s, sorted, suppressed ones left out.
func (e *Engine) Skill(s *skills.Skill, v View, set *Settings) []Finding {
	var out []Finding
	pass := &Pass{Skill: s, View: v, shared: map[any]any{}, out: &out}
	for _, active := range set.running(e.reg) {
		if scope := active.rule.Scope; scope < ConfigScope {
			pass.run(active, set.Clients)
		}
	}
	played := v.Played(s)
	out = e.blame(s, set, played, out, func(o *profile.Outcome) bool { return !together(o) })
	spare(out, set, len(played))
	out = e.suppress(s.Doc, Suppressions(s, e.reg), set, e.suppressBeside(s, v, out))
	tell(out)
	Sort(out)
	return out
}

// tell puts what happens because of a fault behind its cause.
func tell(findings []Finding) {
	for i := range findings {
		if f := &findings[i]; f.Effect != "" {
			f.Message += ": " + f.Effect
			f.Effect = ""
		}
	}
}

// Config returns what the rules about single MCP configurations, and about the tools of their servers, find in f,
// sorted.
func (e *Engine) Config(f *mcpconfig.File, v View, set *Settings) []Finding {
	var out []Finding
	pass := &Pass{Config: f, View: v, shared: map[any]any{}, out: &out}
	for _, active := range set.running(e.reg) {
		if scope := active.rule.Scope; scope == ConfigScope || scope == TextScope {
			pass.run(active, set.Clients)
		}
	}
	for _, o := range v.Offers() {
		if o.Config == f {
			out = append(out, e.offered(o, v, set)...)
		}
	}
	out = e.suppress(f.Doc, configSuppressions(f, e.reg), set, out)
	tell(out)
	Sort(out)
	return out
}

// Catalog returns what the rules about tools find in those of servers that no configuration names, sorted.
func (e *Engine) Catalog(o *Offers, v View, set *Settings) []Finding {
	out := e.offered(o, v, set)
	tell(out)
	Sort(out)
	return out
}

func (e *Engine) offered(o *Offers, v View, set *Settings) []Finding {
	var out []Finding
	pass := &Pass{Config: o.Config, Offers: o, View: v, shared: map[any]any{}, out: &out}
	for _, active := range set.running(e.reg) {
		if scope := active.rule.Scope; scope == CatalogScope {
			pass.run(active, set.Clients)
		}
	}
	return out
}

// Workspace returns what the rules about all skills together find, sorted. settings gives what holds for a
// file, by its shown path; findings whose rule is off there, or that a comment there suppresses, are left out.
func (e *Engine) Workspace(v View, settings func(file string) *Settings) []Finding {
	var all []Finding
	base := settings(".")
	pass := &Pass{View: v, shared: map[any]any{}, out: &all}
	for _, rule := range e.reg.rules {
		have := base.Rules[rule]
		have.Level = rule.Severity // what holds for the file of each finding is looked at below
		if rule.Scope == WorkspaceScope && rule.Run != nil && have.runs() {
			pass.run(activeRule{rule, have}, base.Clients)
		}
	}
	byPath := map[string]*skills.Skill{}
	for _, s := range v.Skills() {
		byPath[s.Doc.Path] = s
		if played := v.Played(s); slices.ContainsFunc(played, func(p Played) bool { return duplicate(p.Outcome) }) {
			all = e.blame(s, settings(s.Doc.Path), played, all, duplicate)
		}
	}
	configs := map[string]*mcpconfig.File{}
	for _, c := range v.Configs() {
		configs[c.Doc.Path] = c
	}
	var out []Finding
	for _, f := range all {
		level := settings(f.File).Rules[f.Rule].Level
		if level == Off || suppressed(byPath[f.File], configs[f.File], e.reg, f) {
			continue
		}
		if level != f.Rule.Severity {
			f.Severity = level
		}
		out = append(out, f)
	}
	tell(out)
	Sort(out)
	return out
}

func duplicate(o *profile.Outcome) bool { return o.Stage == profile.StageDedupe }

// run runs a rule on what the pass is over.
func (p *Pass) run(active activeRule, clients []string) {
	p.Rule, p.Clients, p.options, p.level = active.rule, clients, active.have.Options, active.have.Level
	p.Rule.Run(p)
}

// Sort orders findings by file, place and rule.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End),
			cmp.Compare(a.Rule.Name, b.Rule.Name), cmp.Compare(a.Message, b.Message))
	})
}
