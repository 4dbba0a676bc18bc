package turn

import (
	"cmp"
	"slices"
)

// byEnd puts calls that begin at once into the order in which they end, which is the order of their results: asyncio
// gathers them. Those that take equally long end in the order of the calls, as functions do that wait for nothing.
func (p *player) byEnd(calls []*pending) []*pending {
	out := slices.Clone(calls)
	slices.SortStableFunc(out, func(x, y *pending) int {
		return cmp.Or(cmp.Compare(x.turn(), y.turn()), cmp.Compare(x.duration(), y.duration()))
	})
	for i := 1; i < len(out); i++ {
		if x, y := out[i-1], out[i]; x.runs() && y.runs() && x.Takes == y.Takes {
			p.note("%s runs %s and %s at once (line %d), and their results stand in the order in which they end. The script does not say which ends first (takes: SECONDS), so it is the order of the calls.",
				p.label(), x.Tool, y.Tool, y.Line)
			break
		}
	}
	return out
}

// turn orders calls that the user was asked about: what is refused is told before what is allowed runs, and where nobody
// answers the reply waits.
func (c *pending) turn() int {
	switch {
	case !c.ask, c.Allow != nil && !*c.Allow:
		return 0
	case c.Allow != nil:
		return 1
	}
	return 2
}

// runs reports whether a call is made, and not ended by a fault or the user.
func (c *pending) runs() bool { return c.fault == nil && (!c.ask || c.turn() == 1) }

// duration is how long a call takes. One that is not made ends at once.
func (c *pending) duration() float64 {
	if !c.runs() {
		return 0
	}
	return c.Takes
}
