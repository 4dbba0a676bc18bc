package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/skill-ls/skill-ls/internal/agentsim"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/report"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/workspace"
)

// methodSimulate asks what a client puts before its model.
const methodSimulate = "skill/simulate"

// simulateParams are the parameters of skill/simulate, called as the flags of the command line:
// schemas/simulate-params.schema.json.
type simulateParams struct {
	subject
	Client       string  `json:"client"`
	Activate     *string `json:"activate"` // absent, the skill of the document; "", none
	Args         string  `json:"args"`
	SystemPrompt string  `json:"systemPrompt"`
	Instructions string  `json:"workspaceInstructions"`
	Session      string  `json:"sessionId"`
	Clock        string  `json:"clock"`
	Tokenizer    string  `json:"tokenizer"`
	Home         string  `json:"home"`
	About        string  `json:"about"` // the only part to answer, one of agentsim.Parts; "" for all
}

// simulate plays a client on the texts that the editor has.
func (s *Server) simulate(ctx context.Context, p *simulateParams) (*reply, error) {
	st, x, err := s.scene(ctx, p.subject)
	if err != nil {
		return nil, err
	}
	in, err := st.input(x, p.Client)
	if err == nil {
		err = p.fill(in)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	}
	if in.Tokenizer != agentsim.Estimate { // which is as fast as looking it up
		in.Count = s.counts.Counter(in.Tokenizer, in.Count)
	}
	var unread error // of the lock file, whose fault must not hide the rest
	in.Servers, unread = lint.OfferedTo(in.Profile.Name, x.live.Offers())
	play := s.playShown
	if p.About != "" {
		play = s.playUnseen // asked for at every keystroke, it is over before the client could show it
	}
	skill, wanted := p.skill(x)
	sim, err := play(ctx, x, in, skill, wanted)
	if err != nil {
		return nil, err
	}
	if unread != nil {
		sim.Notes = append(sim.Notes, "The tools of MCP servers are left out: "+unread.Error())
	}
	summary := simulationSummary(sim)
	o := report.SimulateOptions{Name: func(abs string) string { return string(st.uriOf(abs)) }, About: p.About}
	if x.skill != nil {
		o.Skill = filepath.ToSlash(x.skill.Doc.Abs)
	}
	write := func(w io.Writer, format string) error { return report.Simulate(w, sim, format, o) }
	if p.About == "" {
		return reported(summary, write)
	}
	return inJSON(summary, write)
}

// simulationSummary says in a sentence what a client puts before its model.
func simulationSummary(sim *agentsim.Simulation) string {
	listed := 0
	for _, k := range sim.Skills {
		if k.Listed {
			listed++
		}
	}
	out := fmt.Sprintf("%s lists %s in %d tokens", sim.Profile.Label, report.Plural(listed, "skill"), sim.Tokens.Listing)
	if a := sim.Activation; a != nil {
		out += fmt.Sprintf("; activating %s adds %d", a.Skill, sim.Tokens.Activation)
	}
	return out
}

// input returns what a client is played on: the folder it would be started in.
func (st *state) input(x scene, client string) (*agentsim.Input, error) {
	var names []string
	place := x.root
	if client != "" {
		names = []string{client}
	}
	if x.skill != nil {
		place = x.skill.Doc.Abs
	}
	p, err := agentsim.Client(names, place)
	if err != nil {
		return nil, err
	}
	in := &agentsim.Input{Profile: p, FS: st.fs, Paths: []string{x.project()}}
	if st.whole(x.live) {
		in.FS, in.Skills = x.live.Seen(), x.live.SkillsBelow(x.project())
	}
	return in, in.CountWith(agentsim.Estimate)
}

// whole reports whether a workspace is all of a folder, not a document with what lies around it.
func (st *state) whole(live *workspace.Live) bool {
	return slices.ContainsFunc(st.folders, func(f *folder) bool { return f.live == live && f.loose == "" })
}

func (p *simulateParams) fill(in *agentsim.Input) error {
	if p.About != "" && !slices.Contains(agentsim.Parts(), p.About) {
		return fmt.Errorf("about %q: use %s", p.About, strings.Join(agentsim.Parts(), ", "))
	}
	in.SystemPrompt, in.Instructions, in.Session, in.Args, in.Home = p.SystemPrompt, p.Instructions, p.Session, p.Args, p.Home
	if p.Clock != "" {
		var err error
		if in.Clock, err = time.Parse(time.RFC3339, p.Clock); err != nil {
			return fmt.Errorf("clock %q: write a time as 2026-11-30T11:13:46Z", p.Clock)
		}
	}
	return in.CountWith(cmp.Or(p.Tokenizer, agentsim.AutoTokens))
}

// skill returns the name of the skill to activate, and whether the user wants it: then it must be there.
func (p *simulateParams) skill(x scene) (name string, wanted bool) {
	switch {
	case p.Activate != nil:
		return *p.Activate, *p.Activate != ""
	case x.skill == nil:
		return "", false
	case x.skill.Layout == skills.InFolder:
		return x.skill.Folder, false
	}
	return x.skill.Name(), false
}

// playShown is playUnseen, of which the client is told while it lasts.
func (s *Server) playShown(ctx context.Context, x scene, in *agentsim.Input, skill string, wanted bool) (*agentsim.Simulation, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer s.progress(ctx, "Playing "+in.Profile.Label, cancel).end()
	return s.playUnseen(ctx, x, in, skill, wanted)
}

// playUnseen plays a client, with the activation of a skill. One that nobody has asked for is left out when the client does
// not find it.
func (s *Server) playUnseen(ctx context.Context, x scene, in *agentsim.Input, skill string, wanted bool) (*agentsim.Simulation, error) {
	if in.Skills != nil {
		var done func()
		in.Loaded, done = s.loads.For(x.live.Snapshot, in.Profile)
		defer done()
	}
	in.Skill = skill
	sim, err := agentsim.Simulate(ctx, in)
	_, missing := errors.AsType[agentsim.NoSkillError](err)
	switch {
	case missing && wanted:
		return nil, fmt.Errorf("%w: %w", jsonrpc2.ErrInvalidParams, err)
	case missing:
		in.Skill = ""
		return agentsim.Simulate(ctx, in)
	}
	return sim, err
}
