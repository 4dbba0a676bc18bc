package profile

import (
	"fmt"
	"strings"
)

// Step is what one stage of a client made of a skill, in words.
type Step struct {
	Stage Stage
	Text  string
	Lost  bool // the skill, or words of it, were lost here
}

// Trace tells stage by stage how a client came to an outcome. It ends with the
// stage that drops the skill.
func (p *Profile) Trace(d *Doc, o *Outcome) []Step {
	if o.Stage == StageWalk {
		return []Step{{StageWalk, o.Reason, true}}
	}
	s := p.load(d, &content{})
	var out []Step
	for _, t := range []struct {
		stage Stage
		tell  func() string
	}{
		{StageWalk, func() string { return "finds the file" }},
		{StageRead, func() string { return fmt.Sprintf("reads %d bytes", len(d.Src)) }},
		{StageFence, s.tellFence},
		{StageParse, s.tellKeys},
		{StageCoerce, s.tellFields},
		{StageCheck, s.tellChecks},
		{StageDedupe, func() string { return "no other skill takes its place" }},
		{StageVisibility, func() string { return "nothing keeps it from the model" }},
		{StageListing, o.tellListing},
	} {
		step := Step{Stage: t.stage, Text: t.tell()}
		if t.stage == o.Stage {
			step = Step{t.stage, o.Reason, true}
			if o.Listed {
				step.Text = t.tell() + "; " + o.Reason
			}
		}
		out = append(out, step)
		if step.Lost && !o.Listed {
			return out
		}
	}
	if o.Stage == StageBudget {
		out = append(out, Step{StageBudget, o.Reason, true})
	}
	return out
}

func (s *play) tellFence() string {
	if s.front == "" && s.body != "" {
		return "no front matter: all of it is body"
	}
	return fmt.Sprintf("front matter of %s, body of %s", lineCount(s.front), lineCount(s.body))
}

func lineCount(text string) string {
	n := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	if text == "" {
		n = 0
	}
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

func (s *play) tellKeys() string {
	if len(s.fields) == 0 {
		return "no keys"
	}
	keys := make([]string, len(s.fields))
	for i, f := range s.fields {
		keys[i] = f.Key
	}
	return "keys " + strings.Join(keys, ", ")
}

func (s *play) tellFields() string {
	var out []string
	for i, f := range s.loaded {
		if !f.present() {
			continue
		}
		text := fmt.Sprintf("%s %q", s.p.fields[i].name, prefix(f.text, shownInTrace, ""))
		if n := length(f.text, ""); n > shownInTrace {
			text += fmt.Sprintf("… (%d characters)", n)
		}
		if f.from != "front" {
			text += " from " + f.from
		}
		out = append(out, text)
	}
	if out == nil {
		return "no fields"
	}
	return strings.Join(out, ", ")
}

// shownInTrace is how many characters of a field a trace holds.
const shownInTrace = 60

func (s *play) tellChecks() string {
	out := "no condition fails"
	if len(s.p.Checks) == 0 {
		out = "no conditions"
	}
	if len(s.out.Warnings) > 0 {
		out = "warns: " + strings.Join(s.out.Warnings, "; ")
	}
	return out
}

func (o *Outcome) tellListing() string {
	text := fmt.Sprintf("shows the name %q", o.Name)
	if n := length(o.Description, ""); n > 0 {
		text += fmt.Sprintf(" and a description of %d characters", n)
	}
	if o.Location != "" {
		text += fmt.Sprintf(", at %q", o.Location)
	}
	return text
}
