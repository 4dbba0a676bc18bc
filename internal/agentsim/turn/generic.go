package turn

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
)

func clientFor(p *player) client {
	switch p.base.Profile.Name {
	case "agentscope-1":
		return agentScope1{}
	case "agentscope-2":
		return agentScope2{}
	}
	return generic{}
}

// generic is a client of which only is known how it lists skills, loads them and names tools.
type generic struct{}

func (generic) begin(*player) {}

func (generic) after(*player) {}

func (generic) skill(p *player, name, args string) (ModelCall, bool) {
	a := p.base.Profile.Activation
	if a.Tool == "" || a.Param == "" {
		return readCall(p, name)
	}
	pairs := []string{a.Param, name}
	if args != "" && a.ArgsParam != "" {
		pairs = append(pairs, a.ArgsParam, args)
	}
	return ModelCall{Tool: a.Tool, Arguments: object(pairs...)}, true
}

// readTool stands for the tool with which a model reads a file, whatever the client calls it.
const readTool = "read"

// readCall is what a model calls that reads the skill's file itself.
func readCall(p *player, name string) (ModelCall, bool) {
	for _, k := range p.t.Simulation.Skills {
		if k.Name == name || k.Loaded.Name == name {
			return ModelCall{Tool: readTool, Arguments: object("path", k.File)}, true
		}
	}
	return ModelCall{}, false
}

func (generic) skillOf(p *player, c ModelCall) string {
	args := arguments(c.Arguments)
	if a := p.base.Profile.Activation; a.Tool != "" && a.Param != "" {
		if c.Tool == a.Tool {
			return args.Get(a.Param).Text()
		}
		return ""
	}
	return skillAt(p, c, "path")
}

// skillAt is the skill whose file a call reads.
func skillAt(p *player, c ModelCall, param string) string {
	at := arguments(c.Arguments).Get(param).Text()
	for _, k := range p.t.Simulation.Skills {
		if at != "" && k.File == at {
			return k.Name
		}
	}
	return ""
}

func (g generic) answer(ctx context.Context, p *player, calls []*pending) {
	for _, c := range calls {
		if out, ok := g.run(ctx, p, c); ok {
			p.returned(c, out)
		}
		if p.ended != NotEnded {
			return
		}
	}
}

// run makes a call and returns what comes back; false ends the reply without a result.
func (g generic) run(ctx context.Context, p *player, c *pending) (Output, bool) {
	if c.skill == "" {
		c.skill = g.skillOf(p, ModelCall{Tool: c.Tool, Arguments: c.Arguments})
	}
	if c.skill != "" && c.Tool == readTool {
		return g.read(p, c), true
	}
	if c.skill != "" {
		a, err := p.activate(ctx, c.skill, c.argsOfSkill(p))
		if err != nil {
			p.failOnce(c.Place, "the skill cannot be loaded: %v", err)
			return unknownOutput(Failed, "[what the client answers for a skill that is not there is not known]"), true
		}
		return outputOf(a), true
	}
	if c.tool == nil && p.own(c.Tool) == nil {
		p.failUnknown(c)
		return unknownOutput(Failed, "[what the client answers for a tool that is not there is not known]"), true
	}
	schema := p.definition(c.tool).InputSchema()
	if own := p.own(c.Tool); c.tool == nil {
		schema = own.Schema
	}
	p.checkArguments(c, arguments(c.Arguments), schema)
	result, err := p.result(ctx, c)
	if err != nil {
		return failedCall(p, c, err, "")
	}
	return Convert(p.base.Profile.Results, p.definition(c.tool), result), true
}

// read is the skill's file, for a model that reads it itself. How the client's tool shows a file is not known.
func (generic) read(p *player, c *pending) Output {
	src, err := p.base.FS.ReadFile(filepath.FromSlash(arguments(c.Arguments).Get("path").Text()))
	if err != nil {
		p.failOnce(c.Place, "the skill cannot be read: %v", err)
		return unknownOutput(Failed, "[not read]")
	}
	p.note("The model of %s reads the skill's file itself; how its tool shows it is not reproduced.", p.label())
	return unknownOutput(Success, string(src))
}

// argsOfSkill are the arguments that a call gives to a skill.
func (c *pending) argsOfSkill(p *player) string {
	if param := p.base.Profile.Activation.ArgsParam; param != "" {
		return arguments(c.Arguments).Get(param).Text()
	}
	return ""
}

func unknownOutput(state, text string) Output {
	return Output{State: state, Blocks: []Block{{Type: "text", Text: text}}}
}

// failedCall is the output of a call without a result. prefix is what the client puts before the server's message; a
// client of which that is not known has none.
func failedCall(p *player, c *pending, err error, prefix string) (Output, bool) {
	if errors.Is(err, errNotCalled) {
		if c.Expect != nil {
			p.fail(c.Expect.Place, "%s was not called, so there is no result to look at; give --call, or a result in the script", c.Tool)
			c.Expect = nil
		}
		p.note("%s was not called: --call makes calls, and \"result:\" in the script records what they return.", c.Tool)
		return unknownOutput(Success, notCalled), true
	}
	refusal, refused := errors.AsType[*mcpprobe.Refusal](err)
	if refused {
		out := listed(Failed, prefix+refusal.Message)
		out.Exact = prefix != ""
		return out, true
	}
	p.fail(c.Place, "%s could not be called: %v", c.Tool, err)
	return unknownOutput(Failed, prefix+err.Error()), true
}

// failUnknown fails because no tool has a name.
func (p *player) failUnknown(c *pending) {
	var known []string
	for _, t := range p.t.Simulation.Tools {
		if t.Listed && t.Name != "" {
			known = append(known, t.Name)
		}
	}
	for _, t := range p.in.Script.Tools {
		known = append(known, t.Name)
	}
	f := Failure{Place: c.Place, Message: "the model of " + p.label() + " sees no tool called " + c.Tool}
	for _, t := range p.t.Simulation.Tools {
		if !t.Listed && (t.Name == c.Tool || t.Tool == c.Tool) {
			f.Message += ": " + t.Reason
		} else if t.Listed && t.Tool == c.Tool {
			f.Help = "it sees the tool of " + t.Server + " as " + t.Name
		}
	}
	if f.Help == "" && len(known) > 0 {
		f.Help = "it sees " + strings.Join(known[:min(len(known), 10)], ", ") + lint.Suggest(c.Tool, known)
	} else if f.Help == "" {
		f.Help = "there are none: give --tools SERVER=FILE, record them with probe --write-lock, or name the agent's own below \"tools:\""
	}
	p.t.Failures = append(p.t.Failures, f)
}

func (generic) add(p *player, e *Entry) {
	if e.Output != nil {
		e.Text = e.Output.Text(p.base.Profile.Results)
	}
}

func (generic) messages(*player) []json.RawMessage { return nil }

func (generic) wire(t *Transcript) []json.RawMessage { return plainWire(t) }

// systemText is the system prompt as far as it is known. What stands there as the user's is AgentScope's hint, which is an
// entry, or the listing of a client that puts it into a message.
func systemText(t *Transcript) string {
	whole := t.Simulation.Profile.Listing.Join != ""
	var out []string
	for _, part := range t.Simulation.Prompt {
		if !part.Left && part.Role != "tool-description" && !(whole && part.Role == "user") {
			out = append(out, part.Text)
		}
	}
	return strings.Join(out, "\n\n")
}

// groups returns the entries of a transcript by request: what one answer of the model holds stands together.
func groups(entries []Entry) [][]Entry {
	return slices.Collect(func(yield func([]Entry) bool) {
		for start := 0; start < len(entries); {
			end := start + 1
			for end < len(entries) && isModel(entries[start]) && isModel(entries[end]) && entries[start].Round == entries[end].Round {
				end++
			}
			if !yield(entries[start:end]) {
				return
			}
			start = end
		}
	})
}

func isModel(e Entry) bool { return e.Kind == Said || e.Kind == Called }
