package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/agentsim/capture/model"
)

// Step is one answer of the scripted model: a call of a tool, or a text. The keys are those of scripts of simulate.
type Step struct {
	User      string         `yaml:"user"`          // the first step alone: what the user says
	Call      string         `yaml:"call"`          // name of the tool as the client shows it to the model
	Arguments map[string]any `yaml:"arguments"`     // of the call
	Expect    Expect         `yaml:"expect_result"` // of its result
	Say       string         `yaml:"say"`
}

// Expect is what the result of a call has to be, in the words that the model gets.
type Expect struct {
	Text     string `yaml:"text"`     // all of it; empty is anything
	Contains string `yaml:"contains"` // a part of it
}

func (e *Expect) holds(result string) bool {
	return (e.Text == "" || e.Text == result) && strings.Contains(result, e.Contains)
}

// Played is what became of a step.
type Played struct {
	Step
	Offered bool   // the client offers the tool
	Result  string // of the call, as the client gives it back to the model
	Failed  bool   // the model was not asked for the step, or the result lacks what is expected
	Reason  string // why it failed
}

// ParseScript reads a script: a list of steps, or an object with that list as steps. It is YAML, of which JSON is a part.
// What the user says, in the first step, is returned apart; it may be left out.
func ParseScript(data []byte) (prompt string, steps []Step, err error) {
	var script struct {
		Steps []Step `yaml:"steps"`
	}
	target := any(&script)
	var list []any
	if yaml.Unmarshal(data, &list) == nil {
		target = &script.Steps
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(target); errors.Is(err, io.EOF) {
		return "", nil, errors.New("it is empty; write a list of steps, each with call and arguments, or with say")
	} else if err != nil {
		return "", nil, fmt.Errorf("read the script: %w", err)
	}
	for i, s := range script.Steps {
		if i == 0 && s.User != "" && s.Call == "" && s.Say == "" {
			prompt = s.User
			continue
		}
		if err := s.check(); err != nil {
			return "", nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		steps = append(steps, s)
	}
	return prompt, steps, nil
}

func (s *Step) check() error {
	switch {
	case s.User != "":
		return errors.New("the user speaks in the first step, and in no other: the client is asked once")
	case (s.Call == "") == (s.Say == ""):
		return errors.New("it needs either call, the name of a tool, or say, a text")
	case s.Call == "" && (s.Arguments != nil || s.Expect != Expect{}):
		return errors.New("arguments and expect_result belong to a call")
	}
	if _, err := json.Marshal(s.Arguments); err != nil {
		return fmt.Errorf("the arguments have no form in JSON: %w", err)
	}
	return nil
}

// answers are those of the model.
func answers(steps []Step) []model.Answer {
	out := make([]model.Answer, len(steps))
	for i, s := range steps {
		out[i] = model.Answer{Text: s.Say, Tool: s.Call}
		if s.Arguments != nil {
			out[i].Arguments = mustJSON(s.Arguments)
		}
	}
	return out
}

// played reads the results of the steps from the requests that follow them.
func played(steps []Step, requests []*model.Request, given int, mask func(string) string) []Played {
	asked := slices.DeleteFunc(slices.Clone(requests), func(r *model.Request) bool { return len(r.Tools) == 0 })
	var out []Played
	for i, s := range steps {
		p := Played{Step: s}
		switch {
		case i >= given:
			p.fail("the client did not ask its model so often")
		case s.Call != "":
			p.Offered = slices.ContainsFunc(asked[i].Tools, func(t model.Tool) bool { return t.Name == s.Call })
			p.read(asked, i, mask)
		}
		out = append(out, p)
	}
	return out
}

// read takes the result of a call from the request behind it.
func (p *Played) read(asked []*model.Request, i int, mask func(string) string) {
	if i+1 >= len(asked) {
		p.fail("the client ended without giving its model a result")
		return
	}
	for _, part := range asked[i+1].Parts[min(len(asked[i].Parts), len(asked[i+1].Parts)):] {
		if part.Role == "tool" {
			p.Result = mask(part.Text)
		}
	}
	if !p.Expect.holds(p.Result) {
		p.fail("the result does not hold what is expected")
	}
}

func (p *Played) fail(why string) { p.Failed, p.Reason = true, why }
