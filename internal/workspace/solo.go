package workspace

import (
	"slices"

	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
	"github.com/skill-ls/skill-ls/internal/text"
)

// solo returns what the clients make of a skill: as it was worked out among the others, else as if it were
// the only one. before is what they made of it while it had another text: where a client does not look, it
// still does not.
func (s *Snapshot) solo(skill *skills.Skill, before []lint.Played) []lint.Played {
	if s.plays != nil {
		if have, ok := s.plays.played[skill]; ok {
			return have
		}
	}
	a := s.audition(skill, casting{judges: s.judges})
	out := make([]lint.Played, len(a.judges))
	for i, p := range a.judges {
		out[i] = lint.Played{Profile: p, Outcome: a.loaded[i].Alone()}
		if overlooked(before, p) {
			out[i].Outcome = a.loaded[i].NotFound()
		}
	}
	return out
}

func overlooked(before []lint.Played, p *profile.Profile) bool {
	return slices.ContainsFunc(before, func(b lint.Played) bool { return b.Profile == p && b.Outcome.Stage == profile.StageWalk })
}

// samePlays reports whether two plays of a skill give its rules the same to say.
func samePlays(a, b []lint.Played) bool {
	return slices.EqualFunc(a, b, func(a, b lint.Played) bool {
		x, y := a.Outcome, b.Outcome
		return a.Profile == b.Profile && x.Status == y.Status && x.Stage == y.Stage && x.Check == y.Check &&
			x.Field == y.Field && x.Reason == y.Reason && slices.Equal(x.Changes, y.Changes) && slices.Equal(x.Warnings, y.Warnings)
	})
}

// shift moves findings on a text that was edited. Those in the edited part are left out, and so are fixes:
// they come back when the rules look again.
func shift(findings []lint.Finding, before, after string) []lint.Finding {
	changed, grown := difference(before, after)
	var out []lint.Finding
	for _, f := range findings {
		switch {
		case f.Span.End <= changed.Start:
		case f.Span.Start >= changed.End:
			f.Span = f.Span.Shift(grown)
		default:
			continue
		}
		f.Fixes = nil
		out = append(out, f)
	}
	return out
}

// difference returns the part of before that is another one in after, and by how many bytes that grew.
func difference(before, after string) (changed text.Span, grown int) {
	n := min(len(before), len(after))
	start := 0
	for start < n && before[start] == after[start] {
		start++
	}
	end := 0
	for end < n-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return text.Span{Start: start, End: len(before) - end}, len(after) - len(before)
}

// Plays returns what the clients of some names make of a skill, those that judge it when there are none: as
// they make it of the skill among the others if that was worked out, else of the skill alone.
func (s *Snapshot) Plays(skill *skills.Skill, names []string) []lint.Played {
	if len(names) == 0 {
		return s.solo(skill, s.Played(skill))
	}
	judges, _ := lint.Judges(skill, &lint.Settings{Clients: names})
	have := s.Played(skill)
	var out []lint.Played
	var missing []*profile.Profile
	for _, p := range judges {
		if i := slices.IndexFunc(have, func(h lint.Played) bool { return h.Profile == p }); i >= 0 {
			out = append(out, have[i])
		} else {
			missing = append(missing, p)
		}
	}
	if len(missing) > 0 && skill.Err == nil {
		a := load(skill, missing)
		for i, p := range missing {
			out = append(out, lint.Played{Profile: p, Outcome: a.loaded[i].Alone()})
		}
	}
	return out
}
