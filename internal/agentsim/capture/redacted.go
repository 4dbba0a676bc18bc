package capture

import (
	"encoding/json"
	"slices"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/capture/model"
	"github.com/skill-ls/skill-ls/internal/agentsim/secrets"
)

// Redacted returns a capture without credentials: a client may put what it finds in its files or its environment before
// its model.
func (c *Capture) Redacted() *Capture {
	k := secrets.OfPrompts()
	out := *c
	out.Prompt = slices.Clone(c.Prompt)
	for i := range out.Prompt {
		out.Prompt[i] = out.Prompt[i].Redacted(k)
	}
	out.Skills = slices.Clone(c.Skills)
	for i := range out.Skills {
		s := &out.Skills[i]
		s.Name, s.Sent, s.Predicted, s.Reason = k.Text(s.Name), k.Text(s.Sent), k.Text(s.Predicted), k.Text(s.Reason)
	}
	out.Tools = slices.Clone(c.Tools)
	for i := range out.Tools {
		out.Tools[i] = out.Tools[i].redacted(k)
	}
	results := secrets.Of()
	out.Steps = slices.Clone(c.Steps)
	for i := range out.Steps {
		s := &out.Steps[i]
		s.Result, s.Reason, s.Say = results.Raw(s.Result), results.Text(s.Reason), results.Text(s.Say)
	}
	out.Notes = agentsim.Redactions(k.Texts(c.Notes), !slices.Equal(c.Prompt, out.Prompt))
	return &out
}

func (t Tool) redacted(k *secrets.Keeper) Tool {
	if t.Sent != nil {
		sent := model.Tool{Name: t.Sent.Name, Description: k.Text(t.Sent.Description)}
		if t.Sent.InputSchema != nil {
			sent.InputSchema = json.RawMessage(k.Raw(string(t.Sent.InputSchema)))
		}
		t.Sent = &sent
	}
	if t.Predicted != nil {
		predicted := t.Predicted.Redacted(k)
		t.Predicted = &predicted
	}
	return t
}
