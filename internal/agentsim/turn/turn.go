// Package turn plays a conversation through a client: what the user says, the prompt with the listing, skills that are
// loaded, tools that are called, and what the model gets back, as the client puts it. The model's part stands in a
// script, or a model plays it.
package turn

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
)

// Input is all that a turn depends on.
type Input struct {
	Client *agentsim.Input // the client, its skills and tools; its Skill and Args are not looked at
	Script *Script
	// Call really calls a tool of a server; nil calls nothing, and results stand in the script. fresh asks for a
	// session of its own, as a stateless client has for each call. An error that the server answered with is a
	// *mcpprobe.Refusal.
	Call func(ctx context.Context, server, tool string, arguments json.RawMessage, fresh bool) (*catalog.Node, error)
	// Rank orders the names of skills by the words of a query; nil ranks nothing.
	Rank func(query string) []string
	// Model plays the model; nil lets the script do it.
	Model Model
}

// Model answers requests.
type Model interface {
	Answer(ctx context.Context, r *Request) (*Answer, error)
}

// Request is what a model is asked.
type Request struct {
	System  string
	Entries []Entry
	Tools   []agentsim.Tool
}

// Answer is what a model says: a text, calls, or both.
type Answer struct {
	Text  string
	Calls []ModelCall
}

// ModelCall is a call as the model wants it.
type ModelCall struct {
	ID        string
	Tool      string
	Arguments string // JSON, when all is well
}

// Transcript is a turn that was played.
type Transcript struct {
	Simulation *agentsim.Simulation
	Script     string // the file
	Agent      string
	Entries    []Entry
	Requests   int // to the model
	// End is how the last reply ended; empty when it did not.
	End      string
	Failures []Failure
	Findings []Finding
	Notes    []string
	// Messages are the client's own form of the conversation, nil where that is not known.
	Messages []json.RawMessage
	// Wire are the messages of the last request as they go to OpenAI, the system prompt first.
	Wire []json.RawMessage
}

// EntryKind says what an entry is.
type EntryKind string

// The entries.
const (
	Spoken   EntryKind = "user"
	Said     EntryKind = "text"   // by the model
	Called   EntryKind = "call"   // by the model
	Returned EntryKind = "result" // of a call
	Hint     EntryKind = "hint"   // what the client adds for the model
	Notice   EntryKind = "notice" // what the client tells the user in place of an answer
)

// Entry is one piece of the conversation.
type Entry struct {
	Place     // in the script; zero for what the client adds
	Kind      EntryKind
	Text      string // as the model reads it
	Round     int    // of requests to the model, from 1; entries of one round belong together
	ID        string // of the call
	Tool      string // as the model names it
	Server    string // of the tool; "" for one that is no server's
	Original  string // the server's name for it
	Arguments string // as the model sends them
	State     string
	Output    *Output // Returned
	Exact     bool    // the client's bytes
	Asked     bool    // the user was asked about the call

	block, message string // AgentScope 2: ids
}

// Failure is an expectation that does not hold, or a step that the client does not let happen.
type Failure struct {
	Place
	Message   string
	Want, Got string // texts to compare; both empty when there are none
	Help      string
}

// Finding is something of a result that is lost on its way to the model.
type Finding struct {
	Place
	Server, Tool string
	Loss
	Expected bool // the script says so
}

// LostOutput is the rule that findings of a turn belong to.
const LostOutput = "mcp-tool/lost-output"

// Failed reports whether an expectation does not hold, or something is lost.
func (t *Transcript) Failed() bool {
	return len(t.Failures) > 0 || slices.ContainsFunc(t.Findings, func(f Finding) bool { return f.Severity >= lint.Warning && !f.Expected })
}

// Play plays a script. Its errors are those of the simulation, and of a model that does not answer.
func Play(ctx context.Context, in *Input) (*Transcript, error) {
	base := *in.Client
	base.Skill, base.Args = "", ""
	sim, err := agentsim.Simulate(ctx, &base)
	if err != nil {
		return nil, err
	}
	p := &player{
		in: in, base: &base, steps: in.Script.Steps, ended: Completed,
		rules: in.Script.Rules, ids: given{names: in.Script.IDs}, files: given{names: in.Script.Files},
		t: &Transcript{Simulation: sim, Script: in.Script.File, Agent: agentName(in.Script)},
	}
	p.client = clientFor(p)
	p.t.Notes = append(p.t.Notes, sim.Notes...)
	if err := p.play(ctx); err != nil {
		return nil, err
	}
	p.t.End = p.ended
	p.t.Messages = p.client.messages(p)
	p.t.Wire = p.client.wire(p.t)
	return p.t, nil
}

func agentName(s *Script) string {
	if s.Agent == "" {
		return "agent"
	}
	return s.Agent
}

// player is a turn being played.
type player struct {
	in     *Input
	base   *agentsim.Input
	t      *Transcript
	client client
	steps  []Step
	at     int // the step that is next

	ended  string // how the reply ended; NotEnded while the model may go on
	rounds int    // of this reply
	final  bool   // the model is asked for its last word, without tools
	calls  int    // so far, for their ids
	said   string // by the user, last
	last   *Entry // the last result
	rules  []Rule // permission rules, of the script and of what the user allowed for good
	ids    given  // AgentScope: of messages and blocks
	files  given  // AgentScope: temporary ones, with data of results
	reply  string // AgentScope 2: the id of the message that is being made
}

// given are names that a program draws: those of the script, and numbers behind them.
type given struct {
	names []string
	drawn int
}

// next returns the next name, and whether the script gives it.
func (g *given) next() (name string, known bool) {
	if g.drawn++; g.drawn <= len(g.names) {
		return g.names[g.drawn-1], true
	}
	return fmt.Sprintf("%032x", g.drawn), false
}

func (g *given) id() string {
	name, _ := g.next()
	return name
}

// client is what differs between clients.
type client interface {
	// begin is called when the user has said something.
	begin(p *player)
	// answer makes the calls of one answer of the model, until the reply ends.
	answer(ctx context.Context, p *player, calls []*pending)
	// add completes an entry before it becomes part of the conversation: with its ids, and what stands for data in it.
	add(p *player, e *Entry)
	// after is called when all calls of a round have their results.
	after(p *player)
	// skill is the call that loads a skill, false when nobody knows how the model does that.
	skill(p *player, name, args string) (ModelCall, bool)
	// skillOf is the skill that a call loads, "" when it loads none.
	skillOf(p *player, c ModelCall) string
	messages(p *player) []json.RawMessage
	wire(t *Transcript) []json.RawMessage
}

// pending is a call to be made, with what the script says of it.
type pending struct {
	CallStep
	ID    string
	skill string // that it loads
	tool  *agentsim.Tool

	// Of AgentScope:
	target   *target       // what is called
	args     *catalog.Node // the arguments, repaired where they are broken
	compared *catalog.Node // the arguments that are compared with the schema, and repaired by it
	guessed  bool          // what the repair makes of them is not certain
	fault    *Output       // what is wrong with the call
	ask      bool          // the user is asked
}

func (p *player) play(ctx context.Context) error {
	for p.at < len(p.steps) {
		s := p.steps[p.at]
		switch s.Kind {
		case User:
			p.hear(s)
			if p.in.Model != nil {
				if err := p.converse(ctx); err != nil {
					return err
				}
			}
		case ExpectResult:
			p.at++
			p.expectLast(s)
		case ExpectEnd:
			p.at++
			p.expectEnd(s)
		default:
			p.answer(ctx)
		}
	}
	return nil
}

// hear takes what the user says.
func (p *player) hear(s Step) {
	p.at++
	switch p.ended {
	case NotEnded:
		p.fail(s.Place, "the model has not said its last word; let it \"say\" something before the user speaks again")
	case Waiting:
		p.fail(s.Place, "%s takes no new message while it waits for permission; answer the call with \"allow: true\" or \"allow: false\"", p.label())
	case Crashed:
		p.note("The user speaks again after the reply has crashed.")
	}
	p.ended, p.rounds, p.final, p.said = NotEnded, 0, false, s.Text
	p.add(Entry{Place: s.Place, Kind: Spoken, Text: s.Text, Exact: true})
	p.client.begin(p)
}

func (p *player) label() string { return p.base.Profile.Label }

func (p *player) add(e Entry) {
	e.Round = p.t.Requests
	p.client.add(p, &e)
	p.t.Entries = append(p.t.Entries, e)
}

func (p *player) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(p.t.Notes, n) {
		p.t.Notes = append(p.t.Notes, n)
	}
}

// failOnce is fail for a step that nothing has been said of.
func (p *player) failOnce(at Place, format string, args ...any) {
	if !slices.ContainsFunc(p.t.Failures, func(f Failure) bool { return f.Place == at }) {
		p.fail(at, format, args...)
	}
}

func (p *player) fail(at Place, format string, args ...any) {
	p.t.Failures = append(p.t.Failures, Failure{Place: at, Message: fmt.Sprintf(format, args...)})
}

// answer plays one answer of the model as the script has it: a text, the calls right behind it, or both.
func (p *player) answer(ctx context.Context) {
	s := p.steps[p.at]
	if p.ended != NotEnded {
		p.at++
		p.fail(s.Place, "the reply has ended (%s), the model does not get the word; %s", p.ended, p.whyEnded())
		return
	}
	p.ask()
	if s.Kind == Say {
		p.add(Entry{Place: s.Place, Kind: Said, Text: s.Text, Exact: true})
		if p.at++; p.at == len(p.steps) || p.steps[p.at].Kind != Calls && p.steps[p.at].Kind != ExpectSkill {
			p.close()
			return
		}
		s = p.steps[p.at]
	}
	p.at++
	if p.final {
		p.fail(s.Place, "%s asks for the last word without offering tools: the model can only \"say\" something", p.label())
		return
	}
	if s.Kind == ExpectSkill {
		if call, ok := p.load(s); ok {
			p.callAll(ctx, []*pending{call})
		}
		return
	}
	var all []*pending
	for _, c := range s.Calls {
		all = append(all, &pending{CallStep: c, ID: p.newID()})
	}
	p.callAll(ctx, all)
}

func (p *player) whyEnded() string {
	switch p.ended {
	case Waiting:
		return "the call before needs \"allow: true\" or \"allow: false\", or another permission_mode"
	case MaxIters:
		return "its rounds of calls are used up"
	case Crashed, Unknown:
		return "see the failure before"
	}
	return "begin the next reply with \"user:\""
}

// ask counts a request to the model.
func (p *player) ask() {
	p.t.Requests++
	p.rounds++
}

// close ends a reply with an answer that calls nothing.
func (p *player) close() {
	if p.final {
		p.end(MaxIters)
	}
	p.end(Completed)
}

func (p *player) end(how string) {
	if p.ended == NotEnded {
		p.ended = how
	}
}

func (p *player) newID() string {
	p.calls++
	return fmt.Sprintf("call_%d", p.calls)
}

// load checks that the model may load a skill, and returns the call that does.
func (p *player) load(s Step) (*pending, bool) {
	p.checkListed(s)
	call, ok := p.client.skill(p, s.Skill.Name, s.Skill.Args)
	if !ok {
		return nil, false // there is none of that name, which is told
	}
	return &pending{
		CallStep: CallStep{Place: s.Place, Tool: call.Tool, Arguments: call.Arguments}, ID: p.newID(), skill: s.Skill.Name,
	}, true
}

// checkListed fails when the model does not see a skill, or others fit better by their words.
func (p *player) checkListed(s Step) {
	names := p.listedNames()
	if !slices.Contains(names, s.Skill.Name) {
		f := Failure{Place: s.Place, Message: fmt.Sprintf("%s does not list the skill %q", p.label(), s.Skill.Name)}
		switch reason := p.unlisted(s.Skill.Name); {
		case reason != "":
			f.Message += ": " + reason
		case len(names) == 0:
			f.Message += ", nor any other"
		default:
			f.Help = "it lists " + strings.Join(names, ", ") + lint.Suggest(s.Skill.Name, names)
		}
		p.t.Failures = append(p.t.Failures, f)
		return
	}
	if p.in.Rank == nil {
		return
	}
	ranking := p.in.Rank(p.said)
	rank := slices.Index(ranking, s.Skill.Name) + 1
	if s.Skill.Within > 0 && rank > s.Skill.Within {
		p.fail(s.Place, "by its words the skill %q is number %d of %d for what the user said, behind %s; it should be within %d",
			s.Skill.Name, rank, len(ranking), strings.Join(ranking[:min(rank-1, 3)], ", "), s.Skill.Within)
	} else if rank > 1 {
		p.note("By its words the skill %s is number %d of %d for what the user said, behind %s.", s.Skill.Name, rank, len(ranking), ranking[0])
	}
}

func (p *player) listedNames() []string {
	var out []string
	for _, k := range p.t.Simulation.Skills {
		if k.Listed {
			out = append(out, k.Name)
		}
	}
	return out
}

// unlisted says why a skill is not listed, "" when there is none of that name.
func (p *player) unlisted(name string) string {
	for _, k := range p.t.Simulation.Skills {
		if !k.Listed && (k.Name == name || k.Loaded.Name == name) {
			return k.Reason
		}
	}
	return ""
}

// callAll makes the calls of one answer, in their order.
func (p *player) callAll(ctx context.Context, calls []*pending) {
	for _, c := range calls {
		c.tool = p.tool(c.Tool)
		e := Entry{Place: c.Place, Kind: Called, ID: c.ID, Tool: c.Tool, Arguments: c.Arguments, Exact: true}
		if c.tool != nil {
			e.Server, e.Original = c.tool.Server, c.tool.Tool
		}
		p.add(e)
	}
	if p.client.answer(ctx, p, calls); p.ended == NotEnded {
		p.client.after(p)
	}
}

// entry is what the transcript says of a call that was made.
func (p *player) entry(c *pending) *Entry {
	i := slices.IndexFunc(p.t.Entries, func(e Entry) bool { return e.Kind == Called && e.ID == c.ID })
	return &p.t.Entries[i]
}

// tool finds a tool by the name that the model sees.
func (p *player) tool(name string) *agentsim.Tool {
	for i := range p.t.Simulation.Tools {
		if t := &p.t.Simulation.Tools[i]; t.Listed && t.Name == name {
			return t
		}
	}
	return nil
}

// returned takes a result into the conversation, tells what of it is lost, and looks at what was expected.
func (p *player) returned(c *pending, out Output) {
	e := Entry{
		Place: c.Place, Kind: Returned, ID: c.ID, Tool: c.Tool, State: out.State, Output: &out, Exact: out.Exact,
	}
	if c.tool != nil {
		e.Server, e.Original = c.tool.Server, c.tool.Tool
	}
	for _, l := range out.Losses {
		p.t.Findings = append(p.t.Findings, Finding{Place: c.Place, Server: e.Server, Tool: e.Original, Loss: l})
	}
	p.add(e)
	e = p.t.Entries[len(p.t.Entries)-1]
	p.last = &e
	for _, text := range out.After {
		p.add(Entry{Place: c.Place, Kind: Hint, Text: text, Exact: out.Exact})
	}
	if c.Expect != nil {
		p.check(c.Expect, p.last)
	}
}
