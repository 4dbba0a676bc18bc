package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Bounds of a schema that is looked at: servers are hostile, and compiling one takes time with its size.
const (
	maxSchemaDepth = 64
	maxSchemaNodes = 20_000
)

// defaultDialect is what a schema without $schema is written in, since revision 2025-11-25 of MCP.
const defaultDialect = "https://json-schema.org/draft/2020-12/schema"

var drafts = map[string]*jsonschema.Draft{
	"http://json-schema.org/draft-04/schema":       jsonschema.Draft4,
	"http://json-schema.org/draft-06/schema":       jsonschema.Draft6,
	"http://json-schema.org/draft-07/schema":       jsonschema.Draft7,
	"https://json-schema.org/draft/2019-09/schema": jsonschema.Draft2019,
	defaultDialect: jsonschema.Draft2020,
}

// Dialect returns the address of the dialect that a schema says it is written in, without the "#" at its end, and
// whether it is known. A schema that says nothing is written in 2020-12.
func Dialect(schema *Node) (address string, known bool) {
	address = strings.TrimSuffix(cmp.Or(schema.Get("$schema").Text(), defaultDialect), "#")
	return address, drafts[address] != nil
}

// SchemaBound returns why a schema is too large to be looked at, "" when it is not.
func SchemaBound(schema *Node) string {
	nodes, reason := 0, ""
	schema.Walk(func(pointer string, _ *Node) bool {
		nodes++
		switch {
		case reason != "":
		case nodes > maxSchemaNodes:
			reason = fmt.Sprintf("has more than %d values", maxSchemaNodes)
		case strings.Count(pointer, "/") > maxSchemaDepth:
			reason = fmt.Sprintf("is nested deeper than %d levels", maxSchemaDepth)
		}
		return reason == ""
	})
	return reason
}

// SchemaFaults says where a value breaks the rules of the JSON Schema dialect it is written in. Of an unknown
// dialect, or a schema beyond all bounds, it says nothing. Pointers are relative to schema.
func SchemaFaults(schema *Node) []Defect {
	address, known := Dialect(schema)
	if !known || SchemaBound(schema) != "" {
		return nil
	}
	return faultsIn(address, schema)
}

// FaultsIn2020 is SchemaFaults whatever dialect the schema names: some clients and providers know 2020-12 only.
func FaultsIn2020(schema *Node) []Defect {
	if SchemaBound(schema) != "" {
		return nil
	}
	return faultsIn(defaultDialect, schema)
}

func faultsIn(address string, schema *Node) []Defect {
	if usual(schema) && drafts[address] != jsonschema.Draft4 {
		return nil
	}
	value, err := decode(schema)
	if err != nil {
		return nil
	}
	return defectsOf(metaschema(address).Validate(value))
}

func decode(n *Node) (any, error) { return jsonschema.UnmarshalJSON(strings.NewReader(n.Raw())) }

var metaschemas = struct {
	sync.Mutex
	compiled map[string]*jsonschema.Schema
}{compiled: map[string]*jsonschema.Schema{}}

func metaschema(address string) *jsonschema.Schema {
	metaschemas.Lock()
	defer metaschemas.Unlock()
	if have := metaschemas.compiled[address]; have != nil {
		return have
	}
	s := compiler().MustCompile(address) // those of the library are good
	metaschemas.compiled[address] = s
	return s
}

func compiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.UseLoader(refusal{})
	c.UseRegexpEngine(lenient)
	c.DefaultDraft(jsonschema.Draft2020)
	return c
}

// refusal loads nothing: a schema of a server must not make anybody read files or ask other servers.
type refusal struct{}

var errRefused = errors.New("schemas are not loaded from elsewhere")

func (refusal) Load(string) (any, error) { return nil, errRefused }

// lenient compiles a pattern where Go can. One that only ECMAScript knows matches everything.
func lenient(pattern string) (jsonschema.Regexp, error) {
	if re, err := regexp.Compile(pattern); err == nil {
		return re, nil
	}
	return anything(pattern), nil
}

type anything string

func (anything) MatchString(string) bool { return true }
func (a anything) String() string        { return string(a) }

// Schema is a compiled JSON Schema.
type Schema struct{ compiled *jsonschema.Schema }

const schemaURL = "schema:/tool.json"

// CompileSchema prepares a schema for Validate, or the part of it that a pointer names. It fails for one with faults,
// with references that lead nowhere or elsewhere, of an unknown dialect, or beyond all bounds.
func CompileSchema(schema *Node, pointer string) (*Schema, error) {
	if reason := SchemaBound(schema); reason != "" {
		return nil, fmt.Errorf("compile schema: it %s", reason)
	}
	value, err := decode(schema)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	c := compiler()
	if err := c.AddResource(schemaURL, value); err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	compiled, err := c.Compile(schemaURL + "#" + fragment.Replace(pointer))
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	return &Schema{compiled}, nil
}

// fragment escapes what may not stand in the fragment of a URL.
var fragment = strings.NewReplacer("%", "%25", " ", "%20", `"`, "%22", "<", "%3C", ">", "%3E", "#", "%23", "^", "%5E", "`", "%60", "{", "%7B", "}", "%7D", "|", "%7C", `\`, "%5C")

// Validate says where a value is not what the schema wants, nothing when it is. Pointers are into the value.
func (s *Schema) Validate(value *Node) []Defect {
	var out []Defect
	for _, v := range s.Violations(value) {
		out = append(out, v.Defect)
	}
	return out
}

// Violation is a place where a value is not what a schema wants, and the keyword of the schema that says so.
type Violation struct {
	Defect
	Keyword string // such as "required"; "" when the schema is false
}

// Violations is Validate with the keywords of the schema.
func (s *Schema) Violations(value *Node) []Violation {
	v, err := decode(value)
	if err != nil {
		return nil
	}
	return violationsOf(s.compiled.Validate(v))
}

var english = message.NewPrinter(language.English)

// defectsOf returns the innermost causes of an error, one for each place: of several branches that all fail, the
// first says what most likely was meant.
func defectsOf(err error) []Defect {
	var out []Defect
	for _, v := range violationsOf(err) {
		i := slices.IndexFunc(out, func(d Defect) bool { return d.Pointer == v.Pointer })
		if i < 0 {
			out = append(out, v.Defect)
		} else {
			out[i].Reason = either(out[i].Reason, v.Reason)
		}
	}
	return out
}

// either joins the reasons why a value fits none of two branches: what they have in common is said once.
func either(a, b string) string {
	const want = ", want "
	got, wanted, kinds := strings.Cut(b, want)
	switch {
	case strings.Contains(a, b):
		return a
	case strings.HasPrefix(a, "value must be one of ") && kinds:
		return a // it has the kind of this branch
	case kinds && strings.HasPrefix(a, got+want):
		return a + " or " + wanted
	}
	return a + " or " + b
}

// violationsOf returns the innermost causes of an error, one for each place and keyword.
func violationsOf(err error) []Violation {
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return nil
	}
	var out []Violation
	var visit func(e *jsonschema.ValidationError)
	visit = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			visit(cause)
		}
		if len(e.Causes) > 0 {
			return
		}
		v := Violation{Defect{Join("", e.InstanceLocation...), e.ErrorKind.LocalizedString(english)}, strings.Join(e.ErrorKind.KeywordPath(), "/")}
		i := slices.IndexFunc(out, func(have Violation) bool { return have.Pointer == v.Pointer && have.Keyword == v.Keyword })
		switch {
		case i < 0:
			out = append(out, v)
		default:
			out[i].Reason = either(out[i].Reason, v.Reason)
		}
	}
	visit(invalid)
	return out
}
