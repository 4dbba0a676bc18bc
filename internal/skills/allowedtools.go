package skills

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/skill-ls/skill-ls/internal/text"
)

// ToolsForm tells how allowed-tools is written.
type ToolsForm uint8

const (
	WordTools  ToolsForm = iota // one string with blanks between the tools, as the Agent Skills text says
	CommaTools                  // one string with commas
	ListTools                   // a YAML list
)

// AllowedTool is one entry of allowed-tools.
type AllowedTool struct {
	Text    string    // as it is meant, such as "Bash(git:*)"
	Span    text.Span // where it stands
	Name    text.Span // the part before the parenthesis
	Pattern text.Span // between the parentheses; empty when there are none
	Open    bool      // the parenthesis is never closed
}

// NameIn returns the tool's name as it stands in the document.
func (t *AllowedTool) NameIn(src string) string { return t.Name.In(src) }

// AllowedTools reads the entries of an allowed-tools field with their places. A string is split at blanks and
// commas outside parentheses, so that "Bash(git add *), Read" holds two; the items of a list are taken whole.
func (f *FrontMatter) AllowedTools(src string, field *Field) ([]AllowedTool, ToolsForm) {
	switch field.Kind() {
	case yaml.SequenceNode:
		var out []AllowedTool
		f.Nodes(src, field, func(key, value *yaml.Node, at text.Span) {
			if key == nil && value.Kind == yaml.ScalarNode {
				if strings.HasPrefix(at.In(src), value.Value) {
					at.End = at.Start + len(value.Value) // the span of a plain item may reach to the next dash
				}
				out = append(out, newAllowedTool(src, unquoted(src, at)))
			}
		})
		return out, ListTools
	case yaml.MappingNode:
		return nil, WordTools
	}
	return splitTools(src, unquoted(src, field.Value))
}

// SplitTools returns the tools in the text of an allowed-tools string.
func SplitTools(s string) []string {
	out := make([]string, 0, 1+strings.Count(s, " "))
	cutTools(s, text.Span{End: len(s)}, func(at text.Span) { out = append(out, at.In(s)) })
	return out
}

func splitTools(src string, at text.Span) (out []AllowedTool, form ToolsForm) {
	out = make([]AllowedTool, 0, 1+strings.Count(at.In(src), " "))
	form = cutTools(src, at, func(at text.Span) { out = append(out, newAllowedTool(src, at)) })
	return out, form
}

// cutTools cuts a part of a text at blanks and commas outside parentheses.
func cutTools(src string, at text.Span, use func(text.Span)) (form ToolsForm) {
	depth, start := 0, at.Start
	cut := func(end int) {
		if start < end {
			use(text.Span{Start: start, End: end})
		}
		start = end + 1
	}
	for i := at.Start; i < at.End; i++ {
		switch c := src[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth = max(depth-1, 0)
		case depth > 0:
		case c == ',':
			form = CommaTools
			cut(i)
		case strings.IndexByte(" \t\r\n", c) >= 0:
			cut(i)
		}
	}
	cut(at.End)
	return form
}

func newAllowedTool(src string, at text.Span) AllowedTool {
	t := AllowedTool{Text: at.In(src), Span: at, Name: at, Pattern: text.At(at.End)}
	i := strings.IndexByte(t.Text, '(')
	if i < 0 {
		return t
	}
	t.Name.End = at.Start + i
	t.Pattern = text.Span{Start: at.Start + i + 1, End: at.End}
	if t.Open = !strings.HasSuffix(t.Text, ")"); !t.Open {
		t.Pattern.End--
	}
	return t
}

// unquoted returns the span of a scalar without its quotes or the indicator line of a block.
func unquoted(src string, at text.Span) text.Span {
	s := at.In(src)
	switch {
	case len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0]:
		return text.Span{Start: at.Start + 1, End: at.End - 1}
	case s != "" && (s[0] == '|' || s[0] == '>'):
		return text.Span{Start: min(nextLine(src, at.Start), at.End), End: at.End}
	}
	return at
}
