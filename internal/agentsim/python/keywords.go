package python

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

func one(format string, args ...any) []*failure {
	return []*failure{{message: fmt.Sprintf(format, args...)}}
}

func typed(v *validator, want, value, _ *catalog.Node) []*failure {
	names := types(want)
	if slices.ContainsFunc(names, func(t string) bool { return v.isType(value, t) }) {
		return nil
	}
	if want.Is(catalog.String) {
		return one("%s is not of type %s", Repr(value), Repr(want))
	}
	return one("%s is not of type %s", Repr(value), list(want.Items))
}

// list joins the repr() of values.
func list(values []*catalog.Node) string {
	out := make([]string, len(values))
	for i, n := range values {
		out[i] = Repr(n)
	}
	return strings.Join(out, ", ")
}

func required(_ *validator, want, value, _ *catalog.Node) (out []*failure) {
	if !value.Is(catalog.Object) {
		return nil
	}
	for _, key := range want.List() {
		if value.Member(key.Text()) == nil {
			out = append(out, one("%s is a required property", Repr(key))...)
		}
	}
	return out
}

func properties(v *validator, want, value, _ *catalog.Node) (out []*failure) {
	for _, m := range entries(want) {
		if value.Member(m.Key) != nil {
			out = append(out, v.descend(value.Get(m.Key), m.Value, key(m.Key), key(m.Key))...)
		}
	}
	return out
}

func patternProperties(v *validator, want, value, _ *catalog.Node) (out []*failure) {
	for _, p := range entries(want) {
		for _, m := range objectEntries(value) {
			if v.finds(p.Key, m.Key) {
				out = append(out, v.descend(m.Value, p.Value, key(m.Key), key(p.Key))...)
			}
		}
	}
	return out
}

// objectEntries are the members of an object, none of anything else.
func objectEntries(n *catalog.Node) []catalog.Member {
	if !n.Is(catalog.Object) {
		return nil
	}
	return entries(n)
}

// finds is re.search.
func (v *validator) finds(expression, text string) bool {
	found, err := compile(expression).search(text)
	if err != nil {
		v.fail(err)
	}
	return found
}

func matches(v *validator, want, value, _ *catalog.Node) []*failure {
	if !value.Is(catalog.String) || v.finds(want.Text(), value.Text()) {
		return nil
	}
	return one("%s does not match %s", Repr(value), Repr(want))
}

func propertyNames(v *validator, want, value, _ *catalog.Node) (out []*failure) {
	for _, m := range objectEntries(value) {
		out = append(out, v.errors(Node(m.Key), want)...)
	}
	return out
}

func additionalProperties(v *validator, want, value, schema *catalog.Node) (out []*failure) {
	patterns := objectEntries(schema.Get("patternProperties"))
	var extras []string
	for _, m := range objectEntries(value) {
		matched := slices.ContainsFunc(patterns, func(p catalog.Member) bool { return v.finds(p.Key, m.Key) })
		if schema.Get("properties").Member(m.Key) == nil && !matched {
			extras = append(extras, m.Key)
		}
	}
	if allowed, isBool := want.Bool(); len(extras) == 0 || isBool && allowed {
		return nil
	} else if !isBool {
		return v.extraFailures(value, want, extras)
	}
	slices.Sort(extras)
	if schema.Get("patternProperties") == nil {
		return one("Additional properties are not allowed (%s %s unexpected)", quoted(extras), verb(len(extras), "was", "were"))
	}
	var names []string
	for _, p := range patterns {
		names = append(names, p.Key)
	}
	slices.Sort(names)
	return one("%s %s not match any of the regexes: %s", quoted(extras), verb(len(extras), "does", "do"), quoted(names))
}

// extraFailures are those of members that only additionalProperties is about. Python has their names in a set, so that
// nobody knows which of several comes first.
func (v *validator) extraFailures(value, want *catalog.Node, extras []string) (out []*failure) {
	members := 0
	for _, extra := range extras {
		found := v.descend(value.Get(extra), want, key(extra))
		if len(found) > 0 {
			members++
		}
		out = append(out, found...)
	}
	for _, f := range out {
		f.drawn = f.drawn || members > 1
	}
	return out
}

func quoted(words []string) string {
	nodes := make([]*catalog.Node, len(words))
	for i, w := range words {
		nodes[i] = Node(w)
	}
	return list(nodes)
}

func verb(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}

// dependencies has the forms of three keywords.
func dependencies(v *validator, want, value, _ *catalog.Node) (out []*failure) {
	for _, m := range objectEntries(want) {
		if !value.Is(catalog.Object) || value.Member(m.Key) == nil {
			continue
		}
		if !m.Value.Is(catalog.Array) {
			out = append(out, v.branch(value, m.Value, key(m.Key))...)
		}
		for _, other := range m.Value.List() {
			if value.Member(other.Text()) == nil {
				out = append(out, one("%s is a dependency of %s", Repr(other), Repr(Node(m.Key)))...)
			}
		}
	}
	return out
}

func items(v *validator, want, value, schema *catalog.Node) (out []*failure) {
	prefix := len(schema.Get("prefixItems").List())
	if !value.Is(catalog.Array) || len(value.Items) <= prefix {
		return nil
	}
	rest := value.Items[prefix:]
	if allowed, isBool := want.Bool(); isBool && !allowed {
		shown := "[" + list(rest) + "]"
		if len(rest) == 1 {
			shown = Repr(rest[0])
		}
		return one("Expected at most %d %s but found %d extra: %s", prefix, verb(prefix, "item", "items"), len(rest), shown)
	}
	for i, item := range rest {
		out = append(out, v.descend(item, want, step{index: prefix + i})...)
	}
	return out
}

// itemsOrTuple is items before 2020-12, which may be a list.
func itemsOrTuple(v *validator, want, value, schema *catalog.Node) (out []*failure) {
	if want.Is(catalog.Array) {
		return prefixItems(v, want, value, schema)
	}
	for i, item := range value.List() {
		out = append(out, v.descend(item, want, step{index: i})...)
	}
	return out
}

// additionalItems are those behind a list of schemas, before 2020-12.
func additionalItems(v *validator, want, value, schema *catalog.Node) (out []*failure) {
	first := schema.Get("items")
	if !value.Is(catalog.Array) || !first.Is(catalog.Array) || len(value.Items) <= len(first.List()) {
		return nil
	}
	rest := value.Items[len(first.List()):]
	if allowed, isBool := want.Bool(); isBool && !allowed {
		return one("Additional items are not allowed (%s %s unexpected)", list(rest), verb(len(rest), "was", "were"))
	}
	for i, item := range rest {
		out = append(out, v.descend(item, want, step{index: len(first.List()) + i})...)
	}
	return out
}

func prefixItems(v *validator, want, value, _ *catalog.Node) (out []*failure) {
	for i, item := range value.List() {
		if i < len(want.List()) {
			out = append(out, v.descend(item, want.Items[i], step{index: i}, step{index: i})...)
		}
	}
	return out
}

func constant(_ *validator, want, value, _ *catalog.Node) []*failure {
	if equal(value, want) {
		return nil
	}
	return one("%s was expected", Repr(want))
}

func enum(_ *validator, want, value, _ *catalog.Node) []*failure {
	if slices.ContainsFunc(want.List(), func(n *catalog.Node) bool { return equal(n, value) }) {
		return nil
	}
	return one("%s is not one of %s", Repr(value), Repr(want))
}

func contains(v *validator, want, value, schema *catalog.Node) []*failure {
	if !value.Is(catalog.Array) {
		return nil
	}
	least, most := limit(schema.Get("minContains"), 1), limit(schema.Get("maxContains"), len(value.Items))
	found := 0
	for _, item := range value.Items {
		if v.fits(item, want) {
			found++
		}
	}
	switch {
	case found > most:
		return keyed("maxContains", one("Too many items match the given schema (expected at most %d)", most))
	case found >= least:
		return nil
	case found == 0:
		return one("%s does not contain items matching the given schema", Repr(value))
	}
	return keyed("minContains", one("Too few items match the given schema (expected at least %d but only %d matched)", least, found))
}

// containsAny is contains before 2019-09.
func containsAny(v *validator, want, value, _ *catalog.Node) []*failure {
	if !value.Is(catalog.Array) || slices.ContainsFunc(value.Items, func(item *catalog.Node) bool { return v.fits(item, want) }) {
		return nil
	}
	return one("None of %s are valid under the given schema", Repr(value))
}

func keyed(keyword string, f []*failure) []*failure {
	f[0].keyword = keyword
	return f
}

// limit is a count in a schema.
func limit(n *catalog.Node, without int) int {
	if n == nil {
		return without
	}
	return int(float(n))
}

// boundary is minimum, maximum and their exclusive forms.
type boundary struct {
	breaks func(order int) bool // of the value and the bound
	words  string
}

var bounds = map[string]boundary{
	"minimum":          {func(o int) bool { return o < 0 }, "less than the minimum of"},
	"maximum":          {func(o int) bool { return o > 0 }, "greater than the maximum of"},
	"exclusiveMinimum": {func(o int) bool { return o <= 0 }, "less than or equal to the minimum of"},
	"exclusiveMaximum": {func(o int) bool { return o >= 0 }, "greater than or equal to the maximum of"},
}

func (b boundary) check(_ *validator, want, value, _ *catalog.Node) []*failure {
	if !value.Is(catalog.Number) || !want.Is(catalog.Number) || !b.breaks(compare(value, want)) {
		return nil
	}
	return one("%s is %s %s", Repr(value), b.words, Repr(want))
}

// boundOrExclusive is a bound of draft 4, which another keyword may make exclusive.
func boundOrExclusive(name string) check {
	exclusive := "exclusive" + strings.ToUpper(name[:1]) + name[1:]
	return func(v *validator, want, value, schema *catalog.Node) []*failure {
		if on, _ := schema.Get(exclusive).Bool(); on {
			return bounds[exclusive].check(v, want, value, schema)
		}
		return bounds[name].check(v, want, value, schema)
	}
}

// format counts for metaschemas alone, and of their formats only regular expressions are looked at without more packages.
func format(v *validator, want, value, _ *catalog.Node) []*failure {
	if !v.meta || want.Text() != "regex" || !value.Is(catalog.String) {
		return nil
	}
	p := compile(value.Text())
	if p.unknown {
		v.fail(fmt.Errorf("%w: the pattern %s", ErrUnknown, p.text))
	}
	if p.valid || p.unknown {
		return nil
	}
	return one("%s is not a 'regex'", Repr(value))
}

func multipleOf(_ *validator, want, value, _ *catalog.Node) []*failure {
	if !value.Is(catalog.Number) {
		return nil
	}
	failed := false
	if isFloat(want) {
		q := float(value) / float(want)
		failed = q != math.Trunc(q)
	} else if x, y := exact(value), exact(want); x != nil && y.Sign() != 0 {
		failed = !new(big.Rat).Quo(x, y).IsInt()
	}
	if !failed {
		return nil
	}
	return one("%s is not a multiple of %s", Repr(value), number(want))
}

// measure is a keyword on how much there is of something.
type measure struct {
	kind  catalog.Kind
	least bool
	words string // when there is too little or too much
}

var sizes = map[string]measure{
	"minLength": {catalog.String, true, "is too short"}, "maxLength": {catalog.String, false, "is too long"},
	"minItems": {catalog.Array, true, "is too short"}, "maxItems": {catalog.Array, false, "is too long"},
	"minProperties": {catalog.Object, true, "does not have enough properties"},
	"maxProperties": {catalog.Object, false, "has too many properties"},
}

func (m measure) check(_ *validator, want, value, _ *catalog.Node) []*failure {
	if !value.Is(m.kind) {
		return nil
	}
	n, bound := len(value.Items), limit(want, 0)
	switch m.kind {
	case catalog.String:
		n = utf8.RuneCountInString(value.Text())
	case catalog.Object:
		n = len(entries(value))
	}
	words := m.words
	switch {
	case m.least && n >= bound, !m.least && n <= bound:
		return nil
	case m.least && bound == 1:
		words = "should be non-empty"
	case !m.least && bound == 0:
		words = "is expected to be empty"
	}
	return one("%s %s", Repr(value), words)
}

func uniqueItems(_ *validator, want, value, _ *catalog.Node) []*failure {
	if wanted, _ := want.Bool(); !wanted || !value.Is(catalog.Array) {
		return nil
	}
	for i, item := range value.Items {
		if slices.ContainsFunc(value.Items[:i], func(n *catalog.Node) bool { return equal(n, item) }) {
			return one("%s has non-unique elements", Repr(value))
		}
	}
	return nil
}

func allOf(v *validator, want, value, _ *catalog.Node) (out []*failure) {
	for i, s := range want.List() {
		out = append(out, v.branch(value, s, step{index: i})...)
	}
	return out
}

// firstFit returns the branch that the value fits, -1 when there is none, and the errors of those before.
func (v *validator) firstFit(branches []*catalog.Node, value *catalog.Node) (int, []*failure) {
	var all []*failure
	for i, s := range branches {
		found := v.branch(value, s, step{index: i})
		if len(found) == 0 {
			return i, all
		}
		all = append(all, found...)
	}
	return -1, all
}

func anyOf(v *validator, want, value, _ *catalog.Node) []*failure {
	fit, causes := v.firstFit(want.List(), value)
	if fit >= 0 {
		return nil
	}
	return []*failure{{message: Repr(value) + " is not valid under any of the given schemas", context: causes}}
}

func oneOf(v *validator, want, value, _ *catalog.Node) []*failure {
	branches := want.List()
	fit, causes := v.firstFit(branches, value)
	if fit < 0 {
		return []*failure{{message: Repr(value) + " is not valid under any of the given schemas", context: causes}}
	}
	var more []*catalog.Node
	for _, s := range branches[fit+1:] {
		if v.fits(value, s) {
			more = append(more, s)
		}
	}
	if more == nil {
		return nil
	}
	return one("%s is valid under each of %s", Repr(value), list(append(more, branches[fit])))
}

func not(v *validator, want, value, _ *catalog.Node) []*failure {
	if !v.fits(value, want) {
		return nil
	}
	return one("%s should not be valid under %s", Repr(value), Repr(want))
}

func conditional(v *validator, want, value, schema *catalog.Node) []*failure {
	name := "else"
	if v.fits(value, want) {
		name = "then"
	}
	if schema.Get(name) == nil {
		return nil
	}
	return v.branch(value, schema.Get(name), key(name))
}
