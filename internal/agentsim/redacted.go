package agentsim

import (
	"encoding/json"
	"slices"

	"github.com/skill-ls/skill-ls/internal/agentsim/secrets"
)

// redactedNote tells that something is hidden.
const redactedNote = "Credentials are shown as ***."

// Redacted returns a simulation without credentials. What held one is not exact any more.
func (s *Simulation) Redacted(k *secrets.Keeper) *Simulation {
	out := *s
	out.Prompt = redactedParts(k, s.Prompt)
	out.Skills = slices.Clone(s.Skills)
	for i := range out.Skills {
		o := &out.Skills[i]
		o.Name, o.Description, o.Entry, o.Reason = k.Text(o.Name), k.Text(o.Description), k.Text(o.Entry), k.Text(o.Reason)
		o.Loaded.Name, o.Loaded.Description = k.Text(o.Loaded.Name), k.Text(o.Loaded.Description)
	}
	if s.Activation != nil {
		out.Activation = s.Activation.Redacted(k)
	}
	out.Tools = slices.Clone(s.Tools)
	for i := range out.Tools {
		out.Tools[i] = out.Tools[i].Redacted(k)
	}
	out.Notes = Redactions(k.Texts(s.Notes), !slices.Equal(s.Prompt, out.Prompt))
	return &out
}

// Redacted returns an activation without credentials.
func (a *Activation) Redacted(k *secrets.Keeper) *Activation {
	out := *a
	out.Parts = redactedParts(k, a.Parts)
	out.Notes = Redactions(k.Texts(a.Notes), !slices.Equal(a.Parts, out.Parts))
	return &out
}

// Redacted returns a tool without credentials.
func (t Tool) Redacted(k *secrets.Keeper) Tool {
	t.Description, t.Written.Description = k.Text(t.Description), k.Text(t.Written.Description)
	t.InputSchema, t.Written.InputSchema = redactedSchema(k, t.InputSchema), redactedSchema(k, t.Written.InputSchema)
	return t
}

func redactedSchema(k *secrets.Keeper, schema json.RawMessage) json.RawMessage {
	if schema == nil {
		return nil
	}
	return json.RawMessage(k.Raw(string(schema)))
}

// Redacted returns a part of a prompt without credentials.
func (p Part) Redacted(k *secrets.Keeper) Part {
	if shown := k.Text(p.Text); shown != p.Text {
		p.Text, p.Exact = shown, false
	}
	return p
}

func redactedParts(k *secrets.Keeper, parts []Part) []Part {
	out := slices.Clone(parts)
	for i := range out {
		out[i] = out[i].Redacted(k)
	}
	return out
}

// Redactions returns notes with one that tells that something is hidden, if it is.
func Redactions(notes []string, hidden bool) []string {
	if !hidden || slices.Contains(notes, redactedNote) {
		return notes
	}
	return append(slices.Clone(notes), redactedNote)
}
