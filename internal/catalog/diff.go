package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Op says what happened to something between two catalogues.
type Op string

// What can happen to a tool, or to a value in it.
const (
	Added   Op = "added"
	Removed Op = "removed"
	Changed Op = "changed"
)

var signs = map[Op]string{Added: "+", Removed: "-", Changed: "~"}

// Change is a difference between what a server offered and what it offers now.
type Change struct {
	Op       Op
	Server   string
	Tool     string // "" when the change is about the server itself
	Old, New Tool   // the tool before and after; without a node where there was none
	Edits    []Edit // what changed inside
}

// Edit is a difference inside a tool or a server.
type Edit struct {
	Op       Op
	Pointer  string // RFC 6901, into the tool; of an added or removed array item, the array's
	Old, New *Node  // nil where there was none
	// Instructions of a server are not part of a JSON text.
	oldText, newText string
}

// String describes the change in lines for people: what changed first, then one line an edit.
func (c Change) String() string {
	subject := fmt.Sprintf("server %q", c.Server)
	if c.Tool != "" {
		subject = fmt.Sprintf("tool %q of %s", c.Tool, subject)
	}
	lines := []string{subject + " " + string(c.Op)}
	for _, e := range c.Edits {
		lines = append(lines, "  "+e.String())
	}
	return strings.Join(lines, "\n")
}

func (e Edit) String() string {
	before, after := shorten(e.oldText+e.Old.Raw(), e.newText+e.New.Raw())
	value := after
	switch e.Op {
	case Removed:
		value = before
	case Changed:
		value = before + " → " + after
	}
	return fmt.Sprintf("%s %s: %s", signs[e.Op], e.Pointer, value)
}

// Diff lists what changed from one catalogue to the other, by server and tool. Only servers both know are compared
// in detail; one that only one of them knows is a change of its own. White space, the order of tools and the order
// of keys are no changes.
func Diff(before, after *Catalog) []Change {
	var changes []Change
	for _, s := range before.Servers {
		if now := after.Server(s.Name); now != nil {
			changes = append(changes, DiffServer(s, now)...)
		} else {
			changes = append(changes, Change{Op: Removed, Server: s.Name})
		}
	}
	for _, s := range after.Servers {
		if before.Server(s.Name) == nil {
			changes = append(changes, Change{Op: Added, Server: s.Name})
		}
	}
	return changes
}

// DiffServer lists what changed in one server. Tools that share a name are compared in their sorted order.
func DiffServer(before, after *Server) []Change {
	var changes []Change
	if before.Instructions != after.Instructions {
		e := Edit{Op: Changed, Pointer: "/instructions", oldText: string(quote(before.Instructions)), newText: string(quote(after.Instructions))}
		changes = append(changes, Change{Op: Changed, Server: after.Name, Edits: []Edit{e}})
	}
	was, is := sorted(before.Tools), sorted(after.Tools)
	for len(was) > 0 || len(is) > 0 {
		var c Change
		c, was, is = nextChange(was, is)
		c.Server = after.Name
		if c.Op != "" {
			changes = append(changes, c)
		}
	}
	return changes
}

// nextChange takes the tool with the smallest name from two sorted lists. The change has no Op when both have it
// and it is the same.
func nextChange(was, is []Tool) (Change, []Tool, []Tool) {
	switch {
	case len(is) == 0 || len(was) > 0 && was[0].Name() < is[0].Name():
		return Change{Op: Removed, Tool: was[0].Name(), Old: was[0]}, was[1:], is
	case len(was) == 0 || is[0].Name() < was[0].Name():
		return Change{Op: Added, Tool: is[0].Name(), New: is[0]}, was, is[1:]
	case was[0].Hash() == is[0].Hash():
		return Change{}, was[1:], is[1:]
	}
	c := Change{Op: Changed, Tool: is[0].Name(), Old: was[0], New: is[0], Edits: Edits(was[0].Node, is[0].Node)}
	return c, was[1:], is[1:]
}

// Edits lists what changed from one value to another. White space and the order of keys are no changes.
func Edits(before, after *Node) []Edit {
	var edits []Edit
	diffNode("", before, after, &edits)
	return edits
}

func diffNode(pointer string, before, after *Node, edits *[]Edit) {
	switch {
	case before.Hash() == after.Hash():
	case before.Is(Object) && after.Is(Object):
		diffObject(pointer, before, after, edits)
	case isSet(before) && isSet(after):
		diffSet(pointer, before, after, edits)
	case before.Is(Array) && after.Is(Array):
		diffArray(pointer, before, after, edits)
	default:
		*edits = append(*edits, Edit{Op: Changed, Pointer: pointer, Old: before, New: after})
	}
}

func diffObject(pointer string, before, after *Node, edits *[]Edit) {
	for _, m := range before.Members {
		at := Join(pointer, m.Key)
		if now := after.Get(m.Key); now != nil {
			diffNode(at, m.Value, now, edits)
		} else {
			*edits = append(*edits, Edit{Op: Removed, Pointer: at, Old: m.Value})
		}
	}
	for _, m := range after.Members {
		if before.Get(m.Key) == nil {
			*edits = append(*edits, Edit{Op: Added, Pointer: Join(pointer, m.Key), New: m.Value})
		}
	}
}

func diffArray(pointer string, before, after *Node, edits *[]Edit) {
	for i := range max(len(before.Items), len(after.Items)) {
		at := Join(pointer, strconv.Itoa(i))
		switch {
		case i >= len(after.Items):
			*edits = append(*edits, Edit{Op: Removed, Pointer: at, Old: before.Items[i]})
		case i >= len(before.Items):
			*edits = append(*edits, Edit{Op: Added, Pointer: at, New: after.Items[i]})
		default:
			diffNode(at, before.Items[i], after.Items[i], edits)
		}
	}
}

// isSet reports whether n is an array of scalars without repetition, such as enum or required, of which one wants
// to know what came and went.
func isSet(n *Node) bool {
	seen := map[string]bool{}
	for _, item := range n.List() {
		if item.Is(Object) || item.Is(Array) || seen[item.Hash()] {
			return false
		}
		seen[item.Hash()] = true
	}
	return n.Is(Array)
}

func diffSet(pointer string, before, after *Node, edits *[]Edit) {
	none := len(*edits)
	for _, item := range without(before, after) {
		*edits = append(*edits, Edit{Op: Removed, Pointer: pointer, Old: item})
	}
	for _, item := range without(after, before) {
		*edits = append(*edits, Edit{Op: Added, Pointer: pointer, New: item})
	}
	if len(*edits) == none { // only the order differs
		*edits = append(*edits, Edit{Op: Changed, Pointer: pointer, Old: before, New: after})
	}
}

// without returns the items of a that are not in b.
func without(a, b *Node) []*Node {
	return slices.DeleteFunc(slices.Clone(a.Items), func(item *Node) bool {
		return slices.ContainsFunc(b.Items, func(other *Node) bool { return item.Hash() == other.Hash() })
	})
}

// Of a value that is long, an edit shows this many bytes on each side of what differs, and this many of that.
const (
	shownAround = 24
	shownInside = 240
)

// shorten cuts two texts down to where they differ.
func shorten(a, b string) (string, string) {
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return window(a, start, len(a)-end), window(b, start, len(b)-end)
}

// window returns s from a little before start to a little after end.
func window(s string, start, end int) string {
	from, to := max(start-shownAround, 0), min(end+shownAround, len(s), start+shownInside)
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	cut := s[from:to]
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(s) {
		cut += "…"
	}
	return visible(strings.Join(strings.Fields(cut), " "))
}

// visible writes characters that cannot be seen as \u{…}: what a server says may be meant to deceive the reader.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%04X}`, r)
		}
	}
	return b.String()
}
