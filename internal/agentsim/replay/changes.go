package replay

import (
	"fmt"
	"slices"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Change is a tool that a server offers otherwise than before.
type Change struct {
	Since string // what is newer: "the recording" or "the lock"
	catalog.Change
}

// noteChanges compares what servers offer with what they did when the recording was made, as far as it tells, and else
// with what a lock file holds.
func (p *player) noteChanges() {
	told := map[*Server]bool{}
	for _, s := range p.offered {
		now := p.offerer(s)
		if now == nil || now.Now == nil {
			continue
		}
		told[now] = true
		p.addChanges("the recording", s, now)
	}
	for _, s := range p.in.Today.Servers {
		if s.Before != nil && s.Now != nil && !told[s] {
			p.addChanges("the lock", s.Before, s)
		}
	}
}

// offerer returns the server that a recorded list is of.
func (p *player) offerer(s *catalog.Server) *Server {
	if now := p.known().serverCalled(s.Name); now != nil {
		return now
	}
	if len(p.in.Today.Servers) == 1 {
		return p.in.Today.Servers[0]
	}
	return nil
}

func (p *player) addChanges(since string, before *catalog.Server, now *Server) {
	// Of the server only its tools are compared: the rest was not recorded.
	was, is := &catalog.Server{Name: now.Name, Tools: before.Tools}, &catalog.Server{Name: now.Name, Tools: now.Now.Tools}
	for _, c := range catalog.DiffServer(was, is) {
		key := fmt.Sprint(c)
		if !slices.ContainsFunc(p.report.Changes, func(have Change) bool { return fmt.Sprint(have.Change) == key }) {
			p.report.Changes = append(p.report.Changes, Change{since, c})
		}
	}
}
