package skills

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/adrg/frontmatter"
	"github.com/pelletier/go-toml/v2"

	"github.com/skill-ls/skill-ls/internal/text"
)

// otherFormat recognises front matter in TOML or JSON, the formats of static site generators that no
// agent reads. Fields then hold name and value texts without nodes, so that a repair can rewrite them.
func otherFormat(src string, at int) (FrontMatter, bool) {
	first := strings.TrimRight(src[at:lineEnd(src, at)], " \t")
	var format Format
	switch {
	case strings.HasPrefix(first, "{"):
		return braces(src, at)
	case first == "+++", first == "---toml":
		format = TOML
	case first == ";;;", first == "---json":
		format = JSON
	default:
		return FrontMatter{}, false
	}
	var raw []byte
	keep := func(data []byte, _ any) error { raw = data; return nil }
	rest, err := frontmatter.Parse(strings.NewReader(src[at:]), &struct{}{}, formats(keep)...)
	if err != nil || raw == nil {
		return FrontMatter{}, false
	}
	values, _ := decodeOther(format, raw)
	end := len(strings.TrimRight(src[:len(src)-len(rest)], "\r\n")) // of the closing line
	return otherFront(src, at, end, format, values), true
}

// braces reads a JSON object at the top of the file, on one line or several.
func braces(src string, at int) (FrontMatter, bool) {
	values := map[string]any{}
	d := json.NewDecoder(strings.NewReader(src[at:]))
	if err := d.Decode(&values); err != nil {
		return FrontMatter{}, false // a text that starts with a brace
	}
	return otherFront(src, at, at+int(d.InputOffset()), JSON, values), true
}

// otherFront makes front matter of the values that stand from the line of at up to end.
func otherFront(src string, at, end int, format Format, values map[string]any) FrontMatter {
	open := text.Span{Start: at, End: min(lineEnd(src, at), end)}
	f := FrontMatter{
		Format: format,
		Lead:   text.At(at),
		Open:   Delimiter{TextFence, open},
		Block:  text.Span{Start: min(nextLine(src, at), end), End: end},
		Close:  Delimiter{TextFence, text.At(end)},
	}
	for _, key := range []string{"name", "description"} {
		if s, ok := values[key].(string); ok {
			f.Fields = append(f.Fields, Field{Name: key, Key: f.Open.Span, Value: f.Open.Span, Extent: f.Open.Span, Text: s})
		}
	}
	return f
}

func formats(keep frontmatter.UnmarshalFunc) []*frontmatter.Format {
	return []*frontmatter.Format{
		frontmatter.NewFormat("+++", "+++", keep), frontmatter.NewFormat("---toml", "---", keep),
		frontmatter.NewFormat(";;;", ";;;", keep), frontmatter.NewFormat("---json", "---", keep),
	}
}

func decodeOther(format Format, raw []byte) (map[string]any, error) {
	values := map[string]any{}
	switch format {
	case TOML:
		return values, toml.Unmarshal(raw, &values)
	case JSON:
		return values, json.Unmarshal(raw, &values)
	}
	return nil, errors.New("not TOML or JSON")
}
