// Package agentsim shows what an agent client puts before its model: the prompt with the listing of skills, what
// the activation of one adds, and the tools of MCP servers as the client names them. It needs no model, no key and
// no network, and gives the same bytes for the same input.
//
// What a client does is data of package profile. Where a client's own words around all that are not known, or may
// not be carried, a marker stands for them, and the part counts as not exact.
package agentsim

import (
	"context"
	"slices"
	"time"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/tokens"
)

// Input is all that a simulation depends on.
type Input struct {
	Profile *profile.Profile
	FS      skills.FS
	// Paths are absolute: one folder that the client is started in, or skills, in the order in which a program
	// would register them.
	Paths []string
	// Skills are all that lie in the folder, for who has read it already; nil has it read.
	Skills []*skills.Skill
	// Loaded gives what the client has loaded of a file already, see profile.Workspace; nil has it load all.
	Loaded func(p *profile.Profile, file string) *profile.Play
	Home   string // the user's home folder, for the skills there; empty leaves them out

	SystemPrompt string    // of the agent, before what the client adds
	Instructions string    // the text on its workspace that AgentScope 2 adds; empty is none
	Session      string    // id of the session; empty is none, and zeros in the text of a skill
	Clock        time.Time // zero is none
	Groups       []Group   // AgentScope 2: skills that are not always there

	Skill string                      // to activate, by name; empty is none
	Args  string                      // of the activation
	Shell func(command string) string // runs a command in the skill's text; nil runs none

	Servers []*catalog.Server

	Count     tokens.Counter
	Tokenizer string // what Count counts with, as a name
}

// Group is a tool group of AgentScope 2 with skills of its own. Its skills are listed while it is active.
type Group struct {
	Name   string
	Paths  []string // of skills, absolute
	Active bool
}

// Simulation is what a client puts before the model.
type Simulation struct {
	Profile    *profile.Profile
	Prompt     []Part
	Skills     []Skill // listed ones in the order of the listing, then the others
	Budget     profile.Usage
	Activation *Activation // nil when none was asked for
	Tools      []Tool      // in the order they are sent
	Tokens     Tokens
	Tokenizer  string   // what counted the tokens
	Notes      []string // what the reader should know, as sentences
}

// Part is one message, or a part of one.
type Part struct {
	Role   string // system, developer, user, tool, or tool-description
	Text   string
	Tokens int
	Exact  bool // these are the client's bytes
	// Left says that Text only stands for words of the client that are not reproduced.
	Left bool
	// Before and After count the characters that an excerpt leaves out on each side of Text.
	Before, After int
}

// Skill is what became of a skill, and what its entry in the listing costs.
type Skill struct {
	profile.Outcome
	Entry      string // in the listing; "" when not listed
	Characters int    // of the entry, with its line break, in Unicode code points
	Tokens     int    // of the entry
	Cumulative int    // tokens of this entry and those before it
}

// Tokens are the sums.
type Tokens struct{ Listing, Activation, Tools int }

// Simulate plays the client. Its errors name a path that cannot be read, or a skill that is not there.
func Simulate(ctx context.Context, in *Input) (*Simulation, error) {
	st, err := set(ctx, in)
	if err != nil {
		return nil, err
	}
	s := &Simulation{Profile: in.Profile, Budget: st.result.Budget, Tokenizer: in.Tokenizer, Notes: st.notes}
	s.addSkills(in, st.result)
	s.addPrompt(in, st.result)
	if len(st.result.Skills) == 0 {
		s.note("%s finds no skill here.", in.Profile.Label)
	}
	s.addTools(in)
	if in.Skill != "" {
		if s.Activation, err = activate(in, st); err != nil {
			return nil, err
		}
		for _, p := range s.Activation.Parts {
			s.Tokens.Activation += p.Tokens
		}
	}
	return s, nil
}

func (s *Simulation) addSkills(in *Input, r *profile.Result) {
	s.Skills = slices.Grow(s.Skills, len(r.Skills))
	for _, o := range r.Skills {
		skill := Skill{Outcome: *o, Entry: in.Profile.Entry(o)}
		if o.Listed {
			skill.Characters = len([]rune(skill.Entry)) + 1
			skill.Tokens = in.Count(skill.Entry)
			s.Tokens.Listing += skill.Tokens
			skill.Cumulative = s.Tokens.Listing
		}
		s.Skills = append(s.Skills, skill)
	}
	s.Tokens.Listing = in.Count(r.Listing)
}

// Text returns what of the prompt is known, byte for byte, without the markers.
func (s *Simulation) Text() string {
	text := ""
	for _, p := range s.Prompt {
		if p.Left {
			continue
		}
		if text != "" {
			text += "\n\n"
		}
		text += p.Text
	}
	return text
}
