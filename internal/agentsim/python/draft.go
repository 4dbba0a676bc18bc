package python

import (
	_ "embed"
	"maps"
	"strings"
	"sync"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// draft is a version of JSON Schema, as jsonschema plays it.
type draft struct {
	address  string
	keywords map[string]check
	refAlone bool              // nothing beside $ref counts
	fourth   bool              // it is draft 4, where 1.0 is no integer
	anchors  map[string]string // the keywords that name a schema, and what stands before the name
}

// check is one keyword: what stands there, the value, and the schema around it.
type check func(v *validator, want, value, schema *catalog.Node) []*failure

const latest = "https://json-schema.org/draft/2020-12/schema"

// draftOf is the draft that a schema says it is written in, the latest for one that says nothing or what is not known. It is
// nil for draft 3, which is not played.
func draftOf(schema *catalog.Node) *draft {
	address := strings.TrimSuffix(schema.Get("$schema").Text(), "#")
	if address == "http://json-schema.org/draft-03/schema" {
		return nil
	}
	if d := drafts()[address]; d != nil {
		return d
	}
	return drafts()[latest]
}

// applicable are the keywords of a schema.
func (d *draft) applicable(schema *catalog.Node) []catalog.Member {
	if ref := schema.Member("$ref"); d.refAlone && ref != nil {
		return []catalog.Member{*ref}
	}
	return entries(schema)
}

// with is some keywords with others, and without those that are nil.
func with(some, others map[string]check) map[string]check {
	out := maps.Clone(some)
	maps.Copy(out, others)
	maps.DeleteFunc(out, func(_ string, c check) bool { return c == nil })
	return out
}

// drafts are made once: their keywords refer to each other.
var drafts = sync.OnceValue(func() map[string]*draft {
	common := map[string]check{
		"$ref": reference, "additionalProperties": additionalProperties, "allOf": allOf, "anyOf": anyOf, "enum": enum, "format": format,
		"items": itemsOrTuple, "additionalItems": additionalItems, "multipleOf": multipleOf, "not": not, "oneOf": oneOf, "pattern": matches,
		"patternProperties": patternProperties, "properties": properties, "required": required, "type": typed, "uniqueItems": uniqueItems,
		"minLength": sizes["minLength"].check, "maxLength": sizes["maxLength"].check, "minItems": sizes["minItems"].check,
		"maxItems": sizes["maxItems"].check, "minProperties": sizes["minProperties"].check, "maxProperties": sizes["maxProperties"].check,
	}
	fourth := with(common, map[string]check{
		"dependencies": dependencies, "minimum": boundOrExclusive("minimum"), "maximum": boundOrExclusive("maximum"),
	})
	sixth := with(fourth, map[string]check{
		"const": constant, "contains": containsAny, "propertyNames": propertyNames,
		"minimum": bounds["minimum"].check, "maximum": bounds["maximum"].check,
		"exclusiveMinimum": bounds["exclusiveMinimum"].check, "exclusiveMaximum": bounds["exclusiveMaximum"].check,
	})
	seventh := with(sixth, map[string]check{"if": conditional})
	in2019 := with(seventh, map[string]check{
		"dependencies": nil, "dependentRequired": dependencies, "dependentSchemas": dependencies, "contains": contains,
		"$recursiveRef": recursiveReference, "unevaluatedItems": unevaluatedItems, "unevaluatedProperties": unevaluatedProperties,
	})
	in2020 := with(in2019, map[string]check{
		"$recursiveRef": nil, "additionalItems": nil, "items": items, "prefixItems": prefixItems, "$dynamicRef": dynamicReference,
	})
	out := map[string]*draft{}
	for _, d := range []*draft{
		{address: "http://json-schema.org/draft-04/schema", keywords: fourth, refAlone: true, fourth: true, anchors: map[string]string{"id": "#"}},
		{address: "http://json-schema.org/draft-06/schema", keywords: sixth, refAlone: true, anchors: map[string]string{"$id": "#"}},
		{address: "http://json-schema.org/draft-07/schema", keywords: seventh, refAlone: true, anchors: map[string]string{"$id": "#"}},
		{address: "https://json-schema.org/draft/2019-09/schema", keywords: in2019, anchors: map[string]string{"$anchor": ""}},
		{address: latest, keywords: in2020, anchors: map[string]string{"$anchor": "", "$dynamicAnchor": ""}},
	} {
		out[d.address] = d
	}
	return out
})

// The metaschemas of json-schema.org, by their addresses, in the order of keys that jsonschema reads them in.
//
//go:embed metaschema.json
var metaschemaJSON string

var metaschemas = sync.OnceValue(func() *catalog.Node {
	n, err := catalog.Parse(metaschemaJSON)
	if err != nil {
		panic(err) // it is a part of the program
	}
	return n
})
