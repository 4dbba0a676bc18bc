package recording

import (
	"regexp"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/catalog"
)

// Result is what came back from a tool. Most results are never looked at, so that their texts are read when somebody
// asks for them.
type Result struct {
	Structured *catalog.Node // structuredContent, nil without it
	Failed     bool          // the tool or the client said that it went wrong
	State      string        // as recorded, such as denied; "" where there is none

	recorded *catalog.Node // a text, a list of blocks, or nil
	fromText bool          // the text may be blocks as JSON, as Codex keeps them
	cut      bool          // the recording says that something is left out
	content  []*catalog.Node
}

// resultOf returns a result whose content was recorded as a text, a list of blocks or one block.
func resultOf(n *catalog.Node) *Result { return &Result{recorded: n} }

// Content returns the content as MCP has it: blocks, of which a plain text is one.
func (r *Result) Content() []*catalog.Node {
	if r.content == nil {
		for _, n := range r.parts() {
			r.content = append(r.content, block(n))
		}
	}
	return r.content
}

// parts returns texts and blocks as they were recorded.
func (r *Result) parts() []*catalog.Node {
	switch n := r.recorded; {
	case n == nil || n.Is(catalog.Null):
		return nil
	case n.Is(catalog.Array):
		return n.Items
	case n.Is(catalog.String) && r.fromText:
		return codexParts(n)
	default:
		return []*catalog.Node{n}
	}
}

// block returns a part as a block of MCP. Texts have several names for their type.
func block(n *catalog.Node) *catalog.Node {
	text := n
	if n.Is(catalog.Object) {
		text = n.Get("text")
		if typ := n.Get("type").Text(); !text.Is(catalog.String) || !slices.Contains([]string{"text", "input_text", "output_text", ""}, typ) {
			return n
		}
	}
	raw := text.Raw()
	if !text.Is(catalog.String) {
		raw = quote(raw)
	}
	b, _ := catalog.Parse(`{"type":"text","text":` + raw + `}`) // around a value that could be read
	return b
}

// wallTime is what Codex puts before the output of a tool.
var wallTime = regexp.MustCompile(`^Wall time: [0-9.]+ seconds\n(?:Output:\n)?`)

// codexParts returns the blocks of an output of Codex, which keeps those of MCP tools as JSON in a text.
func codexParts(n *catalog.Node) []*catalog.Node {
	before := n.Text()
	text := wallTime.ReplaceAllString(before, "")
	if blocks, err := catalog.Parse(text); err == nil && blocks.Is(catalog.Array) && len(blocks.Items) > 0 && blocks.Items[0].Get("type").Is(catalog.String) {
		return blocks.Items
	}
	if text == before {
		return []*catalog.Node{n}
	}
	stripped, _ := catalog.Parse(quote(text)) // written here
	return []*catalog.Node{stripped}
}

// Text returns the texts of the content, with line breaks between them.
func (r *Result) Text() string {
	var texts []string
	for _, b := range r.Content() {
		if text := b.Get("text"); text.Is(catalog.String) {
			texts = append(texts, text.Text())
		}
	}
	return strings.Join(texts, "\n")
}

// Cut reports whether the client kept only a part, or where the whole lies.
func (r *Result) Cut() bool {
	text := r.Text()
	return r.cut || slices.ContainsFunc(cuts, func(c string) bool { return strings.Contains(text, c) })
}

// cuts are what clients put where they leave out a part of a result, or say where the whole lies.
var cuts = []string{
	"<persisted-output>", "Output has been saved to ", "exceeds maximum allowed tokens", "<<<TRUNCATED>>>", " tokens truncated…", " chars truncated…",
	"[... omitted ", "... [truncated", "Output too large. ", "… [truncated]",
}

// failed takes a mark such as is_error.
func (r *Result) failed(mark *catalog.Node) {
	if yes, ok := mark.Bool(); ok && yes {
		r.Failed = true
	}
}

func (r *Result) setState(state string) {
	r.State = state
	r.Failed = r.Failed || slices.Contains([]string{"error", "interrupted", "denied", "cancelled"}, state)
}
