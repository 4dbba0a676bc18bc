package jsonrepair

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/python"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile/dialect"
	"github.com/skill-ls/skill-ls/internal/text"
)

// errUnfit is the library's ValueError: a value that cannot be made to fit a schema.
var errUnfit = errors.New("the value does not fit the schema")

// errRaised is any other exception, which no choice between schemas catches.
var errRaised = errors.New("the schema cannot be used")

// guide makes values fit a schema.
type guide struct {
	root   *catalog.Node
	unsure bool
	steps  int
	depth  int
}

// Schemas that refer to themselves are followed so often, so deep, and so far in all.
const (
	mostFollowed   = 100
	mostFitDepth   = 200
	mostGuideSteps = 200_000
)

// lost is the error for a schema that is followed no further.
func (g *guide) lost() error {
	g.unsure = true
	return errRaised
}

// resolve follows the references of a schema. One that is not there takes anything.
func (g *guide) resolve(schema *catalog.Node) (*catalog.Node, error) {
	for followed := 0; schema.Is(catalog.Object) && schema.Member("$ref") != nil; followed++ {
		if followed > mostFollowed {
			return nil, g.lost()
		}
		ref := schema.Get("$ref")
		if !ref.Is(catalog.String) {
			return nil, errRaised
		}
		path, local := strings.CutPrefix(ref.Text(), "#/")
		if !local {
			return nil, errUnfit
		}
		schema = g.root
		for key := range strings.SplitSeq(strings.TrimLeft(path, "#/"), "/") {
			if schema = schema.Get(unescape.Replace(key)); schema == nil {
				return nil, errUnfit
			}
		}
		if !schema.Is(catalog.Object) && !schema.Is(catalog.Bool) {
			return nil, errUnfit
		}
	}
	switch {
	case schema.Is(catalog.Null):
		return nil, nil
	case schema == nil, schema.Is(catalog.Object), schema.Is(catalog.Bool):
		return schema, nil
	}
	return nil, errUnfit
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// validate looks whether a value fits a schema as it is.
func (g *guide) validate(v *value, schema *catalog.Node) error {
	n, sure := v.node()
	g.unsure = g.unsure || !sure
	return g.check(n, schema)
}

func (g *guide) check(n, schema *catalog.Node) error {
	schema, err := g.resolve(schema)
	if allowed, isBool := schema.Bool(); err != nil || schema == nil || isBool {
		if isBool && !allowed {
			return errUnfit
		}
		return err
	}
	fits, err := python.Fits(n, tuples(schema))
	switch {
	case err != nil:
		g.unsure = g.unsure || errors.Is(err, python.ErrUnknown)
		return errRaised
	case !fits:
		return errUnfit
	}
	return nil
}

// tuples writes lists of schemas in "items" as 2020-12 has them, which the library does before it looks.
func tuples(schema *catalog.Node) *catalog.Node {
	found := false
	schema.Walk(func(_ string, n *catalog.Node) bool {
		found = found || n.Get("items").Is(catalog.Array)
		return !found
	})
	if !found {
		return schema
	}
	dialect, _ := catalog.Dialect(schema)
	var b strings.Builder
	writeTuples(&b, schema, strings.HasSuffix(dialect, "2020-12/schema"))
	out, err := catalog.Parse(b.String())
	if err != nil {
		panic(err) // made of JSON
	}
	return out
}

func writeTuples(b *strings.Builder, n *catalog.Node, prefix bool) {
	switch n.Kind {
	case catalog.Array:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			writeTuples(b, item, prefix)
		}
		b.WriteByte(']')
	case catalog.Object:
		b.WriteByte('{')
		list := n.Get("items").Is(catalog.Array)
		more, written := n.Get("additionalItems"), 0
		member := func(key string, v *catalog.Node) {
			if written++; written > 1 {
				b.WriteByte(',')
			}
			b.WriteString(text.Quote(key) + ":")
			writeTuples(b, v, prefix)
		}
		for _, m := range n.Members {
			if !list || m.Key != "items" && m.Key != "additionalItems" {
				member(m.Key, m.Value)
			}
		}
		if allowed, isBool := more.Bool(); list && (more.Is(catalog.Object) || isBool && !allowed) {
			member("items", more)
		}
		if list && prefix {
			member("prefixItems", n.Get("items"))
		}
		b.WriteByte('}')
	default:
		b.WriteString(n.Raw())
	}
}

// describes reports whether a schema is about objects, or about lists, by its type or by its keywords.
func describes(schema *catalog.Node, class string) bool {
	if slices.Contains(types(schema), class) {
		return true
	}
	keywords := []string{"properties", "patternProperties", "additionalProperties", "required"}
	if class == "array" {
		keywords = []string{"items"}
	}
	return slices.ContainsFunc(keywords, func(k string) bool { return schema.Member(k) != nil })
}

func types(schema *catalog.Node) []string {
	t := schema.Get("type")
	if t.Is(catalog.String) {
		return []string{t.Text()}
	}
	var out []string
	for _, item := range t.List() {
		out = append(out, item.Text())
	}
	return out
}

// class is the type of a schema, also where only its keywords tell.
func class(schema *catalog.Node) string {
	switch t := schema.Get("type"); {
	case t != nil && !t.Is(catalog.Null):
		return t.Text()
	case describes(schema, "object"):
		return "object"
	case describes(schema, "array"):
		return "array"
	}
	return ""
}

// fit makes a value fit a schema. Only some keywords are looked at.
func (g *guide) fit(v *value, schema *catalog.Node) (*value, error) {
	g.steps++
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > mostFitDepth || g.steps > mostGuideSteps {
		return nil, g.lost()
	}
	schema, err := g.resolve(schema)
	if err != nil {
		return nil, err
	}
	switch allowed, isBool := schema.Bool(); {
	case isBool && !allowed:
		return nil, errUnfit
	case isBool, len(schema.Entries()) == 0:
		return v, nil
	case v == missing:
		return g.fill(schema)
	case schema.Member("allOf") != nil:
		for _, s := range schema.Get("allOf").List() {
			if v, err = g.fit(v, s); err != nil {
				return nil, err
			}
		}
		return v, nil
	case schema.Member("oneOf") != nil:
		return g.choose(v, schema.Get("oneOf").List())
	case schema.Member("anyOf") != nil:
		return g.choose(v, schema.Get("anyOf").List())
	case schema.Get("type").Is(catalog.Array):
		return g.chooseType(v, schema)
	}
	if v, err = g.convert(v, class(schema), schema); err != nil {
		return nil, err
	}
	return v, allows(schema, v)
}

// choose takes the first schema that the value can be made to fit.
func (g *guide) choose(v *value, schemas []*catalog.Node) (*value, error) {
	for _, s := range schemas {
		out, err := g.fit(v.copied(), s)
		if err == nil {
			err = g.validate(out, s)
		}
		if err == nil || !errors.Is(err, errUnfit) {
			return out, err
		}
	}
	return nil, errUnfit
}

func (g *guide) chooseType(v *value, schema *catalog.Node) (*value, error) {
	for _, t := range types(schema) {
		out, err := g.convert(v.copied(), t, schema)
		if err == nil {
			err = allows(schema, out)
		}
		if err == nil {
			err = g.validate(out, withType(schema, t))
		}
		if err == nil || !errors.Is(err, errUnfit) {
			return out, err
		}
	}
	return nil, errUnfit
}

// withType is a schema with another type.
func withType(schema *catalog.Node, name string) *catalog.Node {
	out, err := catalog.Parse(strings.TrimSuffix(schema.Raw(), "}") + `, "type": ` + text.Quote(name) + "}")
	if err != nil {
		panic(err) // made of JSON, of an object with a type
	}
	return out
}

func (g *guide) convert(v *value, class string, schema *catalog.Node) (*value, error) {
	switch class {
	case "object":
		return g.object(v, schema)
	case "array":
		return g.list(v, schema)
	case "":
		return v, nil
	}
	return scalar(v, class)
}

func (g *guide) object(v *value, schema *catalog.Node) (*value, error) {
	if v.kind != anObject {
		return nil, errUnfit
	}
	m := newMemberGuide(schema)
	if m.lacks(v) {
		return nil, errUnfit
	}
	out := newObject()
	for _, p := range m.properties {
		if have := v.members[p.Key]; have != nil {
			fitting, err := g.fit(have, p.Value)
			if err != nil {
				return nil, err
			}
			out.set(p.Key, fitting)
		} else if d := p.Value.Get("default"); d != nil && !slices.Contains(m.required, p.Key) {
			out.set(p.Key, valueOf(d))
		}
	}
	for _, key := range v.keys {
		if m.property(key) != nil {
			continue
		}
		want, more, drop := m.schemas(key)
		fitting := v.members[key]
		for _, s := range append([]*catalog.Node{want}, more...) {
			var err error
			if fitting, err = g.fit(fitting, s); err != nil {
				return nil, err
			}
		}
		if !drop {
			out.set(key, fitting)
		}
	}
	return out, atLeast(schema.Get("minProperties"), len(out.keys))
}

func (g *guide) list(v *value, schema *catalog.Node) (*value, error) {
	if v.kind != aList {
		v = listOf([]*value{v})
	}
	out, items := listOf(nil), newItemGuide(schema)
	for i, item := range v.items {
		want, drop := items.at(i)
		fitting, err := g.fit(item, want)
		if err != nil {
			return nil, err
		}
		if !drop {
			out.items = append(out.items, fitting)
		}
	}
	return out, atLeast(schema.Get("minItems"), len(out.items))
}

// atLeast compares with a least number, if there is one.
func atLeast(least *catalog.Node, n int) error {
	if least.Is(catalog.Number) && float64(n) < number(least) {
		return errUnfit
	}
	return nil
}

func number(n *catalog.Node) float64 {
	f, _ := float(n.Raw())
	return f
}

// fill makes a value where there is none.
func (g *guide) fill(schema *catalog.Node) (*value, error) {
	if c := schema.Get("const"); c != nil {
		return valueOf(c), nil
	}
	if e := schema.Get("enum"); e != nil {
		if len(e.List()) == 0 {
			return nil, errUnfit
		}
		return valueOf(e.Items[0]), nil
	}
	if d := schema.Get("default"); d != nil {
		return valueOf(d), nil
	}
	names := types(schema)
	if !schema.Get("type").Is(catalog.Array) {
		names = []string{class(schema)}
	}
	for _, name := range names {
		if v := blank(name, schema); v != nil {
			return v, nil
		}
	}
	return nil, errUnfit
}

// blank is the value of a type with nothing in it.
func blank(name string, schema *catalog.Node) *value {
	some := func(keyword string) bool {
		return schema.Get(keyword).Is(catalog.Number) && number(schema.Get(keyword)) != 0
	}
	switch {
	case name == "string":
		return textOf(nil)
	case name == "integer", name == "number":
		return intOf("0")
	case name == "boolean":
		return boolOf(false)
	case name == "null":
		return &value{}
	case name == "array" && !some("minItems"):
		return listOf(nil)
	case name == "object" && !some("minProperties"):
		return newObject()
	}
	return nil
}

// scalar makes a value of another type of one.
func scalar(v *value, name string) (*value, error) {
	var out *value
	switch name {
	case "string":
		out = asText(v)
	case "integer":
		out = asInteger(v)
	case "number":
		out = asNumber(v)
	case "boolean":
		out = asBool(v)
	case "null":
		if v.kind == aNull {
			out = v
		}
	}
	if out == nil {
		return nil, errUnfit
	}
	return out, nil
}

func asText(v *value) *value {
	switch v.kind {
	case aText:
		return v
	case anInt:
		return textOf([]rune(v.digits))
	case aFloat:
		return textOf([]rune(dialect.PythonFloat(v.float)))
	}
	return nil
}

func asInteger(v *value) *value {
	f := v.float
	switch v.kind {
	case anInt:
		return v
	case aText:
		if digits, ok := whole(string(v.text)); ok {
			return intOf(digits)
		}
		var ok bool
		if f, ok = float(string(v.text)); !ok {
			return nil
		}
	case aFloat:
	default:
		return nil
	}
	if f != math.Trunc(f) || math.IsInf(f, 0) {
		return nil
	}
	n, _ := big.NewFloat(f).Int(nil)
	return intOf(n.String())
}

func asNumber(v *value) *value {
	switch v.kind {
	case anInt, aFloat:
		return v
	case aText:
		if f, ok := float(string(v.text)); ok {
			return &value{kind: aFloat, float: f}
		}
	}
	return nil
}

func asBool(v *value) *value {
	switch v.kind {
	case aBool:
		return v
	case aText:
		switch strings.ToLower(string(v.text)) {
		case "true", "yes", "y", "on", "1":
			return boolOf(true)
		case "false", "no", "n", "off", "0":
			return boolOf(false)
		}
	case anInt, aFloat:
		for i, n := range []*value{intOf("0"), intOf("1")} {
			if equal(v, n) {
				return boolOf(i == 1)
			}
		}
	}
	return nil
}

// allows compares a value with const and enum.
func allows(schema *catalog.Node, v *value) error {
	if c := schema.Get("const"); c != nil && !equal(v, valueOf(c)) {
		return errUnfit
	}
	if e := schema.Get("enum"); e != nil && !slices.ContainsFunc(e.List(), func(n *catalog.Node) bool { return equal(v, valueOf(n)) }) {
		return errUnfit
	}
	return nil
}
