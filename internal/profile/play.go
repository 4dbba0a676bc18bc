package profile

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Play plays the client on all skills of a workspace.
func (p *Profile) Play(w *Workspace) *Result {
	var plays []*play
	found := p.candidates(w)
	for i := range found {
		plays = append(plays, p.loadCandidate(w, &found[i]))
	}
	return p.together(w, plays)
}

// together runs the stages in which skills meet.
func (p *Profile) together(w *Workspace, plays []*play) *Result {
	p.loseRoots(plays)
	p.dedupe(plays)
	shown := make([]*play, 0, len(plays))
	for _, s := range plays {
		if s.out.Status == "" {
			shown = append(shown, s)
		}
	}
	p.Listing.order(shown)
	p.showAll(shown)
	r := &Result{Profile: p, Skills: make([]*Outcome, 0, len(plays))}
	p.fit(w, r, shown)
	for _, s := range slices.Concat(shown, plays) {
		if !s.taken {
			s.taken = true
			r.Skills = append(r.Skills, s.out)
		}
	}
	return r
}

func (p *Profile) loadCandidate(w *Workspace, c *candidate) *play {
	if w.Loaded != nil && !c.flat {
		if s := w.Loaded(p, c.file); s != nil {
			s.found, s.out.Scope = c, c.scope
			return s
		}
	}
	d := w.doc(c.file)
	if d == nil {
		s := p.Unreadable(c.file)
		s.found = c
		return s
	}
	if c.flat {
		flat := *d
		flat.Name = base(c.file)
		d = &flat
	}
	s := p.load(d, &content{})
	s.found, s.out.Scope = c, c.scope
	return s
}

// loseRoots applies the failures that take other skills down.
func (p *Profile) loseRoots(plays []*play) {
	lost, crashed := map[int]string{}, ""
	for _, s := range plays {
		switch s.out.Status {
		case RootLost:
			lost[s.place().folder] = s.out.File
		case ClientCrash:
			crashed = s.out.File
		}
	}
	if crashed == "" && len(lost) == 0 {
		return
	}
	for _, s := range plays {
		if s.out.Status == RootLost || s.out.Status == ClientCrash || s.out.Status == Dropped {
			continue
		}
		if crashed != "" {
			s.out.By = crashed
			s.stop(ClientCrash, StageRead, "neighbour", "", "fails on "+crashed)
		} else if file := lost[s.place().folder]; file != "" {
			s.out.By = file
			s.stop(RootLost, StageRead, "neighbour", "", "loses this folder of skills over "+file)
		}
	}
}

// dedupe drops all but one of the skills that share a key.
func (p *Profile) dedupe(plays []*play) {
	if p.Dedupe.Key == "" || p.Dedupe.Key == "none" {
		return
	}
	winners := make(map[string]*play, len(plays))
	for _, s := range p.contestants(plays) {
		key := p.dedupeKey(s)
		old := winners[key]
		if old == nil {
			winners[key] = s
			continue
		}
		winner, loser := old, s
		if p.Dedupe.Winner != "" && p.Dedupe.Winner != "first" {
			winner, loser = s, old
			p.place(plays, winner, loser)
		}
		winners[key] = winner
		loser.out.By = winner.out.File
		loser.stop(Dropped, StageDedupe, "duplicate", "name", fmt.Sprintf("keeps one skill of this name: %s", winner.out.File))
	}
}

// place puts a later winner where the loser stood, if the client does so: a
// Python dict keeps the place of a key that gets another value.
func (p *Profile) place(plays []*play, winner, loser *play) {
	if p.Dedupe.Place == "first" {
		i, j := slices.Index(plays, winner), slices.Index(plays, loser)
		plays[i], plays[j] = plays[j], plays[i]
	}
}

// contestants are the loaded skills in the order they overwrite each other.
func (p *Profile) contestants(plays []*play) []*play {
	out := make([]*play, 0, len(plays))
	for _, s := range plays {
		if s.out.Status == "" || s.out.Status == Hidden {
			out = append(out, s)
		}
	}
	if p.Dedupe.Winner == "last-path" {
		slices.SortStableFunc(out, func(a, b *play) int {
			return strings.Compare(strings.ToLower(a.d.Path), strings.ToLower(b.d.Path))
		})
	}
	return out
}

func (p *Profile) dedupeKey(s *play) string {
	switch p.Dedupe.Key {
	case "fold":
		return strings.ToLower(s.field("name").text)
	case "path":
		return s.place().real
	}
	return s.field("name").text
}

// showAll fills in what the prompt holds for each listed skill.
func (p *Profile) showAll(shown []*play) {
	var taken map[string]bool
	if p.Listing.Alias != "" {
		taken = make(map[string]bool, len(shown))
		for _, s := range shown {
			taken[s.field("name").text] = true
		}
	}
	for _, s := range shown {
		s.show(p.freeAlias(s, taken), p.location(s))
	}
}

// freeAlias is the written name a client adds to a folder's name: one that can
// be called, and that no other skill has.
func (p *Profile) freeAlias(s *play, taken map[string]bool) string {
	if p.Listing.Alias == "" {
		return ""
	}
	alias := s.field("alias").text
	l := &p.Listing
	if alias == "" || taken[alias] || slices.Contains(l.Taken, alias) || l.callable != nil && !l.callable.MatchString(alias) {
		return ""
	}
	taken[alias] = true
	return alias
}

func isSpace(r rune) bool { return strings.ContainsRune(" \t\r\n\u00a0\u3000", r) }

func (p *Profile) location(s *play) string {
	switch p.Listing.Location.Form {
	case "none":
		return ""
	case "scope":
		return p.scopeName(s.out.Scope)
	case "dir":
		return path.Dir(s.d.Path)
	case "alias":
		at := s.place().folder
		if !s.place().beforeOwn {
			at++
		}
		return rootAlias(at) + "/" + s.place().rel
	}
	return s.d.Path
}

// fit makes the listing within the client's budget.
func (p *Profile) fit(w *Workspace, r *Result, shown []*play) {
	b := &p.Listing.Budget
	pl := budgets[b.Policy](b, p, shown)
	r.Budget = Usage{Limit: b.Limit, Used: pl.used, Unit: "characters"}
	if b.Unit == "tokens" || b.Unit == "skills" {
		r.Budget.Unit = b.Unit
	}
	var kept []*play
	bare := map[*play]bool{}
	for i, s := range shown {
		n, cut := pl.cut[i]
		text, other := pl.texts[i]
		switch {
		case pl.omitted[i]:
			r.Budget.Omitted = append(r.Budget.Omitted, s.out.Name)
			s.lose(Hidden, "omitted", "has no room for this skill in its listing")
			s.out.Listed, s.out.Name, s.out.Description, s.out.Location = false, "", "", ""
			continue
		case pl.bare[i]:
			r.Budget.Bare = append(r.Budget.Bare, s.out.Name)
			s.out.Description = ""
			s.lose(Changed, "bare", "has no room for this description in its listing")
			bare[s] = true
			if b.Policy == "described-first" {
				continue
			}
		case other:
			s.out.Description = text
			s.lose(Changed, "cut", fmt.Sprintf("shows the first line of descriptions alone when its listing is longer than %d characters", b.Limit))
		case cut:
			s.out.Description = prefix(s.out.Description, n, "")
			s.lose(Changed, "cut", fmt.Sprintf("has room for %d characters of this description in its listing", n))
		}
		kept = append(kept, s)
	}
	if !w.NoListing {
		r.Listing = p.Listing.render(p, w, kept, func(i int) bool { return bare[kept[i]] }, pl.tail)
	}
	if b.Limit == 0 {
		r.Budget.Used = length(r.Listing, "utf16")
	}
}

func (s *play) lose(status Status, check, reason string) {
	if s.out.Status != Listed && status != Hidden {
		return // an earlier cause is the one to tell
	}
	s.stop(status, StageBudget, check, "", reason)
}

// Prompt puts the listing behind a system prompt as the client joins them.
func (r *Result) Prompt(system string) string {
	if r.Listing == "" {
		return system
	}
	return system + r.Profile.Listing.Join + r.Listing
}
