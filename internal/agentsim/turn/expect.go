package turn

import (
	"fmt"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
)

// expectLast compares the last result.
func (p *player) expectLast(s Step) {
	if p.last == nil {
		p.fail(s.Place, "no call before this has a result")
		return
	}
	p.check(s.Expect, p.last)
}

func (p *player) expectEnd(s Step) {
	if p.ended != s.Text {
		got := p.ended
		if got == NotEnded {
			got = "the model may still go on"
		}
		p.t.Failures = append(p.t.Failures, Failure{Place: s.Place, Message: "the reply ends in another way", Want: s.Text, Got: got})
	}
}

// check compares a result with what is expected of it.
func (p *player) check(x *Expect, e *Entry) {
	if x.State != "" && x.State != e.State {
		got := e.State
		if got == "" {
			got = fmt.Sprintf("none: %s has no states", p.label())
		}
		p.t.Failures = append(p.t.Failures, Failure{Place: x.Place, Message: "the state of the result of " + e.Tool + " is another one", Want: x.State, Got: got, Help: firstLine(e.Text)})
	}
	if x.Text != nil && *x.Text != e.Text {
		p.t.Failures = append(p.t.Failures, Failure{Place: x.Place, Message: "the result of " + e.Tool + " is another one", Want: *x.Text, Got: e.Text})
	}
	for _, part := range x.Contains {
		if !strings.Contains(e.Text, part) {
			p.t.Failures = append(p.t.Failures, Failure{Place: x.Place, Message: "the result of " + e.Tool + " does not contain the text", Want: part, Got: e.Text})
		}
	}
	for _, re := range x.Matches {
		if !re.MatchString(e.Text) {
			p.t.Failures = append(p.t.Failures, Failure{Place: x.Place, Message: "the result of " + e.Tool + " does not match the pattern", Want: re.String(), Got: e.Text})
		}
	}
	if x.Lost != nil && *x.Lost {
		for i := range p.t.Findings {
			f := &p.t.Findings[i]
			f.Expected = f.Expected || f.Place == e.Place
		}
	}
	if x.Lost != nil && *x.Lost != lost(e) {
		words := "nothing of the result of %s is lost, though that is expected"
		if lost(e) {
			words = "something of the result of %s is lost"
		}
		p.fail(x.Place, words, e.Tool)
	}
}

// lost reports whether something of a result does not reach the model.
func lost(e *Entry) bool {
	for _, l := range e.Output.Losses {
		if l.Severity >= lint.Warning {
			return true
		}
	}
	return false
}
