package skills

import "github.com/skill-ls/skill-ls/internal/text"

// Body is what the block scanner sees in the Markdown below the front matter: where things are, not
// how they would be rendered. All spans are byte offsets into the whole document. Slices are in the
// order of the text.
type Body struct {
	Span        text.Span
	Headings    []Heading
	Fences      []Fence
	Indented    []text.Span // indented code blocks, from the first character to the end of the last line that are not blank
	CodeSpans   []CodeSpan
	Links       []Link
	Definitions []Definition
	HTML        []text.Span // HTML blocks and inline tags, comments included
	Comments    []text.Span // HTML comments, from "<!--" to "-->", or to the end of an HTML block that does not close one
}

// Heading is an ATX or setext heading.
type Heading struct {
	Span  text.Span // the whole heading without its line break
	Level int       // 1 to 6
	Text  text.Span // the text without the markers
}

// Fence is a fenced code block.
type Fence struct {
	Span    text.Span // from the opening to the end of the closing fence
	Open    text.Span // the opening run of backticks or tildes
	Info    text.Span // the info string, trimmed
	Content text.Span // the lines between the fences with their breaks and what containers put before them
	Closed  bool      // false when the block ends with its container or with the text
}

// CodeSpan is inline code.
type CodeSpan struct {
	Span    text.Span // with the backticks
	Content text.Span // between the backticks
}

// LinkKind tells how a link is written.
type LinkKind uint8

const (
	InlineLink    LinkKind = iota // [text](dest "title")
	ReferenceLink                 // [text][label], [label][] or [label], with a definition
	Autolink                      // <https://…>
)

// Link is a link or an image.
type Link struct {
	Kind  LinkKind
	Image bool
	Span  text.Span // from "[", "![" or "<" to the end
	Text  text.Span // between the brackets; the address of an autolink
	Dest  text.Span // the destination as written, without angle brackets; that of the definition for a reference
	Label string    // the normalised label of a reference, else ""
}

// Definition is a link reference definition.
type Definition struct {
	Span  text.Span
	Label string // normalised: folded case, single blanks
	Dest  text.Span
}
