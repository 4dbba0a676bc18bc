package python

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/profile/dialect"
)

func reference(v *validator, want, value, _ *catalog.Node) []*failure {
	root, target, err := v.resolve(want.Text())
	if err != nil {
		v.fail(err)
		return nil
	}
	return v.within(root, value, target)
}

// dynamicReference is $dynamicRef of 2020-12. A schema that is no metaschema is one document, where it is like $ref.
func dynamicReference(v *validator, want, value, schema *catalog.Node) []*failure {
	if v.meta {
		return recursiveReference(v, want, value, schema)
	}
	return reference(v, want, value, schema)
}

// recursiveReference is $recursiveRef of 2019-09, which leads to the outermost document.
func recursiveReference(v *validator, _, value, _ *catalog.Node) []*failure {
	root := v.root
	if v.meta {
		root = metaschemas().Get(v.draft.address)
	}
	return v.within(root, value, root)
}

// resolve follows a reference to a schema, and the document that it stands in.
func (v *validator) resolve(ref string) (root, target *catalog.Node, err error) {
	document, part, local := strings.Cut(ref, "#")
	root = v.root
	if document != "" {
		if root, err = v.document(document, ref); err != nil {
			return nil, nil, err
		}
	} else if !local && ref != "" {
		return nil, nil, nowhere("Unresolvable: %s", ref)
	}
	switch {
	case part == "":
		return root, root, nil
	case part[0] == '/':
		target, err = point(root, part)
	default:
		target, err = v.anchored(root, part)
	}
	return root, target, err
}

// document finds another document by its address.
func (v *validator) document(address, ref string) (*catalog.Node, error) {
	id := v.root.Get("$id").Text()
	if v.draft.fourth {
		id = v.root.Get("id").Text()
	}
	base, err := url.Parse(id)
	if err != nil {
		return nil, fmt.Errorf("%w: the address %s", ErrUnknown, id)
	}
	full, err := base.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%w: the address %s", ErrUnknown, address)
	}
	switch known := metaschemas().Get(full.String()); {
	case known != nil:
		return known, nil
	case full.String() == strings.TrimSuffix(id, "#"):
		return v.root, nil
	case nestedIDs(v.root), full.Scheme != "": // which jsonschema would fetch
		return nil, fmt.Errorf("%w: %s is another document", ErrUnknown, ref)
	}
	return nil, nowhere("Unresolvable: %s", ref)
}

// nestedIDs reports whether parts of a schema have addresses of their own.
func nestedIDs(root *catalog.Node) bool {
	found := false
	catalog.WalkSchema(root, func(_ string, n *catalog.Node) {
		for _, key := range []string{"$id", "id"} {
			id := n.Get(key).Text()
			found = found || n != root && id != "" && id[0] != '#'
		}
	})
	return found
}

func nowhere(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	return &Raised{Kind: ErrReference, Brief: firstLine(text), Text: text, Sure: true}
}

// firstLine is what is shown of a text that quotes a whole schema.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, " within {")
	return s
}

// point follows a JSON pointer as the library referencing does.
func point(root *catalog.Node, pointer string) (*catalog.Node, error) {
	n := root
	for segment := range strings.SplitSeq(unquote(pointer[1:]), "/") {
		var next *catalog.Node
		switch {
		case n.Is(catalog.Array), n.Is(catalog.String):
			i, err := strconv.Atoi(segment)
			if err != nil {
				text := "invalid literal for int() with base 10: " + dialect.PythonQuote(segment)
				return nil, &Raised{Kind: ErrFailed, Brief: text, Text: text, Sure: true}
			}
			if i < 0 {
				i += len(n.List())
			}
			if i >= 0 && i < len(n.List()) {
				next = n.Items[i]
			}
		case n.Is(catalog.Object):
			next = n.Get(pointers.Replace(segment))
		default:
			return nil, fmt.Errorf("%w: a pointer into a %s", ErrUnknown, TypeName(n))
		}
		if n = next; n == nil {
			hint := ""
			if pointer == "/" {
				hint = ". The pointer '/' is a valid JSON Pointer but it points to an empty string property ''. If you intended to point to the entire resource, you should use '#'."
			}
			return nil, nowhere("PointerToNowhere: %s does not exist within %s%s", dialect.PythonQuote(pointer), Repr(root), hint)
		}
	}
	return n, nil
}

var pointers = strings.NewReplacer("~1", "/", "~0", "~")

// unquote is urllib.parse.unquote: what is no escape stays.
func unquote(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// anchored finds a part of a document by its name.
func (v *validator) anchored(root *catalog.Node, name string) (*catalog.Node, error) {
	var found *catalog.Node
	catalog.WalkSchema(root, func(_ string, n *catalog.Node) {
		for key, prefix := range v.draft.anchors {
			if at := n.Get(key); found == nil && at.Is(catalog.String) && at.Text() == prefix+name {
				found = n
			}
		}
	})
	switch {
	case found != nil:
		return found, nil
	case strings.Contains(name, "/"):
		return nil, nowhere("InvalidAnchor: '#%s' is not a valid anchor, neither as a plain name anchor nor as a JSON Pointer. You may have intended to use '#/%s', as the slash is required *before each segment* of a JSON pointer.", name, name)
	}
	return nil, nowhere("NoSuchAnchor: %s does not exist within %s", dialect.PythonQuote(name), Repr(root))
}
