package turn

import (
	"slices"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/secrets"
	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Redacted returns a transcript without the credentials that its calls, results and texts hold, wherever they stand.
func (t *Transcript) Redacted() *Transcript {
	k := t.keeper()
	out := *t
	hidden := false
	text := func(s string) string {
		shown := k.Text(s)
		hidden = hidden || shown != s
		return shown
	}
	out.Simulation = t.Simulation.Redacted(secrets.OfPrompts())
	out.Entries = slices.Clone(t.Entries)
	for i := range out.Entries {
		e := &out.Entries[i]
		shown := e.redacted(k)
		hidden = hidden || shown.Text != e.Text || shown.Arguments != e.Arguments
		*e = shown
	}
	out.Failures = slices.Clone(t.Failures)
	for i := range out.Failures {
		f := &out.Failures[i]
		f.Message, f.Want, f.Got, f.Help = text(f.Message), text(f.Want), text(f.Got), text(f.Help)
	}
	out.Findings = slices.Clone(t.Findings)
	for i := range out.Findings {
		out.Findings[i].Message = text(out.Findings[i].Message)
	}
	out.Messages, out.Wire = k.Messages(t.Messages), k.Messages(t.Wire)
	if len(t.Wire) > 0 { // the system prompt is no result of a call
		out.Wire[0] = secrets.OfPrompts().Messages(t.Wire[:1])[0]
	}
	out.Notes = agentsim.Redactions(k.Texts(t.Notes), hidden)
	return &out
}

// keeper knows what stands under the names of credentials in any call or result.
func (t *Transcript) keeper() *secrets.Keeper {
	var values []*catalog.Node
	add := func(raw string) {
		if n, err := catalog.Parse(raw); err == nil {
			values = append(values, n)
		}
	}
	for _, e := range t.Entries {
		add(e.Arguments)
		if e.Output != nil {
			for _, b := range e.Output.Blocks {
				add(b.Text)
			}
		}
	}
	return secrets.Of(values...)
}

func (e Entry) redacted(k *secrets.Keeper) Entry {
	shown := k.Raw(e.Text)
	if e.Kind == Called {
		e.Arguments = k.Raw(e.Arguments)
	}
	if shown != e.Text {
		e.Text, e.Exact = shown, false
	}
	if e.Output != nil {
		o := *e.Output
		o.Blocks = slices.Clone(o.Blocks)
		for i := range o.Blocks {
			o.Blocks[i].Text = k.Raw(o.Blocks[i].Text)
		}
		e.Output = &o
	}
	return e
}
