package agentsim

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
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

// mostRead is how many bytes of a text are read around the entry of a skill, on each side.
const mostRead = 4_000

// Excerpt returns a simulation whose prompt has little more than the entry of its first skill, for a reader who looks at
// that while they write: sending and drawing all of a long listing takes too long at every keystroke.
func (s *Simulation) Excerpt() *Simulation {
	entry := ""
	if len(s.Skills) > 0 {
		entry = s.Skills[0].Entry
	}
	out := *s
	out.Prompt = slices.Clone(s.Prompt)
	for i := range out.Prompt {
		out.Prompt[i] = out.Prompt[i].excerpt(entry)
	}
	return &out
}

func (p Part) excerpt(entry string) Part {
	at := max(0, strings.Index(p.Text, entry))
	from, to := boundary(p.Text, at-mostRead), boundary(p.Text, at+len(entry)+mostRead)
	p.Before, p.After = utf8.RuneCountInString(p.Text[:from]), utf8.RuneCountInString(p.Text[to:])
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
