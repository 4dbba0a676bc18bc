package turn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/python"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/lint"
	"github.com/skill-ls/skill-ls/internal/profile"
	"github.com/skill-ls/skill-ls/internal/text"
)

// States of a result. AgentScope 1 has none.
const (
	Success     = "success"
	Failed      = "error"
	Denied      = "denied"
	Interrupted = "interrupted"
)

// Output is a result of a tool as a client puts it before the model.
type Output struct {
	State  string
	Blocks []Block
	Plain  bool     // the client keeps it as one text, not as blocks
	Exact  bool     // these are the client's bytes
	Losses []Loss   // what became of the rest
	After  []string // messages that the client adds behind the result
}

// Block is one piece of an output.
type Block struct {
	Type string // text, image, audio
	Text string // of data, what stands in its place where the model gets a text
	MIME string
	Data string // base64

	id    string // AgentScope 2
	shown bool   // AgentScope 2: the data is in a message of its own, behind the result
}

// Loss is something of a result that does not reach the model, or not as it was.
type Loss struct {
	Severity lint.Severity
	Message  string
}

func plain(state, text string) Output {
	return Output{State: state, Blocks: []Block{{Type: "text", Text: text}}, Plain: true, Exact: true}
}

func listed(state, text string) Output {
	return Output{State: state, Blocks: []Block{{Type: "text", Text: text}}, Exact: true}
}

// Text is what the model reads: the parts joined as the client's formatter for OpenAI does it.
func (o *Output) Text(r *profile.Results) string {
	listed := r != nil && r.Texts == "listed" && !o.Plain
	var parts []string
	for _, b := range o.Blocks {
		if b.Type == "text" || b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	if listed && len(parts) > 1 {
		for i, p := range parts {
			parts[i] = "- " + p
		}
	}
	return strings.Join(parts, "\n")
}

// Convert returns what a client makes of the result of tools/call. With rules that nobody knows, texts stand as the
// server sent them.
func Convert(r *profile.Results, tool catalog.Tool, result *catalog.Node) Output {
	o := Output{State: Success, Exact: r != nil}
	if r == nil {
		r = &profile.Results{}
	}
	failed, _ := result.Get("isError").Bool()
	if fault, exact := outputFault(r, tool, result); fault != "" && !failed {
		o.Exact = o.Exact && exact
		o.State, o.Blocks = Failed, []Block{{Type: "text", Text: fault}}
		o.lose(lint.Error, "the client's library refuses the result, and the model gets the error in its place: %s", firstLine(fault))
		return o
	}
	if failed && r.Errors == "ignored" {
		o.lose(lint.Warning, "isError is ignored: the model is not told that the call failed")
	} else if failed {
		o.State = Failed
	}
	for _, c := range result.Get("content").List() {
		o.Exact = o.Exact && (!r.Output || isSound(c))
		o.take(r, c)
	}
	o.structured(r, result)
	o.glue(r)
	if len(o.Blocks) == 0 && (len(result.Get("content").List()) > 0 || result.Get("structuredContent").Is(catalog.Object)) {
		o.lose(lint.Error, "nothing of the result reaches the model: it reads an empty success")
	}
	return o
}

func (o *Output) lose(level lint.Severity, format string, args ...any) {
	o.Losses = append(o.Losses, Loss{level, fmt.Sprintf(format, args...)})
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// take adds one piece of content.
func (o *Output) take(r *profile.Results, c *catalog.Node) {
	kind := c.Get("type").Text()
	switch resource := c.Get("resource"); {
	case kind == "text":
		o.Blocks = append(o.Blocks, Block{Type: "text", Text: c.Get("text").Text()})
	case kind == "image" || kind == "audio":
		o.Blocks = append(o.Blocks, Block{Type: kind, MIME: c.Get("mimeType").Text(), Data: c.Get("data").Text()})
	case kind == "resource" && resource.Get("text") != nil:
		shown, exact := shownResource(r, resource)
		o.Exact = o.Exact && exact
		o.Blocks = append(o.Blocks, Block{Type: "text", Text: shown})
		if r.Resource == "json" {
			o.lose(lint.Info, "the embedded resource %s is shown as JSON, its text escaped", resource.Get("uri").Text())
		}
	case kind == "resource" && r.Drops("blob"):
		o.lose(lint.Warning, "the embedded resource %s is dropped: it is no text", resource.Get("uri").Text())
	case kind == "resource_link" && r.Drops("resource_link"):
		o.lose(lint.Warning, "the resource_link %s is dropped", c.Get("uri").Text())
	case r.Drops("resource_link"): // whatever is not known goes the same way
		o.lose(lint.Warning, "content of the type %q is dropped", kind)
	default:
		o.Blocks = append(o.Blocks, Block{Type: "text", Text: c.Raw()})
	}
}

// isSound reports whether a piece of content has what the Python SDK wants of it. It refuses the whole result otherwise,
// in words of pydantic's.
func isSound(c *catalog.Node) bool {
	strings := func(n *catalog.Node, keys ...string) bool {
		return !slices.ContainsFunc(keys, func(key string) bool { return !n.Get(key).Is(catalog.String) })
	}
	switch c.Get("type").Text() {
	case "text":
		return strings(c, "text")
	case "image", "audio":
		return strings(c, "data", "mimeType")
	case "resource_link":
		return strings(c, "name", "uri")
	case "resource":
		return strings(c.Get("resource"), "uri", "text") || strings(c.Get("resource"), "uri", "blob")
	}
	return false
}

// shownResource is an embedded resource with text. As JSON it is as pydantic writes the type of the Python SDK.
func shownResource(r *profile.Results, resource *catalog.Node) (shown string, exact bool) {
	if r.Resource != "json" {
		return resource.Get("text").Text(), true
	}
	uri, exact := normalURI(resource.Get("uri").Text())
	known := []string{"uri", "mimeType", "_meta", "text"}
	var members []string
	add := func(key string, value *catalog.Node) {
		raw := "null"
		switch {
		case key == "uri":
			raw = text.Quote(uri)
		case value != nil:
			raw = value.Raw()
		}
		members = append(members, text.Quote(key)+":"+raw)
	}
	for _, key := range known {
		add(strings.TrimPrefix(key, "_"), resource.Get(key))
	}
	for _, m := range resource.Members {
		if !slices.Contains(known, m.Key) {
			add(m.Key, m.Value)
		}
	}
	whole, err := catalog.Parse("{" + strings.Join(members, ",") + "}")
	if err != nil {
		panic(err) // made of JSON
	}
	return python.Indented(whole), exact
}

// structured tells of structuredContent that is dropped and stands nowhere else.
func (o *Output) structured(r *profile.Results, result *catalog.Node) {
	content := result.Get("structuredContent")
	if !content.Is(catalog.Object) || !r.Drops("structured") {
		return
	}
	text := o.Text(nil)
	content.Walk(func(pointer string, n *catalog.Node) bool {
		missing := n.Is(catalog.String) && !strings.Contains(text, n.Text()) && !strings.Contains(text, strings.Trim(n.Raw(), `"`)) ||
			n.Is(catalog.Number) && !strings.Contains(text, n.Raw())
		if missing {
			o.lose(lint.Warning, "structuredContent is dropped, and %s stands in no text", pointer)
		}
		return !missing && len(o.Losses) < mostLosses
	})
}

// mostLosses bounds what is told of one result.
const mostLosses = 20

// glue joins neighbouring texts where the client does.
func (o *Output) glue(r *profile.Results) {
	switch {
	case r.Texts == "listed" && len(o.Blocks) > 1:
		o.lose(lint.Info, "%d parts are shown as a list, each behind \"- \"", len(o.Blocks))
	case r.Texts == "glued":
		var out []Block
		for _, b := range o.Blocks {
			last := len(out) - 1
			if last < 0 || b.Type != "text" || out[last].Type != "text" {
				out = append(out, b)
				continue
			}
			if seam := out[last].Text != "" && b.Text != ""; seam && !strings.HasSuffix(out[last].Text, "\n") && !strings.HasPrefix(b.Text, "\n") {
				o.lose(lint.Info, "two texts become one without anything between them: …%s%s…", tail(out[last].Text), head(b.Text))
			}
			out[last].Text += b.Text
		}
		o.Blocks = out
	}
}

const shownEnd = 12 // characters on each side of a seam

func tail(s string) string {
	r := []rune(s)
	return string(r[max(len(r)-shownEnd, 0):])
}

func head(s string) string {
	r := []rune(s)
	return string(r[:min(len(r), shownEnd)])
}

// outputFault is the error of a library that compares structuredContent with outputSchema, "" when there is none.
func outputFault(r *profile.Results, tool catalog.Tool, result *catalog.Node) (fault string, exact bool) {
	schema := tool.OutputSchema()
	if !r.Output || schema == nil || schema.Is(catalog.Null) {
		return "", true
	}
	content := result.Get("structuredContent")
	if content == nil || content.Is(catalog.Null) {
		return fmt.Sprintf("Tool %s has an output schema but did not return structured content", tool.Name()), true
	}
	invalid, err := python.Validate(content, schema)
	raised, isRaised := errors.AsType[*python.Raised](err)
	switch {
	case isRaised && raised.Kind == python.ErrSchema:
		return fmt.Sprintf("Invalid schema for tool %s: %s", tool.Name(), raised.Text), raised.Sure
	case isRaised:
		return raised.Text, raised.Sure
	case err != nil:
		return fmt.Sprintf("Invalid schema for tool %s: %v", tool.Name(), err), false
	case invalid != nil:
		return fmt.Sprintf("Invalid structured content returned by tool %s: %s", tool.Name(), invalid), true
	}
	return "", true
}
