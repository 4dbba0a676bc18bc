package replay

import (
	"context"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/agentsim/secrets"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
)

// player is told what a recording holds, and judges it.
type player struct {
	ctx    context.Context
	in     *Input
	report *Report
	live   *liveRun
	fault  error // of writing

	tools   map[[2]string]*Tool
	schemas map[string]*checker // by the hash of a tool
	untold  []string            // configured servers that calls are of, whose tools are not known

	// Of the recording that is being read:
	recording *Recording
	cast      *cast
	names     *names
	threads   map[string]*thread
	open      map[*recording.Call]*state
	offered   []*catalog.Server           // what the recording says that servers listed
	then      map[*Server]*catalog.Server // the same, by what they are today
}

// state is what is known of a call when it is made.
type state struct {
	target target
	active []*active // the skills that were active
}

func newPlayer(ctx context.Context, in *Input) *player {
	return &player{
		ctx: ctx, in: in, report: &Report{}, live: in.Live.start(ctx), tools: map[[2]string]*Tool{}, schemas: map[string]*checker{},
	}
}

// cast is who may have recorded the calls.
type cast struct {
	client  string // as the recording says
	list    []*profile.Profile
	loose   bool              // nobody knows which of them it was
	loaders map[string]string // the tools by which they load a skill, with the parameter for its name
}

// clients returns who may have recorded the calls. What a recording says of that can stand in any of its lines.
func (p *player) clients() *cast {
	if p.cast != nil && p.cast.client == p.recording.Client {
		return p.cast
	}
	c := &cast{client: p.recording.Client, list: p.in.Clients, loaders: map[string]string{}}
	if len(c.list) == 0 {
		if known, err := profile.Find(c.client); err == nil {
			c.list = []*profile.Profile{known}
		} else {
			c.list, c.loose = profile.Naming(), true
		}
	}
	for _, client := range c.list {
		if a := client.Activation; slices.Contains(a.Via, "tool") && a.Tool != "" {
			c.loaders[a.Tool] = a.Param
		}
	}
	p.cast, p.names = c, nil
	return c
}

// known returns what the names of tools stand for.
func (p *player) known() *names {
	c := p.clients()
	if p.names == nil {
		p.names = namesFor(c.list, c.loose, p.in.Today)
	}
	return p.names
}

// resolve returns what a call is of. In a live run servers are asked for their tools when they are first needed.
func (p *player) resolve(c *recording.Call) target {
	for {
		t := p.known().resolve(c, p.recording.Format == recording.MCP)
		if !p.live.ask(p.in.Today, t, p.clients().loose) {
			return t
		}
		p.names = nil
	}
}

// Start implements recording.Visitor.
func (p *player) Start(s *recording.Summary) { p.recording.Summary = s }

// Turn implements recording.Visitor.
func (p *player) Turn(name, text string) {
	t := p.threads[name]
	if t == nil {
		t = &thread{}
		p.threads[name] = t
	}
	t.active = p.slash(text)
}

// Begin implements recording.Visitor.
func (p *player) Begin(c *recording.Call) {
	t := p.resolve(c)
	s := &state{target: t}
	if th := p.threads[c.Thread]; th != nil {
		s.active = slices.Clone(th.active)
	}
	p.open[c] = s
}

// End implements recording.Visitor.
func (p *player) End(c *recording.Call) {
	s := p.open[c]
	delete(p.open, c)
	t := s.target
	out := &Call{
		File: p.recording.File, Line: c.Line, ResultLine: c.ResultLine, Session: c.Session, Time: c.Time, Name: c.Name,
		Failed: c.Result != nil && c.Result.Failed, Tool: t.name, Server: t.called,
	}
	if t.server != nil {
		out.Server = t.server.Name
	}
	if t.mcp {
		out.Findings = append(p.judge(c, t), p.permitted(s)...)
		out.Live = p.again(c, t)
		out.Findings = append(out.Findings, out.Live.findings()...)
	} else {
		out.Findings = p.skillCall(c)
	}
	p.count(c, t, out)
	p.keep(c, out)
	p.export(c, t)
}

// count adds a call to the figures.
func (p *player) count(c *recording.Call, t target, out *Call) {
	n := &p.report.Counts
	n.Calls++
	if t.mcp {
		n.MCP++
	}
	if t.mcp && (t.server == nil || t.server.Now == nil) {
		n.Unchecked++
		if t.server != nil && !slices.Contains(p.untold, t.server.Name) {
			p.untold = append(p.untold, t.server.Name)
		}
	}
	tool := p.tool(out)
	tool.Calls++
	if c.Result == nil {
		n.NoResult++
	}
	if out.Failed {
		n.Failed++
		tool.Failed++
	}
	for _, f := range out.Findings {
		tool.Findings++
		switch f.Severity {
		case lint.Error:
			n.Errors++
		case lint.Warning:
			n.Warnings++
		default:
			n.Infos++
		}
	}
	n.Live.add(out.Live)
}

func (p *player) tool(c *Call) *Tool {
	k := [2]string{c.Server, c.Tool}
	t := p.tools[k]
	if t == nil {
		t = &Tool{Server: c.Server, Tool: c.Tool}
		p.tools[k] = t
		p.report.Tools = append(p.report.Tools, t)
	}
	return t
}

// keep adds a call to the report when there is something to say about it, with its credentials taken out.
func (p *player) keep(c *recording.Call, out *Call) {
	told := len(out.Findings) > 0 || out.Live != nil
	switch {
	case !told && !p.in.All:
		return
	case len(p.report.Calls) >= maxCalls:
		if told {
			p.report.More++
		}
		return
	}
	k := keeperOf(c)
	arguments := k.JSON(c.Arguments)
	out.Arguments, out.Whole = cutTo(arguments+k.Text(c.Raw), maxShown), arguments != "" && len(arguments) <= maxShown
	for i := range out.Findings {
		f := &out.Findings[i]
		f.Message, f.Help = k.Text(f.Message), k.Text(f.Help)
	}
	p.report.Calls = append(p.report.Calls, out)
}

// keeperOf takes the credentials of a call out of what is said about it.
func keeperOf(c *recording.Call) *secrets.Keeper {
	if c.Result == nil {
		return secrets.Of(c.Arguments)
	}
	return secrets.Of(c.Arguments, c.Result.Structured)
}

func (p *player) export(c *recording.Call, t target) {
	if p.in.Export == nil || p.fault != nil {
		return
	}
	out := *c
	if t.server != nil {
		out.Server, out.Tool = t.server.Name, t.name
	}
	k := keeperOf(c)
	out.Raw = k.Text(c.Raw)
	p.fault = recording.Write(p.in.Export, p.recording.Client, &out, k.JSON)
}

// Offered implements recording.Visitor.
func (p *player) Offered(s *catalog.Server, _ int) {
	if now := p.offerer(s); now != nil && p.then[now] == nil {
		p.then[now] = s
	}
	for _, have := range p.offered {
		if have.Name == s.Name { // another page, or the list again
			for _, tool := range s.Tools {
				if _, twice := have.Tool(tool.Name()); !twice {
					have.Tools = append(have.Tools, tool)
				}
			}
			return
		}
	}
	p.offered = append(p.offered, s)
}

// maxShown is how much of the arguments is shown, in bytes.
const maxShown = 2 << 10

func cutTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
