package turn

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/mcpprobe"
	"github.com/skill-ls/skill-ls/internal/text"
)

// errNotCalled says that there is no result: nothing was called, and none is recorded.
var errNotCalled = errors.New("not called")

// notCalled stands in place of a result that nobody knows.
const notCalled = "[not called: give --call, or a result in the script]"

// result gets what tools/call returns: from the server, or from the script.
func (p *player) result(ctx context.Context, c *pending) (*catalog.Node, error) {
	switch {
	case c.tool != nil && c.tool.Server != "" && p.in.Call != nil:
		arguments := json.RawMessage(c.Arguments)
		return p.in.Call(ctx, c.tool.Server, c.tool.Tool, arguments, p.in.Script.Sessions[c.tool.Server] == "stateless")
	case c.Failure != "":
		return nil, &mcpprobe.Refusal{Message: c.Failure}
	case c.Result != nil:
		return c.Result, nil
	}
	return nil, errNotCalled
}

// definition is a tool as its server defines it; without a node for one that is no server's.
func (p *player) definition(t *agentsim.Tool) catalog.Tool {
	if t == nil {
		return catalog.Tool{}
	}
	for _, s := range p.base.Servers {
		if s.Name != t.Server {
			continue
		}
		for _, tool := range s.Tools {
			if tool.Name() == t.Tool {
				return tool
			}
		}
	}
	return catalog.Tool{}
}

// own finds a tool of the script.
func (p *player) own(name string) *OwnTool {
	for i := range p.in.Script.Tools {
		if t := &p.in.Script.Tools[i]; t.Name == name {
			return t
		}
	}
	return nil
}

// arguments reads those of a call; nil when they are no JSON object.
func arguments(raw string) *catalog.Node {
	if strings.TrimSpace(raw) == "" {
		return nil
	}
	n, err := catalog.Parse(raw)
	if err != nil || !n.Is(catalog.Object) {
		return nil
	}
	return n
}

// expectsFailure reports whether the script wants a call to go wrong.
func (c *pending) expectsFailure() bool {
	failed, _ := c.Result.Get("isError").Bool()
	return failed || c.Failure != "" || c.Expect != nil && c.Expect.State == Failed
}

// checkArguments fails when a call does not fit the tool's schema.
func (p *player) checkArguments(c *pending, args, schema *catalog.Node) {
	if c.expectsFailure() {
		return
	}
	if args == nil {
		p.fail(c.Place, "the arguments of %s are no JSON object: %s", c.Tool, head(c.Arguments))
		return
	}
	if schema == nil {
		return
	}
	compiled, err := catalog.CompileSchema(schema, "")
	if err != nil {
		p.note("The schema of %s cannot be used: %v.", c.Tool, err)
		return
	}
	for _, d := range compiled.Validate(args) {
		at := d.Pointer
		if at == "" {
			at = "the arguments"
		}
		p.t.Failures = append(p.t.Failures, Failure{
			Place: c.Place, Message: "the arguments of " + c.Tool + " do not fit its schema: " + at + ": " + d.Reason,
		})
	}
}

// activate returns what loading a skill brings.
func (p *player) activate(ctx context.Context, name, args string) (*agentsim.Activation, error) {
	in := *p.base
	in.Skill, in.Args = name, args
	sim, err := agentsim.Simulate(ctx, &in)
	if err != nil {
		return nil, err
	}
	for _, n := range sim.Activation.Notes {
		p.note("%s", n)
	}
	return sim.Activation, nil
}

// outputOf is an activation as an output.
func outputOf(a *agentsim.Activation) Output {
	out := Output{State: Success, Exact: true}
	for _, part := range a.Parts {
		out.Exact = out.Exact && part.Exact
		if part.Role == "user" {
			out.After = append(out.After, part.Text)
			continue
		}
		out.Blocks = append(out.Blocks, Block{Type: "text", Text: part.Text})
	}
	return out
}

// parse reads JSON as it is in a schema; nil for none.
func parse(raw json.RawMessage) *catalog.Node {
	n, err := catalog.Parse(string(raw))
	if err != nil {
		return nil
	}
	return n
}

// object writes a JSON object of texts as json.dumps does, in the order given.
func object(pairs ...string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; i < len(pairs); i += 2 {
		separate(&b, i)
		b.WriteString(text.Quote(pairs[i]) + ": " + text.Quote(pairs[i+1]))
	}
	b.WriteByte('}')
	return b.String()
}
