package workspace

import (
	"path/filepath"
	"sync"

	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/skills"
)

// Loads is what clients have loaded of the skills of a workspace that is edited, for who plays them on each of its
// snapshots: a skill that has the same text as before is not loaded again. Only what the last clients have loaded is
// kept. The zero value is ready for use, by several goroutines.
type Loads struct {
	mu   sync.Mutex
	kept []*loads // the last one first
}

// mostLoads is how many clients are remembered: one and another to compare it with, each in two folders.
const mostLoads = 4

type loads struct {
	client *profile.Profile
	base   string // of the workspace
	skills map[*skills.Skill]*profile.Play
}

// For returns what a client has loaded of the skills of a snapshot, by file, to be used up by profile.Workspace; what it
// has not, it loads now. It is for one goroutine. done keeps it for the next snapshot.
func (l *Loads) For(s *Snapshot, client *profile.Profile) (loaded func(p *profile.Profile, file string) *profile.Play, done func()) {
	before := l.take(client, s.Base())
	now := &loads{client, s.Base(), make(map[*skills.Skill]*profile.Play, len(before))}
	files := make(map[string]*skills.Skill, len(s.skills))
	for _, skill := range s.skills {
		if skill.Err == nil && skill.Layout != skills.Flat {
			files[filepath.ToSlash(skill.Doc.Abs)] = skill
		}
	}
	loaded = func(p *profile.Profile, file string) *profile.Play {
		skill := files[file]
		if skill == nil || p != client {
			return nil
		}
		play := before[skill]
		if play == nil {
			play = load(skill, []*profile.Profile{p}).loaded[0]
		}
		now.skills[skill] = play
		return play.Clone()
	}
	return loaded, func() { l.keep(now) }
}

func (l *Loads) take(client *profile.Profile, base string) map[*skills.Skill]*profile.Play {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, k := range l.kept {
		if k.client == client && k.base == base {
			return k.skills
		}
	}
	return nil
}

func (l *Loads) keep(now *loads) {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := []*loads{now}
	for _, k := range l.kept {
		if (k.client != now.client || k.base != now.base) && len(kept) < mostLoads {
			kept = append(kept, k)
		}
	}
	l.kept = kept
}
