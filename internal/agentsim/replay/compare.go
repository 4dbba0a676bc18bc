package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skill-ls/skill-ls/internal/agentsim/recording"
	"github.com/skill-ls/skill-ls/internal/catalog"
	"github.com/skill-ls/skill-ls/internal/text"
)

// compare holds the result of today against the recorded one, behind the masks.
func (p *player) compare(c *recording.Call, now *catalog.Node) *Outcome {
	masks := p.live.Masks
	whole := slices.Contains([]recording.Format{recording.MCP, recording.Calls}, p.recording.Format)
	var edits []catalog.Edit
	if whole && p.recording.Client == "" {
		failed, _ := now.Get("isError").Bool()
		was := wholeOf(c.Result.Content(), c.Result.Structured, c.Result.Failed)
		is := wholeOf(now.Get("content").List(), now.Get("structuredContent"), failed)
		edits = catalog.Edits(masks.apply(was), masks.apply(is))
	} else {
		edits = textEdits(masks, c.Result, now)
	}
	if len(edits) == 0 {
		return &Outcome{Status: Same}
	}
	out := &Outcome{Status: Differ}
	k := keeperOf(c)
	for _, e := range edits {
		out.Edits = append(out.Edits, Edit{e.Op, e.Pointer, cutTo(k.JSON(e.Old), maxShown), cutTo(k.JSON(e.New), maxShown)})
	}
	return out
}

// wholeOf returns a result as MCP has it. Texts that are JSON are values, so that a difference in them has a
// place.
func wholeOf(content []*catalog.Node, structured *catalog.Node, failed bool) *catalog.Node {
	var b strings.Builder
	b.WriteString(`{"content":[`)
	for i, block := range content {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(blockOf(block))
	}
	b.WriteByte(']')
	if structured != nil {
		b.WriteString(`,"structuredContent":` + structured.Raw())
	}
	fmt.Fprintf(&b, `,"isError":%t}`, failed)
	n, _ := catalog.Parse(b.String()) // put together from values that could be read
	return n
}

func blockOf(b *catalog.Node) string {
	text := b.Get("text")
	if b.Get("type").Text() != "text" || !text.Is(catalog.String) {
		return b.Raw()
	}
	return `{"type":"text","text":` + valueOf(text.Text()) + `}`
}

// valueOf returns a text as JSON: the value that it holds when that is an object or a list, else a string.
func valueOf(s string) string {
	if n, err := catalog.Parse(s); err == nil && (n.Is(catalog.Object) || n.Is(catalog.Array)) {
		return n.Raw()
	}
	return text.Quote(s)
}

// textEdits compares what the model saw. Clients put several blocks together in their own ways, or show the structured
// content in their place; what they make of blocks that are no text is not compared.
func textEdits(masks *Masks, was *recording.Result, now *catalog.Node) []catalog.Edit {
	recorded := asText(masks, was.Text())
	views := viewsOf(masks, now)
	for _, v := range views {
		if recorded.Hash() == v.Hash() {
			return nil
		}
	}
	failed, _ := now.Get("isError").Bool()
	if failed && was.Failed && embraces(recorded, views[0]) || otherBlocks(now) && holdsTexts(masks, was.Text(), now) {
		return nil
	}
	best := catalog.Edits(recorded, views[0])
	for _, v := range views[1:] {
		if edits := catalog.Edits(recorded, v); recorded.At("/content/0/text").Is(catalog.Object) && v.At("/content/0/text").Is(catalog.Object) && len(edits) <= len(best) {
			best = edits
		}
	}
	return best
}

// asText returns a text as the only block of a result.
func asText(masks *Masks, text string) *catalog.Node {
	n, _ := catalog.Parse(`{"content":[{"type":"text","text":` + valueOf(strings.TrimRight(text, "\n")) + `}]}`) // a value
	return masks.apply(n)
}

// viewsOf returns what clients may show of a result.
func viewsOf(masks *Masks, now *catalog.Node) []*catalog.Node {
	texts := textsOf(now)
	out := []*catalog.Node{asText(masks, strings.Join(texts, "\n"))}
	for _, between := range []string{"", "\n\n"} {
		if len(texts) > 1 {
			out = append(out, asText(masks, strings.Join(texts, between)))
		}
	}
	if s := now.Get("structuredContent"); s != nil {
		out = append(out, asText(masks, s.Raw()))
	}
	return out
}

func textsOf(now *catalog.Node) []string {
	var out []string
	for _, b := range now.Get("content").List() {
		if b.Get("type").Text() == "text" {
			out = append(out, b.Get("text").Text())
		}
	}
	return out
}

// embraces reports whether a recorded error holds the one of today: clients put words of their own before it.
func embraces(recorded, now *catalog.Node) bool {
	a, b := recorded.At("/content/0/text").Text(), now.At("/content/0/text").Text()
	return b != "" && strings.Contains(a, b)
}

func otherBlocks(now *catalog.Node) bool {
	return slices.ContainsFunc(now.Get("content").List(), func(b *catalog.Node) bool { return b.Get("type").Text() != "text" })
}

// holdsTexts reports whether the texts of a result stand in a recorded one, in their order.
func holdsTexts(masks *Masks, recorded string, now *catalog.Node) bool {
	rest := masks.text(recorded)
	for _, t := range textsOf(now) {
		_, after, ok := strings.Cut(rest, masks.text(t))
		if !ok {
			return false
		}
		rest = after
	}
	return true
}
