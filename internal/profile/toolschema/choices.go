package toolschema

import (
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Combinators are the keywords that clients and providers do not take at the root of a schema.
var combinators = []string{"anyOf", "oneOf", "allOf"}

// choices are the first two of them, of whose branches one is enough.
var choices = combinators[:2]

// combinators does what the client does to anyOf, oneOf and allOf at the root.
func (w *rewriter) combinators(v *value) {
	switch w.rules.Combinators {
	case "merge":
		w.merge(v)
	case "describe":
		w.describeRoot(v)
	}
}

// flatKeys are the keywords that stay beside merged parameters, in the order in which they are sent.
var flatKeys = []string{"type", "properties", "required", "$defs", "definitions", "$schema", "description", "title", "additionalProperties"}

// merge offers the parameters of all branches and tells of the choice in words, as Claude Code does since 2.1.195. What every
// branch of a choice requires is required, and what any branch of allOf does. Captured with 2.1.332, 2026-11-30.
func (w *rewriter) merge(v *value) {
	branches := map[string][]*value{}
	for _, key := range combinators {
		for _, b := range v.get(key).itemsOf() {
			branches[key] = append(branches[key], resolved(v, b))
		}
	}
	properties := w.properties(v)
	adoptVariants(properties, slices.Concat(branches["anyOf"], branches["oneOf"]))
	for _, b := range branches["allOf"] {
		for _, p := range b.get("properties").membersOf() {
			if properties.get(p.key) == nil {
				properties.set(p.key, p.value)
			}
		}
	}
	required := names(v.get("required"))
	for _, b := range branches["allOf"] {
		required = append(required, names(b.get("required"))...)
	}
	for _, key := range choices {
		required = append(required, inEach(branches[key])...)
	}
	w.requireKnown(v, required)
	if words := choiceInWords(v, branches); words != "" {
		w.shown.Description = "Input constraint: " + words + "\n\n" + w.shown.Description
	}
	w.flatten(v)
}

// requireKnown sets what a schema requires, each parameter once, and none that it does not have.
func (w *rewriter) requireKnown(v *value, required []string) {
	own := names(v.get("required"))
	out := array()
	seen := map[string]bool{}
	for _, name := range required {
		if !seen[name] && (v.get("properties").get(name) != nil || slices.Contains(own, name)) {
			out.items = append(out.items, text(name))
		}
		seen[name] = true
	}
	v.set("required", out)
}

// flatten leaves the keywords of a merged schema.
func (w *rewriter) flatten(v *value) {
	if v.get("additionalProperties") == nil {
		v.set("additionalProperties", literal("true"))
	}
	for _, m := range v.members {
		switch {
		case slices.Contains(combinators, m.key):
			w.tell(m.key, rootPointer+"/"+m.key, "top-level "+m.key+" merged into one list of parameters", true)
		case !slices.Contains(flatKeys, m.key):
			w.tell(m.key, catalog.Join(rootPointer, m.key), m.key+" removed", informs(m.key))
		}
	}
	flat := object()
	for _, key := range flatKeys {
		if kept := v.get(key); kept != nil {
			flat.set(key, kept)
		}
	}
	v.members = flat.members
}

// choiceInWords says which parameters go together.
func choiceInWords(v *value, branches map[string][]*value) string {
	for _, c := range []struct{ key, much string }{{"oneOf", "exactly one of"}, {"anyOf", "at least one of"}} {
		if v.get(c.key) == nil {
			continue
		}
		var groups []string
		for _, b := range branches[c.key] {
			group := names(b.get("required"))
			if len(group) == 0 {
				for _, p := range b.get("properties").membersOf() {
					group = append(group, p.key)
				}
			}
			if s := "(" + strings.Join(group, ", ") + ")"; len(group) > 0 && !slices.Contains(groups, s) {
				groups = append(groups, s)
			}
		}
		if len(groups) == 0 {
			return "Provide parameters for " + c.much + " the documented parameter groups (flattened from a JSON Schema " + c.key + ")."
		}
		return "Provide parameters for " + c.much + ": " + strings.Join(groups, " or ") + "."
	}
	return "all listed parameters apply together (flattened from a JSON Schema allOf)."
}

// describeRoot turns a choice into words, as Copilot CLI does, and offers those parameters with their schemas that every branch
// has. The branches of allOf are laid over the schema. Captured with 1.0.102, 2026-11-30.
func (w *rewriter) describeRoot(v *value) {
	w.overlay(v)
	properties := w.properties(v)
	for _, key := range choices {
		branches := v.take(key)
		if branches == nil {
			continue
		}
		words := "{" + key + ": " + branches.sorted().String() + "}"
		v.set("description", text(joinWords(v.get("description").str(), words)))
		adoptCommon(properties, branches.items)
		w.tell(key, rootPointer+"/"+key, "top-level "+key+" moved into the description, parameters that not every branch has lose their schemas", true)
	}
}

// overlay lays the branches of allOf over a schema: their parameters in the place of its own, and what they require beside.
func (w *rewriter) overlay(v *value) {
	branches := v.take("allOf")
	if branches == nil {
		return
	}
	required := names(v.get("required"))
	for _, b := range branches.items {
		for _, p := range b.get("properties").membersOf() {
			w.properties(v).set(p.key, p.value)
		}
		required = append(required, names(b.get("required"))...)
	}
	if len(required) > 0 {
		w.requireKnown(v, required)
	}
	w.tell("allOf", rootPointer+"/allOf", "top-level allOf merged into one list of parameters", true)
}

// variants returns the schemas that the branches have for each parameter, in order, equal ones once, and in how many
// branches each parameter stands.
func variants(branches []*value) (order []string, of map[string][]*value, count map[string]int) {
	of, count = map[string][]*value{}, map[string]int{}
	for _, b := range branches {
		for _, p := range b.get("properties").membersOf() {
			if count[p.key]++; count[p.key] == 1 {
				order = append(order, p.key)
			}
			if !slices.ContainsFunc(of[p.key], func(have *value) bool { return have.String() == p.value.String() }) {
				of[p.key] = append(of[p.key], p.value)
			}
		}
	}
	return order, of, count
}

// adoptVariants adds the parameters of some branches that there are not yet: those with several schemas with all of them.
func adoptVariants(properties *value, branches []*value) {
	order, of, _ := variants(branches)
	for _, name := range order {
		if properties.get(name) == nil {
			properties.set(name, anyOf(of[name]))
		}
	}
}

// adoptCommon adds the parameters of a choice that there are not yet: those that a branch lacks without their schemas.
func adoptCommon(properties *value, branches []*value) {
	order, of, count := variants(branches)
	for _, name := range order {
		switch list := of[name]; {
		case properties.get(name) != nil:
		case count[name] < len(branches):
			properties.set(name, object())
		case len(list) > 1 && constants(list) != nil:
			properties.set(name, object(member{"enum", array(constants(list)...)}))
		default:
			properties.set(name, anyOf(list))
		}
	}
}

// constants returns the values of schemas that are a const or an enum and nothing else, nil when one is more.
func constants(list []*value) []*value {
	var out []*value
	for _, v := range list {
		switch c, enum := v.get("const"), v.get("enum"); {
		case len(v.members) == 1 && c != nil:
			out = append(out, c)
		case len(v.members) == 1 && enum.is(catalog.Array):
			out = append(out, enum.items...)
		default:
			return nil
		}
	}
	return out
}

func anyOf(list []*value) *value {
	if len(list) == 1 {
		return list[0]
	}
	return object(member{"anyOf", array(list...)})
}

// inEach returns the parameters that every branch requires.
func inEach(branches []*value) []string {
	var out []string
	for i, b := range branches {
		required := names(b.get("required"))
		if i == 0 {
			out = required
			continue
		}
		out = slices.DeleteFunc(out, func(name string) bool { return !slices.Contains(required, name) })
	}
	return out
}

// names returns the texts of a list.
func names(list *value) []string {
	var out []string
	for _, item := range list.itemsOf() {
		out = append(out, item.str())
	}
	return out
}

func (v *value) itemsOf() []*value {
	if v == nil {
		return nil
	}
	return v.items
}

func (v *value) membersOf() []member {
	if v == nil {
		return nil
	}
	return v.members
}
