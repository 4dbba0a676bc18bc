package python

import (
	"errors"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// in2019 reports whether the draft is 2019-09, for which jsonschema counts in another way what other keywords look at.
func (v *validator) in2019() bool { return strings.Contains(v.draft.address, "2019-09") }

func unevaluatedItems(v *validator, _, value, schema *catalog.Node) []*failure {
	if !value.Is(catalog.Array) {
		return nil
	}
	seen := make([]bool, len(value.Items))
	v.seenItems(value, schema, seen)
	var rest []*catalog.Node
	for i, item := range value.Items {
		if !seen[i] {
			rest = append(rest, item)
		}
	}
	if rest == nil {
		return nil
	}
	return one("Unevaluated items are not allowed (%s %s unexpected)", list(rest), verb(len(rest), "was", "were"))
}

func unevaluatedProperties(v *validator, want, value, schema *catalog.Node) []*failure {
	if !value.Is(catalog.Object) {
		return nil
	}
	seen := map[string]bool{}
	v.seenMembers(value, schema, seen)
	var rest []string
	for _, m := range entries(value) {
		if !seen[m.Key] {
			for range v.descend(m.Value, want, key(m.Key), key(m.Key)) { // once for each error
				rest = append(rest, m.Key)
			}
		}
	}
	if rest == nil {
		return nil
	}
	if allowed, isBool := want.Bool(); isBool && !allowed {
		slices.Sort(rest)
		return one("Unevaluated properties are not allowed (%s %s unexpected)", quoted(rest), verb(len(rest), "was", "were"))
	}
	return one("Unevaluated properties are not valid under the given schema (%s %s unevaluated and invalid)", quoted(rest), verb(len(rest), "was", "were"))
}

// seenItems marks the items that other keywords of a schema look at.
func (v *validator) seenItems(value, schema *catalog.Node, seen []bool) {
	if v.fault != nil || !schema.Is(catalog.Object) {
		return
	}
	mark := func(n int) {
		for i := range min(n, len(seen)) {
			seen[i] = true
		}
	}
	first := schema.Get("items")
	if first != nil && (!v.in2019() || schema.Member("additionalItems") != nil || first.Is(catalog.Object)) {
		mark(len(seen))
		return
	}
	v.seenElsewhere(schema, func(s *catalog.Node) { v.seenItems(value, s, seen) })
	if v.in2019() {
		mark(len(first.List()))
	} else {
		mark(len(schema.Get("prefixItems").List()))
	}
	v.seenByConditions(value, schema, func(s *catalog.Node) { v.seenItems(value, s, seen) })
	for _, keyword := range []string{"contains", "unevaluatedItems"} {
		if s := schema.Get(keyword); s != nil {
			for i, item := range value.Items {
				seen[i] = seen[i] || v.fits(item, s)
			}
		}
	}
}

// seenMembers marks the members that other keywords of a schema look at.
func (v *validator) seenMembers(value, schema *catalog.Node, seen map[string]bool) {
	if v.fault != nil || !schema.Is(catalog.Object) {
		return
	}
	v.seenElsewhere(schema, func(s *catalog.Node) { v.seenMembers(value, s, seen) })
	for _, m := range entries(value) {
		seen[m.Key] = seen[m.Key] || v.seesMember(m, schema)
	}
	for _, m := range objectEntries(schema.Get("dependentSchemas")) {
		if value.Member(m.Key) != nil {
			v.seenMembers(value, m.Value, seen)
		}
	}
	v.seenByConditions(value, schema, func(s *catalog.Node) { v.seenMembers(value, s, seen) })
}

// seesMember reports whether a keyword on members looks at one.
func (v *validator) seesMember(m catalog.Member, schema *catalog.Node) bool {
	if schema.Get("properties").Is(catalog.Object) && schema.Get("properties").Member(m.Key) != nil {
		return true
	}
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
		s := schema.Get(keyword)
		allowed, _ := s.Bool()
		switch {
		case s == nil:
		case v.in2019() && (allowed || s.Is(catalog.Object) && s.Member(m.Key) != nil): // as the library has it
			return true
		case !v.in2019() && v.fits(m.Value, s):
			return true
		}
	}
	return slices.ContainsFunc(objectEntries(schema.Get("patternProperties")), func(p catalog.Member) bool { return v.finds(p.Key, m.Key) })
}

// seenElsewhere goes on in the schemas that references lead to.
func (v *validator) seenElsewhere(schema *catalog.Node, visit func(*catalog.Node)) {
	for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if v.draft.keywords[keyword] == nil || schema.Member(keyword) == nil {
			continue
		}
		root, target, err := v.resolve(schema.Get(keyword).Text())
		if err != nil {
			v.fail(bare(err))
			return
		}
		before := v.root
		v.root = root
		if v.enter() {
			visit(target)
		}
		v.leave()
		v.root = before
	}
}

// bare is the exception for a reference as it is where nothing wraps it, without its class.
func bare(err error) error {
	r, ok := errors.AsType[*Raised](err)
	if !ok {
		return err
	}
	text := r.Text[strings.Index(r.Text, ": ")+len(": "):]
	return &Raised{Kind: ErrFailed, Brief: firstLine(text), Text: text, Sure: r.Sure}
}

// seenByConditions goes on in the schemas that the value fits.
func (v *validator) seenByConditions(value, schema *catalog.Node, visit func(*catalog.Node)) {
	for _, keyword := range []string{"allOf", "oneOf", "anyOf"} {
		for _, s := range schema.Get(keyword).List() {
			if v.fits(value, s) {
				visit(s)
			}
		}
	}
	condition := schema.Get("if")
	switch {
	case condition == nil:
	case v.fits(value, condition):
		visit(condition)
		visit(schema.Get("then"))
	default:
		visit(schema.Get("else"))
	}
}
