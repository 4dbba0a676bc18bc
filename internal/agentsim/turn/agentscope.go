package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/python"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
)

// Texts of AgentScope (Apache-2.0).
const (
	mcpError      = "Error occurred when calling MCP tool: "
	summaryHint   = "You have failed to generate response within the maximum iterations. Now respond directly by summarizing the current situation."
	exceeded      = "The maximum reasoning-acting iterations are exceeded."
	waitingNotice = "I'm waiting for your permission or the external execution to finish."
)

// How often AgentScope lets the model call tools, unless told otherwise.
const (
	maxIters1 = 10
	maxIters2 = 20
)

func (p *player) maxIters(usual int) int {
	if n := p.in.Script.MaxIters; n > 0 {
		return n
	}
	return usual
}

// agentScope1 is the loop of 1.x: tool calls one after the other, nothing compared with a schema, no permissions, each
// result a message of its own, and a last request without tools when the rounds are used up.
type agentScope1 struct{}

func (agentScope1) begin(*player) {}

func (agentScope1) after(p *player) {
	if p.rounds == p.maxIters(maxIters1) {
		p.final = true
		p.add(Entry{Kind: Hint, Text: summaryHint, Exact: true})
	}
}

func (agentScope1) skill(p *player, name, _ string) (ModelCall, bool) {
	for _, k := range p.t.Simulation.Skills {
		if k.Listed && k.Name == name {
			p.note("That the agent has AgentScope's own tool view_text_file is assumed: without a tool that reads files, it cannot load skills.")
			return ModelCall{Tool: "view_text_file", Arguments: object("file_path", k.Location+"/SKILL.md")}, true
		}
	}
	return ModelCall{}, false
}

func (agentScope1) skillOf(p *player, c ModelCall) string {
	if c.Tool != "view_text_file" {
		return ""
	}
	at := arguments(c.Arguments).Get("file_path").Text()
	for _, k := range p.t.Simulation.Skills {
		if k.Listed && k.Location+"/SKILL.md" == at {
			return k.Name
		}
	}
	return ""
}

func (a agentScope1) run(ctx context.Context, p *player, c *pending) (Output, bool) {
	out, ok := a.call(ctx, p, c)
	out.State = "" // results have none
	return out, ok
}

func (a agentScope1) call(ctx context.Context, p *player, c *pending) (Output, bool) {
	if name := a.skillOf(p, ModelCall{Tool: c.Tool, Arguments: c.Arguments}); name != "" && p.own(c.Tool) == nil {
		act, err := p.activate(ctx, name, "")
		if err != nil {
			p.failOnce(c.Place, "the skill cannot be loaded: %v", err)
			return unknownOutput(Failed, "[not loaded]"), true
		}
		return outputOf(act), true
	}
	own := p.own(c.Tool)
	if c.tool == nil && own == nil {
		return listed(Failed, "FunctionNotFoundError: Cannot find the function named "+c.Tool), true
	}
	args := arguments(c.Arguments)
	schema := p.definition(c.tool).InputSchema()
	if c.tool == nil {
		schema = own.Schema
	}
	p.checkArguments(c, args, schema)
	if args == nil {
		p.note("AgentScope repairs arguments that are no JSON object with json_repair, which is not reproduced; here the tool gets none.")
		c.Arguments = "{}"
	}
	result, err := p.result(ctx, c)
	if err != nil {
		return failedCall(p, c, err, mcpError)
	}
	out := Convert(p.base.Profile.Results, p.definition(c.tool), result)
	if out.State == Failed { // raised by the library, for isError counts for nothing
		out.Blocks[0].Text = "Error: " + out.Blocks[0].Text
	}
	return out, true
}

// agentScope2 is the loop of 2.x. https://github.com/agentscope-ai/agentscope src/agentscope/agent/_agent.py
type agentScope2 struct{}

// modes are the permission modes.
var modes = []string{"default", "accept_edits", "explore", "bypass", "dont_ask"}

// begin looks at the tools as each request does, which fails for a schema that is no object, and adds the hint on the
// state, once.
func (agentScope2) begin(p *player) {
	for _, t := range p.t.Simulation.Tools {
		schema := parse(t.InputSchema)
		if t.Server == "" || !t.Listed || schema.Get("type").Text() == "object" && schema.Get("properties").Is(catalog.Object) {
			continue
		}
		p.crash(p.steps[p.at-1].Place, t.Server, t.Tool, "AgentScope takes no tool whose inputSchema has not the type \"object\" and properties: every reply ends with a ValueError")
		return
	}
	if hint := p.takeHint(); hint != "" && !slices.ContainsFunc(p.t.Entries, func(e Entry) bool { return e.Kind == Hint }) {
		p.add(Entry{Kind: Hint, Text: hint, Exact: true})
	}
	if p.base.Clock.IsZero() {
		p.note("The hint on the current time, which the agent adds before it first asks the model since 2.0.5, is left out; --clock adds it.")
	}
}

// takeHint takes the hint on the state out of the prompt: in a turn it has a place of its own.
func (p *player) takeHint() string {
	sim := p.t.Simulation
	i := slices.IndexFunc(sim.Prompt, func(part agentsim.Part) bool { return part.Role == "user" })
	if i < 0 {
		return ""
	}
	text := sim.Prompt[i].Text
	sim.Prompt = slices.Delete(sim.Prompt, i, i+1)
	return text
}

// crash ends the reply with an exception that nobody catches. It is what a script may expect.
func (p *player) crash(at Place, server, tool, why string) {
	p.end(Crashed)
	expected := p.at < len(p.steps) && p.steps[p.at].Kind == ExpectEnd && p.steps[p.at].Text == Crashed
	p.t.Findings = append(p.t.Findings, Finding{Place: at, Server: server, Tool: tool, Loss: Loss{lint.Error, why}, Expected: expected})
}

func (agentScope2) after(p *player) {
	if p.rounds >= p.maxIters(maxIters2) {
		p.end(MaxIters)
		p.add(Entry{Kind: Notice, Text: exceeded, Exact: true})
	}
}

func (agentScope2) skill(_ *player, name, _ string) (ModelCall, bool) {
	return ModelCall{Tool: "Skill", Arguments: object("skill", name)}, true
}

func (agentScope2) skillOf(_ *player, c ModelCall) string {
	if c.Tool != "Skill" {
		return ""
	}
	return arguments(c.Arguments).Get("skill").Text()
}

// target is a tool of an agent, whatever it comes from.
type target struct {
	name     string
	schema   *catalog.Node
	readOnly bool
	own      *OwnTool
	tool     *agentsim.Tool
}

// target finds a tool. What is registered later wins: a tool of the agent hides a built-in one, as does one of a server.
func (agentScope2) target(p *player, c *pending) *target {
	own := p.own(c.Tool)
	switch {
	case c.tool != nil && c.tool.Server != "":
		readOnly, _ := p.definition(c.tool).Annotation("readOnlyHint")
		return &target{name: c.Tool, schema: parse(c.tool.InputSchema), readOnly: readOnly, tool: c.tool}
	case own != nil:
		schema := own.Schema
		if schema == nil {
			schema = python.Node(map[string]any{"type": "object", "properties": map[string]any{}})
		}
		return &target{name: c.Tool, schema: schema, readOnly: own.ReadOnly, own: own}
	case c.tool != nil && c.Tool == "reset_tools":
		return &target{name: c.Tool, schema: groupSchema(p.base.Groups), readOnly: true, tool: c.tool}
	case c.tool != nil:
		return &target{name: c.Tool, schema: parse(c.tool.InputSchema), readOnly: true, tool: c.tool}
	}
	return nil
}

func groupSchema(groups []agentsim.Group) *catalog.Node {
	properties := map[string]any{}
	for _, g := range groups {
		properties[g.Name] = map[string]any{"type": "boolean", "default": false}
	}
	return python.Node(map[string]any{"type": "object", "properties": properties})
}

// run does what _execute_tool_call does, in its order: is there such a tool, are the arguments JSON, do they fit the
// schema, is it permitted. Faults up to there are kept as a text, those of the call as blocks.
func (a agentScope2) run(ctx context.Context, p *player, c *pending) (Output, bool) {
	t := a.target(p, c)
	if t == nil {
		return plain(Failed, fmt.Sprintf("ToolNotFoundError: The tool named '%s' doesn't exist.", c.Tool)), true
	}
	args, fault := a.parse(p, c)
	if fault != nil {
		return *fault, true
	}
	invalid, err := python.Validate(args, t.schema)
	switch {
	case errors.Is(err, python.ErrSchema), errors.Is(err, python.ErrReference):
		p.crash(c.Place, serverOf(t), toolOf(t), fmt.Sprintf("jsonschema raises an exception that nobody catches when %s is called, and the reply is over: %v", c.Tool, err))
		return Output{}, false
	case err != nil:
		p.note("Whether the arguments of %s fit is not known: %v.", c.Tool, err)
	case invalid != nil:
		if !c.expectsFailure() {
			p.fail(c.Place, "the arguments of %s do not fit its schema: %s", c.Tool, invalid.Message)
		}
		return plain(Failed, fmt.Sprintf("Input validation failed for tool '%s': %s", c.Tool, invalid.Message)), true
	}
	if out, goesOn := a.permit(p, c, t); !goesOn {
		return out, p.ended == NotEnded
	}
	return a.execute(ctx, p, c, t, args), true
}

func serverOf(t *target) string {
	if t.tool == nil {
		return ""
	}
	return t.tool.Server
}

func toolOf(t *target) string {
	if t.tool == nil {
		return t.name
	}
	return t.tool.Tool
}

// parse is _json_loads_with_repair, without the repair.
func (agentScope2) parse(p *player, c *pending) (*catalog.Node, *Output) {
	args, err := catalog.Parse(c.Arguments)
	if err != nil {
		if !c.expectsFailure() {
			p.fail(c.Place, "the arguments of %s are no JSON: %v", c.Tool, err)
		}
		p.note("AgentScope repairs arguments that are no JSON with json_repair; what comes of that is not reproduced.")
		out := unknownOutput(Failed, "[what json_repair makes of the arguments is not reproduced]")
		out.Plain = true
		return nil, &out
	}
	if args.Is(catalog.Object) {
		return args, nil
	}
	if !c.expectsFailure() {
		p.fail(c.Place, "the arguments of %s are %s, not an object", c.Tool, args.Kind)
	}
	out := plain(Failed, notDict(c.Arguments, args))
	return nil, &out
}

// notDict is what AgentScope says of arguments that are JSON but no object.
func notDict(raw string, args *catalog.Node) string {
	shown, hint := raw, ""
	if runes := []rune(raw); len(runes) > 200 {
		shown = string(runes[:100]) + "[TRUNCATE]" + string(runes[len(runes)-100:])
		hint = `(Because the JSON string is too long, a truncated label "[TRUNCATE]" is used here to indicate the truncation)`
	}
	return "<system-reminder>Error: Your argument string is decoded into a <class '" + python.TypeName(args) + "'> object, but a dict object is expected!\n\n" +
		"Your argument string is decoded by the following code snippet" + hint + ":\n```python\nimport json\n\nyour_tool_arguments = " +
		python.Repr(python.Node(shown)) + "\njson.loads(your_tool_arguments)\n```\n\n**You should recorrect the arguments in JSON format.**</system-reminder>"
}

// permit asks the permission engine, without rules of a user.
func (agentScope2) permit(p *player, c *pending, t *target) (Output, bool) {
	mode := p.in.Script.Permission
	switch {
	case t.readOnly, mode == "bypass":
		return Output{}, true
	case mode == "explore":
		return plain(Denied, "Permission denied for "+c.Tool+" (explore mode is read-only)"), false
	case mode == "dont_ask":
		return plain(Denied, "Permission denied for "+c.Tool+" (dont_ask mode - user not available)"), false
	case c.Allow == nil:
		p.end(Waiting)
		p.add(Entry{Place: c.Place, Kind: Notice, ID: c.ID, Tool: c.Tool, Text: waitingNotice, Exact: true})
		return Output{}, false
	case !*c.Allow:
		out := unknownOutput(Denied, "[AgentScope's words for a call that the user refuses are not reproduced]")
		out.Plain = true
		return out, false
	}
	return Output{}, true
}

// execute is Toolkit.call_tool, and the limit on what it returns.
func (a agentScope2) execute(ctx context.Context, p *player, c *pending, t *target, args *catalog.Node) Output {
	switch {
	case t.tool != nil && t.tool.Server == "" && t.name == "Skill":
		return a.view(ctx, p, args)
	case t.tool != nil && t.tool.Server == "" && t.name == "reset_tools":
		return a.resetTools(ctx, p, args)
	}
	result, err := p.result(ctx, c)
	if err != nil {
		out, _ := failedCall(p, c, err, mcpError)
		return out
	}
	out := Convert(p.base.Profile.Results, p.definition(c.tool), result)
	limit := &p.base.Profile.Activation.Limit
	for i := range out.Blocks {
		if b := &out.Blocks[i]; limit.Bytes > 0 && len(b.Text) > limit.Bytes {
			b.Text = limit.Cut(b.Text)
			out.lose(lint.Warning, "the text is longer than %s bytes and is cut", strconv.Itoa(limit.Bytes))
		}
	}
	return out
}

// view is the Skill tool.
func (agentScope2) view(ctx context.Context, p *player, args *catalog.Node) Output {
	for _, m := range args.Members {
		if m.Key != "skill" {
			return listed(Failed, fmt.Sprintf("SkillViewer.call() got an unexpected keyword argument %s", python.Repr(python.Node(m.Key))))
		}
	}
	name := args.Get("skill").Text()
	if slices.Contains(p.listedNames(), name) {
		if act, err := p.activate(ctx, name, ""); err == nil {
			return outputOf(act)
		}
	}
	return listed(Failed, "SkillNotFoundError: Skill '"+name+"' not found.")
}

// resetTools makes groups active, and shows the skills there are now.
func (agentScope2) resetTools(ctx context.Context, p *player, args *catalog.Node) Output {
	var active []string
	for _, m := range args.Members {
		if on, _ := m.Value.Bool(); on {
			active = append(active, m.Key)
		}
	}
	p.base.Groups = slices.Clone(p.base.Groups)
	for i := range p.base.Groups {
		p.base.Groups[i].Active = slices.Contains(active, p.base.Groups[i].Name)
	}
	if sim, err := agentsim.Simulate(ctx, p.base); err == nil {
		p.t.Simulation = sim
		p.takeHint()
	}
	if len(active) == 0 {
		return listed(Success, "All tool groups are currently deactivated.")
	}
	return listed(Success, "The currently activated tool group(s): "+strings.Join(active, ", ")+".")
}
