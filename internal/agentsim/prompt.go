package agentsim

import (
	"fmt"
	"strings"
	"time"

	"github.com/skill-ls/skill-ls/internal/profile"
)

// roles maps the place of a listing to the role of the message that holds it.
var roles = map[string]string{"system": "system", "developer": "developer", "user": "user", "message": "user", "tool-description": "tool-description"}

func (s *Simulation) addPrompt(in *Input, r *profile.Result) {
	if in.Profile.Listing.Join != "" {
		s.addWholePrompt(in, r)
		return
	}
	if in.SystemPrompt != "" {
		s.add(in, Part{Role: "system", Text: in.SystemPrompt})
	}
	s.add(in, Part{Role: "system", Text: ownWords(in.Profile), Left: true})
	role, ok := roles[in.Profile.Listing.Place]
	switch {
	case !ok:
		s.note("%s lists no skills in its prompt.", in.Profile.Label)
	case !in.Profile.Known("listing"):
		s.note("How %s lists skills is not known: the listing below shows what it reads, not its form.", in.Profile.Label)
	}
	if ok && r.Listing != "" {
		s.Prompt = append(s.Prompt, Part{Role: role, Text: r.Listing, Tokens: s.Tokens.Listing, Exact: exactListing(r)})
	}
}

// ownWords stands in place of the client's own words.
func ownWords(p *profile.Profile) string {
	out := p.Label + "'s own text, not reproduced"
	if a := p.Listing.Around; a.Characters > 0 {
		out += fmt.Sprintf("; about %d characters in %s", a.Characters, a.Version)
	}
	return "[" + out + "]"
}

// ownText opens the marker that profiles carry for words of a client inside its listing.
const ownText = "[client's own text"

// exactListing reports whether a listing has the client's bytes, as seen or run.
func exactListing(r *profile.Result) bool {
	level := r.Profile.Evidence.Level
	return (level == "observed" || level == "executed") && r.Profile.Known("listing") && !strings.Contains(r.Listing, ownText)
}

func (s *Simulation) add(in *Input, p Part) {
	if !p.Left {
		p.Tokens = in.Count(p.Text)
	}
	s.Prompt = append(s.Prompt, p)
}

func (s *Simulation) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// agentScope2 is the client whose agent service, tool groups and workspaces add to the prompt.
const agentScope2 = "agentscope-2"

// addWholePrompt adds a system prompt that is nothing but the agent's own and the listing.
func (s *Simulation) addWholePrompt(in *Input, r *profile.Result) {
	base := in.SystemPrompt
	second := in.Profile.Name == agentScope2
	if second && in.Session != "" {
		// The agent service tells the agent its session.
		base += "\n\n<system-notification>You're within a session (id=" + in.Session + ").</system-notification>"
	}
	text := r.Prompt(base)
	switch {
	case in.Instructions != "":
		text += in.Profile.Listing.Join + in.Instructions
	case second:
		s.note("Instructions on a workspace, which only an agent with a workspace has, are not reproduced (2,868 bytes for /w); --workspace-instructions @FILE adds them.")
	}
	s.add(in, Part{Role: "system", Text: text, Exact: true})
	if second && !in.Clock.IsZero() {
		s.add(in, Part{Role: "user", Text: stateHint(in.Clock), Exact: true})
	}
}

// stateHint is what AgentScope 2 puts behind the user's message before the first call of the model, since 2.0.5.
func stateHint(clock time.Time) string {
	return "<system-reminder>Treat the following as the ground truth at this point of the conversation. Anything stated earlier is outdated, and a later reminder, if any, supersedes this one:\n" +
		"<current-time>" + clock.UTC().Format("2006-01-02T15:04:05") + "</current-time>\n<timezone>UTC</timezone>\n</system-reminder>"
}
