package python

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// ErrSchema says that jsonschema.validate raises a SchemaError: the schema itself is wrong.
var ErrSchema = errors.New("the schema is not valid")

// ErrReference says that a reference leads nowhere, which jsonschema finds out when it follows it.
var ErrReference = errors.New("a reference of the schema leads nowhere")

// ErrUnknown says that nobody here can tell what jsonschema does: a pattern that Go cannot read, or a keyword that is
// not played.
var ErrUnknown = errors.New("what jsonschema makes of the schema is not known")

// Invalid is a ValidationError.
type Invalid struct {
	Message string
	Pointer string // RFC 6901, into the value
	failure *failure
}

// Validate does what jsonschema.validate(value, schema) does, of version 4.26: it returns the error that the library
// holds for the best, nil when the value fits. The error is ErrSchema, ErrReference or ErrUnknown, wrapped.
func Validate(value, schema *catalog.Node) (*Invalid, error) {
	if err := checkSchema(schema); err != nil {
		return nil, err
	}
	address, _ := catalog.Dialect(schema)
	v := &validator{root: schema, legacy: strings.Contains(address, "/draft-0")}
	best := bestMatch(v.errors(value, schema))
	if v.fault != nil {
		return nil, v.fault
	}
	if best == nil {
		return nil, nil
	}
	return &Invalid{Message: best.message, Pointer: catalog.Join("", best.tokens()...), failure: best}, nil
}

// checkSchema is check_schema.
func checkSchema(schema *catalog.Node) error {
	faults := catalog.SchemaFaults(schema)
	if _, known := catalog.Dialect(schema); !known {
		faults = catalog.FaultsIn2020(schema)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%w: %s: %s", ErrSchema, cmp.Or(faults[0].Pointer, "/"), faults[0].Reason)
	}
	if reason := catalog.SchemaBound(schema); reason != "" {
		return fmt.Errorf("%w: it %s", ErrUnknown, reason)
	}
	var refused error
	catalog.WalkSchema(schema, func(pointer string, n *catalog.Node) {
		if p := n.Get("pattern"); refused == nil && p.Is(catalog.String) && compile(p.Text()).refused {
			refused = fmt.Errorf("%w: %s/pattern: %s is not a 'regex'", ErrSchema, pointer, Repr(p))
		}
	})
	return refused
}

// failure is one ValidationError.
type failure struct {
	message string
	keyword string
	path    []step // from the value that the error's parent is about
	at      []step // from its schema to what is broken
	set     bool   // keyword, typed, value and schema are final
	typed   bool   // the value has the type that the schema with the keyword wants
	value   *catalog.Node
	schema  *catalog.Node
	context []*failure
	parent  []step
}

// step is a key or an index.
type step struct {
	key   string
	index int // -1 for a key
}

func (f *failure) tokens() []string {
	var out []string
	for _, s := range slices.Concat(f.parent, f.path) {
		if s.index >= 0 {
			out = append(out, strconv.Itoa(s.index))
		} else {
			out = append(out, s.key)
		}
	}
	return out
}

// relevance orders errors as jsonschema.exceptions.relevance does.
func relevance(a, b *failure) int {
	return cmp.Or(
		cmp.Compare(len(b.path), len(a.path)),
		slices.CompareFunc(a.path, b.path, func(x, y step) int {
			return cmp.Or(cmp.Compare(x.index, y.index), cmp.Compare(x.key, y.key))
		}),
		compareBool(!weak(a), !weak(b)),
		compareBool(!a.typed, !b.typed),
	)
}

func weak(f *failure) bool { return f.keyword == "anyOf" || f.keyword == "oneOf" }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// bestMatch is jsonschema.exceptions.best_match: of errors side by side the first of the most relevant ones, and
// inside one that has causes the least relevant cause, unless two are equally so.
func bestMatch(all []*failure) *failure {
	if len(all) == 0 {
		return nil
	}
	best := all[0]
	for _, f := range all[1:] {
		if relevance(f, best) > 0 {
			best = f
		}
	}
	for len(best.context) > 0 {
		causes := slices.Clone(best.context)
		slices.SortStableFunc(causes, relevance)
		if len(causes) > 1 && relevance(causes[0], causes[1]) == 0 {
			return best
		}
		causes[0].parent = slices.Concat(best.parent, best.path)
		best = causes[0]
	}
	return best
}

// mostSteps bounds the work on schemas that refer to themselves.
const mostSteps = 100_000

type validator struct {
	root   *catalog.Node
	legacy bool // of a draft before 2019-09, where $ref hides what stands beside it
	steps  int
	fault  error
}

// errors is iter_errors.
func (v *validator) errors(value, schema *catalog.Node) []*failure {
	if v.steps++; v.steps > mostSteps {
		v.fail(fmt.Errorf("%w: it refers to itself without an end", ErrUnknown))
	}
	if allowed, isBool := schema.Bool(); isBool && !allowed {
		return []*failure{{message: "False schema does not allow " + Repr(value), set: true, value: value, schema: schema}}
	}
	if v.fault != nil || !schema.Is(catalog.Object) {
		return nil
	}
	var out []*failure
	for _, m := range entries(schema) {
		if v.legacy && m.Key != "$ref" && schema.Get("$ref") != nil {
			continue
		}
		check := keywords[m.Key]
		if check == nil {
			continue
		}
		for _, f := range check(v, m.Value, value, schema) {
			if !f.set {
				f.set, f.keyword, f.typed = true, cmp.Or(f.keyword, m.Key), matchesType(value, schema)
				f.value, f.schema = value, schema
			}
			if m.Key != "$ref" && m.Key != "if" {
				f.at = append([]step{key(m.Key)}, f.at...)
			}
			out = append(out, f)
		}
	}
	return out
}

func (v *validator) fail(err error) {
	if v.fault == nil {
		v.fault = err
	}
}

// descend is the errors of a part of the value, and of a part of the schema where that has a place of its own. The one
// that a false schema makes counts as that of the whole.
func (v *validator) descend(value, schema *catalog.Node, path step, at ...step) []*failure {
	found := v.branch(value, schema, at...)
	if schema.Is(catalog.Bool) {
		return found
	}
	for _, f := range found {
		f.path = append([]step{path}, f.path...)
	}
	return found
}

// branch is the errors of the same value by a part of the schema.
func (v *validator) branch(value, schema *catalog.Node, at ...step) []*failure {
	found := v.errors(value, schema)
	if schema.Is(catalog.Bool) {
		return found
	}
	for _, f := range found {
		f.at = slices.Concat(at, f.at)
	}
	return found
}

func (v *validator) fits(value, schema *catalog.Node) bool { return len(v.errors(value, schema)) == 0 }

func matchesType(value, schema *catalog.Node) bool {
	return slices.ContainsFunc(types(schema.Get("type")), func(t string) bool { return value.IsType(t) })
}

func types(n *catalog.Node) []string {
	if n.Is(catalog.String) {
		return []string{n.Text()}
	}
	var out []string
	for _, t := range n.List() {
		out = append(out, t.Text())
	}
	return out
}

// equal compares values as JSON Schema does: True is not 1, and 1 is 1.0.
func equal(a, b *catalog.Node) bool {
	switch {
	case a.Kind != b.Kind:
		return false
	case a.Kind == catalog.Number:
		return compare(a, b) == 0
	case a.Kind == catalog.String:
		return a.Text() == b.Text()
	case a.Kind == catalog.Array:
		return slices.EqualFunc(a.Items, b.Items, equal)
	case a.Kind == catalog.Object:
		x, y := entries(a), entries(b)
		return len(x) == len(y) && !slices.ContainsFunc(x, func(m catalog.Member) bool {
			other := b.Get(m.Key)
			return other == nil || !equal(m.Value, other)
		})
	}
	return a.Raw() == b.Raw()
}

// check is one keyword: what stands there, the value, and the schema around it.
type check func(v *validator, want, value, schema *catalog.Node) []*failure

var keywords map[string]check

func init() {
	keywords = map[string]check{
		"$ref": reference, "additionalProperties": additionalProperties, "allOf": allOf, "anyOf": anyOf, "const": constant,
		"contains": contains, "dependencies": dependencies, "dependentRequired": dependencies, "dependentSchemas": dependencies,
		"enum": enum, "if": conditional, "items": items, "multipleOf": multipleOf, "not": not, "oneOf": oneOf, "pattern": matches,
		"patternProperties": patternProperties, "prefixItems": prefixItems, "properties": properties,
		"propertyNames": propertyNames, "required": required, "type": typed, "uniqueItems": uniqueItems,
		"$dynamicRef": notPlayed, "unevaluatedItems": notPlayed, "unevaluatedProperties": notPlayed,
	}
	for name, b := range bounds {
		keywords[name] = b.check
	}
	for name, s := range sizes {
		keywords[name] = s.check
	}
}

func one(format string, args ...any) []*failure {
	return []*failure{{message: fmt.Sprintf(format, args...)}}
}

func notPlayed(v *validator, _, _, _ *catalog.Node) []*failure {
	v.fail(fmt.Errorf("%w: it uses keywords that are not played", ErrUnknown))
	return nil
}

func reference(v *validator, want, value, _ *catalog.Node) []*failure {
	target, err := resolve(v.root, want.Text())
	if err != nil {
		v.fail(err)
		return nil
	}
	return v.errors(value, target)
}

// resolve follows a reference inside the schema.
func resolve(root *catalog.Node, ref string) (*catalog.Node, error) {
	for _, r := range catalog.Refs(root) {
		switch {
		case r.Target != ref:
		case r.Remote:
			return nil, fmt.Errorf("%w: %s is another document", ErrUnknown, ref)
		case r.Missing:
			return nil, fmt.Errorf("%w: %s", ErrReference, ref)
		}
	}
	part, local := strings.CutPrefix(ref, "#")
	if local && part == "" {
		return root, nil
	}
	if target := root.At(unescape.Replace(part)); local && target != nil {
		return target, nil
	}
	var named *catalog.Node
	catalog.WalkSchema(root, func(_ string, n *catalog.Node) {
		if named == nil && local && n.Get("$anchor").Text() == part {
			named = n
		}
	})
	if named == nil {
		return nil, fmt.Errorf("%w: %s has an address that is not followed", ErrUnknown, ref)
	}
	return named, nil
}

var unescape = strings.NewReplacer("%25", "%", "%20", " ", "%24", "$", "%3C", "<", "%3E", ">", "%5B", "[", "%5D", "]")

func typed(_ *validator, want, value, _ *catalog.Node) []*failure {
	names := types(want)
	if slices.ContainsFunc(names, func(t string) bool { return value.IsType(t) }) {
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

func key(name string) step { return step{key: name, index: -1} }

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
	p := compile(expression)
	if p.re == nil {
		v.fail(fmt.Errorf("%w: the pattern %s", ErrUnknown, expression))
		return false
	}
	return p.re.MatchString(text)
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
		for _, extra := range extras {
			out = append(out, v.descend(value.Get(extra), want, key(extra))...)
		}
		return out
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
	if want.Is(catalog.Array) { // before 2020-12
		return prefixItems(v, want, value, schema)
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
	case found == 0 && v.legacy:
		return one("None of %s are valid under the given schema", Repr(value))
	case found == 0:
		return one("%s does not contain items matching the given schema", Repr(value))
	}
	return keyed("minContains", one("Too few items match the given schema (expected at least %d but only %d matched)", least, found))
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
