package turn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/agentsim/jsonrepair"
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

// add writes data of a result to files, of which the model reads the names.
func (agentScope1) add(p *player, e *Entry) {
	if e.Output == nil {
		return
	}
	for i := range e.Output.Blocks {
		b := &e.Output.Blocks[i]
		if b.Type == "text" {
			continue
		}
		file, known := p.files.next()
		if !known {
			file, e.Exact = aFile, false
		}
		b.Text = "The returned " + b.Type + " can be found at: " + file
	}
	e.Text = e.Output.Text(p.base.Profile.Results)
}

func (agentScope1) after(p *player) {
	if p.rounds == p.maxIters(maxIters1) {
		p.final = true
		p.add(Entry{Kind: Hint, Text: summaryHint, Exact: true})
	}
}

func (agentScope1) skill(p *player, name, _ string) (ModelCall, bool) {
	for _, k := range p.t.Simulation.Skills {
		if k.Listed && k.Name == name {
			p.note(viewAssumed)
			return ModelCall{Tool: viewTool, Arguments: object("file_path", k.Location+"/SKILL.md")}, true
		}
	}
	return ModelCall{}, false
}

func (agentScope1) skillOf(p *player, c ModelCall) string {
	args := arguments(c.Arguments)
	if c.Tool != viewTool || len(args.Entries()) > 1 { // a part of it is not the skill
		return ""
	}
	at := args.Get("file_path").Text()
	for _, k := range p.t.Simulation.Skills {
		if k.Listed && k.Location+"/SKILL.md" == at {
			return k.Name
		}
	}
	return ""
}

func (a agentScope1) answer(ctx context.Context, p *player, calls []*pending) {
	if p.in.Script.Parallel {
		for _, c := range calls {
			a.repair(p, c)
			c.fault = a.missing(p, c)
		}
		calls = p.byEnd(calls)
	}
	for _, c := range calls {
		out, _ := a.call(ctx, p, c)
		out.State = "" // results have none
		out.Exact = out.Exact && !c.guessed
		p.returned(c, out)
	}
}

func (a agentScope1) call(ctx context.Context, p *player, c *pending) (Output, bool) {
	a.repair(p, c)
	if name := a.skillOf(p, ModelCall{Tool: c.Tool, Arguments: c.Arguments}); name != "" && p.own(c.Tool) == nil {
		act, err := p.activate(ctx, name, "")
		if err != nil {
			p.failOnce(c.Place, "the skill cannot be loaded: %v", err)
			return unknownOutput(Failed, "[not loaded]"), true
		}
		return outputOf(act), true
	}
	if out, viewed := a.view(p, c); viewed {
		p.note(viewAssumed)
		if out.State == Failed && out.Exact {
			out.Blocks[0].Text = "Error: " + out.Blocks[0].Text
		}
		return out, true
	}
	if fault := a.missing(p, c); fault != nil {
		return *fault, true
	}
	args := arguments(c.Arguments)
	schema := p.definition(c.tool).InputSchema()
	if c.tool == nil {
		schema = p.own(c.Tool).Schema
	}
	p.checkArguments(c, args, schema)
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

const viewAssumed = "That the agent has AgentScope's own tool view_text_file is assumed: without a tool that reads files, it cannot load skills."

// missing is the result of a call of a function that there is not; nil for others.
func (a agentScope1) missing(p *player, c *pending) *Output {
	if _, viewed := a.view(p, c); viewed || c.tool != nil || p.own(c.Tool) != nil || a.skillOf(p, ModelCall{Tool: c.Tool, Arguments: c.Arguments}) != "" {
		return nil
	}
	return new(listed(Failed, "FunctionNotFoundError: Cannot find the function named "+c.Tool))
}

// repair makes an object of the arguments, as 1.x does when it reads the model's answer: what cannot be repaired is empty.
func (agentScope1) repair(p *player, c *pending) {
	args, sure := repaired1(c.Arguments)
	if args.Raw() == c.Arguments {
		return
	}
	c.Arguments, c.guessed = python.Dumps(args), !sure
	p.entry(c).Exact = sure
	p.note("The arguments of %s are no JSON object (line %d). AgentScope repairs them with json_repair, to %s%s.", c.Tool, c.Line, c.Arguments, guessWords(sure))
}

// repaired1 is _json_loads_with_repair of 1.x.
func repaired1(raw string) (args *catalog.Node, sure bool) {
	n, err := catalog.Parse(raw)
	if sure = true; err != nil {
		n, sure = jsonrepair.Repair(raw)
	}
	if !n.Is(catalog.Object) {
		n = python.Node(struct{}{})
	}
	return n, sure
}

// agentScope2 is the loop of 2.x. https://github.com/agentscope-ai/agentscope src/agentscope/agent/_agent.py
type agentScope2 struct{}

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
	p.reply = p.ids.id()
	if hint := p.takeHint(); hint != "" && !slices.ContainsFunc(p.t.Entries, func(e Entry) bool { return e.Kind == Hint }) {
		p.add(Entry{Kind: Hint, Text: hint, Exact: true})
	}
	if p.base.Clock.IsZero() {
		p.note("The hint on the current time, which the agent adds before it first asks the model since 2.0.5, is left out; --clock adds it.")
	}
}

// add draws ids in the order in which the program does, and puts a reminder where a result has data: what a model can be
// shown comes in a message behind the result, and the rest is written to a file.
func (agentScope2) add(p *player, e *Entry) {
	switch e.Kind {
	case Notice, Called:
		return
	case Spoken:
		e.block, e.message = p.ids.id(), p.ids.id()
	case Returned:
		for i := range e.Output.Blocks {
			if !e.Output.Plain {
				p.remind(e, &e.Output.Blocks[i])
			}
		}
		e.Text = e.Output.Text(p.base.Profile.Results)
	default:
		e.block = p.ids.id()
	}
	if e.message == "" {
		e.message = p.reply
	}
}

// remind puts the words in the place of data. https://github.com/agentscope-ai/agentscope src/agentscope/formatter
func (p *player) remind(e *Entry, b *Block) {
	b.id = p.ids.id()
	if b.Type == "text" {
		return
	}
	kind, _, _ := strings.Cut(b.MIME, "/")
	if b.shown = kind == "image" || b.MIME == "audio/wav" || b.MIME == "audio/mp3"; b.shown {
		b.Text = "<system-reminder>A(n) " + kind + " file is returned and will be presented to you with the identifier [" + b.id + "].</system-reminder>"
		return
	}
	file, known := p.files.next()
	if !known {
		file, e.Exact = aFile, false
	}
	b.Text = "<system-reminder>A(n) " + kind + " file is returned and saved locally at: " + file + ".</system-reminder>"
}

// aFile stands for the name of a file, which is another one each time.
const aFile = "[a temporary file]"

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

// answer runs the calls of one answer in batches: tools that are safe to run at once do, the others one after the other.
func (a agentScope2) answer(ctx context.Context, p *player, calls []*pending) {
	for len(calls) > 0 && p.ended == NotEnded {
		n := 1
		for n < len(calls) && a.atOnce(p, calls[n]) == a.atOnce(p, calls[0]) {
			n++
		}
		if n > 1 && a.atOnce(p, calls[0]) {
			a.together(ctx, p, calls[:n])
		} else {
			a.inTurn(ctx, p, calls[:n])
		}
		calls = calls[n:]
	}
}

// atOnce reports whether a call may run beside others: functions of the agent and the Skill tool may, and what is no tool.
func (a agentScope2) atOnce(p *player, c *pending) bool {
	t := a.target(p, c)
	return t == nil || t.own != nil || serverOf(t) == "" && t.name == "Skill"
}

// inTurn runs calls up to the first that nobody answers for.
func (a agentScope2) inTurn(ctx context.Context, p *player, calls []*pending) {
	for _, c := range calls {
		if !a.check(p, c) || c.ask && !c.allowed(p) {
			return
		}
		p.returned(c, a.finish(ctx, p, c))
	}
}

// together runs calls at once. Those that the user is asked about wait until the others are done, and what the user
// refuses is told before what is allowed runs.
func (a agentScope2) together(ctx context.Context, p *player, calls []*pending) {
	var now, later []*pending
	for _, c := range calls {
		switch {
		case !a.check(p, c): // the others are done all the same
		case c.ask:
			later = append(later, c)
		default:
			now = append(now, c)
		}
	}
	for _, c := range p.byEnd(now) {
		p.returned(c, a.finish(ctx, p, c))
	}
	if p.ended != NotEnded {
		return
	}
	for _, c := range p.byEnd(later) {
		if c.allowed(p) { // or the reply waits
			p.returned(c, a.finish(ctx, p, c))
		}
	}
}

// allowed takes the user's answer to a call. Without one the reply waits.
func (c *pending) allowed(p *player) bool {
	yes, answered := p.consent(c, c.target)
	if !answered {
		p.end(Waiting)
		p.add(Entry{Place: c.Place, Kind: Notice, ID: c.ID, Tool: c.Tool, Text: waitingNotice, Exact: true})
		return false
	}
	if !yes {
		c.fault = new(plain(Denied, refused(c.Tool)))
	}
	return true
}

// check does what _execute_tool_call does first, in its order: is there such a tool, are the arguments JSON, do they fit the
// schema, is it permitted. What goes wrong there is kept as a text, and what goes wrong in the call as blocks. It is false
// when the reply crashes.
func (a agentScope2) check(p *player, c *pending) bool {
	t := a.target(p, c)
	if c.target = t; t == nil {
		c.fault = new(plain(Failed, fmt.Sprintf("ToolNotFoundError: The tool named '%s' doesn't exist.", c.Tool)))
		return true
	}
	if c.fault = a.parse(p, c, t); c.fault != nil {
		return true
	}
	invalid, err := python.Validate(c.compared, t.schema)
	switch {
	case isRaised(err):
		p.crash(c.Place, serverOf(t), toolOf(t), fmt.Sprintf("jsonschema raises an exception that nobody catches when %s is called, and the reply is over: %v", c.Tool, err))
		return false
	case err != nil:
		p.note("Whether the arguments of %s fit is not known: %v.", c.Tool, err)
	case invalid != nil:
		if !c.expectsFailure() {
			p.fail(c.Place, "the arguments of %s do not fit its schema: %s", c.Tool, invalid.Message)
		}
		c.fault = new(plain(Failed, fmt.Sprintf("Input validation failed for tool '%s': %s", c.Tool, invalid.Message)))
		return true
	}
	d := a.decide(p, t)
	c.ask = d.behavior == asked
	if c.ask {
		p.entry(c).Asked = true
	}
	if d.behavior == denied {
		c.fault = new(plain(Denied, d.message))
	}
	return true
}

// isRaised reports whether jsonschema raises an exception that is no verdict.
func isRaised(err error) bool {
	_, ok := errors.AsType[*python.Raised](err)
	return ok
}

// finish returns what a call brings: what is wrong with it, or what its tool returns.
func (a agentScope2) finish(ctx context.Context, p *player, c *pending) Output {
	if c.fault != nil {
		return *c.fault
	}
	out := a.execute(ctx, p, c)
	out.Exact = out.Exact && !c.guessed
	return out
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

// parse is _json_loads_with_repair: broken arguments are repaired, by the schema when they are compared with it and
// without it when the tool is called. Those that no repair makes fit are told as they are.
func (agentScope2) parse(p *player, c *pending, t *target) *Output {
	raw := c.Arguments
	if strings.TrimSpace(raw) == "" { // of a tool without parameters
		raw = "{}"
	}
	args, err := catalog.Parse(raw)
	if err == nil && args.Is(catalog.Object) {
		c.args, c.compared = args, args
		return nil
	}
	var sure bool
	if c.compared, sure = jsonrepair.RepairFor(raw, t.schema); !c.compared.Is(catalog.Object) {
		if !c.expectsFailure() {
			p.fail(c.Place, "the arguments of %s are %s", c.Tool, unlike(args, err))
		}
		out := plain(Failed, undecoded(c.Arguments, args, err))
		out.Exact = sure
		return &out
	}
	if err != nil {
		var known bool
		args, known = jsonrepair.Repair(raw)
		sure = sure && known
	}
	if c.args = args; !args.Is(catalog.Object) {
		return nil // which the call finds out
	}
	c.Arguments, c.guessed = python.Dumps(args), !sure
	p.note("The arguments of %s are no JSON (line %d). AgentScope repairs them with json_repair, to %s%s.", c.Tool, c.Line, c.Arguments, guessWords(sure))
	return nil
}

// unlike says what arguments are that are no object.
func unlike(args *catalog.Node, err error) string {
	if err != nil {
		return "no JSON: " + err.Error()
	}
	return args.Kind.String() + ", not an object"
}

func guessWords(sure bool) string {
	if sure {
		return ""
	}
	return ", as far as JSON can tell what Python makes of them"
}

// undecoded is what AgentScope says of arguments that do not become an object: a value of another type, or no JSON.
func undecoded(raw string, args *catalog.Node, err error) string {
	fault := "Error: Your argument string is decoded into a <class '" + python.TypeName(args) + "'> object, but a dict object is expected!"
	if err != nil {
		fault = "Error: When decoding your tool arguments from JSON format to a Python dictionary, a JSONDecodeError was raised with message: " +
			python.LoadsError(raw) + "."
	}
	shown, hint := raw, ""
	if runes := []rune(raw); len(runes) > 200 {
		shown = string(runes[:100]) + "[TRUNCATE]" + string(runes[len(runes)-100:])
		hint = `(Because the JSON string is too long, a truncated label "[TRUNCATE]" is used here to indicate the truncation)`
	}
	return "<system-reminder>" + fault + "\n\n" +
		"Your argument string is decoded by the following code snippet" + hint + ":\n```python\nimport json\n\nyour_tool_arguments = " +
		python.Repr(python.Node(shown)) + "\njson.loads(your_tool_arguments)\n```\n\n**You should recorrect the arguments in JSON format.**</system-reminder>"
}

// execute is Toolkit.call_tool, and the limit on what it returns.
func (a agentScope2) execute(ctx context.Context, p *player, c *pending) Output {
	switch t := c.target; {
	case !c.args.Is(catalog.Object): // a text that the schema alone made an object of
		args, err := catalog.Parse(c.Arguments)
		return listed(Failed, undecoded(c.Arguments, args, err))
	case t.tool != nil && t.tool.Server == "" && t.name == "Skill":
		return a.view(ctx, p, c.args)
	case t.tool != nil && t.tool.Server == "" && t.name == "reset_tools":
		return a.resetTools(ctx, p, c.args)
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
	skill := args.Get("skill")
	name := skill.Text()
	if slices.Contains(p.listedNames(), name) {
		if act, err := p.activate(ctx, name, ""); err == nil {
			return outputOf(act)
		}
	}
	if !skill.Is(catalog.String) { // made a text to be compared alone
		name = python.Repr(skill)
	}
	return listed(Failed, "SkillNotFoundError: Skill '"+name+"' not found.")
}

// resetTools makes groups active, and shows the skills there are now. All groups are inactive before the arguments are
// looked at.
func (agentScope2) resetTools(ctx context.Context, p *player, args *catalog.Node) Output {
	fault := ""
	active := map[string]bool{}
	for _, m := range args.Members {
		on, isBool := m.Value.Bool()
		if active[m.Key] = on; !isBool {
			fault = fmt.Sprintf("Invalid arguments: the argument %s should be a bool value, but got <class '%s'>.", m.Key, python.TypeName(m.Value))
			clear(active)
			break
		}
	}
	var names []string
	p.base.Groups = slices.Clone(p.base.Groups)
	for i := range p.base.Groups {
		g := &p.base.Groups[i]
		if g.Active = active[g.Name]; g.Active {
			names = append(names, g.Name)
		}
	}
	if sim, err := agentsim.Simulate(ctx, p.base); err == nil {
		p.t.Simulation = sim
		p.takeHint()
	}
	switch {
	case fault != "":
		return listed(Success, fault)
	case len(names) == 0:
		return listed(Success, "All tool groups are currently deactivated.")
	}
	return listed(Success, "The currently activated tool group(s): "+strings.Join(names, ", ")+".")
}
