package toolschema

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Shown is a tool's description and schema as a client sends them.
type Shown struct {
	Description string
	Changes     []Change
	schema      *catalog.Node // as the server sends it
	rewritten   *value        // nil when it is sent as it is
}

// Schema returns the schema as JSON, "" when the server sends none.
func (s *Shown) Schema() string {
	if s.rewritten != nil {
		return s.rewritten.String()
	}
	return s.schema.Raw()
}

// Rewrite does to a tool that is listed what the client does.
func (r *Rules) Rewrite(t catalog.Tool) Shown {
	w := &rewriter{rules: r, shown: Shown{Description: t.Description()}}
	w.describe()
	w.shown.schema = t.InputSchema()
	if told := len(w.shown.Changes); w.shown.schema.Is(catalog.Object) {
		v := valueOf(w.shown.schema)
		w.root(v)
		if len(w.shown.Changes) > told {
			w.shown.rewritten = v
		}
	}
	return w.shown
}

type rewriter struct {
	rules *Rules
	shown Shown
}

func (w *rewriter) tell(keyword, pointer, what string, lost bool) {
	w.shown.Changes = append(w.shown.Changes, Change{keyword, pointer, what, lost})
}

// describe shortens and cleans the tool's description.
func (w *rewriter) describe() {
	d := w.rules.Description
	if d.Visible {
		if clean := strings.Map(seen, w.shown.Description); clean != w.shown.Description {
			w.shown.Description = clean
			w.tell("description", "/description", "characters that cannot be seen removed", false)
		}
	}
	units := utf16.Encode([]rune(w.shown.Description))
	if d.Max > 0 && len(units) > d.Max {
		w.shown.Description = string(utf16.Decode(units[:d.Max])) + d.Ellipsis
		w.tell("description", "/description", fmt.Sprintf("description cut to %d characters", d.Max), true)
	}
}

// seen maps characters that cannot be seen to nothing.
func seen(r rune) rune {
	if r != '\n' && r != '\t' && r != '\r' && unicode.In(r, unicode.Cf, unicode.Cc, unicode.Co) {
		return -1
	}
	return r
}

const rootPointer = "/inputSchema"

// root rewrites the outermost schema.
func (w *rewriter) root(v *value) {
	r := w.rules
	w.booleans(v, rootPointer)
	if slices.ContainsFunc(combinators, func(key string) bool { return v.get(key) != nil }) {
		w.combinators(v)
	}
	w.keepOnly(v, r.RootKeep, rootPointer)
	for _, key := range r.RootDrop {
		if v.take(key) != nil {
			w.tell(key, catalog.Join(rootPointer, key), key+" removed", informs(key))
		}
	}
	w.schema(v, rootPointer)
	if r.Prune {
		w.prune(v)
	}
	if r.Properties != "" && v.get("properties") == nil && v.get("type").str() == "object" {
		v.set("properties", object())
		w.tell("properties", rootPointer, "empty properties added", false)
	}
	for _, key := range slices.Sorted(maps.Keys(r.Add)) {
		own, _ := parse(r.Add[key]) // Check has read it
		w.properties(v).set(key, own)
		w.tell("properties", rootPointer, fmt.Sprintf("parameter %s of the client's own added", key), false)
	}
	if r.Required && v.get("required") == nil {
		v.set("required", array())
		w.tell("required", rootPointer, "empty required added", false)
	}
	if r.Closed && v.get("additionalProperties").String() != "false" {
		v.set("additionalProperties", literal("false"))
		w.tell("additionalProperties", rootPointer, "additionalProperties set to false", false)
	}
}

// properties returns the properties of a schema, which it makes where there are none.
func (w *rewriter) properties(v *value) *value {
	if !v.get("properties").is(catalog.Object) {
		v.set("properties", object())
	}
	return v.get("properties")
}

func (w *rewriter) keepOnly(v *value, keep []string, at string) {
	if len(keep) == 0 {
		return
	}
	for _, m := range slices.Clone(v.members) {
		if !slices.Contains(keep, m.key) {
			v.take(m.key)
			w.tell(m.key, catalog.Join(at, m.key), m.key+" removed", informs(m.key))
		}
	}
}

// informs reports whether a model could learn something from a keyword.
func informs(key string) bool {
	return !slices.Contains([]string{"$schema", "$id", "$comment", "additionalProperties", "title", "nullable"}, key)
}

// schema rewrites a schema and those inside.
func (w *rewriter) schema(v *value, at string) {
	if !v.is(catalog.Object) {
		return
	}
	w.inside(v, at)
	w.scalars(v, at)
	w.arrays(v, at)
	moved := w.takeWords(v, at)
	inferred := w.inferred(v)
	w.keepOnly(v, w.rules.Keep, at)
	if inferred != "" {
		v.set("type", text(inferred))
		w.tell("type", at, "type "+inferred+" added", false)
	}
	if w.rules.Bare && inferred == "" && len(v.members) > 0 && !slices.ContainsFunc(structural, func(key string) bool { return v.get(key) != nil }) {
		v.members = nil
		w.tell("description", at, "keywords of a schema without a type removed", true)
	}
	if w.rules.Properties == "all" && v.get("type").str() == "object" && v.get("properties") == nil {
		v.set("properties", object())
		w.tell("properties", at, "empty properties added", false)
	}
	if moved != "" {
		v.set("description", text(joinWords(v.get("description").str(), moved)))
	}
}

// inside goes to the schemas below, by the keywords that hold some.
func (w *rewriter) inside(v *value, at string) {
	for _, m := range v.members {
		below := catalog.Join(at, m.key)
		switch m.key {
		case "properties", "$defs", "definitions":
			for _, p := range m.value.members {
				w.schema(p.value, catalog.Join(below, p.key))
			}
		case "items", "additionalProperties":
			w.schema(m.value, below)
			fallthrough
		case "anyOf", "oneOf", "allOf", "prefixItems":
			for i, item := range m.value.items {
				w.schema(item, catalog.Join(below, fmt.Sprint(i)))
			}
		}
	}
}

// structural are the keywords without which a schema says nothing of the form of a value.
var structural = append([]string{"type", "$ref"}, combinators...)

// booleans puts schemas in the place of true and false, where those stand for schemas.
func (w *rewriter) booleans(v *value, at string) {
	if len(w.rules.Booleans) == 0 {
		return
	}
	each := func(key string, p **value) {
		if src, ok := w.rules.Booleans[(*p).raw]; ok && (*p).is(catalog.Bool) {
			*p, _ = parse(src) // Check has read it
			w.tell(key, at, "the schema "+src+" in the place of a boolean", false)
		} else {
			w.booleans(*p, at)
		}
	}
	for i := range v.members {
		switch m := &v.members[i]; m.key {
		case "properties", "$defs", "definitions":
			for j := range m.value.members {
				each(m.key, &m.value.members[j].value)
			}
		case "items", "additionalItems":
			each(m.key, &m.value)
			fallthrough
		case "anyOf", "oneOf", "allOf", "prefixItems":
			for j := range m.value.items {
				each(m.key, &m.value.items[j])
			}
		case "additionalProperties":
			if m.value.is(catalog.Object) {
				w.booleans(m.value, at)
			}
		}
	}
}

// scalars rewrites const and the type of a value that may be null.
func (w *rewriter) scalars(v *value, at string) {
	if c := v.get("const"); w.rules.Const && c != nil {
		v.take("const")
		v.set("enum", array(c))
		w.tell("const", catalog.Join(at, "const"), "const made an enum", false)
	}
	typ := v.get("type")
	if !w.rules.Nullable || !typ.is(catalog.Array) || len(typ.items) != 2 {
		return
	}
	for i, item := range typ.items {
		if item.str() == "null" {
			v.set("type", typ.items[1-i])
			v.set("nullable", literal("true"))
			w.tell("type", catalog.Join(at, "type"), "type with null made nullable", false)
		}
	}
}

// arrays gives arrays the items that a provider wants.
func (w *rewriter) arrays(v *value, at string) {
	if items := v.get("items"); w.rules.Tuple && items.is(catalog.Array) {
		v.set("items", object(member{"anyOf", items}))
		w.tell("items", catalog.Join(at, "items"), "list in items made anyOf", true)
	}
	if w.rules.Items != "" && v.get("type").str() == "array" && v.get("items") == nil {
		items, _ := parse(w.rules.Items) // Check has read it
		v.set("items", items)
		w.tell("items", at, "items "+w.rules.Items+" added", w.rules.Items != "{}")
	}
}

// takeWords removes the keywords that become words, and returns those, in the order of the rules.
func (w *rewriter) takeWords(v *value, at string) string {
	var words []string
	for _, key := range w.rules.Describe {
		if taken := v.take(key); taken != nil {
			words = append(words, key+": "+taken.sorted().String())
			w.tell(key, catalog.Join(at, key), key+" moved into the description", false)
		}
	}
	if words == nil {
		return ""
	}
	return "{" + strings.Join(words, ", ") + "}"
}

func joinWords(before, more string) string {
	if before == "" {
		return more
	}
	return before + "\n\n" + more
}

// inferred returns the type that the keywords of a schema without one tell, "" when they tell none.
func (w *rewriter) inferred(v *value) string {
	if !w.rules.Types || v.get("type") != nil {
		return ""
	}
	for _, key := range append([]string{"$ref"}, combinators...) {
		if v.get(key) != nil {
			return ""
		}
	}
	for _, hint := range []struct {
		typ  string
		keys []string
	}{
		{"object", []string{"properties", "required", "additionalProperties"}},
		{"array", []string{"items", "prefixItems"}},
		{"string", []string{"enum", "format"}},
		{"number", []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
	} {
		if slices.ContainsFunc(hint.keys, func(key string) bool { return v.get(key) != nil }) {
			return hint.typ
		}
	}
	return ""
}
