package agentsim

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/agentsim/secrets"
)

// parts are what a simulation can be narrowed down to, each with what it does without.
var parts = map[string]func(*Simulation){
	"listing":    func(s *Simulation) { s.Activation, s.Tools = nil, nil },
	"activation": func(s *Simulation) { s.Prompt, s.Tools = nil, nil },
	"tools":      func(s *Simulation) { s.Prompt, s.Activation = nil, nil },
}

// Parts returns what a simulation can be narrowed down to.
func Parts() []string { return slices.Sorted(maps.Keys(parts)) }

// About returns one of Parts alone, and of the skills the one of a file, if it is there. Sums count all.
func (s *Simulation) About(part, file string) *Simulation {
	out := *s
	parts[part](&out)
	out.Skills = nil
	if i := slices.IndexFunc(s.Skills, func(k Skill) bool { return k.File == file }); i >= 0 {
		out.Skills = s.Skills[i : i+1]
	}
	return &out
}

const (
	// mostRead is how many bytes of a text are read around the entry of a skill, on each side.
	mostRead = 4_000
	// longestSecret is how many bytes a credential may have that an excerpt takes out though it reaches into it from
	// elsewhere; a private key of 8192 bits has 6,400.
	longestSecret = 8_000
)

// Excerpt returns a simulation whose prompt has little more than the entry of its first skill, without credentials, for a
// reader who looks at that while they write: sending and drawing all of a long listing, and looking for credentials in all
// of it, takes too long at every keystroke.
func (s *Simulation) Excerpt(k *secrets.Keeper) *Simulation {
	return s.around(mostRead + longestSecret).Redacted(k).around(mostRead)
}

// around leaves out what is further than so many bytes from the entry of the first skill.
func (s *Simulation) around(most int) *Simulation {
	entry := ""
	if len(s.Skills) > 0 {
		entry = s.Skills[0].Entry
	}
	out := *s
	out.Prompt = slices.Clone(s.Prompt)
	for i := range out.Prompt {
		out.Prompt[i] = out.Prompt[i].around(entry, most)
	}
	return &out
}

func (p Part) around(entry string, most int) Part {
	at := max(0, strings.Index(p.Text, entry))
	from, to := boundary(p.Text, at-most), boundary(p.Text, at+len(entry)+most)
	p.Before += utf8.RuneCountInString(p.Text[:from])
	p.After += utf8.RuneCountInString(p.Text[to:])
	p.Text = p.Text[from:to]
	return p
}

// boundary returns the place in a text nearest to at, and not behind it, that takes no character apart.
func boundary(s string, at int) int {
	if at <= 0 || at >= len(s) {
		return min(max(at, 0), len(s))
	}
	for !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}
