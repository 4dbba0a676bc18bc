package profile

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Budget is the room a client gives its listing.
type Budget struct {
	Policy   string `yaml:"policy"`   // none (also when empty), drop-last, shrink-evenly, described-first, max-items, first-lines
	Limit    int    `yaml:"limit"`    // in Unit
	Unit     string `yaml:"unit"`     // utf16 characters (also when empty), or tokens: bytes/4, each item rounded up
	Own      []Own  `yaml:"own"`      // the client's bundled skills, which share the room
	Names    string `yaml:"names"`    // described-first: the text that names the others, with {names}
	Overflow string `yaml:"overflow"` // max-items: the text after the last item, with {n}
	// Of first-lines:
	Reserved int      `yaml:"reserved"` // room that the client's bundled skills take
	After    []string `yaml:"after"`    // what is still added to a description, as in Shown.After
}

// Own is a skill bundled with a client.
type Own struct {
	Name        string `yaml:"name"`
	Path        string `yaml:"path"`
	Description int    `yaml:"description"` // characters
}

// plan is what a budget decides about listed skills, by their index.
type plan struct {
	bare    map[int]bool // no description
	cut     map[int]int  // codepoints of description left
	omitted map[int]bool
	texts   map[int]string // descriptions in place of the whole ones
	tail    string         // text after the items
	used    int
}

// budgets are the policies a profile may name.
var budgets = map[string]func(*Budget, *Profile, []*play) plan{
	"":                func(*Budget, *Profile, []*play) plan { return plan{} },
	"none":            func(*Budget, *Profile, []*play) plan { return plan{} },
	"drop-last":       (*Budget).dropLast,
	"shrink-evenly":   (*Budget).shrinkEvenly,
	"described-first": (*Budget).describedFirst,
	"max-items":       (*Budget).maxItems,
	"first-lines":     (*Budget).firstLines,
}

// size is the cost of one skill in a listing, with its line break.
func (b *Budget) size(s *play, bare bool) int {
	if b.Unit == "tokens" {
		return tokens(s.itemLength(bare, "bytes") + 1)
	}
	return s.itemLength(bare, "utf16") + 1
}

// tokens is Codex's estimate: bytes/4, rounded up.
func tokens(bytes int) int { return (bytes + 3) / 4 }

// dropLast takes descriptions from the end of the listing until it fits; all
// names stay.
func (b *Budget) dropLast(_ *Profile, shown []*play) plan {
	pl := plan{bare: map[int]bool{}, used: b.own() - 1}
	for _, s := range shown {
		pl.used += b.size(s, false)
	}
	for i := len(shown) - 1; i >= 0 && pl.used > b.Limit; i-- {
		if shown[i].out.Description == "" {
			continue
		}
		pl.used += b.bareSize(shown[i]) - b.size(shown[i], false)
		pl.bare[i] = true
	}
	return pl
}

// own is the cost of the bundled skills.
func (b *Budget) own() int {
	n := 0
	for _, o := range b.Own {
		n += len("- ") + len(o.Name) + 1
		if o.Description > 0 {
			n += len(": ") + o.Description
		}
	}
	return n
}

// bareSize is the cost of a skill without its description.
func (b *Budget) bareSize(s *play) int {
	full := s.out.Description
	s.out.Description = ""
	size := b.size(s, true)
	s.out.Description = full
	return size
}

// share is one skill competing for the room of shrinkEvenly.
type share struct {
	index int    // in the listing, -1 for a bundled skill
	fixed int    // bytes of the item without its description
	rest  string // of the description, without the kept part
	kept  int    // codepoints
	bytes int    // of the kept part
}

// shrinkEvenly gives every description one character after the other, in
// turns, until the room is used up. When the names alone do not fit, the items
// at the end are left out.
func (b *Budget) shrinkEvenly(p *Profile, shown []*play) plan {
	shares := b.shares(p, shown)
	pl := plan{cut: map[int]int{}, omitted: map[int]bool{}}
	for i := range shares {
		cost := tokens(shares[i].fixed)
		if pl.used+cost > b.Limit && shares[i].index >= 0 {
			pl.omitted[shares[i].index] = true
			continue
		}
		pl.used += cost
	}
	for grown := true; grown; {
		grown = false
		for i := range shares {
			if s := &shares[i]; !pl.omitted[s.index] && b.grow(s, &pl.used) {
				grown = true
			}
		}
	}
	for _, s := range shares {
		if s.index >= 0 && s.rest != "" {
			pl.cut[s.index] = s.kept
		}
	}
	return pl
}

// grow adds one character when it fits.
func (b *Budget) grow(s *share, used *int) bool {
	if s.rest == "" {
		return false
	}
	c, size := utf8.DecodeRuneInString(s.rest)
	more := utf8.RuneLen(c)
	cost := tokens(s.fixed+s.bytes+more) - tokens(s.fixed+s.bytes)
	if *used+cost > b.Limit {
		return false
	}
	*used += cost
	s.rest, s.bytes = s.rest[size:], s.bytes+more
	s.kept++
	return true
}

func (b *Budget) shares(p *Profile, shown []*play) []share {
	out := make([]share, 0, len(b.Own)+len(shown))
	for _, o := range b.Own {
		item := fill(p.Listing.Item, func(key string) string {
			return map[string]string{"name": o.Name, "location": o.Path}[key]
		})
		out = append(out, share{index: -1, fixed: len(item) + 1, rest: strings.Repeat("x", o.Description)})
	}
	for i, s := range shown {
		description := s.out.Description
		out = append(out, share{index: i, fixed: s.itemLength(false, "bytes") - len(description) + 1, rest: description})
	}
	return out
}

// describedFirst shows items in full while they fit and names the others.
func (b *Budget) describedFirst(p *Profile, shown []*play) plan {
	pl := plan{omitted: map[int]bool{}, bare: map[int]bool{}}
	var names []byte
	for i, s := range shown {
		size := b.size(s, false)
		if len(pl.bare) == 0 && pl.used+size-1 <= b.Limit {
			pl.used += size
			continue
		}
		pl.bare[i] = true
		if names != nil {
			names = append(names, ", "...)
		}
		names = append(names, s.out.Name...)
	}
	if names != nil {
		pl.tail = fill(b.Names, func(string) string { return string(names) })
	}
	return pl
}

// maxItems leaves out what lies beyond the limit.
func (b *Budget) maxItems(_ *Profile, shown []*play) plan {
	pl := plan{omitted: map[int]bool{}, used: min(len(shown), b.Limit)}
	for i := b.Limit; i < len(shown); i++ {
		pl.omitted[i] = true
	}
	if n := len(pl.omitted); n > 0 {
		pl.tail = fill(b.Overflow, func(string) string { return strconv.Itoa(n) })
	}
	return pl
}

// firstLines leaves every description its first line when the whole listing is too long, however long it is then.
func (b *Budget) firstLines(p *Profile, shown []*play) plan {
	pl := plan{used: b.Reserved - 1}
	for _, s := range shown {
		pl.used += b.size(s, false)
	}
	if pl.used <= b.Limit {
		return pl
	}
	pl.texts = map[int]string{}
	how := p.Listing.Description
	how.After = b.After
	for i, s := range shown {
		line, _, _ := strings.Cut(s.field("description").text, "\n")
		if text := s.shown(&how, strings.TrimSpace(line)); text != s.out.Description {
			pl.texts[i] = text
		}
	}
	return pl
}
