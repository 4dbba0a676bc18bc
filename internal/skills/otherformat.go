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
	switch first {
	case "+++", "---toml":
		format = TOML
	case "{", ";;;", "---json":
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
	values, err := decodeOther(format, raw)
	if err != nil && format == JSON && first == "{" {
		return FrontMatter{}, false // a text that starts with a brace
	}
	end := len(strings.TrimRight(src[:len(src)-len(rest)], "\r\n")) // of the closing line
	f := FrontMatter{
		Format: format,
		Lead:   text.At(at),
		Open:   Delimiter{TextFence, text.Span{Start: at, End: lineEnd(src, at)}},
		Block:  text.Span{Start: nextLine(src, at), End: end},
		Close:  Delimiter{TextFence, text.At(end)},
	}
	for _, key := range []string{"name", "description"} {
		if s, ok := values[key].(string); ok {
			f.Fields = append(f.Fields, Field{Name: key, Key: f.Open.Span, Value: f.Open.Span, Extent: f.Open.Span, Text: s})
		}
	}
	return f, true
}

func formats(keep frontmatter.UnmarshalFunc) []*frontmatter.Format {
	braces := frontmatter.NewFormat("{", "}", keep)
	braces.UnmarshalDelims, braces.RequiresNewLine = true, true
	return []*frontmatter.Format{
		frontmatter.NewFormat("+++", "+++", keep), frontmatter.NewFormat("---toml", "---", keep),
		frontmatter.NewFormat(";;;", ";;;", keep), frontmatter.NewFormat("---json", "---", keep), braces,
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
