package python

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// ErrSchema says that jsonschema.validate raises a SchemaError: the schema itself is wrong.
var ErrSchema = errors.New("the schema is not valid")

// ErrReference says that a reference leads nowhere, which jsonschema finds out when it follows it.
var ErrReference = errors.New("a reference of the schema leads nowhere")

// ErrUnknown says that nobody here can tell what jsonschema does: a pattern that cannot be matched here, another document, a
// schema or value beyond all bounds.
var ErrUnknown = errors.New("what jsonschema makes of the schema is not known")

// ErrFailed says that jsonschema fails in another way.
var ErrFailed = errors.New("jsonschema fails for the schema")

var errThird = fmt.Errorf("%w: it is written in draft 3", ErrUnknown)

// Raised is an exception of jsonschema, in place of a verdict: ErrSchema, ErrReference or ErrFailed.
type Raised struct {
	Kind  error
	Brief string // where, and what
	Text  string // str() of it
	Sure  bool   // false where Python's order of a set decides between several
}

func (r *Raised) Error() string { return r.Kind.Error() + ": " + r.Brief }

// Unwrap is what kind of exception it is.
func (r *Raised) Unwrap() error { return r.Kind }

// Invalid is a ValidationError.
type Invalid struct {
	Message string
	Pointer string // RFC 6901, into the value
	failure *failure
}

// Validate does what jsonschema.validate(value, schema) does, of version 4.26: it returns the error that the library
// holds for the best, nil when the value fits. The error is a *Raised, or ErrUnknown, wrapped.
func Validate(value, schema *catalog.Node) (*Invalid, error) {
	if err := CheckSchema(schema); err != nil {
		return nil, err
	}
	v := &validator{root: schema, draft: draftOf(schema)}
	best := bestMatch(v.errors(value, schema))
	if v.fault != nil {
		return nil, v.fault
	}
	if best == nil {
		return nil, nil
	}
	return &Invalid{Message: best.message, Pointer: best.pointer(), failure: best}, nil
}

// Fits reports whether a value fits a schema that is good, or a part of one.
func Fits(value, schema *catalog.Node) (bool, error) {
	v := &validator{root: schema, draft: draftOf(schema)}
	if v.draft == nil {
		return false, errThird
	}
	fits := v.fits(value, schema)
	return fits, v.fault
}

// CheckSchema is check_schema, which raises the first error that the metaschema finds. The error is a *Raised, or
// ErrUnknown, wrapped.
func CheckSchema(schema *catalog.Node) error {
	if err := checkAddress(schema.Get("$schema")); err != nil {
		return err
	}
	d := draftOf(schema)
	if d == nil {
		return errThird
	}
	if reason := catalog.SchemaBound(schema); reason != "" {
		return fmt.Errorf("%w: it %s", ErrUnknown, reason)
	}
	meta := metaschemas().Get(d.address)
	v := &validator{root: meta, draft: d, meta: true}
	found := v.errors(schema, meta)
	if v.fault != nil || len(found) == 0 {
		return v.fault
	}
	first := found[0]
	return &Raised{Kind: ErrSchema, Brief: cmp.Or(first.pointer(), "/") + ": " + first.message, Text: first.explain("metaschema", "schema"), Sure: !first.drawn}
}

// checkAddress fails for a $schema with which Python cannot look for a draft. What counts as nothing is none.
func checkAddress(address *catalog.Node) error {
	text := ""
	switch yes, isBool := address.Bool(); {
	case address.Is(catalog.Array), address.Is(catalog.Object):
		text = fmt.Sprintf("unhashable type: '%s'", TypeName(address))
	case isBool && yes, address.Is(catalog.Number) && float(address) != 0:
		text = fmt.Sprintf("'%s' object has no attribute 'decode'", TypeName(address))
	default:
		return nil
	}
	return &Raised{Kind: ErrFailed, Brief: "/$schema: " + text, Text: text, Sure: true}
}

// failure is one ValidationError.
type failure struct {
	message string
	keyword string
	path    []step // from the value that the error's parent is about
	at      []step // from its schema to what is broken
	set     bool   // keyword, typed, value and schema are final
	typed   bool   // the value has the type that the schema with the keyword wants
	drawn   bool   // whether it comes before others depends on the order of a set
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

func key(name string) step { return step{key: name, index: -1} }

// pointer is where in the value the failure is.
func (f *failure) pointer() string {
	var tokens []string
	for _, s := range slices.Concat(f.parent, f.path) {
		if s.index >= 0 {
			tokens = append(tokens, strconv.Itoa(s.index))
		} else {
			tokens = append(tokens, s.key)
		}
	}
	return catalog.Join("", tokens...)
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

// Schemas that refer to themselves are followed so often, and so deep: there Python's stack ends, too.
const (
	mostSteps  = 100_000
	mostLevels = 200
)

type validator struct {
	root  *catalog.Node // the document that references lead into
	draft *draft
	meta  bool // the value is a schema, and formats count
	steps int
	level int
	fault error
}

// enter counts a step into a schema, which leave ends, and reports whether it may be taken.
func (v *validator) enter() bool {
	v.steps++
	v.level++
	if v.steps > mostSteps || v.level > mostLevels {
		v.fail(fmt.Errorf("%w: it refers to itself without an end", ErrUnknown))
	}
	return v.fault == nil
}

func (v *validator) leave() { v.level-- }

// errors is iter_errors.
func (v *validator) errors(value, schema *catalog.Node) []*failure {
	defer v.leave()
	if !v.enter() {
		return nil
	}
	if allowed, isBool := schema.Bool(); isBool && !allowed {
		return []*failure{{message: "False schema does not allow " + Repr(value), set: true, value: value, schema: schema}}
	}
	if !schema.Is(catalog.Object) {
		return nil
	}
	var out []*failure
	for _, m := range v.draft.applicable(schema) {
		check := v.draft.keywords[m.Key]
		if check == nil {
			continue
		}
		for _, f := range check(v, m.Value, value, schema) {
			if !f.set {
				f.set, f.keyword, f.typed = true, cmp.Or(f.keyword, m.Key), v.matchesType(value, schema)
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

// within is the errors of a value by a schema of another document.
func (v *validator) within(root, value, schema *catalog.Node) []*failure {
	before := v.root
	v.root = root
	defer func() { v.root = before }()
	return v.errors(value, schema)
}

// fits is is_valid, which looks no further than the first keyword that is broken.
func (v *validator) fits(value, schema *catalog.Node) bool {
	if allowed, isBool := schema.Bool(); isBool {
		return allowed
	}
	defer v.leave()
	if !v.enter() || !schema.Is(catalog.Object) {
		return true
	}
	for _, m := range v.draft.applicable(schema) {
		if check := v.draft.keywords[m.Key]; check != nil && v.fault == nil && len(check(v, m.Value, value, schema)) > 0 {
			return false
		}
	}
	return true
}

func (v *validator) matchesType(value, schema *catalog.Node) bool {
	return slices.ContainsFunc(types(schema.Get("type")), func(t string) bool { return v.isType(value, t) })
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

func (v *validator) isType(n *catalog.Node, name string) bool {
	if !catalog.IsTypeName(name) {
		v.fail(fmt.Errorf("%w: the type %s", ErrUnknown, name))
	}
	return n.IsType(name) && !(name == "integer" && v.draft.fourth && isFloat(n))
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
