package skills

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/plainyaml"
	"github.com/skill-ls/skill-ls/internal/text"
)

// Format is the language of a front matter block.
type Format uint8

const (
	NoFormat Format = iota // there is no front matter
	YAML
	TOML // +++ … +++, or ---toml
	JSON // { … }, ---json or ;;;
)

// Shape tells what a block of YAML is.
type Shape uint8

const (
	NoShape Shape = iota // it does not parse
	Mapping
	List
	Scalar
	Nothing // it is empty, or null
)

// FenceKind tells how a line that opens or closes the front matter is written.
type FenceKind uint8

const (
	NoFence       FenceKind = iota
	ExactFence              // ---
	SpacedFence             // --- with blanks behind it
	LongFence               // four dashes or more
	IndentedFence           // blanks before the dashes
	DotsFence               // ... , the end mark of a YAML document
	TextFence               // --- with text behind it
	HiddenFence             // --- with characters beside it that nobody sees
	DashFence               // longer dashes, as word processors make of hyphens
)

// Delimiter is a line that opens or closes the front matter. Span leaves out the line break.
type Delimiter struct {
	Kind FenceKind
	Span text.Span
}

// FrontMatter is the block of metadata at the top of a SKILL.md. Where the block is broken it holds what
// a reader would still make of it, so that one fault does not hide the others.
type FrontMatter struct {
	Format Format
	Lead   text.Span // what stands before the opening fence, a byte order mark left out
	Open   Delimiter
	Close  Delimiter // NoFence when the block is never closed; Span is then where the fence belongs
	Block  text.Span // between the fences
	Shape  Shape     // what the block is when it parses
	Fields []Field
	Errors []SyntaxError

	byName map[string]int // index in Fields of the first of each name, when there are many
}

// manyFields is from how many fields on they are looked up by a map.
const manyFields = 64

func (f *FrontMatter) index() {
	if len(f.Fields) < manyFields {
		return
	}
	f.byName = make(map[string]int, len(f.Fields))
	for i := range f.Fields {
		if _, twice := f.byName[f.Fields[i].Name]; !twice {
			f.byName[f.Fields[i].Name] = i
		}
	}
}

// Field is one top-level key and its value.
type Field struct {
	Name   string    // the key's text
	Key    text.Span // the key as written, quotes included
	Colon  int       // offset of the colon behind the key
	Value  text.Span // the value as written, quotes and block indicator included, comments not
	Extent text.Span // from the key to the line of the next one
	// Text is the value when it is a scalar, else "". For a broken value it is what its author meant.
	Text   string
	Broken bool // the value is not valid YAML

	node  *yaml.Node // nil where reading the extent again gives the same: nodes take more memory than all else
	kind  yaml.Kind  // of the value, aliases resolved; 0 for what is no YAML
	tag   string     // of it
	style yaml.Style // as written
	alias bool
}

// set notes what is asked of a value most.
func (f *Field) set(value *yaml.Node) {
	v := resolve(value)
	f.kind, f.tag, f.style, f.alias = v.Kind, v.ShortTag(), value.Style, v != value
	if v.Kind == yaml.ScalarNode {
		f.Text = v.Value
	}
}

// Kind returns the YAML kind of the value after alias resolution, 0 for a broken one.
func (f *Field) Kind() yaml.Kind { return f.kind }

// Tag returns the short tag of the value ("!!str", "!!int", "!!map" …). A broken value counts as text.
func (f *Field) Tag() string {
	if f.kind == 0 {
		return "!!str"
	}
	return f.tag
}

// Scalar reports whether the value is written as a scalar, not as an alias of one.
func (f *Field) Scalar() bool { return f.kind == yaml.ScalarNode && !f.alias }

// Plain reports whether the value is a scalar without quotes or block indicator.
func (f *Field) Plain() bool { return f.Scalar() && f.style&quotedStyle == 0 }

// Style returns how the value is written, 0 for a broken one.
func (f *Field) Style() yaml.Style { return f.style }

// Node returns the value as parsed YAML, nil for what is none. src is the text of the document.
func (f *Field) Node(src string) *yaml.Node {
	if f.node != nil || f.kind == 0 {
		return f.node
	}
	root, err := parseYAML(f.Extent.In(src))
	if err != nil || len(root.Content) != 2 {
		return nil
	}
	return root.Content[1]
}

// Texts reports whether what stands below the value is texts, each key once, as can be told without a parser.
func (f *Field) Texts(src string) bool {
	return f.node == nil && f.kind != 0 && plainyaml.Read(f.Extent.In(src), func([]plainyaml.Entry) {})
}

const quotedStyle = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

// Field returns the first field of that name, or nil.
func (f *FrontMatter) Field(name string) *Field {
	if f.byName != nil {
		if i, ok := f.byName[name]; ok {
			return &f.Fields[i]
		}
		return nil
	}
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return &f.Fields[i]
		}
	}
	return nil
}

// Exists reports whether any front matter was found, closed or not.
func (f *FrontMatter) Exists() bool { return f.Format != NoFormat }

// Closed reports whether a closing fence was found.
func (f *FrontMatter) Closed() bool { return f.Close.Kind != NoFence }

// End returns where the body starts.
func (f *FrontMatter) End(src string) int {
	if !f.Exists() {
		return start(src)
	}
	return nextLine(src, f.Close.Span.End)
}

// start returns where the text behind byte order marks starts.
func start(src string) int {
	return len(src) - len(strings.TrimLeft(src, BOM))
}

// lineEnd returns the offset of the line break that ends the line of off, or the end of src.
func lineEnd(src string, off int) int {
	end := len(src)
	if i := strings.IndexByte(src[off:], '\n'); i >= 0 {
		end = off + i
	}
	if i := strings.IndexByte(src[off:end], '\r'); i >= 0 {
		return off + i
	}
	return end
}

// nextLine returns the offset of the line after the one of off.
func nextLine(src string, off int) int {
	end := lineEnd(src, off)
	switch {
	case strings.HasPrefix(src[end:], "\r\n"):
		return end + 2
	case end < len(src):
		return end + 1
	}
	return end
}
