package lint

import (
	"slices"

	"github.com/skill-ls/skill-ls/internal/text"
)

// Plan is a set of fixes that can be applied together.
type Plan struct {
	Edits   map[string][]text.Edit // by shown path, sorted, none overlapping
	Renames []Rename
	Creates []Create
	Applied []Finding // the findings it settles
}

// Empty reports whether the plan changes nothing.
func (p *Plan) Empty() bool { return len(p.Edits) == 0 && len(p.Renames) == 0 && len(p.Creates) == 0 }

// PlanFixes picks the first allowed fix of each finding, in order. A fix that overlaps one already picked is
// left for the next round, whole. Fixes that rename or create wait until no edit is left, so that the paths
// of the edits hold. reencoded tells which files are not UTF-8: there only a fix that replaces the whole
// text, which writes it anew as UTF-8, is allowed.
func PlanFixes(findings []Finding, unsafe bool, reencoded func(file string) bool) *Plan {
	p := &Plan{Edits: map[string][]text.Edit{}}
	var moves []Finding
	for _, f := range findings {
		fix := f.fix(unsafe)
		switch {
		case fix == nil:
		case len(fix.Edits) == 0:
			moves = append(moves, f)
		case p.fits(fix, reencoded):
			p.add(f, fix)
		}
	}
	if len(p.Edits) > 0 {
		return p
	}
	for _, f := range moves {
		fix := f.fix(unsafe)
		if slices.ContainsFunc(fix.Renames, func(r Rename) bool { return p.moves(r) }) {
			continue
		}
		p.Renames = append(p.Renames, fix.Renames...)
		p.Creates = append(p.Creates, fix.Creates...)
		p.Applied = append(p.Applied, f)
	}
	return p
}

// fix returns the first fix that may be applied, or nil.
func (f *Finding) fix(unsafe bool) *Fix {
	for i := range f.Fixes {
		if f.Fixes[i].Safe || unsafe {
			return &f.Fixes[i]
		}
	}
	return nil
}

func (p *Plan) fits(fix *Fix, reencoded func(string) bool) bool {
	for _, e := range fix.Edits {
		if reencoded(e.File) && !(e.Start == 0 && e.Len() > 0 && len(fix.Edits) == 1 && e.New != "") {
			return false
		}
		for _, have := range p.Edits[e.File] {
			if touches(have.Span, e.Span) {
				return false
			}
		}
	}
	return true
}

// touches is stricter than overlapping: two insertions at one place, or one at the edge of another edit,
// would depend on their order.
func touches(a, b text.Span) bool { return a.Start <= b.End && b.Start <= a.End }

func (p *Plan) add(f Finding, fix *Fix) {
	for _, e := range fix.Edits {
		p.Edits[e.File] = append(p.Edits[e.File], e.Edit)
		text.SortEdits(p.Edits[e.File])
	}
	p.Applied = append(p.Applied, f)
}

// moves reports whether a rename touches a path that another one of the plan moves.
func (p *Plan) moves(r Rename) bool {
	return slices.ContainsFunc(p.Renames, func(have Rename) bool {
		return have.From == r.From || have.To == r.To || have.To == r.From || have.From == r.To
	})
}
